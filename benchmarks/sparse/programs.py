#!/usr/bin/env python3
"""Makes programs of tuned sparse modules by the commands of the documentation,
and compares what they compute with sums over the entries: the five kernels of
the paper, callers' formats, elements, and configurations drawn from each space,
which a table of times says to be the best; or, for dynamic shapes, what short
searches find."""

import argparse
import csv
import io
import itertools
import json
import pathlib
import random
import re
import sys

import cases

# Levels of callers' formats: kind, dimension, and whether coordinates repeat.
CSR = [("dense", 0), ("compressed", 1)]
CSC = [("dense", 1), ("compressed", 0)]
DCSR = [("compressed", 0), ("compressed", 1)]
COO = [("compressed(nonunique)", 0), ("singleton(soa)", 1)]


def csf(rank, dense=0):
    return [("dense" if d < dense else "compressed", d) for d in range(rank)]


class Kernel:
    """A sum of products: iterators, subscripts of the sparse operand, of the
    dense ones, and of the result."""

    def __init__(self, iterators, sparse, dense, result, **extents):
        self.iterators, self.sparse, self.dense = iterators, sparse, dense
        self.result, self.extents = result, extents

    def shape(self, subscripts):
        return [self.extents[letter] for letter in subscripts]


KERNELS = {
    "spmv": Kernel("ik", "ik", ["k"], "i", i=24, k=36),
    "spmm": Kernel("ijk", "ik", ["kj"], "ij", i=24, k=36, j=16),
    "sddmm": Kernel("ijpk", "ijp", ["ik", "jk"], "p", i=24, j=36, p=90, k=16),
    "ttv": Kernel("ijk", "ijk", ["k"], "ij", i=12, j=10, k=16),
    "mttkrp": Kernel("iklmj", "iklm", ["kj", "lj", "mj"], "ij",
                     i=8, k=6, l=10, m=12, j=8),
}
# Kernel, levels, width of positions and coordinates, elements, dynamic shape.
MODULES = [
    ("spmv", CSR, 32, "f64", False), ("spmv", CSR, 64, "f32", False),
    ("spmv", CSC, 32, "f64", False), ("spmv", DCSR, 16, "f64", False),
    ("spmv", COO, 32, "f64", False), ("spmv", CSR, 32, "i8", False), ("spmv", CSR, 32, "f64", True),
    ("spmm", CSR, 32, "f64", False), ("spmm", CSR, 32, "f32", True),
    ("spmm", COO, 64, "f64", True), ("spmm", DCSR, 32, "f64", False),
    ("spmm", CSR, 32, "i32", False), ("spmm", CSC, 64, "f64", False),
    ("spmm", CSR, 32, "i1", False),
    ("sddmm", [("dense", 0), ("compressed(nonunique)", 1),
               ("singleton(soa)", 2)], 32, "f64", False),
    ("sddmm", [("compressed(nonunique)", 0), ("singleton(soa)", 1),
               ("singleton(soa)", 2)], 64, "f32", False),
    ("ttv", csf(3), 32, "f64", False), ("ttv", csf(3, 1), 64, "f64", False),
    ("ttv", csf(3, 2), 16, "f32", False), ("ttv", csf(3), 32, "f64", True),
    ("mttkrp", csf(4), 32, "f64", False),
    ("mttkrp", csf(4, 1), 64, "f32", False),
]
C_TYPES = {"f64": "double", "f32": "float", "i8": "int8_t", "i32": "int32_t",
           "i1": "int8_t", 8: "uint8_t", 16: "uint16_t", 32: "uint32_t",
           64: "uint64_t"}
BITS = {"f64": "mulf addf", "f32": "mulf addf", "i8": "muli addi",
        "i32": "muli addi", "i1": "andi ori"}


def product(numbers):
    result = 1
    for number in numbers:
        result *= number
    return result


