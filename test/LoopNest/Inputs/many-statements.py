# Prints a nest of so many statements, and a schedule if there is a command for
# it: many-statements.py COUNT [COMMAND]
import sys

memref = "memref<64x64xf32>"
op = "!transform.any_op"
arrays = 8
args = ", ".join(f"%X{a}: {memref}" for a in range(arrays))
print("module attributes {transform.with_named_sequence} {")
print(f"func.func @many({args}) {{")
print("affine.for %i = 1 to 63 {\naffine.for %j = 1 to 63 {")
for s in range(int(sys.argv[1])):
    print(f"%a{s} = affine.load %X{s % arrays}[%i - 1, %j] : {memref}")
    print(f"%b{s} = affine.load %X{(s * 7 + 1) % arrays}[%i, %j] : {memref}")
    print(f"%c{s} = arith.addf %a{s}, %b{s} : f32")
    print(f"affine.store %c{s}, %X{(s * 3 + 2) % arrays}[%i, %j] : {memref}")
print("}\n}\nreturn\n}")
if len(sys.argv) > 2:
    print(f"transform.named_sequence @__transform_main(%root: {op}) {{")
    print(f'%f = transform.structured.match ops{{["func.func"]}} in %root')
    print(f"  : ({op}) -> {op}")
    print(f'%new = transform.baco.restructure %f "{sys.argv[2]}"')
    print(f"  : ({op}) -> {op}")
    print("transform.yield\n}")
print("}")
