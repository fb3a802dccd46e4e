#!/usr/bin/env python3
"""Compares estimated costs with circuits after place and route.

Each function of this folder has a circuit of the same name in Verilog, whose
parameters are the knobs of the function's recipe. Prints a row for each
configuration that fits the device by its estimate, and correlations of ranks
below; appends both to FILE with --markdown:

  estimated  cycles, and units of logic, DSPs and memories, by baco
  simulated  cycles by Icarus Verilog, with memory off the chip behind a port
  fmax       the clock rate by nextpnr, which places cells, DSPs and memories
  time       simulated cycles over fmax

A circuit whose results differ from those of Python is an error. --netlists also
simulates what yosys makes of each circuit, which takes ten times as long.

Spearman's correlation is that of ranks; equal values share the mean of theirs.
Over all functions it is that of ranks within each function, from 0 to 1: times
and sizes of different functions aren't compared.

Debian's packages are iverilog, yosys and nextpnr-ice40.
"""

import argparse
import datetime
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent.parent / "gpu"))
import rank  # noqa: E402: it is in another folder

WORDS = 512  # of the memory off the chip
PROGRAMS = {
    "iverilog": "iverilog",
    "vvp": "iverilog",
    "yosys": "yosys",
    "nextpnr-ice40": "nextpnr-ice40",
}


class Failure(Exception):
    pass


def signed(value, bits):
    value &= (1 << bits) - 1
    return value - (value >> bits - 1 << bits)


