"""Loop nests of many kinds: (name, text).

Each row has a name, types, arrays, and loops around one statement in the syntax
of loops.py: `i=8 j=1,i` is `for i in range(8): for j in range(1, i):`. T stands
for each of the types; `-`: there is none.
"""

import loops

ALL = "bf16,f16,f32,f64,i8,i16,i32,i64"
INTEGERS = "i8,i16,i32,i64"

PERFECT = """
polymul                  | all            | c:T[2047] a:T[1024] b:T[1024]                   | i=1024 j=1024: c[i + j] += a[i] * b[j]
polymul-outputs          | f32,f64,i32    | c:T[2047] a:T[1024] b:T[1024]                   | k=2047 i=max(0,k-1023),min(k+1,1024): c[k] += a[i] * b[k - i]
polymul-small            | f32,f64,i32    | c:T[127] a:T[64] b:T[64]                        | i=64 j=64: c[i + j] += a[i] * b[j]
correlation-1d           | f32,i16        | c:T[4096] a:T[4127] b:T[32]                     | i=4096 j=32: c[i] += a[i + j] * b[j]
max-pool                 | integers       | c:T[64][64][16] a:T[66][66][16]                 | i=64 j=64 k=16 y=3 x=3: c[i][j][k] = umax(c[i][j][k], a[i + y][j + x][k])
max-pool-planes          | f32,i8         | c:T[16][64][64] a:T[16][130][130]               | k=16 i=64 j=64 y=3 x=3: c[k][i][j] = max(c[k][i][j], a[k][2 * i + y][2 * j + x])
sum-pool-windows         | f32,i32        | c:T[128][128] a:T[256][256]                     | i=128 j=128 y=2 x=2: c[i][j] += a[2 * i + y][2 * j + x]
sum-rows                 | all            | s:T[512] a:T[512][512]                          | i=512 j=512: s[i] += a[i][j]
max-rows                 | f32,i8,i32     | s:T[512] a:T[512][512]                          | i=512 j=512: s[i] = max(s[i], a[i][j])
sum-columns              | all            | s:T[512] a:T[512][512]                          | i=512 j=512: s[j] += a[i][j]
max-columns              | f32,i8,i32     | s:T[512] a:T[512][512]                          | i=512 j=512: s[j] = max(s[j], a[i][j])
sum-all                  | all            | s:T[1] a:T[512][512]                            | i=512 j=512: s[0] += a[i][j]
max-all                  | f32,i8,i32     | s:T[1] a:T[512][512]                            | i=512 j=512: s[0] = max(s[0], a[i][j])
sum-middle               | f32,i8         | s:T[64][64] a:T[64][64][64]                     | i=64 j=64 k=64: s[i][k] += a[i][j][k]
broadcast-sum            | f32,f64,i32    | s:T[1] a:T[512] b:T[512]                        | i=512 j=512: s[0] += a[i] * b[j]
broadcast-rows           | f32,i8         | c:T[512][512] a:T[512]                          | i=512 j=512: c[i][j] = a[i]
broadcast-columns        | f32,i8         | c:T[512][512] a:T[512] b:T[512]                 | i=512 j=512: c[i][j] = a[j] * b[i]
broadcast-reduce         | f32,f64,i32    | s:T[512] a:T[512] b:T[512]                      | i=512 j=512: s[i] += b[j]
broadcast-reduce-columns | f32,f64,i32    | s:T[512] b:T[512]                               | i=512 j=512: s[j] += b[i]
repeated-sum             | f32,i32,i8     | s:T[512] a:T[512]                               | i=512 j=512: s[i] += a[i]
repeated-sum-outside     | f32,i32,i8     | s:T[512] a:T[512]                               | j=512 i=512: s[i] += a[i]
repeated-max             | f32,i32,i8     | s:T[512] a:T[512]                               | i=512 j=512: s[i] = max(s[i], a[i])
repeated-scalar          | f32,i32,i8     | s:T[512] a:T[1]                                 | i=512 j=512: s[i] += a[0]
repeated-all             | f32,i32,i8     | s:T[1] a:T[512]                                 | i=512 j=512: s[0] += a[i]
broadcast-max            | f32,i32        | s:T[512] a:T[512] b:T[512]                      | i=512 j=512: s[i] = max(s[i], a[i] + b[j])
broadcast-3d-row         | f32,i32        | c:T[96][96] a:T[96][96] b:T[96]                 | i=96 j=96 k=96: c[i][j] += a[i][k]
broadcast-3d-column      | f32,i32        | c:T[96][96] a:T[96][96] b:T[96]                 | i=96 j=96 k=96: c[i][j] += a[k][j]
broadcast-3d-vector      | f32,i32        | c:T[96][96] a:T[96][96] b:T[96]                 | i=96 j=96 k=96: c[i][j] += b[k]
broadcast-3d-both        | f32,i32        | c:T[96][96] a:T[96][96] b:T[96]                 | i=96 j=96 k=96: c[i][j] += a[i][k] + a[k][j]
broadcast-3d-scaled      | f32,i32        | c:T[96][96] a:T[96][96] b:T[96]                 | i=96 j=96 k=96: c[i][j] += a[k][j] * b[i]
broadcast-3d-outer       | f32,i32        | c:T[96][96] a:T[96][96] b:T[96]                 | i=96 j=96 k=96: c[i][j] += b[i] * b[k]
sum-few-rows             | f32,i8         | s:T[3] a:T[3][32768]                            | i=3 j=32768: s[i] += a[i][j]
sum-few-columns          | f32,i8,i32     | s:T[3] a:T[32768][3]                            | i=32768 j=3: s[j] += a[i][j]
sum-outer-and-inner      | f32,i32        | s:T[32] a:T[32][32][64]                         | i=32 j=32 k=64: s[j] += a[i][j][k]
bias-add                 | f32,i8         | c:T[64][64][19] a:T[64][64][19] b:T[19]         | i=64 j=64 k=19: c[i][j][k] = a[i][j][k] + b[k]
broadcast-sum-narrow     | f32,i32        | s:T[512][3] a:T[512] b:T[512][3]                | i=512 j=512 k=3: s[i][k] += a[j] * b[j][k]
broadcast-sum-planes     | f32,i32,i8     | s:T[16][16] a:T[64] b:T[16]                     | i=16 j=16 k=64 l=16: s[i][j] += a[k] * b[l]
broadcast-reduce-wide    | -              | s:i32[512] b:i8[512]                            | i=512 j=512: s[i] += i32(b[j])
sum-rows-wide            | -              | s:i32[512] a:i8[512][512]                       | i=512 j=512: s[i] += i32(a[i][j])
sum-columns-wide         | -              | s:i32[512] a:i8[512][512]                       | i=512 j=512: s[j] += i32(a[i][j])
reduce-cube-broadcast    | f32,i32        | s:T[64] a:T[64][64] b:T[64]                     | i=64 j=64 k=64: s[i] += a[j][k] * b[i]
transpose                | f32,f64,i8,i16 | b:T[512][512] a:T[512][512]                     | i=512 j=512: b[j][i] = a[i][j]
transpose-add            | f32,i8         | b:T[512][512] a:T[512][512]                     | i=512 j=512: b[i][j] += a[j][i]
permute-3d               | f32            | b:T[64][64][64] a:T[64][64][64]                 | i=64 j=64 k=64: b[k][i][j] = a[i][j][k]
histogram                | -              | h:i32[256] k:i32[65536]                         | i=65536: h[k[i]] += 1
gather                   | -              | c:f32[65536] a:f32[65536] k:i32[65536]          | i=65536: c[i] = a[k[i]]
strided                  | f32,i8         | c:T[16384] a:T[65536]                           | i=16384: c[i] = a[4 * i] + a[4 * i + 1]
strided-store            | f32            | c:T[65536] a:T[16384]                           | i=16384: c[4 * i] = a[i]
reverse                  | f32            | c:T[65536] a:T[65536]                           | i=65536: c[i] = a[65535 - i] + a[i]
axpy                     | all            | c:T[65536] a:T[65536]                           | i=65536: c[i] += a[i] * a[i]
exp                      | f32,f64        | c:T[16384] a:T[16384]                           | i=16384: c[i] = exp(a[i])
prefix-sum               | f32,i32        | c:T[16384] a:T[16384]                           | i=1,16384: c[i] = c[i - 1] + a[i]
prefix-columns           | f32            | c:T[256][256]                                   | i=1,256 j=256: c[i][j] = c[i - 1][j] + c[i][j]
stencil-1d               | f32,i16        | b:T[16384] a:T[16384]                           | i=1,16383: b[i] = a[i - 1] + a[i] + a[i + 1]
stencil-2d               | f32,i8         | b:T[256][256] a:T[256][256]                     | i=1,255 j=1,255: b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]
seidel-2d                | f32            | a:T[128][128]                                   | t=4 i=1,127 j=1,127: a[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]
matmul                   | all            | c:T[127][95] a:T[127][111] b:T[111][95]         | i=127 j=95 k=111: c[i][j] += a[i][k] * b[k][j]
matmul-i8-i32            | -              | c:i32[127][95] a:i8[127][111] b:i8[111][95]     | i=127 j=95 k=111: c[i][j] += i32(a[i][k]) * i32(b[k][j])
matmul-bf16-f32          | -              | c:f32[127][95] a:bf16[127][111] b:bf16[111][95] | i=127 j=95 k=111: c[i][j] += f32(a[i][k]) * f32(b[k][j])
matmul-column-stride     | -              | c:f32[57][118] a:f32[57][83] b:f32[83][59]      | i=57 j=59 k=83: c[i][2 * j] += a[i][k] * b[k][j]
matvec                   | f32,f64,i32    | y:T[256] a:T[256][256] x:T[256]                 | i=256 j=256: y[i] += a[i][j] * x[j]
matvec-transposed        | f32,f64,i32    | y:T[256] a:T[256][256] x:T[256]                 | i=256 j=256: y[i] += a[j][i] * x[j]
outer-product            | f32            | a:T[256][256] x:T[256] y:T[256]                 | i=256 j=256: a[i][j] += x[i] * y[j]
syrk                     | f64            | c:T[128][128] a:T[128][96]                      | i=128 j=i+1 k=96: c[i][j] += a[i][k] * a[j][k]
trmm                     | f64            | b:T[128][96] a:T[128][128]                      | i=128 j=96 k=i+1,128: b[i][j] += a[k][i] * b[k][j]
floyd-warshall           | f32,i32,i16    | p:T[96][96]                                     | k=96 i=96 j=96: p[i][j] = min(p[i][j], p[i][k] + p[k][j])
diagonal                 | f32            | s:T[256] a:T[256][256]                          | i=256: s[i] = a[i][i] + 1
"""

