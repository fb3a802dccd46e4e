#!/usr/bin/env python3
"""Tunes networks, makes programs of them by the commands of docs/UserGuide.md,
and runs these in turns with ONNX Runtime, on as many threads. Exits with 1 if
results differ, or with --check if a program is late: later than the tuner
reports, or than ONNX Runtime."""

import argparse
import pathlib
import sys
import tempfile

import graph
import mlir_writer
import networks
import onnx_writer

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "ship"))
import ship  # noqa: E402: it is in another folder

PACKAGE = "onnxruntime-node@1.30.0"
# Of the largest element of an operand.
TOLERANCE = 1e-4
# A program may take at most this much of ONNX Runtime's time.
BAR = 1.0


class OnnxRuntime:
    """Node's package, in a folder of the build. It holds the library itself, so
    that no script of the package needs to run."""

    def __init__(self, options):
        self.folder = options.build / "onnxruntime"
        self.modules = self.folder / "node_modules"
        self.threads = options.threads
        if options.install:
            self.folder.mkdir(exist_ok=True)
            ship.run(["npm", "install", "--ignore-scripts", "--no-audit",
                      "--no-fund", "--prefix", self.folder, PACKAGE])

    def is_there(self):
        return (self.modules / PACKAGE.split("@")[0]).exists()

    def command(self, model, operands):
        return ["env", "NODE_PATH=%s" % self.modules, "node",
                HERE / "onnx-runtime.js", model, self.threads, operands]

    def identity(self, folder):
        """The command of a network that only returns its input, a number."""
        network = graph.Graph(1)
        network.results = [network.input(1)]
        onnx_writer.write(network, folder / "identity.onnx")
        (folder / "identity").write_bytes(bytes(4))
        return self.command(folder / "identity.onnx", folder / "identity")


def run_network(name, tools, runtime, folder, options):
    """The times of a network in ns, and the failure of a kernel, which needn't
    be one of the network."""
    folder.mkdir(parents=True, exist_ok=True)
    payload = folder / "kernel.mlir"
    network = networks.make(name, options.small, options.seed)
    mlir_writer.write(network, payload)
    operands = ship.operands_of(payload.read_text(), folder, tools, "")
    description = {"threads": options.threads, "inputs": ""}
    tuned, failed = payload.with_suffix(".tuned.mlir"), None
    tuned.unlink(missing_ok=True)
    try:
        ship.tune(tools, payload, description, options)
    except ship.Failure as failure:
        if not tuned.exists():
            raise
        failed = failure
    whole, _, kernels = ship.reported(payload)
    parts = sum((part["calls"] or 1) * (part["time_ns"] or 0)
                for part in kernels)
    program = tools.compile(ship.LOWER_TUNED, tuned, operands, "tuned")
    original = tools.compile(ship.LOWER_ORIGINAL, payload, operands, "original")
    ship.run([original, "write", folder / "original results"])
    ship.compare(program, folder / "original results", TOLERANCE)
    contenders = {"program": program}
    if runtime:
        onnx_writer.write(network, folder / "kernel.onnx")
        command = runtime.command(folder / "kernel.onnx",
                                  folder / "original results")
        ship.run([*command, "write", folder / "ONNX Runtime's results"])
        ship.compare(program, folder / "ONNX Runtime's results",
                     network.tolerance)
        contenders |= {"onnx": command, "call": runtime.identity(folder)}
    times = {"whole": whole, "parts": parts, "failed": failed}
    if not options.small:
        times |= ship.measure(contenders, ship.cpus_of(description), options)
    return times


def ratio(a, b):
    return "%.3f" % (a / b) if a and b else "-"


def row_of(name, times):
    program, onnx, call = map(times.get, ("program", "onnx", "call"))
    # The call from JavaScript isn't ONNX Runtime's work.
    onnx = onnx and onnx - call
    reported, parts = times["whole"], times["parts"]
    between = max(0, reported - parts) if reported and parts else None
    cells = [ship.milliseconds(time) if time else "-"
             for time in (parts, between, reported, program, onnx, call)]
    return [name, *cells[:4], ratio(program, reported), *cells[4:],
            ratio(program, onnx)]


COLUMNS = ["network", "sum of kernels ms", "between kernels ms",
           "reported ms", "program ms", "program / reported",
           "ONNX Runtime ms", "its call ms", "program / ONNX Runtime"]


def is_late(row):
    return any(cell != "-" and float(cell) > bar
               for cell, bar in ((row[5], ship.BAR), (row[8], BAR)))


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__)
    ship.add_options(parser, rounds=5, budget=60)
    parser.add_argument("--network", default=",".join(networks.NETWORKS),
                        help="names, with commas (default: all)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--install", action="store_true", help="first installs "
                        "%s by npm, in the build folder" % PACKAGE)
    parser.add_argument("--check", action="store_true",
                        help="exit with 1 if a program takes more than %g of "
                        "the reported time or %g of ONNX Runtime's" %
                        (ship.BAR, BAR))
    options = parser.parse_args()
    options.build = options.build.resolve()
    for name in options.network.split(","):
        if name not in networks.NETWORKS:
            parser.error("no network is called '%s'; there are %s" %
                         (name, ", ".join(networks.NETWORKS)))
    return options


def main():
    options = parse_options()
    tools = ship.Tools(options.build)
    temporary = tempfile.TemporaryDirectory()
    work = (options.work_dir or pathlib.Path(temporary.name)).resolve()
    runtime = OnnxRuntime(options)
    if not runtime.is_there():
        print("without ONNX Runtime, which --install installs", flush=True)
        runtime = None
    rows, is_wrong = [], False
    for name in options.network.split(","):
        try:
            times = run_network(name, tools, runtime, work / name, options)
        except ship.Failure as failure:
            is_wrong = True
            print("%-12s %s" % (name, failure), flush=True)
            continue
        if times["failed"]:
            is_wrong = True
            print("%-12s %s" % (name, times["failed"]), flush=True)
        if options.small:
            print("%-12s same results" % name, flush=True)
            continue
        rows.append(row_of(name, times))
        print(", ".join("%s %s" % pair for pair in zip(COLUMNS, rows[-1])),
              flush=True)
        if options.markdown:
            ship.table(options, "benchmarks/models/run.py",
                       "--threads=%d" % options.threads,
                       title="%d thread%s" % (options.threads,
                                              "s"[:options.threads - 1]),
                       columns=COLUMNS, rows=rows)
    return 1 if is_wrong or (options.check and any(map(is_late, rows))) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ship.Failure as error:
        ship.fail(str(error))