def byte(memory, word, number):
    return memory[word + number // 4] >> 8 * (number % 4) & 255


def filter_results(memory):
    """x at word 0, w at 128, y at 192, as in filter.v."""
    for i in range(64):
        for k in range(16):
            product = signed(memory[i + k], 16) * signed(memory[128 + k], 16)
            memory[192 + i] += signed(product, 16)


def product_results(memory):
    """a at word 0, x at 128, y at 192, as in product.v."""
    for i in range(16):
        for j in range(32):
            memory[192 + i] += (signed(byte(memory, 0, 32 * i + j), 8) *
                                signed(byte(memory, 128, j), 8))


def sharpen_results(memory):
    """x at word 0, z at 256, as in sharpen.v."""
    results = []
    for place in range(16 * 32):
        above, here, below = (byte(memory, 0, place + 32 * row)
                              for row in range(3))
        smooth = above + 2 * here + below
        results.append(min(max(2 * here - smooth // 4, 0), 255))
    for word in range(128):
        memory[256 + word] = int.from_bytes(results[4 * word:4 * word + 4],
                                            "little")


KERNELS = {
    "filter": filter_results,
    "product": product_results,
    "sharpen": sharpen_results,
}


def run(command, folder):
    """What `command` prints."""
    done = subprocess.run(
        command,
        cwd=folder,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        raise Failure(f"{command[0]} fails: " +
                      "\n".join(done.stdout.splitlines()[-5:]))
    return done.stdout


def estimate(tool, kernel):
    """The trials of all configurations that fit the device, with resources."""
    with tempfile.TemporaryDirectory() as folder:
        run([
            tool,
            FOLDER / f"{kernel}.mlir",
            "--target=fpga:ice40",
            "--evaluator=static",
            "--optimizer=exhaustive",
            "--budget=1000",
            f"--output-dir={folder}",
        ], folder)
        lines = (pathlib.Path(folder) / f"{kernel}.trials.jsonl").read_text()
    variants = []
    for trial in map(json.loads, lines.splitlines()):
        if trial["status"] != "ok":
            continue
        numbers = re.search(r"(\d+) DSPs, (\d+) LUTs, \d+ registers, (\d+) EBR",
                            trial["message"])
        dsps, logic, memories = map(int, numbers.groups())
        variants.append({
            "configuration": trial["configuration"],
            "estimated cycles": trial["time_ns"],
            "estimated logic": logic,
            "estimated dsps": dsps,
            "estimated memories": memories,
        })
    return variants


def simulate(kernel, circuit, sources, folder):
    """The cycles of a circuit whose results are right."""
    generator = random.Random(1)
    memory = [generator.getrandbits(32) for _ in range(WORDS)]
    (folder / "before.hex").write_text("\n".join(f"{w:08x}" for w in memory))
    run([
        "iverilog", "-o", "simulation", "-DNO_ICE40_DEFAULT_ASSIGNMENTS",
        f"-DCIRCUIT={circuit}", FOLDER / "testbench.v", *sources
    ], folder)
    lines = run(["vvp", "-n", "simulation"], folder).splitlines()
    cycles = [line for line in lines if line.startswith("cycles ")]
    KERNELS[kernel](memory)
    expected = [f"{w & 0xffffffff:08x}" for w in memory]
    if not cycles or lines[-WORDS:] != expected:
        raise Failure(f"{circuit} computes something else")
    return int(cycles[0].split()[1])


def place(kernel, circuit, seed, folder):
    """The clock rate in MHz, and the cells, DSPs and memories."""
    log = run([
        "yosys", "-p", f"read_verilog -DCIRCUIT={circuit} "
        f"{FOLDER / kernel}.v {FOLDER / 'pins.v'}; "
        "synth_ice40 -dsp -top pins -json placed.json"
    ], folder)
    if "conflict" in log:
        raise Failure(f"{circuit}: yosys found drivers in conflict")
    run([
        "nextpnr-ice40", "--up5k", "--package=sg48", f"--seed={seed}",
        "--freq=100", "--timing-allow-fail",
        "--pcf-allow-unconstrained", "--json=placed.json",
        "--report=report.json"
    ], folder)
    report = json.loads((folder / "report.json").read_text())
    rate, = (clock["achieved"] for clock in report["fmax"].values())
    used = {
        name: cells["used"]
        for name, cells in report["utilization"].items()
    }
    return (rate, used["ICESTORM_LC"], used.get("ICESTORM_DSP", 0),
            used["ICESTORM_RAM"])


def synthesize(kernel, values, folder):
    """The cycles of a circuit of yosys' cells, whose results are right."""
    parameters = " ".join(f"-set {n} {v}" for n, v in values.items())
    run([
        "yosys", "-q", "-p", f"read_verilog {FOLDER / kernel}.v; "
        f"chparam {parameters} {kernel}; "
        f"synth_ice40 -dsp -top {kernel}; "
        "write_verilog -noattr netlist.v"
    ], folder)
    share = pathlib.Path(shutil.which("yosys")).parent.parent / "share"
    cells = share / "yosys" / "ice40" / "cells_sim.v"
    return simulate(kernel, kernel, [folder / "netlist.v", cells], folder)


def build(kernel, variant, options):
    """Adds what the circuit of `variant` has."""
    values = {
        name.upper(): value
        for name, value in variant["configuration"].items()
    }
    circuit = f"{kernel}#(" + ",".join(f".{n}({v})"
                                        for n, v in values.items()) + ")"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        cycles = simulate(kernel, circuit, [FOLDER / f"{kernel}.v"], folder)
        if options.netlists and synthesize(kernel, values, folder) != cycles:
            raise Failure(f"{circuit} takes other cycles after synthesis")
        rate, cells, dsps, memories = place(kernel, circuit, options.seed,
                                            folder)
    variant.update({
        "cycles": cycles,
        "fmax": rate,
        "time": cycles / rate,
        "cells": cells,
        "dsps": dsps,
        "memories": memories,
    })


def spearman(xs, ys):
    return rank.correlate(rank.ranks_of(xs), rank.ranks_of(ys))


def spread(values):
    """Ranks, those of the least and the most being 0 and 1 without ties."""
    return [(r - 1) / max(len(values) - 1, 1) for r in rank.ranks_of(values)]


PAIRS = {
    "time": ("estimated cycles", "time"),
    "simulated cycles": ("estimated cycles", "cycles"),
    "cells": ("estimated logic", "cells"),
}


def summarize(rows):
    """A line for each function and for all, from the variants of each."""
    for kernel, variants in rows.items():
        correlations = [
            spearman(*([v[name] for v in variants] for name in pair))
            for pair in PAIRS.values()
        ]
        yield [kernel, len(variants)] + correlations
    correlations = []
    for pair in PAIRS.values():
        xs, ys = ([
            r for variants in rows.values()
            for r in spread([v[name] for v in variants])
        ] for name in pair)
        correlations.append(rank.correlate(xs, ys))
    yield ["all", sum(map(len, rows.values()))] + correlations


def describe(rows):
    lines = [
        "| function | configuration | estimated cycles | simulated cycles "
        "| fmax, MHz | time, us | estimated logic | cells "
        "| DSPs, estimated and placed | memories |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for kernel, variants in rows.items():
        for v in variants:
            knobs = ", ".join(f"{name} = {value}"
                              for name, value in v["configuration"].items())
            lines.append(
                f"| {kernel} | {knobs} | {v['estimated cycles']:.0f} "
                f"| {v['cycles']} | {v['fmax']:.1f} | {v['time']:.1f} "
                f"| {v['estimated logic']} | {v['cells']} "
                f"| {v['estimated dsps']}, {v['dsps']} "
                f"| {v['estimated memories']}, {v['memories']} |")
    lines += [
        "",
        "| function | variants | " + " | ".join(PAIRS) + " |",
        "|---|---|" + "---|" * len(PAIRS),
    ]
    for kernel, count, *correlations in summarize(rows):
        numbers = " | ".join(f"{c:.2f}" for c in correlations)
        lines.append(f"| {kernel} | {count} | {numbers} |")
    return "\n".join(lines)


def versions():
    """The tools, in words."""
    first = re.search(r"Icarus Verilog version (\S+)",
                      run(["iverilog", "-V"], None))
    second = re.search(r"Yosys (\S+)", run(["yosys", "-V"], None))
    third = re.search(r"Version ([\w.]+)",
                      run(["nextpnr-ice40", "--version"], None))
    return (f"Icarus Verilog {first[1]}, yosys {second[1]}, "
            f"nextpnr-ice40 {third[1]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tool", help="baco-tune-driver")
    parser.add_argument("--seed", type=int, default=1, help="of nextpnr")
    parser.add_argument("--kernels", default=",".join(KERNELS))
    parser.add_argument(
        "--netlists",
        action="store_true",
        help="simulate what yosys makes of the circuits, too",
    )
    parser.add_argument("--markdown", type=pathlib.Path)
    options = parser.parse_args()
    for program, package in PROGRAMS.items():
        if not shutil.which(program):
            sys.exit(f"error: there is no program '{program}'; install the "
                     f"package {package}")
    tool = shutil.which(options.tool)
    if not tool:
        sys.exit(f"error: there is no program '{options.tool}'")
    kernels = options.kernels.split(",")
    if unknown := set(kernels) - set(KERNELS):
        sys.exit(f"error: there is no function '{unknown.pop()}'; there are " +
                 ", ".join(KERNELS))
    rows = {}
    try:
        for kernel in kernels:
            rows[kernel] = estimate(os.path.abspath(tool), kernel)
            for variant in rows[kernel]:
                build(kernel, variant, options)
                print(kernel, variant["configuration"], file=sys.stderr)
    except Failure as failure:
        sys.exit(f"error: {failure}")
    text = describe(rows)
    print(text)
    if options.markdown:
        with options.markdown.open("a") as file:
            file.write(
                f"## iCE40 UP5K, seed {options.seed}\n\n"
                f"{datetime.date.today()}; {versions()}; `benchmarks/fpga/"
                f"place-and-route/compare.py build/release/bin/"
                f"baco-tune-driver {' '.join(sys.argv[2:])}`\n\n{text}\n\n")


if __name__ == "__main__":
    main()
