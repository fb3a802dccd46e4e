#!/usr/bin/env python3
"""Writes attention on tensors of f32: the softmax of scaled scores, times values.

  attention.py TOKENS DIMENSIONS [HEADS] [--three]

With several HEADS, tensors have a leading dimension of that extent. With --three
the function also returns the probabilities, so that several kernels compute it.
"""
import sys

arguments = [int(word) for word in sys.argv[1:] if word != "--three"]
if not 2 <= len(arguments) <= 3:
    sys.exit(__doc__)
tokens, dimensions, heads = (arguments + [1])[:3]
is_batch = heads > 1
dims, extents = ("b, ", f"{heads}x") if is_batch else ("", "")
matmul = "linalg.batch_matmul" if is_batch else "linalg.matmul"
parallel = ", ".join(['"parallel"'] * (3 if is_batch else 2))
rows = f"tensor<{extents}{tokens}x{dimensions}xf32>"
square = f"tensor<{extents}{tokens}x{tokens}xf32>"
types, values = (f"({rows}, {square})", f"%r, %p : {rows}, {square}")
if "--three" not in sys.argv:
    types, values = rows, f"%r : {rows}"

print(f"""#two = affine_map<({dims}i, j) -> ({dims}i, j)>
#left = affine_map<({dims}m, n, k) -> ({dims}m, k)>
#right = affine_map<({dims}m, n, k) -> ({dims}n, k)>
#result = affine_map<({dims}m, n, k) -> ({dims}m, n)>
func.func @attention(%q: {rows}, %k: {rows}, %v: {rows}) -> {types} {{
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
  %p = linalg.softmax dimension({2 if is_batch else 1}) ins(%t : {square}) outs(%e : {square}) -> {square}
  %oe = tensor.empty() : {rows}
  %of = linalg.fill ins(%zero : f32) outs(%oe : {rows}) -> {rows}
  %r = {matmul} ins(%p, %v : {square}, {rows}) outs(%of : {rows}) -> {rows}
  return {values}
}}""")
