#!/usr/bin/env python3
"""Compares products of bytes by AMX's tiles with those by AVX-512's VNNI.

usage: benchmarks/codegen/tiles.py [--build=build/release] [--rounds=5] [--budget=1]

Prints a table of Markdown: the median over rounds, and the range, of the time of the best
configuration (with a budget of 1 the plan's default), for one thread. Both are tuned in
turns. Needs a CPU with AMX.
"""

import argparse
import json
import os
import statistics
import subprocess
import tempfile


def write_product(rows, columns, depth):
    name = f"product_{rows}x{columns}x{depth}"
    a, b, c = (f"memref<{x}x{y}x{t}>" for x, y, t in
               ((rows, depth, "i8"), (depth, columns, "i8"), (rows, columns, "i32")))
    return name, 2 * rows * columns * depth, f"""
func.func @{name}(%a: {a}, %b: {b}, %c: {c}) {{
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : {c})
  linalg.matmul ins(%a, %b : {a}, {b}) outs(%c : {c})
  return
}}"""


def write_convolution(size, window, channels, filters):
    name = f"conv_{size}x{size}x{channels}_{window}x{window}_{filters}"
    padded = size + window - 1
    i = f"memref<1x{padded}x{padded}x{channels}xi8>"
    w = f"memref<{window}x{window}x{channels}x{filters}xi8>"
    o = f"memref<1x{size}x{size}x{filters}xi32>"
    operations = 2 * size * size * window * window * channels * filters
    return name, operations, f"""
func.func @{name}(%i: {i}, %w: {w} {{baco.constant}}, %o: {o}) {{
  %zero = arith.constant 0 : i32
  %point = arith.constant -3 : i32
  linalg.fill ins(%zero : i32) outs(%o : {o})
  linalg.conv_2d_nhwc_hwcf_q ins(%i, %w, %point, %zero : {i}, {w}, i32, i32)
      outs(%o : {o})
  return
}}"""


KERNELS = [
    write_product(256, 256, 256), write_product(512, 512, 512),
    write_product(1000, 1000, 1000), write_product(128, 768, 3072),
    write_convolution(56, 3, 64, 64), write_convolution(28, 3, 128, 128),
    write_convolution(14, 3, 256, 256), write_convolution(7, 3, 512, 512),
    write_convolution(56, 1, 24, 144), write_convolution(14, 1, 576, 96),
    write_convolution(7, 1, 160, 960),
]


def tune(build, file, folder, dot_products, budget):
    """The best time of each kernel, in ns."""
    host = f"--host=dot-products={dot_products}"
    subprocess.run([os.path.join(build, "bin/baco-tune-driver"), file, host,
                    f"--budget={budget * len(KERNELS)}", "--seed=1", "--db=", "--quiet",
                    f"--output-dir={folder}"], check=True,
                   stdout=subprocess.DEVNULL)
    with open(os.path.join(folder, "tiles.summary.json"), encoding="utf-8") as summary:
        return {kernel["name"]: kernel["best_time_ns"]
                for kernel in json.load(summary)["kernels"]}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--budget", type=int, default=1)
    options = parser.parse_args()
    times = {1: [], 2: []}
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "tiles.mlir")
        with open(file, "w", encoding="utf-8") as payload:
            payload.write("".join(text for _, _, text in KERNELS))
        for _ in range(options.rounds):
            for dot_products, found in times.items():
                found.append(tune(options.build, file, os.path.join(folder, "out"),
                                  dot_products, options.budget))
    print("| kernel | VNNI (us) | AMX (us) | AMX (GOP/s) | VNNI / AMX |")
    print("|---|---|---|---|---|")
    ratios = []
    for name, operations, _ in KERNELS:
        vnni, amx = ([round_[name] / 1e3 for round_ in times[level]] for level in (1, 2))
        ratios.append(statistics.median(vnni) / statistics.median(amx))
        cells = [f"{statistics.median(each):.1f} ({min(each):.1f} to {max(each):.1f})"
                 for each in (vnni, amx)]
        print(f"| {name} | {cells[0]} | {cells[1]} | "
              f"{operations / statistics.median(amx) / 1e3:.0f} | {ratios[-1]:.2f} |")
    print(f"| geometric mean | | | | {statistics.geometric_mean(ratios):.2f} |")


if __name__ == "__main__":
    main()
