#!/usr/bin/env python3
"""Compares what the tuner reports with what a program gets: tunes the cases of
a benchmark, lowers the tuned modules by the commands of docs/UserGuide.md,
makes programs of them (caller.c), and runs these in turns with programs of the
originals, which stock mlir-opt lowers. Exits with 1 if results differ, or with
--check if a program takes more than 5 % longer than reported."""

import argparse
import array
import json
import os
import pathlib
import random
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
for folder in "sparse", "models":
    sys.path.insert(0, str(HERE.parent / folder))
import mlir_writer  # noqa: E402: they are in other folders
import networks  # noqa: E402
import programs  # noqa: E402

# A program may take this much longer than reported.
BAR = 1.05
# Differences of sums in another order, as shares of the largest element.
TOLERANCE = {"f32": 1e-3, "f64": 1e-9}

# As text of LLVM IR, weights take minutes.
LOWER_TUNED = "{baco_opt} {source} --baco-lower-to-cpu=constants={constants}"
BUFFERIZE = (
    "--one-shot-bufferize='bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map' "
    "--buffer-results-to-out-params='hoist-static-allocs "
    "modify-public-functions' --buffer-deallocation-pipeline ")
# Tensors become their buffers, and results operands.
LOWER_SPARSE_ORIGINAL = (
    "{mlir_opt} {source} --pass-pipeline='builtin.module(sparse-assembler,"
    "inline,sparsification-and-bufferization,buffer-results-to-out-params{{"
    "hoist-static-allocs=true modify-public-functions=true}},"
    "func.func(llvm-request-c-wrappers))' | "
    "{mlir_opt} --sparsifier=enable-runtime-library=false")
LOWER_ORIGINAL = (
    "{mlir_opt} {source} {bufferize}| "
    "{baco_opt} --baco-store-constants=file={constants} | "
    "{mlir_opt} --convert-linalg-to-loops --lower-affine --expand-strided-metadata "
    "--lower-affine --llvm-request-c-wrappers --convert-math-to-llvm "
    "--convert-math-to-libm --test-lower-to-llvm")
COMPILE = ("{mlir_translate} {lowered} --mlir-to-llvmir | {clang} {level} "
           "-march=native -Wno-override-module -x ir -c - -o {object}")


def fail(message):
    sys.exit("%s: error: %s" % (pathlib.Path(sys.argv[0]).name, message))


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


class Operand:
    """A memref that @kernel takes: elements of an identity layout, or a buffer
    of its sparse operand."""

    def __init__(self, kind, shape, data=None, is_constant=False):
        self.kind, self.shape, self.data = kind, shape, data
        self.is_constant = is_constant


def operands_of(text, folder, tools, inputs):
    """What the C interface of @kernel takes; tensors that it returns come
    last."""
    aliases = dict(re.findall(r"^(![\w.]+)\s*=\s*(\w+<.*>)$", text, re.M))
    start = text.index("@kernel(")
    signature = re.match(r"@kernel\((.*?)\{\s*$", text[start:],
                         re.S | re.M).group(1)
    found = []
    for kind, mark in re.findall(
            r"(![\w.]+|\b\w+<[^<>]*>)(\s*\{baco\.constant\})?", signature):
        shaped = re.fullmatch(
            r"(?:memref|tensor)<((?:\d+x)*)(f32|f64)(, #\w+)?>",
            aliases.get(kind, kind))
        if not shaped:
            raise Failure("an operand has no static shape: " + kind)
        shape = [int(n) for n in shaped.group(1).split("x") if n]
        if shaped.group(3):
            found += sparse_operands(text, shape, folder, tools, inputs)
        else:
            found.append(Operand(shaped.group(2), shape,
                                 is_constant=bool(mark)))
    return found


def sparse_operands(text, shape, folder, tools, inputs):
    """The buffers of the first operand, in the format of its type."""
    encoding = re.search(r"#sparse_tensor.encoding<\{(.*?)\}>", text,
                         re.S).group(1)
    dimensions, levels = re.search(r"map = \((.*?)\)\s*->\s*\((.*)\)",
                                   encoding, re.S).groups()
    names = [name.strip() for name in dimensions.split(",")]
    levels = [(kind.strip(), names.index(level.strip())) for level, kind in
              (part.split(":") for part in
               re.split(r",(?![^(]*\))", levels))]
    source = inputs.split("=", 1)[1].removeprefix("@")
    run([tools.names["baco"], "tensor", "write", source, folder / "b.tns"])
    lines = [line for line in (folder / "b.tns").read_text().splitlines()
             if line and line[0] != "#"]
    # Behind the rank, the number of entries and the extents.
    draw = random.Random(1)
    entries = [(tuple(int(c) - 1 for c in line.split()[:len(shape)]),
                draw.uniform(-1, 1)) for line in lines[2:]]
    buffers, values = programs.pack(levels, entries, shape)
    return ([Operand("i64", [len(buffer)], buffer) for buffer in buffers] +
            [Operand("f64", [len(values)], values)])


