#!/usr/bin/env python3
"""Counts lines of C++ and TableGen without comments and blank lines.

usage: scripts/count-lines.py [COMMIT...]

Prints the sums of lib, runtime, include and tools at each commit (default:
HEAD), and the lines of each room, comments included, with the largest last.
"""
import collections
import re
import subprocess
import sys

FOLDERS = ["lib", "runtime", "include", "tools"]
COMMENT = re.compile(r"^\s*//|^\s*$")


def git(*arguments):
    """The output of a git command."""
    return subprocess.check_output(["git", *arguments], text=True)


def room_of(path):
    """The folder that a reader sees as one: lib/Target/CPU, runtime."""
    parts = path.split("/")[:-1]
    return "/".join(parts[: 3 if parts[:2] == ["lib", "Target"] else 2])


def count(commit):
    """Prints the figures of a commit."""
    code, rooms = collections.Counter(), collections.Counter()
    names = git("ls-tree", "-r", "--name-only", commit, *FOLDERS).split()
    for path in names:
        if not path.endswith((".h", ".cpp", ".td")):
            continue
        lines = git("show", f"{commit}:{path}").splitlines()
        code[path.split("/")[0]] += sum(not COMMENT.match(l) for l in lines)
        rooms[room_of(path)] += len(lines)
    sums = ", ".join(f"{f} {code[f]}" for f in FOLDERS)
    print(f"{commit}: {sum(code.values())} lines of code: {sums}")
    for room, lines in sorted(rooms.items(), key=lambda item: item[1]):
        if not room.startswith("include"):
            print(f"  {lines:6} {room}")


if __name__ == "__main__":
    for name in sys.argv[1:] or ["HEAD"]:
        count(name)
