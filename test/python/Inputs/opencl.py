"""A kernel in OpenCL C as a function to optimize."""

import sys

import baco

space = baco.Space([baco.ordinal("WPT", [1, 2, 3, 4])])
TASK = {
    "text": """
__kernel void scale(__global const float *x, __global float *y) {
  for (int w = 0; w < WPT; ++w) {
    int i = get_global_id(0) * WPT + w;
    y[i] = FACTOR * x[i];
  }
}""",
    "kernel": "scale", "global": ["N / WPT"], "constants": {"N": 256, "FACTOR": 2},
    "arguments": [{"buffer": "float", "size": "N"},
                  {"buffer": "float", "size": "N", "output": True}],
}


def right(x, y):
    assert x.format == "f" and len(x) == len(y) == 256
    for i, value in enumerate(x):
        y[i] = 2 * value


kernel = baco.OpenCL(space, TASK, platform="portable", repeat=3, reference=right)
print("device", kernel.device)
print("checks", kernel.checks_results)
study = baco.Study(space, subject=kernel.fingerprint)
study.optimize(kernel, 4)
for trial in sorted(study.trials, key=lambda trial: trial.configuration["WPT"]):
    print(trial.configuration["WPT"], trial.status, trial.message,
          trial.result is not None and trial.result > 0)

wrong = baco.OpenCL(space, TASK, constants={"FACTOR": 3}, repeat=3, reference=right)
assert wrong.fingerprint != kernel.fingerprint
try:
    wrong(WPT=2)
except baco.Failure as failure:
    print("failure", failure.kind, failure)
for call in (lambda: kernel(WPT=5), lambda: kernel(),
             lambda: baco.OpenCL(space, TASK, device="teapot"),
             lambda: baco.OpenCL(space, {}),
             lambda: baco.OpenCL(space, TASK, library="libNoOpenCL.so.1")):
    try:
        call()
        sys.exit("no error")
    except ValueError as error:
        print("error", error)

kernel = baco.CUDA(
    space,
    {"text": """extern "C" __global__ void scale(const float *x, float *y) {
       int i = blockIdx.x * blockDim.x + threadIdx.x;
       for (int w = i * WPT; w < (i + 1) * WPT; ++w)
         y[w] = 2 * x[w];
     }""",
     "kernel": "scale", "grid": ["N // (32 * WPT)"], "local": [32],
     "constants": {"N": 256}, "arguments": TASK["arguments"]},
    library=sys.argv[1], compiler=sys.argv[2], repeat=2, reference=right)
print("cuda", kernel.device, kernel(WPT=2) > 0)
