#!/usr/bin/env python3
"""Times what PyTorch calls for products of matrices, cuBLAS on NVIDIA GPUs.

usage: rival.py [SIZE...]

Prints a line of CSV for C += A B and for C = A B of matrices of SIZE x SIZE
(1024) in f32, in f32 rounded to tf32, in f16 and in bf16: the median, least and
largest of 21 times in milliseconds. A time is that between two events around as
many calls as take about 2 ms, at most 100, as in baco-bench-gpu. Operands stay
in the L2 cache. Needs PyTorch and a GPU.
"""

import statistics
import sys

import torch


def time_of(call):
    def elapsed(count):
        before, behind = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        before.record()
        for _ in range(count):
            call()
        behind.record()
        behind.synchronize()
        return before.elapsed_time(behind) / count

    for _ in range(10):
        elapsed(10)
    count = max(1, min(100, int(2 / elapsed(1))))
    return sorted(elapsed(count) for _ in range(21))


def main():
    print(
        f"# {torch.cuda.get_device_name()}, PyTorch {torch.__version__}, "
        f"CUDA {torch.version.cuda}"
    )
    print("size,type,operation,milliseconds,least,largest,tflops")
    for size in [int(text) for text in sys.argv[1:]] or [1024]:
        for name, dtype, tf32 in [
            ("f32", torch.float32, False),
            ("tf32", torch.float32, True),
            ("f16", torch.float16, False),
            ("bf16", torch.bfloat16, False),
        ]:
            torch.backends.cuda.matmul.allow_tf32 = tf32
            # Sums that are added again and again stay finite in f16.
            a, b, c = (
                (torch.randn(size, size, device="cuda") / size**0.25).to(dtype)
                for _ in range(3)
            )
            for operation, call in [
                ("C += A B", lambda: torch.addmm(c, a, b, out=c)),
                ("C = A B", lambda: torch.mm(a, b, out=c)),
            ]:
                times = time_of(call)
                median = statistics.median(times)
                print(
                    f"{size},{name},{operation},{median:.6g},{times[0]:.6g},"
                    f"{times[-1]:.6g},{2e-9 * size**3 / median:.4g}"
                )


if __name__ == "__main__":
    main()
