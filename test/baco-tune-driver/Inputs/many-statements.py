# Prints a nest with so many statements: many-statements.py COUNT
import sys

m = "memref<64x64xf32>"
arrays = 8
args = ", ".join(f"%X{a}: {m}" for a in range(arrays))
print(f"func.func @many({args}) {{")
print("affine.for %i = 1 to 63 {\naffine.for %j = 1 to 63 {")
for s in range(int(sys.argv[1])):
    print(f"%a{s} = affine.load %X{s % arrays}[%i - 1, %j] : {m}")
    print(f"%b{s} = affine.load %X{(s * 7 + 1) % arrays}[%i, %j] : {m}")
    print(f"%c{s} = arith.addf %a{s}, %b{s} : f32")
    print(f"affine.store %c{s}, %X{(s * 3 + 2) % arrays}[%i, %j] : {m}")
print("}\n}\nreturn\n}")
