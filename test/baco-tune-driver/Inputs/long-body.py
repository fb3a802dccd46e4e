# Prints a loop that adds a number so many times to each element of an array:
# long-body.py COUNT
import sys

count = int(sys.argv[1])
print("func.func @long(%A: memref<64xf32>, %c: f32) {\naffine.for %i = 0 to 64 {")
print("%v0 = affine.load %A[%i] : memref<64xf32>")
for op in range(count):
    print(f"%v{op + 1} = arith.addf %v{op}, %c : f32")
print(f"affine.store %v{count}, %A[%i] : memref<64xf32>\n}}\nreturn\n}}")
