#!/usr/bin/env python3
"""Static costs of kernels whose extents are no powers of two.

usage: shapes.py BIN [--budget=N] [--only=REGEX] [--check] [--list=FOLDER]

BIN is the folder of baco-tune-driver. Writes a row in CSV for each kernel: the
costs of plain code, of the default and of the best of N candidates (default: 60)
for an sm_90, in cycles, and the ratio of the best to that of the kernel `against`,
which is the same one at the next power of two.

With --check, only defaults are compiled; fails, with a line for each, if one costs
over 1 % more than plain code. With --list, writes each kernel to a file in FOLDER instead.
"""

import argparse
import csv
import pathlib
import re
import subprocess
import sys
import tempfile

CHIP = "nvvm:sm_90"
# A default may cost this much of plain code: less is nothing that a clock shows.
MOST_OF_PLAIN = 1.01


def matrix(rows, columns, element):
    return f"memref<{rows}x{columns}x{element}>"


def product(m, n, k, element="f32", total="f32"):
    a, b, c = matrix(m, k, element), matrix(k, n, element), matrix(m, n, total)
    return f"""func.func @kernel(%a: {a}, %b: {b}, %c: {c}) {{
  linalg.matmul ins(%a, %b : {a}, {b}) outs(%c : {c})
  return
}}
"""


def transposed_product(m, n, k, element="f32", total="f32"):
    """With a right operand of n x k, as in a linear layer."""
    a, b, c = matrix(m, k, element), matrix(n, k, element), matrix(m, n, total)
    maps = "(i, j, k) -> (i, k)", "(i, j, k) -> (j, k)", "(i, j, k) -> (i, j)"
    lists = ", ".join(f"affine_map<{map}>" for map in maps)
    return f"""func.func @kernel(%a: {a}, %b: {b}, %c: {c}) {{
  linalg.matmul indexing_maps = [{lists}] ins(%a, %b : {a}, {b}) outs(%c : {c})
  return
}}
"""


def batch_product(batch, m, n, k, element="f32", total="f32"):
    a, b = f"memref<{batch}x{m}x{k}x{element}>", f"memref<{batch}x{k}x{n}x{element}>"
    c = f"memref<{batch}x{m}x{n}x{total}>"
    return f"""func.func @kernel(%a: {a}, %b: {b}, %c: {c}) {{
  linalg.batch_matmul ins(%a, %b : {a}, {b}) outs(%c : {c})
  return
}}
"""


def quantized_product(m, n, k, zero):
    """Of bytes; a left zero point of None is an argument."""
    a, b, c = matrix(m, k, "i8"), matrix(k, n, "i8"), matrix(m, n, "i32")
    argument = ", %za: i32" if zero is None else ""
    constant = "" if zero is None else f"  %za = arith.constant {zero} : i32\n"
    return f"""func.func @kernel(%a: {a}, %b: {b}, %c: {c}{argument}) {{
{constant}  %zb = arith.constant 0 : i32
  linalg.quantized_matmul ins(%a, %b, %za, %zb : {a}, {b}, i32, i32) outs(%c : {c})
  return
}}
"""


def elements(shape, element="f32"):
    type = "memref<" + "x".join(map(str, shape)) + f"x{element}>"
    return f"""func.func @kernel(%a: {type}, %b: {type}, %c: {type}) {{
  linalg.add ins(%a, %b : {type}, {type}) outs(%c : {type})
  return
}}
"""


def generic(inputs, output, maps, iterators, body):
    """A linalg.generic on f32; `maps` are those of the inputs and the output."""
    names = [f"%x{i}" for i in range(len(inputs))]
    types = ["memref<" + "".join(f"{n}x" for n in shape) + "f32>" for shape in inputs]
    out = "memref<" + "".join(f"{n}x" for n in output) + "f32>"
    arguments = ", ".join(f"{n}: {t}" for n, t in zip(names, types))
    scalars = ", ".join(f"%s{i}: f32" for i in range(len(inputs)))
    lists = ", ".join(f"affine_map<{map}>" for map in maps)
    kinds = ", ".join(f'"{kind}"' for kind in iterators)
    return f"""func.func @kernel({arguments}, %y: {out}) {{
  linalg.generic {{indexing_maps = [{lists}], iterator_types = [{kinds}]}}
    ins({", ".join(names)} : {", ".join(types)}) outs(%y : {out}) {{
  ^bb0({scalars}, %o: f32):
{body}
    linalg.yield %r : f32
  }}
  return
}}
"""


def bias(m, n):
    return generic(
        [(m, n), (n,)],
        (m, n),
        ["(i, j) -> (i, j)", "(i, j) -> (j)", "(i, j) -> (i, j)"],
        ["parallel", "parallel"],
        "    %r = arith.addf %s0, %s1 : f32",
    )