def payload(kernel, levels, width, element, dynamic):
    def tensor(subscripts, encoding=""):
        sizes = ["?" if dynamic and letter != "j" else str(extent)
                 for letter, extent in zip(subscripts,
                                           kernel.shape(subscripts))]
        return "tensor<%sx%s%s>" % ("x".join(sizes), element, encoding)

    names = ", ".join("d%d" % d for d in range(len(kernel.sparse)))
    text = ", ".join("d%s : %s" % (level, kind) for kind, level in levels)
    sparse, result = tensor(kernel.sparse, ", #B"), tensor(kernel.result)
    dense = [tensor(subscripts) for subscripts in kernel.dense]
    maps = ", ".join("affine_map<(%s) -> (%s)>" %
                     (", ".join(kernel.iterators), ", ".join(subscripts))
                     for subscripts in
                     [kernel.sparse] + kernel.dense + [kernel.result])
    kinds = ", ".join('"parallel"' if letter in kernel.result else '"reduction"'
                      for letter in kernel.iterators)
    multiply, add = BITS[element].split()
    body, last = "", "%v"
    for n in range(len(dense)):
        body += "    %%p%d = arith.%s %s, %%y%d : %s\n" % (n, multiply, last, n,
                                                         element)
        last = "%%p%d" % n
    return """#B = #sparse_tensor.encoding<{
  map = (%s) -> (%s), posWidth = %d, crdWidth = %d }>
func.func @f(%%b: %s, %s, %%a: %s) -> %s {
  %%r = linalg.generic {indexing_maps = [%s], iterator_types = [%s]}
    ins(%%b, %s : %s) outs(%%a : %s) {
  ^bb0(%%v: %s, %s, %%s: %s):
%s    %%n = arith.%s %%s, %s : %s
    linalg.yield %%n : %s
  } -> %s
  return %%r : %s
}
""" % (names, text, width, width, sparse,
       ", ".join("%%d%d: %s" % item for item in enumerate(dense)), result,
       result, maps, kinds,
       ", ".join("%%d%d" % n for n in range(len(dense))),
       ", ".join([sparse] + dense), result, element,
       ", ".join("%%y%d: %s" % (n, element) for n in range(len(dense))),
       element, body, add, last, element, element, result, result)


