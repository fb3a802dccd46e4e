"""Loop nests of many kinds: (name, arrays, loops as in loops.py)."""

import loops

KERNELS = []


def add(name, arrays, source, types=("f32",)):
    """T stands for the type, for each of `types`."""
    for type in types:
        KERNELS.append((f"{name}-{type}" if len(types) > 1 else name,
                        arrays.replace("T", type), source.replace("T(", type + "(")))


REAL = ("f32", "f64")
INTEGER = ("i8", "i16", "i32", "i64")
ALL = ("bf16", "f16") + REAL + INTEGER

add("polymul", "c:T[2047] a:T[1024] b:T[1024]", """
for i in range(1024):
    for j in range(1024):
        c[i + j] += a[i] * b[j]
""", ALL)
add("polymul-outputs", "c:T[2047] a:T[1024] b:T[1024]", """
for k in range(2047):
    for i in range(max(0, k - 1023), min(k + 1, 1024)):
        c[k] += a[i] * b[k - i]
""", ("f32", "f64", "i32"))
add("polymul-small", "c:T[127] a:T[64] b:T[64]", """
for i in range(64):
    for j in range(64):
        c[i + j] += a[i] * b[j]
""", ("f32", "f64", "i32"))
add("correlation-1d", "c:T[4096] a:T[4127] b:T[32]", """
for i in range(4096):
    for j in range(32):
        c[i] += a[i + j] * b[j]
""", ("f32", "i16"))
add("max-pool", "c:T[64][64][16] a:T[66][66][16]", """
for i in range(64):
    for j in range(64):
        for k in range(16):
            for y in range(3):
                for x in range(3):
                    c[i][j][k] = umax(c[i][j][k], a[i + y][j + x][k])
""", INTEGER)
add("max-pool-planes", "c:T[16][64][64] a:T[16][130][130]", """
for k in range(16):
    for i in range(64):
        for j in range(64):
            for y in range(3):
                for x in range(3):
                    c[k][i][j] = max(c[k][i][j], a[k][2 * i + y][2 * j + x])
""", ("f32", "i8"))
add("sum-pool-windows", "c:T[128][128] a:T[256][256]", """
for i in range(128):
    for j in range(128):
        for y in range(2):
            for x in range(2):
                c[i][j] += a[2 * i + y][2 * j + x]
""", ("f32", "i32"))
for axis, (result, at) in {"rows": ("[512]", "[i]"), "columns": ("[512]", "[j]"),
                           "all": ("[1]", "[0]")}.items():
    add(f"sum-{axis}", f"s:T{result} a:T[512][512]", f"""
for i in range(512):
    for j in range(512):
        s{at} += a[i][j]
""", ALL)
    add(f"max-{axis}", f"s:T{result} a:T[512][512]", f"""
for i in range(512):
    for j in range(512):
        s{at} = max(s{at}, a[i][j])
""", ("f32", "i8", "i32"))
add("sum-middle", "s:T[64][64] a:T[64][64][64]", """
for i in range(64):
    for j in range(64):
        for k in range(64):
            s[i][k] += a[i][j][k]
""", ("f32", "i8"))
add("broadcast-sum", "s:T[1] a:T[512] b:T[512]", """
for i in range(512):
    for j in range(512):
        s[0] += a[i] * b[j]
""", ("f32", "f64", "i32"))
add("broadcast-rows", "c:T[512][512] a:T[512]", """
for i in range(512):
    for j in range(512):
        c[i][j] = a[i]
""", ("f32", "i8"))
add("broadcast-columns", "c:T[512][512] a:T[512] b:T[512]", """
for i in range(512):
    for j in range(512):
        c[i][j] = a[j] * b[i]
""", ("f32", "i8"))
add("broadcast-reduce", "s:T[512] a:T[512] b:T[512]", """
for i in range(512):
    for j in range(512):
        s[i] += b[j]
""", ("f32", "f64", "i32"))
add("broadcast-reduce-columns", "s:T[512] b:T[512]", """
for i in range(512):
    for j in range(512):
        s[j] += b[i]
""", ("f32", "f64", "i32"))
add("broadcast-max", "s:T[512] a:T[512] b:T[512]", """
for i in range(512):
    for j in range(512):
        s[i] = max(s[i], a[i] + b[j])
""", ("f32", "i32"))
for place, operand in {"row": "a[i][k]", "column": "a[k][j]", "vector": "b[k]",
                       "both": "a[i][k] + a[k][j]", "scaled": "a[k][j] * b[i]",
                       "outer": "b[i] * b[k]"}.items():
    add(f"broadcast-3d-{place}", "c:T[96][96] a:T[96][96] b:T[96]", f"""
for i in range(96):
    for j in range(96):
        for k in range(96):
            c[i][j] += {operand}
""", ("f32", "i32"))
# Few rows or columns, and reductions along several axes.
add("sum-few-rows", "s:T[3] a:T[3][32768]", """
for i in range(3):
    for j in range(32768):
        s[i] += a[i][j]
""", ("f32", "i8"))
add("sum-few-columns", "s:T[3] a:T[32768][3]", """
for i in range(32768):
    for j in range(3):
        s[j] += a[i][j]
""", ("f32", "i8", "i32"))
add("sum-outer-and-inner", "s:T[32] a:T[32][32][64]", """
for i in range(32):
    for j in range(32):
        for k in range(64):
            s[j] += a[i][j][k]
""", ("f32", "i32"))
add("bias-add", "c:T[64][64][19] a:T[64][64][19] b:T[19]", """
for i in range(64):
    for j in range(64):
        for k in range(19):
            c[i][j][k] = a[i][j][k] + b[k]
""", ("f32", "i8"))
add("broadcast-sum-narrow", "s:T[512][3] a:T[512] b:T[512][3]", """
for i in range(512):
    for j in range(512):
        for k in range(3):
            s[i][k] += a[j] * b[j][k]
""", ("f32", "i32"))
add("broadcast-sum-planes", "s:T[16][16] a:T[64] b:T[16]", """
for i in range(16):
    for j in range(16):
        for k in range(64):
            for l in range(16):
                s[i][j] += a[k] * b[l]
""", ("f32", "i32", "i8"))
add("broadcast-reduce-wide", "s:i32[512] b:i8[512]", """
for i in range(512):
    for j in range(512):
        s[i] += i32(b[j])
""")
add("sum-rows-wide", "s:i32[512] a:i8[512][512]", """
for i in range(512):
    for j in range(512):
        s[i] += i32(a[i][j])
""")
add("sum-columns-wide", "s:i32[512] a:i8[512][512]", """
for i in range(512):
    for j in range(512):
        s[j] += i32(a[i][j])
""")
add("reduce-cube-broadcast", "s:T[64] a:T[64][64] b:T[64]", """
for i in range(64):
    for j in range(64):
        for k in range(64):
            s[i] += a[j][k] * b[i]
""", ("f32", "i32"))
add("transpose", "b:T[512][512] a:T[512][512]", """
for i in range(512):
    for j in range(512):
        b[j][i] = a[i][j]
""", ("f32", "f64", "i8", "i16"))
add("transpose-add", "b:T[512][512] a:T[512][512]", """
for i in range(512):
    for j in range(512):
        b[i][j] += a[j][i]
""", ("f32", "i8"))
add("permute-3d", "b:T[64][64][64] a:T[64][64][64]", """
for i in range(64):
    for j in range(64):
        for k in range(64):
            b[k][i][j] = a[i][j][k]
""", ("f32",))
add("histogram", "h:i32[256] k:i32[65536]", """
for i in range(65536):
    h[k[i]] += 1
""")
add("gather", "c:f32[65536] a:f32[65536] k:i32[65536]", """
for i in range(65536):
    c[i] = a[k[i]]
""")
add("strided", "c:T[16384] a:T[65536]", """
for i in range(16384):
    c[i] = a[4 * i] + a[4 * i + 1]
""", ("f32", "i8"))
add("strided-store", "c:T[65536] a:T[16384]", """
for i in range(16384):
    c[4 * i] = a[i]
""", ("f32",))
add("reverse", "c:T[65536] a:T[65536]", """
for i in range(65536):
    c[i] = a[65535 - i] + a[i]
""", ("f32",))
add("axpy", "c:T[65536] a:T[65536]", """
for i in range(65536):
    c[i] += a[i] * a[i]
""", ALL)
add("exp", "c:T[16384] a:T[16384]", """
for i in range(16384):
    c[i] = exp(a[i])
""", ("f32", "f64"))
add("prefix-sum", "c:T[16384] a:T[16384]", """
for i in range(1, 16384):
    c[i] = c[i - 1] + a[i]
""", ("f32", "i32"))
add("prefix-columns", "c:T[256][256]", """
for i in range(1, 256):
    for j in range(256):
        c[i][j] = c[i - 1][j] + c[i][j]
""", ("f32",))
add("stencil-1d", "b:T[16384] a:T[16384]", """
for i in range(1, 16383):
    b[i] = a[i - 1] + a[i] + a[i + 1]
""", ("f32", "i16"))
add("stencil-2d", "b:T[256][256] a:T[256][256]", """
for i in range(1, 255):
    for j in range(1, 255):
        b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]
""", ("f32", "i8"))
add("seidel-2d", "a:T[128][128]", """
for t in range(4):
    for i in range(1, 127):
        for j in range(1, 127):
            a[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]
""", ("f32",))
add("matmul", "c:T[127][95] a:T[127][111] b:T[111][95]", """
for i in range(127):
    for j in range(95):
        for k in range(111):
            c[i][j] += a[i][k] * b[k][j]
""", ALL)
add("matmul-i8-i32", "c:i32[127][95] a:i8[127][111] b:i8[111][95]", """
for i in range(127):
    for j in range(95):
        for k in range(111):
            c[i][j] += i32(a[i][k]) * i32(b[k][j])
""")
add("matmul-bf16-f32", "c:f32[127][95] a:bf16[127][111] b:bf16[111][95]", """
for i in range(127):
    for j in range(95):
        for k in range(111):
            c[i][j] += f32(a[i][k]) * f32(b[k][j])
""")
add("matmul-column-stride", "c:f32[57][118] a:f32[57][83] b:f32[83][59]", """
for i in range(57):
    for j in range(59):
        for k in range(83):
            c[i][2 * j] += a[i][k] * b[k][j]
""")
add("matvec", "y:T[256] a:T[256][256] x:T[256]", """
for i in range(256):
    for j in range(256):
        y[i] += a[i][j] * x[j]
""", ("f32", "f64", "i32"))
add("matvec-transposed", "y:T[256] a:T[256][256] x:T[256]", """
for i in range(256):
    for j in range(256):
        y[i] += a[j][i] * x[j]
""", ("f32", "f64", "i32"))
add("outer-product", "a:T[256][256] x:T[256] y:T[256]", """
for i in range(256):
    for j in range(256):
        a[i][j] += x[i] * y[j]
""", ("f32",))
add("syrk", "c:T[128][128] a:T[128][96]", """
for i in range(128):
    for j in range(i + 1):
        for k in range(96):
            c[i][j] += a[i][k] * a[j][k]
""", ("f64",))
add("trmm", "b:T[128][96] a:T[128][128]", """
for i in range(128):
    for j in range(96):
        for k in range(i + 1, 128):
            b[i][j] += a[k][i] * b[k][j]
""", ("f64",))
add("lu", "a:T[128][128]", """
for k in range(128):
    for i in range(k + 1, 128):
        a[i][k] = a[i][k] / a[k][k]
        for j in range(k + 1, 128):
            a[i][j] -= a[i][k] * a[k][j]
""", ("f64",))
add("lu-rows-carried", "a:f64[128][128]", """
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
""")
add("floyd-warshall", "p:T[96][96]", """
for k in range(96):
    for i in range(96):
        for j in range(96):
            p[i][j] = min(p[i][j], p[i][k] + p[k][j])
""", ("f32", "i32", "i16"))
add("dot-carried", "s:T[1] a:T[65536] b:T[65536]", """
t = s[0]
for i in range(65536):
    t += a[i] * b[i]
s[0] = t
""", ("f32", "i32"))
add("diagonal", "s:T[256] a:T[256][256]", """
for i in range(256):
    s[i] = a[i][i] + 1
""", ("f32",))


def kernels():
    """All of them, as (name, text)."""
    for name, arrays, source in KERNELS:
        yield name, loops.translate(arrays, source)