def transpose(m, n):
    return generic(
        [(m, n)],
        (n, m),
        ["(i, j) -> (j, i)", "(i, j) -> (i, j)"],
        ["parallel", "parallel"],
        "    %r = arith.addf %s0, %s0 : f32",
    )


def row_sums(m, n):
    return generic(
        [(m, n)],
        (m,),
        ["(i, j) -> (i, j)", "(i, j) -> (i)"],
        ["parallel", "reduction"],
        "    %r = arith.addf %s0, %o : f32",
    )


def column_sums(m, n):
    return generic(
        [(m, n)],
        (n,),
        ["(i, j) -> (j, i)", "(i, j) -> (i)"],
        ["parallel", "reduction"],
        "    %r = arith.addf %s0, %o : f32",
    )


def total(n):
    return generic(
        [(n,)],
        (),
        ["(i) -> (i)", "(i) -> ()"],
        ["reduction"],
        "    %r = arith.addf %s0, %o : f32",
    )


def convolution_of_rows(batch, size, channels, filters):
    """With rows last: nchw."""
    x, k = f"{batch}x{channels}x{size + 2}x{size + 2}", f"{filters}x{channels}x3x3"
    x, k = f"memref<{x}xf32>", f"memref<{k}xf32>"
    y = f"memref<{batch}x{filters}x{size}x{size}xf32>"
    return f"""func.func @kernel(%x: {x}, %k: {k}, %y: {y}) {{
  linalg.conv_2d_nchw_fchw {{dilations = dense<1> : tensor<2xi64>,
                            strides = dense<1> : tensor<2xi64>}}
    ins(%x, %k : {x}, {k}) outs(%y : {y})
  return
}}
"""


def convolution(batch, size, channels, filters, element="f32"):
    x, k = f"{batch}x{size + 2}x{size + 2}x{channels}", f"3x3x{channels}x{filters}"
    x, k = f"memref<{x}x{element}>", f"memref<{k}x{element}>"
    y = f"memref<{batch}x{size}x{size}x{filters}xf32>"
    return f"""func.func @kernel(%x: {x}, %k: {k}, %y: {y}) {{
  linalg.conv_2d_nhwc_hwcf {{dilations = dense<1> : tensor<2xi64>,
                            strides = dense<1> : tensor<2xi64>}}
    ins(%x, %k : {x}, {k}) outs(%y : {y})
  return
}}
"""


def list_kernels():
    """Pairs of code and the kernel at the next power of two, by name."""
    kernels = {}

    def add(name, code, against=None):
        kernels[name] = (code, against)

    for element in ["f32", "f16"]:
        for size in [1024, 1000, 997, 1003, 1009, 1016, 1021, 1023]:
            add(f"product-{element}-{size}", product(size, size, size, element),
                f"product-{element}-1024")  # fmt: skip
        for size, of in [(128, 128), (127, 128), (512, 512), (509, 512)]:
            add(f"product-{element}-{size}", product(size, size, size, element),
                f"product-{element}-{of}")  # fmt: skip
        for m in [1, 2, 4, 8, 16, 3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15]:
            of = 1 << (m - 1).bit_length()
            add(f"rows-{element}-{m}", product(m, 4096, 4096, element),
                f"rows-{element}-{of}")  # fmt: skip
    for size in [1024, 1000, 997, 1003, 1009, 1021]:
        add(f"add-{size}", elements((size, size)), "add-1024")
    for size, of in [(128, 128), (127, 128), (512, 512), (509, 512)]:
        add(f"add-{size}", elements((size, size)), f"add-{of}")
    add("add-4096x1x4096", elements((4096, 1, 4096)), "add-4096x1x4096")
    add("add-4095x1x4096", elements((4095, 1, 4096)), "add-4096x1x4096")
    # Other shapes, whose defaults are checked.
    for n in [1, 2, 3, 4, 8, 16, 17]:
        add(f"columns-f32-{n}", product(4096, n, 4096))
    for m in [1, 7, 16]:
        add(f"layer-f32-{m}", transposed_product(m, 4096, 4096))
        add(f"layer-f16-{m}", transposed_product(m, 4096, 4096, "f16"))
    add("columns-f16-1", product(4096, 1, 4096, "f16"))
    add("columns-f16-8", product(4096, 8, 4096, "f16"))
    add("narrow-f32", product(1024, 1024, 16))
    add("narrow-f16", product(1024, 1024, 16, "f16"))
    add("outer", product(2048, 2048, 1))
    add("long-f32", product(64, 64, 65536))
    add("long-f16", product(64, 64, 65536, "f16"))
    add("halves", product(1000, 1000, 1000, "f16", "f16"))
    add("odd-f32", product(300, 500, 700))
    add("odd-f16", product(300, 500, 700, "f16"))
    add("small", product(24, 40, 33))
    add("small-f16", product(101, 101, 101, "f16"))
    add("batch-f32", batch_product(64, 128, 128, 64))
    add("batch-f32-odd", batch_product(12, 197, 197, 64))
    add("batch-f16-odd", batch_product(12, 197, 197, 64, "f16"))
    add("batch-thin", batch_product(96, 1, 512, 64))
    add("bytes", product(512, 512, 512, "i8", "i32"))
    for name, zero in ("none", 0), ("constant", -128), ("argument", None):
        add(f"zero-point-{name}", quantized_product(512, 512, 512, zero), "bytes")
    add("bias", bias(1003, 1021))
    add("bias-wide", bias(4, 100000))
    add("bias-tall", bias(100000, 3))
    add("transpose", transpose(1003, 1021))
    add("transpose-thin", transpose(3, 100000))
    add("row-sums", row_sums(1003, 1021))
    add("row-sums-few", row_sums(16, 65536))
    add("column-sums", column_sums(1021, 1003))
    add("column-sums-few", column_sums(65536, 16))
    add("total", total(1000003))
    add("convolution-small", convolution(1, 7, 512, 512))
    add("convolution-odd", convolution(3, 61, 30, 50))
    add("convolution-few", convolution(16, 64, 3, 64))
    add("convolution-large", convolution(8, 28, 128, 128))
    for size, channels in (56, 64), (28, 128), (14, 256), (7, 512):
        for batch in 1, 16:
            add(
                f"convolution-f16-{batch}x{size}",
                convolution(batch, size, channels, channels, "f16"),
            )
    add("convolution-f16-odd", convolution(3, 61, 32, 50, "f16"))
    add("convolution-rows", convolution_of_rows(8, 28, 128, 128))
    add("convolution-rows-one", convolution_of_rows(1, 56, 64, 64))
    add("convolution-rows-odd", convolution_of_rows(3, 61, 30, 50))
    add("add-thin", elements((1000003,)))
    add("add-3d", elements((3, 1021, 333)))
    add("add-f16", elements((1003, 1021), "f16"))
    return kernels