def write_signature(operands, header, data, kept):
    """Writes what the caller includes. Of operands that are prepared, a sparse
    tensor or constants, so many buffers are kept."""
    rows = ["  {%d, %d, %d, {%s}}," % (
        4 if operand.kind == "f32" else 8, operand.data is not None,
        len(operand.shape), ", ".join(map(str, operand.shape)))
        for operand in operands]
    with open(data, "wb") as file:
        for operand in operands:
            if operand.data is not None:
                array.array("q" if operand.kind == "i64" else "d",
                            operand.data).tofile(file)
    given = ["&(d)[%d]" % i for i in range(len(operands))]
    sparse = [text for text, operand in zip(given, operands)
              if operand.data is not None]
    constants = [text for text, operand in zip(given, operands)
                 if operand.is_constant]
    held = ["&kept[%d]" % i for i in range(kept)]
    functions = {"kernel": given}
    if kept:
        functions = {"kernel_prepare": ["kept"] + (sparse or constants),
                     "kernel_tuned": held + given[len(sparse):] if sparse
                     else given + held}
    calls = {name: "_mlir_ciface_%s(%s)" % (name, ", ".join(arguments))
             for name, arguments in functions.items()}
    header.write_text(
        "#include <stdint.h>\n"
        "static const char *data = \"" + str(data) + "\";\n"
        "static const struct { int elementBytes, isGiven, rank; "
        "int64_t extents[8]; } operands[] = {\n" + "\n".join(rows) + "\n};\n"
        "static struct { int64_t words[5]; } kept[%d];\n" % max(kept, 1) +
        "".join("void _mlir_ciface_%s(%s);\n" %
                (name, ", ".join(["void *"] * len(arguments)))
                for name, arguments in functions.items()) +
        "#define PREPARE(d) " + calls.get("kernel_prepare", "(void)kept") +
        "\n#define CALL(d) " + (calls.get("kernel_tuned") or calls["kernel"]) +
        "\n")


class Tools:
    def __init__(self, build):
        self.driver = build / "bin" / "baco-tune-driver"
        self.names = {"baco_opt": build / "bin" / "baco-opt",
                      "baco": build / "bin" / "baco", "level": "-O3"}
        self.llvm = pathlib.Path("/usr/lib/llvm-22/bin")
        for name in "mlir-opt", "mlir-translate", "clang":
            self.names[name.replace("-", "_")] = self.llvm / name

    def compile(self, lowering, source, operands, name):
        """Makes a program of a module."""
        folder = source.parent
        names = {key: shlex.quote(str(value)) for key, value in
                 {**self.names, "source": source,
                  "constants": folder / (name + ".constants"),
                  "lowered": folder / (name + ".lowered.mlir"),
                  "object": folder / (name + ".o")}.items()}
        is_on_tensors = "tensor<" in source.read_text()
        lowered = run(lowering.format(
            **names, bufferize=BUFFERIZE if is_on_tensors else ""))
        (folder / (name + ".lowered.mlir")).write_text(lowered)
        run(COMPILE.format(**names))
        released = re.search(r"@_mlir_ciface_kernel_release\((.*?)\)", lowered)
        write_signature(operands, folder / (name + ".h"), folder / "data",
                        len(released.group(1).split(",")) if released else 0)
        run([self.names["clang"], "-O2", "-march=native", "-include",
             folder / (name + ".h"), HERE / "caller.c", folder / (name + ".o"),
             "-o", folder / name, "-fopenmp=libomp",
             "-L%s" % (self.llvm.parent / "lib"),
             "-Wl,-rpath,%s" % (self.llvm.parent / "lib"),
             "-lmlir_c_runner_utils", "-lm"])
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
    """Median times of the programs in ns, which run in turns. A program is a
    file, or a list with its first arguments."""
    clock = "wall" if len(cpus) > 1 else "cpu"
    times = {name: [] for name in programs}
    lease = hold_lease(cpus[-1])
    for _ in range(options.rounds):
        for name, program in programs.items():
            if times[name] and times[name][0] > 1e9:
                continue
            environment = dict(os.environ)
            if name == "huge":
                environment["GLIBC_TUNABLES"] = "glibc.malloc.hugetlb=1"
            command = program if isinstance(program, list) else [program]
            times[name].append(float(run(
                ["taskset", "-c", ",".join(map(str, cpus)), *command, "time",
                 options.seconds, clock], env=environment)))
    lease.close()
    return {name: statistics.median(found) for name, found in times.items()}


