# Prints a table of times for landscape.mlir: one valley, whose bottom of 1000 ns
# is at a = 32, b = 4, mode = y; the default takes 68000 ns. Where a is 128,
# candidates crash, which no constraint says.

print("a,b,mode,time_ns,status")
for i in range(8):
    for j in range(8):
        for mode, factor in ("x", 2), ("y", 1), ("z", 3):
            time = 1000 * factor * (1 + (i - 5) ** 2 + 2 * (j - 2) ** 2)
            row = [2**i, 2**j, mode, time, "ok"]
            if i == 7:
                row[3:] = ["", "crashed"]
            print(*row, sep=",")
