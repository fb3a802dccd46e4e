#!/usr/bin/env python3
"""Writes attention on tensors: the softmax of scaled scores, times values.

  attention.py TOKENS DIMENSIONS [HEADS] [--type=f32|f16|bf16] [--three]

With several HEADS, tensors have a leading dimension of that extent. Scores and
their softmax are in f32, whatever --type, that of inputs and the result, says:
probabilities, by the last op of the softmax, and the result are rounded to it.
With --three the function also returns the probabilities, so that several kernels
compute it.
"""
import sys

options = [word for word in sys.argv[1:] if word.startswith("--")]
arguments = [int(word) for word in sys.argv[1:] if word not in options]
types = [word[len("--type="):] for word in options if word != "--three"]
known = {"f32", "f16", "bf16"}
if not 2 <= len(arguments) <= 3 or len(types) > 1 or not known.issuperset(types):
    sys.exit(__doc__)
tokens, dimensions, heads = (arguments + [1])[:3]
element = (types + ["f32"])[0]
is_batch, is_rounded = heads > 1, element != "f32"
dims, extents = ("b, ", f"{heads}x") if is_batch else ("", "")
matmul = "linalg.batch_matmul" if is_batch else "linalg.matmul"
parallel = ", ".join(['"parallel"'] * (3 if is_batch else 2))
rows = f"tensor<{extents}{tokens}x{dimensions}x{element}>"
sums = f"tensor<{extents}{tokens}x{dimensions}xf32>"
square = f"tensor<{extents}{tokens}x{tokens}xf32>"
column = f"tensor<{extents}{tokens}xf32>"
narrow = f"tensor<{extents}{tokens}x{tokens}x{element}>"
results, values = (f"({rows}, {narrow})", f"%r, %p : {rows}, {narrow}")
if "--three" not in options:
    results, values = rows, f"%r : {rows}"


def generic(name, maps, inputs, into, to, arguments, body, last="parallel"):
    """The text of an op `name` of type `to`, which has `inputs` and rows."""
    iterators = ", ".join(['"parallel"'] * (2 if is_batch else 1) + [f'"{last}"'])
    values, shapes = (", ".join(part) for part in zip(*inputs))
    lines = "\n".join(f"    {line}" for line in body)
    return f"""  %{name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}}
    ins({values} : {shapes}) outs(%{into} : {to}) {{
  ^bb0({arguments}):
{lines}
  }} -> {to}
"""


def reduced(name, start, op, source):
    """The text of `name`, the elements of rows of `source` combined by `op`."""
    return (f"  %{name}s = linalg.fill ins(%{start} : f32) outs(%column : {column}) -> {column}\n"
            + generic(name, "#two, #row", [(source, square)], f"{name}s", column, "%x: f32, %o: f32",
                      [f"%y = arith.{op} %x, %o : f32", "linalg.yield %y : f32"], "reduction"))


def rounded_softmax():
    return (f"  %low = arith.constant 0xFF800000 : f32\n  %column = tensor.empty() : {column}\n"
            + reduced("max", "low", "maxnumf", "%t")
            + generic("powers", "#two, #row, #two", [("%t", square), ("%max", column)], "e", square,
                      "%a: f32, %b: f32, %o: f32",
                      ["%y = arith.subf %a, %b : f32", "%z = math.exp %y : f32", "linalg.yield %z : f32"])
            + reduced("sum", "zero", "addf", "%powers") + f"  %pe = tensor.empty() : {narrow}\n"
            + generic("p", "#two, #row, #two", [("%powers", square), ("%sum", column)], "pe", narrow,
                      f"%a: f32, %b: f32, %o: {element}",
                      ["%y = arith.divf %a, %b : f32", f"%z = arith.truncf %y : f32 to {element}",
                       f"linalg.yield %z : {element}"]))


softmax = (f"  %p = linalg.softmax dimension({2 if is_batch else 1}) "
           f"ins(%t : {square}) outs(%e : {square}) -> {square}\n")
product, row_map, round_result = "r", "", ""
if is_rounded:
    softmax, product = rounded_softmax(), "u"
    row_map = f"#row = affine_map<({dims}i, j) -> ({dims}i)>\n"
    round_result = f"  %re = tensor.empty() : {rows}\n" + generic(
        "r", "#two, #two", [("%u", sums)], "re", rows, f"%x: f32, %o: {element}",
        [f"%y = arith.truncf %x : f32 to {element}", f"linalg.yield %y : {element}"])
print(f"""#two = affine_map<({dims}i, j) -> ({dims}i, j)>
{row_map}#left = affine_map<({dims}m, n, k) -> ({dims}m, k)>
#right = affine_map<({dims}m, n, k) -> ({dims}n, k)>
#result = affine_map<({dims}m, n, k) -> ({dims}m, n)>
func.func @attention(%q: {rows}, %k: {rows}, %v: {rows}) -> {results} {{
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant {dimensions ** -0.5:.6f} : f32
  %e = tensor.empty() : {square}
  %f = linalg.fill ins(%zero : f32) outs(%e : {square}) -> {square}
  %s = {matmul} indexing_maps = [#left, #right, #result]
    ins(%q, %k : {rows}, {rows}) outs(%f : {square}) -> {square}
  %t = linalg.generic {{indexing_maps = [#two, #two], iterator_types = [{parallel}]}}
    ins(%s : {square}) outs(%e : {square}) {{
  ^bb0(%x: f32, %o: f32):
    %y = arith.mulf %x, %scale : f32
    linalg.yield %y : f32
  }} -> {square}
{softmax}  %oe = tensor.empty() : {sums}
  %of = linalg.fill ins(%zero : f32) outs(%oe : {sums}) -> {sums}
  %{product} = {matmul} ins(%p, %v : {narrow}, {rows}) outs(%of : {sums}) -> {sums}
{round_result}  return {values}
}}""")