def drive(tools, payload, description, options, *arguments):
    """Runs the tuner, which writes into the payload's folder."""
    command = [tools.driver, payload, "--output-dir=" + str(payload.parent),
               "--final-time=%d" % options.final_time, *options.tuner,
               *arguments]
    if description["threads"] > 1:
        command.append("--threads=%d" % description["threads"])
    if description["inputs"]:
        command.append("--arg=" + description["inputs"])
    run(command)


def cpus_of(description):
    return list(range(os.cpu_count()))[-description["threads"]:]


def tune(tools, payload, description, options):
    # Three versions of a network are compiled before they are compared.
    drive(tools, payload, description, options,
          "--budget=%d" % options.budget, "--seed=%d" % options.seed,
          "--program-time=120")


def reported(payload):
    """The time in ns that the tuner reports of @kernel, or None, and what it
    has kept: of the whole program if its parts were tuned apart. And its
    kernels."""
    summary = json.loads(payload.with_suffix(".summary.json").read_text())
    for one in summary["programs"] + summary["kernels"]:
        if one["name"] == "kernel":
            return one["best_time_ns"], one["kept"], one.get("kernels", [])
    return None, "plain", []


def remeasure(tools, payload, description, options):
    """The time in ns that the tuner now reports of what it has found."""
    drive(tools, payload, description, options, "--program-time=120",
          "--remeasure=%s" % payload.with_suffix(".library.mlir"))
    times = json.loads(payload.with_suffix(".times.json").read_text())
    time = (times["programs"] or times["entries"])[0].get("time_ns")
    if not time:
        raise Failure("the tuner didn't run @kernel as a whole again")
    return time


def compare(program, results, tolerance):
    difference = float(run([program, "compare", results]))
    if not difference <= tolerance:
        raise Failure("%s differ by %g of the largest element" %
                      (results.name, difference))


