# Prints so many functions, each with another product: many-functions.py COUNT
import sys

for i in range(int(sys.argv[1])):
    m = f"memref<{16 + i}x{16 + i}xf32>"
    print(f"func.func @f{i}(%A: {m}, %B: {m}, %C: {m}) {{")
    print(f"linalg.matmul ins(%A, %B : {m}, {m}) outs(%C : {m})")
    print("return\n}")
