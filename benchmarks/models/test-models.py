#!/usr/bin/env python3
"""Checks the networks at tiny sizes: programs of them, which stock mlir-opt
lowers, compute what plain Python does, with channels-last images and by
Winograd's algorithm, too, and onnx, if it is installed, finds nothing wrong.

usage: test-models.py BUILD"""

import array
import concurrent.futures
import math
import pathlib
import subprocess
import sys
import tempfile

import mlir_writer
import networks
import onnx_writer
import reference

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "ship"))
import ship  # noqa: E402: it is in another folder

try:
    import onnx
except ImportError:
    onnx = None

# Of the largest element of a result.
TOLERANCE = 1e-4

# How many convolutions Winograd's algorithm can compute.
WINOGRAD = {"resnet18": 13, "resnet50": 13, "mobilenetv2": 0, "unet-block": 2}


def read(path, operands):
    with open(path, "rb") as file:
        for operand in operands:
            data = array.array("f")
            data.fromfile(file, math.prod(operand.shape))
            yield data


def difference(expected, found):
    return (max(abs(a - b) for a, b in zip(expected, found, strict=True)) /
            max(map(abs, expected)))


def check_rewritten(tools, source, operands, results, name, *passes):
    """Problems of a network that these passes rewrite."""
    rewritten = source.with_name(name + ".mlir")
    ship.run([tools.names["baco_opt"], source, "-o", rewritten, *passes])
    if rewritten.read_text().count("_nchw"):
        yield name + ", an image stays channels-first"
    program = tools.compile(ship.LOWER_ORIGINAL, rewritten, operands, name)
    try:
        ship.compare(program, results, TOLERANCE)
    except ship.Failure as failure:
        yield "%s, %s" % (name, failure)


def check_convolutions(tools, source, operands, results):
    """Problems of a network whose convolutions are computed in other ways."""
    if "_nchw" not in source.read_text():
        return
    last = ("--baco-channels-last=layout=channels-last",
            "--baco-transpose-constants")
    yield from check_rewritten(tools, source, operands, results,
                               "channels-last", *last)
    for tile in "2", "4":
        name = "winograd-" + tile
        yield from check_rewritten(tools, source, operands, results, name,
                                   *last,
                                   "--baco-winograd=forced tile=" + tile)
        count = source.with_name(name + ".mlir").read_text().count(
            "linalg.batch_matmul")
        if count != WINOGRAD[source.parent.name]:
            yield "%s, %d convolutions are rewritten" % (name, count)


def check(name, tools, folder):
    """Problems of a network."""
    folder.mkdir()
    source = folder / "kernel.mlir"
    network = networks.make(name, True, 1)
    if not all(all(v.data) for v in network.of_kind("constant")):
        yield "a weight is zero"
    onnx_writer.write(network, folder / "kernel.onnx")
    if onnx:
        onnx.checker.check_model(str(folder / "kernel.onnx"), full_check=True)
    mlir_writer.write(network, source)
    operands = ship.operands_of(source.read_text(), folder, tools, "")
    program = tools.compile(ship.LOWER_ORIGINAL, source, operands, "original")
    ship.run([program, "write", folder / "operands"])
    found = list(read(folder / "operands", operands))
    count = len(network.of_kind("input"))
    for i, expected in enumerate(reference.evaluate(network, found[:count])):
        error = difference(expected, found[count + i])
        if not error <= TOLERANCE:
            yield "result %d differs by %g of its largest element" % (i, error)
    yield from check_convolutions(tools, source, operands, folder / "operands")


def check_generator(folder):
    """Problems of generate.py itself."""
    def generate(file, *options):
        subprocess.run([HERE / "generate.py", "gpt2-step", "--small",
                        "--mlir=" + str(folder / file), *options], check=True)
        return (folder / file).read_text()

    first = generate("first", "--onnx=" + str(folder / "first.onnx"))
    if not (folder / "first.onnx").stat().st_size > len(first) / 3:
        yield "the ONNX file lacks weights"
    if generate("second") != first:
        yield "the same seed gives another network"
    if generate("third", "--seed=2") == first:
        yield "another seed gives the same network"
    refused = subprocess.run([HERE / "generate.py", "gpt2-step"],
                             stderr=subprocess.PIPE, text=True)
    if refused.returncode == 0 or "name a file to write" not in refused.stderr:
        yield "no file to write is no error"


def main():
    tools = ship.Tools(pathlib.Path(sys.argv[1]).resolve())
    tools.names["level"] = "-O1"
    is_wrong = False
    with tempfile.TemporaryDirectory() as work, \
            concurrent.futures.ThreadPoolExecutor() as pool:
        work = pathlib.Path(work)
        checks = {"generate.py": pool.submit(lambda: [*check_generator(work)])}
        for name in networks.NETWORKS:
            checks[name] = pool.submit(
                lambda name: [*check(name, tools, work / name)], name)
        for name, done in checks.items():
            problems = done.result()
            is_wrong = is_wrong or bool(problems)
            print("%s: %s" % (name, "; ".join(problems) or "as expected"),
                  flush=True)
    return 1 if is_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