def ship(tools, description, payload, options):
    """The row of one case."""
    folder = payload.parent
    operands = operands_of(payload.read_text(), folder, tools,
                           description["inputs"])
    original = tools.compile(LOWER_SPARSE_ORIGINAL if description["inputs"]
                             else LOWER_ORIGINAL, payload, operands, "original")
    tune(tools, payload, description, options)
    time, kept, _ = reported(payload)
    tuned = tools.compile(LOWER_TUNED, payload.with_suffix(".tuned.mlir"),
                          operands, "tuned")
    run([original, "write", folder / "results"])
    compare(tuned, folder / "results", TOLERANCE[operands[-1].kind])
    (folder / "results").unlink()
    if options.small:
        return {}
    if not time:
        raise Failure("the tuner didn't run @kernel as a whole")
    cpus = cpus_of(description)
    programs = {"tuned": tuned, "huge": tuned, "original": original}
    runs = [{"reported": time, **measure(programs, cpus, options)}]
    # The machine may have changed since.
    if not 1 / BAR <= runs[0]["tuned"] / runs[0]["reported"] <= BAR:
        for _ in range(options.repeats):
            runs.append({"reported": remeasure(tools, payload, description,
                                               options),
                         **measure(programs, cpus, options)})
    runs.sort(key=lambda run: run["tuned"] / run["reported"])
    ratios = [run["tuned"] / run["reported"] for run in (runs[0], runs[-1])]
    return {**runs[(len(runs) - 1) // 2], "kept": kept, "ratios": ratios}


def find_models(work, options):
    """Payloads of the layer in this folder, and of networks at tiny sizes."""
    models = {} if options.small else {
        file.stem: file for file in sorted(HERE.glob("*.mlir"))}
    models |= {name + "-tiny": None for name in networks.NETWORKS}
    for case, file in models.items():
        if options.case and not any(text in case for text in options.case):
            continue
        if not file:
            work.mkdir(parents=True, exist_ok=True)
            file = work / (case + ".mlir")
            mlir_writer.write(networks.make(case.removesuffix("-tiny"), True,
                                            options.seed), file)
        yield {"row": "model", "case": case, "threads": 1, "inputs": ""}, file


def find_cases(work, options):
    """Descriptions and payloads of the cases that were asked for."""
    rows = options.row.split(",") if options.row else []
    found = []
    if "model" in rows or not (rows or options.small):
        found = list(find_models(work, options))
    rows = [row for row in rows if row != "model"]
    if options.row and not rows:
        return found
    for program in "baco-bench-codegen", "baco-bench-sparse":
        tool = options.build / "bin" / program
        known = re.findall(r"^(\S+): ", run([tool, "--list"]), re.M)
        wanted = [row for row in rows if row in known]
        if rows and not wanted:
            continue
        place = work / program
        command = [tool, "--write=%s" % place, "--row=" + ",".join(wanted or known)]
        command += ["--case=" + text for text in options.case]
        command += ["--small"] if options.small else []
        try:
            run(command)
        except Failure as failure:
            if not options.case:
                raise
            print("%s: %s" % (program, failure), flush=True)
            continue
        found += [(description, place / description["payload"])
                  for description in
                  json.loads((place / "cases.json").read_text())]
    return found


def milliseconds(time):
    return "%.4g" % (time / 1e6)


def add_options(parser, rounds, budget):
    """Options of benchmarks that tune and run programs."""
    parser.add_argument("--build", type=pathlib.Path,
                        default=HERE.parents[1] / "build" / "release")
    parser.add_argument("--budget", type=int, default=budget,
                        help="evaluations for each case (%d)" % budget)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--final-time", type=int, default=500,
                        help="ms for a finalist, as the tuner's option (500)")
    parser.add_argument("--rounds", type=int, default=rounds,
                        help="processes of each program (%d)" % rounds)
    parser.add_argument("--time", dest="seconds", type=float, default=0.3,
                        help="seconds for which a process runs (0.3)")
    parser.add_argument("--tuner", action="append", default=[],
                        help="a further option of the tuner, as "
                        "--tuner=--layout=keep")
    parser.add_argument("--small", action="store_true",
                        help="tiny sizes; results only, no times")
    parser.add_argument("--markdown", help="also write the table to this file")
    parser.add_argument("--work-dir", type=pathlib.Path,
                        help="keeps programs and modules")


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser, rounds=5, budget=20)
    parser.add_argument("--row", default="", help="rows of "
                        "baco-bench-codegen, with commas (default: all)")
    parser.add_argument("--case", action="append", default=[],
                        help="only cases whose name contains this")
    parser.add_argument("--repeats", type=int, default=4,
                        help="how often a case is measured again that isn't "
                        "within %g, the tuner and the programs in turns (4)" %
                        BAR)
    parser.add_argument("--check", action="store_true",
                        help="exit with 1 if a program takes more than %g of "
                        "the reported time" % BAR)
    return parser.parse_args()


def write_table(row, rows, options):
    """Replaces the table of a row of the benchmark."""
    table(options, "benchmarks/ship/run.sh", "--row=" + row,
          title="%s: programs and what was reported" % row,
          columns=["case", "reported ms", "program ms", "program / reported",
                   "least to largest", "on huge pages", "original ms",
                   "original / program", "kept"],
          rows=rows)


def table(options, program, selection, **content):
    """Replaces a table of results."""
    run([options.build / "bin" / "baco-bench-table", options.markdown],
        input=json.dumps({
            "program": program,
            "command": " ".join(filter(None, [
                program, selection,
                *("--tuner=" + one for one in options.tuner),
                "--budget=%d" % options.budget,
                "--rounds=%d" % options.rounds, "--time=%g" % options.seconds])),
            **content}))


def main():
    options = parse_options()
    tools = Tools(options.build.resolve())
    temporary = tempfile.TemporaryDirectory()
    work = (options.work_dir or pathlib.Path(temporary.name)).resolve()
    rows, is_wrong, is_late = [], False, []
    try:
        cases = find_cases(work, options)
    except Failure as failure:
        fail(str(failure))
    for description, source in cases:
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
               "%.3f to %.3f" % tuple(result["ratios"]),
               "%.3f" % (result["huge"] / result["reported"]),
               milliseconds(result["original"]),
               "%.2f" % (result["original"] / result["tuned"]),
               result["kept"]]
        rows.append(row)
        if options.markdown:
            write_table(description["row"], [
                cells for cells in rows
                if cells[0].startswith(description["row"] + " ")], options)
        print("%-44s reported %9s  program %9s  %s (%s; %s)  original %9s  %8s  %s" %
              tuple(row), flush=True)
    print("%d cases, %d of them later than %g" % (len(rows), len(is_late), BAR)
          if not options.small else "", flush=True)
    return 1 if is_wrong or (options.check and is_late) else 0


if __name__ == "__main__":
    sys.exit(main())
