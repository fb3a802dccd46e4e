#!/usr/bin/env python3
"""Records the spaces of kernels.py: times every configuration on this machine.

usage: record.py [SPACE...]      default: all

Writes SPACE/space.json, SPACE/results.csv.gz and SPACE/SOURCE.md beside this
file. Needs clang-22 (or another, by CC). Take an idle machine; a few minutes.
"""

import csv
import gzip
import io
import itertools
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile

from kernels import SPACES

HERE = pathlib.Path(__file__).resolve().parent
CC = os.environ.get("CC", "clang-22")
FLAGS = ["-O2", "-march=native", "-ffast-math", "-Wno-pass-failed"]
# Kernels in one library, which the compiler works on at once.
BATCH = 128
# Passes over all configurations: of their times the least counts, so that what
# the machine does besides hardly shows.
PASSES = 3


def values(parameter):
    if parameter["parameter_type"] == "permutation":
        return list(itertools.permutations(range(parameter["values"][0])))
    return parameter["values"]


def names(configuration):
    """What constraints may read."""
    known = dict(configuration)
    for name, value in configuration.items():
        if isinstance(value, tuple):
            for position, element in enumerate(value):
                known["%s_%d" % (name, position)] = element
                known["%s_i%d" % (name, element)] = position
    return known


def configurations(space):
    """All that meet the known constraints."""
    for choice in itertools.product(*map(values, space.parameters.values())):
        configuration = dict(zip(space.parameters, choice))
        known = names(configuration)
        if all(eval(text, {}, known) for _, text in space.constraints):
            yield configuration


def source(space, batch):
    """C of some kernels, and the tables that runner.c reads."""
    signature = "(const float *restrict a, const float *restrict b, " \
                "float *restrict out)"
    text = "#include <stddef.h>\n#include <string.h>\n"
    text += "const size_t sizes[] = {%d, %d, %d};\n" % space.sizes
    text += "const size_t count = %d;\n" % len(batch)
    text += "void reference%s {%s\n}\n" % (signature, space.reference())
    for i, configuration in enumerate(batch):
        text += "static void k%d%s {%s\n}\n" % (
            i, signature, space.kernel(**configuration))
    text += "void (*const kernels[])%s = {%s};\n" % (
        signature.replace("restrict ", ""),
        ", ".join("k%d" % i for i in range(len(batch))))
    return text


def compile_all(space, batches, folder):
    libraries = []
    for i, batch in enumerate(batches):
        path = pathlib.Path(folder) / ("%s%d.c" % (space.name, i))
        path.write_text(source(space, batch))
        libraries.append(path.with_suffix(".so"))
        subprocess.run([CC, *FLAGS, "-shared", "-fPIC", str(path), "-o",
                        str(libraries[-1])], check=True)
    return libraries


def measure(runner, library):
    """The time of each kernel in nanoseconds; None if it failed."""
    output = subprocess.run([str(runner), str(library)], check=True,
                            capture_output=True, text=True).stdout
    return [None if word == "failed" else int(word)
            for word in output.split()[1::2]]


def least(times):
    """Of one configuration; it fails if it ever fails."""
    return None if None in times else min(times)


def record(space):
    """Pairs of configuration and time."""
    every = list(configurations(space))
    batches = [every[i:i + BATCH] for i in range(0, len(every), BATCH)]
    with tempfile.TemporaryDirectory() as folder:
        runner = pathlib.Path(folder) / "runner"
        subprocess.run([CC, "-O2", str(HERE / "runner.c"), "-o", str(runner),
                        "-ldl", "-lm", "-lpthread"], check=True)
        libraries = compile_all(space, batches, folder)
        passes = [[time for library in libraries
                   for time in measure(runner, library)]
                  for _ in range(PASSES)]
    return list(zip(every, map(least, zip(*passes))))


def scenario(space):
    parameters = {name: dict(p) for name, p in space.parameters.items()}
    for name, text in space.constraints:
        parameter = parameters[name]
        others = [other for other in parameters
                  if other != name and other in text]
        parameter.setdefault("constraints", []).append(text)
        parameter["dependencies"] = sorted(
            set(parameter.get("dependencies", [])) | set(others))
    result = {"application_name": space.name,
              "optimization_objectives": ["time"],
              "input_parameters": parameters}
    if space.has_hidden_constraints:
        result["feasible_output"] = {
            "enable_feasible_predictor": True, "name": "Valid",
            "true_value": "True", "false_value": "False"}
    return result | {"x_units": {"time": "ns"}}


def table(space, results):
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([*space.parameters, "time", "valid"])
    for configuration, time in results:
        writer.writerow([*configuration.values(),
                         "" if time is None else time, int(time is not None)])
    return text.getvalue()


def processor():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.machine()


def summary(space, results):
    times = [time for _, time in results if time is not None]
    version = subprocess.run([CC, "--version"], check=True, text=True,
                             capture_output=True).stdout.splitlines()[0]
    return """# %s

%s

%d configurations meet the known constraints, %d of them are valid. Nanoseconds:
best %d, median %d, worst %d.

Made by `../record.py` on an %s with
`%s`,
`%s`; the least of %d passes of 25 executions.
Under the license of the project.
""" % (space.name, space.title + ".", len(results), len(times), min(times),
       statistics.median(times), max(times), processor(), version,
       " ".join(FLAGS), PASSES)


def main():
    wanted = sys.argv[1:] or [space.name for space in SPACES]
    known = {space.name: space for space in SPACES}
    for name in wanted:
        if name not in known:
            sys.exit("record.py: unknown space '%s': the known ones are %s"
                     % (name, ", ".join(known)))
        space = known[name]
        results = record(space)
        folder = HERE / name
        folder.mkdir(exist_ok=True)
        (folder / "space.json").write_text(
            json.dumps(scenario(space), indent=1) + "\n")
        # Without a name or a time of its own: the same table, the same bytes.
        (folder / "results.csv.gz").write_bytes(
            gzip.compress(table(space, results).encode(), mtime=0))
        (folder / "SOURCE.md").write_text(summary(space, results))


if __name__ == "__main__":
    main()
