"""LSP's plugins, in the host that runs them fastest of those that read and write files: FFmpeg's `ladspa` filter.

ecasound takes twice as long. lv2apply, lilv's, runs a plugin for single frames and takes thirty times as long; FFmpeg's `lv2`
filter reads the descriptions of all plugins at its start, which is as long as a minute of sound takes.
"""

from pathlib import Path

PACKAGE = "apt: lsp-plugins-ladspa"
FOUND = sorted(Path("/usr/lib/ladspa").glob("lsp-plugins-ladspa*.so"))
LIBRARY = FOUND[-1] if FOUND else Path("lsp-plugins-ladspa.so")


def lsp(plugin, controls):
    """A filter of FFmpeg: controls by their number, as `ladspa=f=…:p=…:c=help` lists them. The others are as they come."""
    values = "|".join(f"c{number}={value:.6g}" for number, value in controls.items())
    return rf"ladspa=f={LIBRARY.stem}:p=http\\://lsp-plug.in/plugins/ladspa/{plugin}:c={values}"

