#!/usr/bin/env python3
"""Compares what the tuner reports with what a program gets: tunes the cases of
a benchmark, lowers the tuned modules by the commands of docs/UserGuide.md,
makes programs of them (caller.c), and runs these in turns with programs of the
originals, which stock mlir-opt lowers. Exits with 1 if results differ, or with
--check if a program takes more than 5 % longer than reported."""

import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
# A program may take this much longer than reported.
BAR = 1.05
# Differences of sums in another order, as shares of the largest element.
TOLERANCE = {"f32": 1e-3, "f64": 1e-9}

LOWER_TUNED = "{baco_opt} {source} --baco-lower-to-cpu"
BUFFERIZE = (
    "--one-shot-bufferize='bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map' "
    "--buffer-deallocation-pipeline ")
LOWER_ORIGINAL = (
    "{mlir_opt} {source} {bufferize}"
    "--convert-linalg-to-loops --lower-affine --expand-strided-metadata "
    "--lower-affine --convert-math-to-llvm --convert-math-to-libm "
    "--llvm-request-c-wrappers --test-lower-to-llvm")
COMPILE = (" | {mlir_translate} --mlir-to-llvmir | {clang} -O3 -march=native "
           "-Wno-override-module -x ir -c - -o {object}")


def fail(message):
    sys.exit("ship.py: error: " + message)


class Failure(Exception):
    """Why a case has no figures."""


def run(command, **options):
    """The standard output of a command: a list, or a line for the shell."""
    is_line = isinstance(command, str)
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command]
                          if is_line else list(map(str, command)),
                          capture_output=True, text=True, **options)
    if done.returncode != 0:
        lines = (done.stderr or done.stdout or "no output").strip().splitlines()
        errors = [line for line in lines if "error: " in line] or lines[-1:]
        raise Failure("%s: %s" % (command.split()[0] if is_line else command[0],
                                  errors[0]))
    return done.stdout


def operands_of(text):
    """The shapes and element types of what @kernel takes."""
    aliases = dict(re.findall(r"^(![\w.]+)\s*=\s*(\w+<.*>)$", text, re.M))
    start = text.index("@kernel(")
    arguments = re.match(r"@kernel\((.*?)\)\s*(->|attributes|\{)", text[start:],
                         re.S).group(1)
    found = []
    for kind in re.findall(r"%\w+\s*:\s*(![\w.]+|\w+<[^<>]*>)", arguments):
        shaped = re.fullmatch(r"(?:memref|tensor)<((?:\d+x)*)(f32|f64)>",
                              aliases.get(kind, kind))
        if not shaped:
            raise Failure("an operand has no static shape: " + kind)
        found.append((shaped.group(2),
                      [int(n) for n in shaped.group(1).split("x") if n]))
    return found


def write_signature(operands, folder):
    rows = ["  {%d, %d, {%s}}," % (4 if kind == "f32" else 8, len(shape),
                                   ", ".join(map(str, shape)))
            for kind, shape in operands]
    parameters = ", ".join(["void *"] * len(operands))
    passed = ", ".join("&(d)[%d]" % i for i in range(len(operands)))
    (folder / "kernel.h").write_text(
        "#include <stdint.h>\n"
        "static const struct { int elementBytes, rank; int64_t extents[8]; } "
        "operands[] = {\n" + "\n".join(rows) + "\n};\n"
        "void _mlir_ciface_kernel(" + parameters + ");\n"
        "#define CALL(d) _mlir_ciface_kernel(" + passed + ")\n")


class Tools:
    def __init__(self, build):
        self.driver = build / "bin" / "baco-tune-driver"
        self.names = {"baco_opt": build / "bin" / "baco-opt"}
        for name in "mlir-opt", "mlir-translate", "clang":
            self.names[name.replace("-", "_")] = \
                pathlib.Path("/usr/lib/llvm-22/bin") / name

    def compile(self, lowering, source, folder, name):
        """Makes a program of a module."""
        names = {key: shlex.quote(str(value)) for key, value in
                 {**self.names, "source": source,
                  "object": folder / (name + ".o")}.items()}
        is_on_tensors = "tensor<" in source.read_text()
        run((lowering + COMPILE).format(
            **names, bufferize=BUFFERIZE if is_on_tensors else ""))
        run([self.names["clang"], "-O2", "-march=native", "-I", folder,
             HERE / "caller.c", folder / (name + ".o"), "-o", folder / name,
             "-fopenmp=libomp", "-L/usr/lib/llvm-22/lib",
             "-Wl,-rpath,/usr/lib/llvm-22/lib", "-lm"])
        return folder / name


def hold_lease(cpu):
    """Keeps tuners off the CPU (docs/Measurement.md) until it is closed. Waits
    for one that measures there, as tuners do, for at most ten minutes."""
    end = time.monotonic() + 600
    lease = socket.socket(socket.AF_UNIX)
    while True:
        try:
            lease.bind("\0baco-measures-on-cpu-%d" % cpu)
            return lease
        except OSError:
            if time.monotonic() > end:
                raise Failure("another tuner has measured on CPU %d for ten "
                              "minutes" % cpu) from None
            time.sleep(0.01)


def measure(programs, cpus, options):
    """Median times of the programs in ns, which run in turns."""
    clock = "wall" if len(cpus) > 1 else "cpu"
    times = {name: [] for name in programs}
    lease = hold_lease(cpus[-1])
    for _ in range(options.rounds):
        for name, program in programs.items():
            if times[name] and times[name][0] > 3e9:
                continue
            times[name].append(float(run(
                ["taskset", "-c", ",".join(map(str, cpus)), program, "time",
                 options.seconds, clock])))
    lease.close()
    return {name: statistics.median(found) for name, found in times.items()}


