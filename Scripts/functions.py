"""The functions that the C headers declare, read from the headers themselves."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = ROOT / "Sources/CoreAudio/CAudioToolbox/include"
# Where the interface is declared; beside them lie forwarding headers and a few of the system's, all of them inline.
FRAMEWORKS = ["AudioToolbox", "AudioUnit", "CoreAudio", "CoreAudioTypes", "CoreMIDI", "CoreServices"]


def split_arguments(text):
    """Splits at the commas that lie in no bracket."""
    parts, depth, start = [], 0, 0
    for index, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip() not in ("", "void")]


def declarations():
    """(header, result, name, [argument]) of each function, in the order of the headers."""
    found = []
    for framework in FRAMEWORKS:
        for path in sorted((HEADERS / framework).glob("*.h")):
            text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", path.read_text(), flags=re.S)
            text = re.sub(r"^\s*#(?:[^\n]*\\\n)*[^\n]*", " ", text, flags=re.M)
            for match in re.finditer(r"\bextern\s+([^;{}\"]*?)\b(\w+)\s*\(", text):
                depth, end = 1, match.end()
                while depth:
                    depth += (text[end] == "(") - (text[end] == ")")
                    end += 1
                arguments = split_arguments(" ".join(text[match.end() : end - 1].split()))
                found.append((str(path.relative_to(HEADERS)), " ".join(match[1].split()), match[2], arguments))
    return found
