# Prints a function with so many matrix products: many-products.py COUNT
import sys

m = "memref<64x64xf32>"
print(f"func.func @many(%A: {m}, %B: {m}, %C: {m}) {{")
for _ in range(int(sys.argv[1])):
    print(f"linalg.matmul ins(%A, %B : {m}, {m}) outs(%C : {m})")
print("return\n}")