def tune(tools, payload, description, options):
    command = [tools.driver, payload, "--budget=%d" % options.budget,
               "--seed=%d" % options.seed, "--output-dir=" + str(payload.parent),
               "--final-time=%d" % options.final_time]
    if description["threads"] > 1:
        command.append("--threads=%d" % description["threads"])
    run(command)
    summary = json.loads(payload.with_suffix(".summary.json").read_text())
    return summary["kernels"][0] if "kernels" in summary else summary


def ship(tools, description, payload, options):
    """The row of one case."""
    folder = payload.parent
    operands = operands_of(payload.read_text())
    write_signature(operands, folder)
    original = tools.compile(LOWER_ORIGINAL, payload, folder, "original")
    summary = tune(tools, payload, description, options)
    tuned = tools.compile(LOWER_TUNED, payload.with_suffix(".tuned.mlir"),
                          folder, "tuned")
    run([original, "write", folder / "results"])
    difference = float(run([tuned, "compare", folder / "results"]))
    (folder / "results").unlink()
    if not difference <= TOLERANCE[operands[0][0]]:
        raise Failure("results differ by %g of the largest element" % difference)
    if options.small:
        return {}
    cpus = list(range(os.cpu_count()))[-description["threads"]:]
    times = measure({"tuned": tuned, "original": original}, cpus, options)
    return {"reported": summary["best_time_ns"], "kept": summary["kept"], **times}


def find_cases(work, options):
    """Descriptions and payloads of the cases that were asked for."""
    rows = options.row.split(",") if options.row else []
    found = []
    if not options.small and (not rows or "model" in rows):
        models = sorted(HERE.glob("*.mlir"))
        found = [({"row": "model", "case": model.stem, "threads": 1}, model)
                 for model in models
                 if not options.case or any(text in model.stem
                                            for text in options.case)]
    rows = [row for row in rows if row != "model"]
    if options.row and not rows:
        return found
    command = [options.build / "bin" / "baco-bench-codegen",
               "--write=" + str(work)]
    command += ["--row=" + ",".join(rows)] if rows else []
    command += ["--case=" + text for text in options.case]
    command += ["--small"] if options.small else []
    try:
        run(command)
    except Failure as failure:
        fail(str(failure))
    return found + [(description, work / description["payload"]) for description
                    in json.loads((work / "cases.json").read_text())]


def milliseconds(time):
    return "%.4g" % (time / 1e6)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path,
                        default=HERE.parents[1] / "build" / "release")
    parser.add_argument("--row", default="", help="rows of "
                        "baco-bench-codegen, with commas (default: all)")
    parser.add_argument("--case", action="append", default=[],
                        help="only cases whose name contains this")
    parser.add_argument("--budget", type=int, default=20,
                        help="evaluations for each case (20)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--final-time", type=int, default=500,
                        help="ms for a finalist, as the tuner's option (500)")
    parser.add_argument("--rounds", type=int, default=5,
                        help="processes of each program (5)")
    parser.add_argument("--time", dest="seconds", type=float, default=0.3,
                        help="seconds for which a process runs (0.3)")
    parser.add_argument("--small", action="store_true",
                        help="tiny sizes; results only, no times")
    parser.add_argument("--check", action="store_true",
                        help="exit with 1 if a program takes more than %g of "
                        "the reported time" % BAR)
    parser.add_argument("--markdown", help="also write the table to this file")
    parser.add_argument("--work-dir", type=pathlib.Path,
                        help="keeps programs and modules")
    return parser.parse_args()


def main():
    options = parse_options()
    tools = Tools(options.build.resolve())
    temporary = tempfile.TemporaryDirectory()
    work = (options.work_dir or pathlib.Path(temporary.name)).resolve()
    rows, is_wrong, is_late = [], False, []
    for description, source in find_cases(work, options):
        name = "%s %s" % (description["row"], description["case"])
        folder = work / source.stem
        folder.mkdir(exist_ok=True)
        payload = folder / "kernel.mlir"
        shutil.copy(source, payload)
        try:
            result = ship(tools, description, payload, options)
        except Failure as failure:
            is_wrong = True
            print("%-44s %s" % (name, failure), flush=True)
            continue
        if options.small:
            print("%-44s same results" % name, flush=True)
            continue
        ratio = result["tuned"] / result["reported"]
        if ratio > BAR:
            is_late.append(name)
        row = [name, milliseconds(result["reported"]),
               milliseconds(result["tuned"]), "%.3f" % ratio,
               milliseconds(result["original"]),
               "%.2f" % (result["original"] / result["tuned"]),
               result["kept"]]
        rows.append(row)
        print("%-44s reported %9s  program %9s  %s  original %9s  %8s  %s" %
              tuple(row), flush=True)
    print("%d cases, %d of them later than %g" % (len(rows), len(is_late), BAR)
          if not options.small else "", flush=True)
    if options.markdown:
        run([options.build / "bin" / "baco-bench-table", options.markdown],
            input=json.dumps({
                "program": "benchmarks/ship/run.sh",
                "command": "benchmarks/ship/run.sh --budget=%d" % options.budget,
                "title": "Programs and what was reported",
                "columns": ["case", "reported ms", "program ms",
                            "program / reported", "original ms",
                            "original / program", "kept"],
                "rows": rows}))
    return 1 if is_wrong or (options.check and is_late) else 0


if __name__ == "__main__":
    sys.exit(main())
