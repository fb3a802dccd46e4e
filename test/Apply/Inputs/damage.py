"""damage.py LIBRARY FOLDER: damages a library of one entry in many ways."""

import re
import sys

library, folder = sys.argv[1:]
with open(library) as file:
    text = file.read()
begin = text.index("  transform.named_sequence")
end = text.rindex("}")
head, entry, tail = text[:begin], text[begin:end], text[end:]
first, rest = entry.split("\n", 1)
name = re.search(r"@([\w.]+)\(", entry).group(1)


def conflict(ours, theirs):
    return f"<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> branch\n"


def with_field(field):
    """With this one instead of the speed-up that may be there."""
    without = re.sub(r"speedup\w* = [^,}]*(, \d[^>,]*>)?,? ?", "", entry)
    return without.replace("structure = ", field + ", structure = ", 1)


damaged = {
    "conflict": head + conflict(entry, entry) + tail,
    "conflict-in-entry": head + conflict(first + "\n", first + "\n") + rest +
                         tail,
    "conflict-in-head": conflict("// Ours.\n", "// Theirs.\n") + text,
    "twice": head + entry + entry.replace(name, name + ".other") + tail,
    "same-name": head + entry + entry + tail,
    "cut-off": head + entry,
    "empty": "",
    "no-number": head + with_field("speedup = 0x7FF8000000000000 : f64") +
                 tail,
    "negative": head + with_field("speedup = -1.0 : f64") + tail,
    "interval": head + with_field("speedup = 1.5 : f64, "
                                  "speedup_interval = array<f64: 2.0, 1.0>") +
                tail,
    # The comment keeps the file from being read entry by entry.
    "evaluations": head + "// Edited.\n" +
                   re.sub("evaluations = [0-9]+", "evaluations = -1", entry) +
                   tail,
    "line-ends": text.replace("\n", "\r\n"),
    "comments": head + "// Ours.\n" + entry + "\n// The end.\n" + tail + "\n",
}
for name, content in damaged.items():
    with open(f"{folder}/{name}.mlir", "w", newline="") as file:
        file.write(content)