def entries_of(kernel):
    """Places and small values."""
    shape = kernel.shape(kernel.sparse)
    draw = random.Random(1)
    if kernel.result == "p":
        pairs = list(itertools.product(range(shape[0]), range(shape[1])))
        places = [pair + (p,) for p, pair in
                  enumerate(sorted(draw.sample(pairs, shape[2])))]
    else:
        places = list(itertools.product(*map(range, shape)))
        places = sorted(draw.sample(places, len(places) // 9))
    return [(place, 1 + n % 3) for n, place in enumerate(places)]


def pack(levels, entries, shape):
    """Buffers for each level, and the values."""
    entries = sorted(entries,
                     key=lambda entry: [entry[0][d] for _, d in levels])
    # Parts of the entries that have the same coordinates so far.
    parts, buffers = [(0, len(entries))], []
    for kind, dimension in levels:
        coordinates = [place[dimension] for place, _ in entries]
        if kind.startswith("singleton"):
            buffers.append([coordinates[begin] for begin, _ in parts])
            continue
        positions, below = [0], []
        for begin, end in parts:
            if kind == "dense":
                found = range(shape[dimension])
            elif "nonunique" in kind:
                below += [(n, n + 1) for n in range(begin, end)]
                found = []
            else:
                found = sorted(set(coordinates[begin:end]))
            for coordinate in found:
                first = begin
                while begin < end and coordinates[begin] == coordinate:
                    begin += 1
                below.append((first, begin))
            positions.append(len(below))
        parts = below
        if kind != "dense":
            buffers += [positions, [coordinates[begin] for begin, _ in parts]]
    return buffers, [entries[begin][1] if end > begin else 0
                     for begin, end in parts]


def expected(kernel, entries, dense, element):
    shape = kernel.shape(kernel.result)
    result = [0] * product(shape)

    def index(subscripts, at):
        n = 0
        for letter in subscripts:
            n = n * kernel.extents[letter] + at[letter]
        return n

    free = [letter for letter in kernel.iterators if letter not in kernel.sparse]
    for place, value in entries:
        at = dict(zip(kernel.sparse, place))
        for rest in itertools.product(*(range(kernel.extents[letter])
                                        for letter in free)):
            at.update(zip(free, rest))
            term = value
            for subscripts, numbers in zip(kernel.dense, dense):
                term *= numbers[index(subscripts, at)]
            result[index(kernel.result, at)] += term
    if element == "i1":
        return [int(number > 0) for number in result]
    return [(number + 128) % 256 - 128 if element == "i8" else number
            for number in result]


MAIN = """#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct vector { void *allocated, *aligned; int64_t offset, size, stride; };
struct matrix { void *allocated, *aligned; int64_t offset, size[2], stride[2]; };
%(declarations)s
%(data)s
static int check(const char *function) {
  for (int i = 0; i < %(count)d; ++i)
    if (result[i] != wanted[i]) {
      printf("%%s: element %%d is wrong\\n", function, i);
      return 1;
    }
  return 0;
}

int main(void) {
  int wrong = 0;
%(calls)s
  return wrong;
}
"""


def c_main(kernel, levels, width, element, dynamic, prepared):
    """A program that calls the function, and, if a format has changed, those
    for a program that keeps its tensor, whose buffers are so many."""
    entries = entries_of(kernel)
    if element == "i1":
        entries = [(place, 1) for place, _ in entries]
    shape = kernel.shape(kernel.sparse)
    buffers, values = pack(levels, entries, shape)
    modulus = 2 if element == "i1" else 4
    dense = [[n % modulus for n in range(product(kernel.shape(subscripts)))]
             for subscripts in kernel.dense]
    wanted = expected(kernel, entries, dense, element)
    data, sparse, others = [], [], []

    def add(kind, name, numbers, shape):
        data.append("static %s %s_data[] = {%s};" % (
            C_TYPES[kind], name, ", ".join(map(str, numbers or [0]))))
        strides = ([shape[1], 1] if len(shape) == 2 else [1])
        braces = "{%s}, {%s}" if len(shape) == 2 else "%s, %s"
        data.append("static struct %s %s = {%s_data, %s_data, 0, %s};" % (
            "matrix" if len(shape) == 2 else "vector", name, name, name,
            braces % (", ".join(map(str, shape)),
                      ", ".join(map(str, strides)))))
        return "&" + name

    for n, numbers in enumerate(buffers):
        sparse.append(add(width, "level%d" % n, numbers, [len(numbers)]))
    sparse.append(add(element, "values", values, [len(values)]))
    if dynamic:
        sparse += [str(kernel.extents[letter]) for letter in kernel.sparse
                   if letter != "j"]
    for n, (subscripts, numbers) in enumerate(zip(kernel.dense, dense)):
        others.append(add(element, "dense%d" % n, numbers,
                          kernel.shape(subscripts)))
    zeros = [0] * len(wanted)
    others.append(add(element, "start", zeros, kernel.shape(kernel.result)))
    others.append(add(element, "output", zeros, kernel.shape(kernel.result)))
    data.append("static const %s wanted[] = {%s};" % (
        C_TYPES[element], ", ".join(map(str, wanted))))
    data.append("static %s *result = output_data;" % C_TYPES[element])
    functions = {"f": sparse + others}
    calls = []

    def call(name, arguments, writes=True):
        functions[name] = arguments
        if writes:
            # The start may be written, too.
            calls.append("memset(start_data, 0, sizeof start_data);")
            calls.append("memset(output_data, 99, sizeof output_data);")
        calls.append("_mlir_ciface_%s(%s);" % (name, ", ".join(arguments)))
        if writes:
            calls.append('wrong |= check("%s");' % name)

    call("f", sparse + others)
    if prepared:
        data.append("static struct vector kept[%d];" % prepared)
        kept = ["&kept[%d]" % n for n in range(prepared)]
        call("f_prepare", ["kept"] + sparse, False)
        call("f_tuned", kept + others)
        call("f_tuned", kept + others)
        call("f_release", kept, False)
    declarations = ["void _mlir_ciface_%s(%s);" % (name, ", ".join(
        "int64_t" if text.isdigit() else "void *" for text in arguments))
        for name, arguments in functions.items()]
    return MAIN % {"declarations": "\n".join(declarations),
                   "data": "\n".join(data), "count": len(wanted),
                   "calls": "\n".join("  " + line for line in calls)}


class Programs:
    def __init__(self, options, work):
        self.tools = pathlib.Path(options.build).resolve() / "bin"
        self.llvm, self.number = pathlib.Path(options.llvm), options.number
        self.work = work

    def configurations(self, folder, options):
        text = cases.run([self.tools / "baco-tune-driver",
                          folder / "default.mlir", "--emit-space=-"] + options)
        (folder / "space.json").write_text(text)
        table = cases.run([self.tools / "baco", "space", "sample",
                           folder / "space.json", "--number=%d" % self.number,
                           "--seed=1"])
        return [{}] + [json.loads(line) for line in table.splitlines()]

    def run(self, name, kernel, *module):
        """Says what is wrong with the programs of one module."""
        folder = self.work / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "f.mlir").write_text(payload(kernel, *module))
        entries = entries_of(kernel)
        (folder / "f.tns").write_text(
            "# extended FROSTT format\n%d %d\n%s\n%s" % (
                len(kernel.sparse), len(entries),
                " ".join(map(str, kernel.shape(kernel.sparse))),
                "".join("%s %d\n" % (" ".join(str(c + 1) for c in place), value)
                        for place, value in entries)))
        options = ["--arg=f:0=@%s" % (folder / "f.tns")]
        if module[-1]:
            # The tuner makes versions, and recipes for these.
            for n in range(self.number + 1):
                cases.run(["cp", folder / "f.mlir", folder / ("m%d.mlir" % n)])
                self.tune(folder, n, options + [
                    "--budget=2", "--seed=%d" % n, "--trial-time=1",
                    "--final-time=5"])
                self.compile(folder, n, kernel, *module)
            return self.number + 1
        (folder / "default.mlir").write_text(cases.run(
            [self.tools / "baco-opt", folder / "f.mlir", "--baco-annotate"]))
        choices = self.configurations(folder, options)
        for n, choice in enumerate(choices):
            table = self.write_choice(folder, n, choice)
            self.tune(folder, n, options + ["--evaluator=replay:%s" % table,
                                            "--budget=1", "--seed=1"])
            self.compile(folder, n, kernel, *module)
        return len(choices)

    def tune(self, folder, n, options):
        cases.run([self.tools / "baco-tune-driver", folder / ("m%d.mlir" % n),
                   "--output-dir=%s" % folder] + options)

    def write_choice(self, folder, n, choice):
        """Makes it the default, and the only one whose time is known."""
        space = json.loads((folder / "space.json").read_text())
        defaults = {p["name"]: p["default"] for p in space["parameters"]}
        choice = {**defaults, **choice}
        table = io.StringIO()
        writer = csv.writer(table, lineterminator="\n")
        writer.writerow(list(choice) + ["time"])
        writer.writerow([json.dumps(value) if isinstance(value, list) else value
                         for value in choice.values()] + [1])
        path = folder / ("t%d.csv" % n)
        path.write_text(table.getvalue())
        text = cases.with_defaults(
            (folder / "default.mlir").read_text(),
            {key: value for key, value in choice.items()
             if value != defaults[key]})
        (folder / ("m%d.mlir" % n)).write_text(text)
        return path

    def compile(self, folder, n, kernel, *module):
        tuned = folder / ("m%d.tuned.mlir" % n)
        lowered, ir = folder / ("m%d.llvm.mlir" % n), folder / ("m%d.ll" % n)
        cases.run([self.tools / "baco-opt", tuned, "--baco-lower-to-cpu", "-o",
                   lowered])
        cases.run([self.llvm / "mlir-translate", "--mlir-to-llvmir", lowered,
                   "-o", ir])
        # Of code that isn't from C it checks only what asks for it.
        ir.write_text(re.sub(r"^(define .*) \{$", r"\1 sanitize_address {",
                             ir.read_text(), flags=re.MULTILINE))
        release = re.search(r"@_mlir_ciface_f_release\((.*?)\)",
                            lowered.read_text())
        prepared = len(release.group(1).split(",")) if release else 0
        main, program = folder / ("m%d.c" % n), folder / ("m%d" % n)
        main.write_text(c_main(kernel, *module, prepared))
        # It says what isn't freed, freed twice, or accessed outside.
        cases.run([self.llvm / "clang", "-O3", "-march=native",
                   "-fsanitize=address", "-Wno-override-module", main, ir,
                   "-lm", "-o", program])
        cases.run([program])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--llvm", default="/usr/lib/llvm-22/bin")
    parser.add_argument("--number", type=int, default=4, metavar="N",
                        help="configurations of each space beside the default")
    parser.add_argument("--only", default="", metavar="TEXT",
                        help="modules whose name contains this")
    parser.add_argument("work", help="folder for what is made")
    options = parser.parse_args()
    programs = Programs(options, pathlib.Path(options.work))
    total = 0
    for kernel, levels, width, element, dynamic in MODULES:
        name = "-".join([kernel] + [re.sub(r"\W+", "_", "%s%s" % level)
                                    for level in levels] +
                        [str(width), element] + ["dynamic"] * dynamic)
        if options.only in name:
            done = programs.run(name, KERNELS[kernel], levels, width, element,
                                dynamic)
            print("%s: %d programs are right" % (name, done), flush=True)
            total += done
    print("%d programs are right" % total)


if __name__ == "__main__":
    main()
