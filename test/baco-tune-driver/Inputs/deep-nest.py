# Prints a function that doubles an array within so many loops of so many
# iterations: deep-nest.py DEPTH ITERATIONS
import sys

depth, iterations = int(sys.argv[1]), int(sys.argv[2])
print("func.func @deep(%A: memref<1024xf32>) {")
for loop in range(depth):
    print(f"affine.for %i{loop} = 0 to {iterations} {{")
print("""affine.for %k = 0 to 1024 {
  %a = affine.load %A[%k] : memref<1024xf32>
  %b = arith.addf %a, %a : f32
  affine.store %b, %A[%k] : memref<1024xf32>
}""")
print("}\n" * depth + "return\n}")