# Loops that have several statements: name, types, arrays, source.
IRREGULAR = [
    ("lu", "f64", "a:T[128][128]", """
for k in range(128):
    for i in range(k + 1, 128):
        a[i][k] = a[i][k] / a[k][k]
        for j in range(k + 1, 128):
            a[i][j] -= a[i][k] * a[k][j]
"""),
    ("lu-rows-carried", "-", "a:f64[128][128]", """
for i in range(128):
    for j in range(i):
        s = a[i][j]
        for k in range(j):
            s -= a[i][k] * a[k][j]
        a[i][j] = s / a[j][j]
    for j in range(i, 128):
        s = a[i][j]
        for k in range(i):
            s -= a[i][k] * a[k][j]
        a[i][j] = s
"""),
    ("dot-carried", "f32,i32", "s:T[1] a:T[65536] b:T[65536]", """
t = s[0]
for i in range(65536):
    t += a[i] * b[i]
s[0] = t
"""),
]


def nest(row):
    """The source of loops around one statement."""
    ranges, statement = row.split(": ", maxsplit=1)
    lines = []
    for loop in ranges.split():
        name, bounds = loop.split("=")
        lines.append("    " * len(lines) + f"for {name} in range({bounds}):")
    return "\n".join(lines + ["    " * len(lines) + statement])


def rows():
    """Name, types, arrays and source of each."""
    for line in PERFECT.strip().splitlines():
        name, types, arrays, row = (field.strip() for field in line.split("|"))
        yield name, types, arrays, nest(row)
    yield from IRREGULAR


def kernels():
    """All of them, as (name, text)."""
    for name, types, arrays, source in rows():
        types = types.replace("all", ALL).replace("integers", INTEGERS).split(",")
        for type in types:
            suffix = f"-{type}" if len(types) > 1 else ""
            yield name + suffix, loops.translate(arrays.replace("T", type), source)
