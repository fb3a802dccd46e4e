# Prints a function with so many matrix products, none of which depends on
# another: many-products.py COUNT
import sys

m = "memref<64x64xf32>"
count = int(sys.argv[1])
arguments = ", ".join(f"%A{i}: {m}, %B{i}: {m}, %C{i}: {m}" for i in range(count))
print(f"func.func @many({arguments}) {{")
for i in range(count):
    print(f"linalg.matmul ins(%A{i}, %B{i} : {m}, {m}) outs(%C{i} : {m})")
print("return\n}")
