"""The copy of the package: every file that git knows or would take, the sources with mutants in them."""

import os
import pathlib
import subprocess

from . import schemata

_HEADER = """\
// The switch of all mutants, and the record of those that were asked for.
#ifndef CMUTATION_H
#define CMUTATION_H
#include <stdbool.h>

/// The number of the mutant that is on, from AUBENCH_MUTANT; 0: none.
extern int aubench_mutation_active;
/// One byte for each mutant: whether its place was come to. AUBENCH_MUTATION_REACHED names a file that holds them.
extern unsigned char *aubench_mutation_reached;

static inline bool aubench_mutant(int number) {
  aubench_mutation_reached[number] = 1;
  return aubench_mutation_active == number;
}
static inline bool aubench_flip(int number, bool condition) { return condition ^ aubench_mutant(number); }
/// These are come to only where they would make a difference.
static inline bool aubench_true(int number, bool condition) { return condition || aubench_mutant(number); }
static inline bool aubench_false(int number, bool condition) { return condition && !aubench_mutant(number); }

#endif
"""

_SOURCE = """\
#include "CMutation.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { most_mutants = 1 << 16 };
static unsigned char unrecorded[most_mutants];
int aubench_mutation_active = 0;
unsigned char *aubench_mutation_reached = unrecorded;

// The file is memory that all processes share, so nothing is lost where one of them crashes or is killed.
__attribute__((constructor)) static void begin(void) {
  const char *number = getenv("AUBENCH_MUTANT");
  if (number) aubench_mutation_active = atoi(number);
  const char *path = getenv("AUBENCH_MUTATION_REACHED");
  if (!path) return;
  const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return;
  if (ftruncate(file, most_mutants) == 0) {
    void *bytes = mmap(0, most_mutants, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (bytes != MAP_FAILED) aubench_mutation_reached = bytes;
  }
  close(file);
}
"""

_MANIFEST = """
package.targets.append(.target(name: "CMutation", path: "Sources/Engine/CMutation"))
for target in package.targets where [{targets}].contains(target.name) {{
  target.dependencies.append("CMutation")
}}
"""

# So many mutants the switch can tell apart.
MOST = 1 << 16


def write(root, copy, numbered):
    """Brings the copy up to date, with the mutants of `numbered` (number → mutant) in it.

    Answers what was written of each mutated file. What has not changed is not touched, so that a build of the copy only does
    what it must.
    """
    root, copy = pathlib.Path(root), pathlib.Path(copy)
    by_path = {}
    for number, one in numbered.items():
        by_path.setdefault(one.path, []).append((number, one))
    modules = {path.split("/")[2] for path in by_path}
    written, wanted = {}, {}
    for path in _files(root):
        source = root / path
        if path in by_path:
            written[path] = schemata.write(path, source.read_bytes(), by_path[path])
            wanted[path] = written[path].text
        elif path.endswith(".c") and path.startswith("Sources/") and path.split("/")[2] in modules:
            # A template that is included may use the switch; it should be declared before.
            wanted[path] = b'#include "%s.h"\n' % schemata.MODULE.encode() + source.read_bytes()
        elif source.is_symlink():
            wanted[path] = ("link", os.readlink(source))
        else:
            wanted[path] = source.read_bytes()
    targets = ", ".join(f'"{module}"' for module in sorted(modules))
    # The compiler may say of a mutant that a line of it is never reached.
    manifest = wanted["Package.swift"].replace(b".treatAllWarnings(as: .error)", b".treatAllWarnings(as: .warning)")
    wanted["Package.swift"] = manifest + _MANIFEST.format(targets=targets).encode()
    wanted["Sources/Engine/CMutation/include/CMutation.h"] = _HEADER.encode()
    wanted["Sources/Engine/CMutation/CMutation.c"] = _SOURCE.encode()
    for path, content in wanted.items():
        _put(copy / path, content, (root / path).stat().st_mode & 0o777 if (root / path).is_file() else 0o644)
    _forget(copy, set(wanted))
    return written


def _files(root):
    done = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root, stdout=subprocess.PIPE,
        check=True)
    return [path for path in done.stdout.decode().split("\0") if path and os.path.lexists(root / path)]


def _put(path, content, mode):
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, tuple):
        if not path.is_symlink() or os.readlink(path) != content[1]:
            path.unlink(missing_ok=True)
            path.symlink_to(content[1])
        return
    if not path.is_file() or path.read_bytes() != content:
        path.write_bytes(content)
    if path.stat().st_mode & 0o777 != mode:
        path.chmod(mode)


def _forget(copy, wanted):
    """Removes what is in the copy and no longer in the package. What builds and tests have made stays."""
    for folder in ("Sources", "Tests", "fixtures", "Scripts", "docs"):
        for path in sorted((copy / folder).rglob("*"), reverse=True):
            if (path.is_file() or path.is_symlink()) and str(path.relative_to(copy)) not in wanted:
                path.unlink()