def measure(tuner, name, code, budget):
    """The costs of plain code, the default and the best, or the tuner's words."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / f"{name}.mlir"
        path.write_text(code, encoding="utf-8")
        run = subprocess.run(
            [tuner, path, f"--target={CHIP}", "--evaluator=static", "--seed=1",
             f"--budget={budget}", f"--output-dir={folder}/out"],
            capture_output=True, text=True, check=False)  # fmt: skip
    costs = {}
    for key in ["plain", "default", "best"]:
        if found := re.search(rf"^  {key} +(\d+) cycles", run.stdout, re.MULTILINE):
            costs[key] = int(found[1])
    # There is no plain code for a sum of all elements, and the best is not said
    # if it is the default.
    if "default" in costs:
        costs.setdefault("best", costs["default"])
    elif found := re.search(r"best so far (\d+) cycles", run.stdout + run.stderr):
        costs["default"] = costs["best"] = int(found[1])
    if "default" not in costs:
        lines = (run.stderr.strip() or run.stdout.strip()).splitlines()
        return None, " ".join(lines[:1])
    return costs, ""


def main():
    parser = argparse.ArgumentParser(
        usage=__doc__.split("usage: ")[1].split("\n")[0], description=__doc__
    )
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--budget", type=int, default=60)
    parser.add_argument("--only", default="")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--list", type=pathlib.Path)
    options = parser.parse_args()
    kernels = {
        name: kernel
        for name, kernel in list_kernels().items()
        if re.search(options.only, name)
    }
    if not kernels:
        sys.exit(f"shapes.py: no kernel is called {options.only}")
    if options.list:
        options.list.mkdir(parents=True, exist_ok=True)
        for name, (code, _) in kernels.items():
            (options.list / f"{name}.mlir").write_text(code, encoding="utf-8")
        return
    tuner = options.bin / "baco-tune-driver"
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["kernel", "plain", "default", "best", "against", "ratio", "error"])
    best, failures = {}, 0
    for name, (code, against) in kernels.items():
        costs, error = measure(tuner, name, code, 1 if options.check else options.budget)
        if not costs:
            writer.writerow([name, "", "", "", "", "", error])
            failures += 1
            continue
        best[name] = costs["best"]
        of = best.get(against)
        ratio = f"{costs['best'] / of:.2f}" if of else ""
        writer.writerow([name, costs.get("plain", ""), costs["default"], costs["best"],
                         against or "", ratio, ""])  # fmt: skip
        sys.stdout.flush()
        if "plain" in costs and costs["default"] > MOST_OF_PLAIN * costs["plain"]:
            print(f"shapes.py: the default of {name} costs more than plain code",
                  file=sys.stderr)  # fmt: skip
            failures += 1
    if failures:
        sys.exit(f"shapes.py: {failures} of {len(kernels)} kernels fail")


if __name__ == "__main__":
    main()
