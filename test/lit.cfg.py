# Configuration of lit: what is a test, and the names that RUN lines use.

import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "BACO"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "CMakeLists.txt", "lit.cfg.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.baco_obj_root, "test")

if len(os.sched_getaffinity(0)) > 1:
    config.available_features.add("two-cpus")

# The CPU's dot products of bytes.
flags = open("/proc/cpuinfo").read().split()
if "avx512_vnni" in flags:
    config.available_features.add("avx512vnni")
if "amx_int8" in flags:
    config.available_features.add("amx-int8")

# Only such builds have the output of LLVM_DEBUG.
if config.build_type == "Debug":
    config.available_features.add("debug-output")

# NVIDIA's assembler, where it knows a chip of the tests.
ptxas = shutil.which("ptxas")
if ptxas and subprocess.run([ptxas, "-arch=sm_90", "--version"],
                            capture_output=True).returncode == 0:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))

# A GPU whose driver answers: its compute capability, as in sm_90.
chip = subprocess.run([sys.executable, "-c", """
import ctypes
cuda = ctypes.CDLL("libcuda.so.1")
numbers = [ctypes.c_int(), ctypes.c_int()]
for code in [cuda.cuInit(0)] + [
        cuda.cuDeviceGetAttribute(ctypes.byref(number), attribute, 0)
        for number, attribute in zip(numbers, (75, 76))]:
    assert code == 0
print("sm_%d%d" % tuple(number.value for number in numbers))
"""], capture_output=True, text=True)
if chip.returncode == 0:
    config.available_features.add("nvidia-gpu")
    config.substitutions.append(("%gpu-chip", chip.stdout.strip()))

# The module for Python, and the interpreter that it is for.
if config.python_executable:
    config.available_features.add("python-module")
    config.substitutions.append(("%baco-python", "env PYTHONPATH='%s' '%s'" % (
        os.path.join(config.baco_obj_root, "python"), config.python_executable)))
elif os.environ.get("BACO_REQUIRE_ALL"):
    # In CI nothing is left out in silence.
    lit_config.fatal("the module for Python isn't built: run scripts/setup.sh --all, and configure again")

# File systems of a size of their own.
if subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"],
                  capture_output=True).returncode == 0:
    config.available_features.add("tmpfs")

# Synthesis for an FPGA.
if shutil.which("yosys") and shutil.which("nextpnr-ice40"):
    config.available_features.add("yosys")
elif os.environ.get("BACO_REQUIRE_ALL"):
    lit_config.fatal("yosys or nextpnr-ice40 is missing: run scripts/setup.sh --all")

# Programs of another kind of machine: an emulator, and what they are linked with.
if shutil.which("qemu-aarch64") and os.path.exists("/usr/aarch64-linux-gnu/lib/libc.so.6"):
    config.available_features.add("aarch64-emulator")
elif os.environ.get("BACO_REQUIRE_ALL"):
    lit_config.fatal("qemu-user or libc6-dev-arm64-cross is missing: run scripts/setup.sh --all")

# A driver without a GPU, and NVIDIA's compiler by clang (unittests/FakeCuda).
for name in ("fake-cuda", "fake-nvml", "fake-nvrtc"):
    config.substitutions.append(("%" + name, os.path.join(
        config.baco_obj_root, "unittests", "FakeCuda", "libbaco-%s.so" % name)))
config.environment["FAKE_NVRTC_CLANG"] = os.path.join(config.llvm_tools_dir, "clang++")
if os.path.exists("/usr/local/cuda/lib64/libnvrtc.so"):
    config.available_features.add("nvrtc")

# OpenCL on the CPU.
if subprocess.run([sys.executable, "-c", """
import ctypes
opencl = ctypes.CDLL("libOpenCL.so.1")
number = ctypes.c_uint()
assert opencl.clGetPlatformIDs(0, None, ctypes.byref(number)) == 0 and number.value > 0
"""], capture_output=True).returncode == 0 and os.path.exists("/etc/OpenCL/vendors/pocl.icd"):
    config.available_features.add("opencl")
elif os.environ.get("BACO_REQUIRE_ALL"):
    lit_config.fatal("ocl-icd-libopencl1 or pocl-opencl-icd is missing: run scripts/setup.sh --all")

# The page of `baco report`, and a browser that shows it: Debian's, whose module
# is for Debian's Python.
if config.has_echarts:
    config.available_features.add("report-page")
    if config.has_httplib:
        config.available_features.add("live")
elif os.environ.get("BACO_REQUIRE_ALL"):
    lit_config.fatal("the library of plots isn't built in: run scripts/setup.sh --all, and configure again")
if not config.has_httplib and os.environ.get("BACO_REQUIRE_ALL"):
    lit_config.fatal("libcpp-httplib-dev or pkg-config is missing: run scripts/setup.sh --all, and configure again")
if all(shutil.which(name) for name in ("chromium", "chromedriver")) and subprocess.run(
        ["/usr/bin/python3", "-c", "import selenium"], capture_output=True).returncode == 0:
    config.available_features.add("browser")
elif os.environ.get("BACO_REQUIRE_ALL"):
    lit_config.fatal("chromium, chromium-driver or python3-selenium is missing: run scripts/setup.sh --all")

# A server for a cluster.
if config.has_nats and shutil.which("nats-server", path=os.environ["PATH"] + ":/usr/sbin") \
        and shutil.which("openssl"):
    config.available_features.add("nats")
elif os.environ.get("BACO_REQUIRE_ALL"):
    lit_config.fatal("libnats, nats-server or openssl is missing: run scripts/setup.sh --all, "
                     "and configure again")

# A shell whose completion can be asked.
if shutil.which("fish"):
    config.available_features.add("fish")
elif os.environ.get("BACO_REQUIRE_ALL"):
    lit_config.fatal("fish is missing: run scripts/setup.sh --all")

# A Python with a library for JSON schemas: the system's, or the one at hand.
for python in ["/usr/bin/python3", sys.executable]:
    if subprocess.run([python, "-c", "import jsonschema"], capture_output=True).returncode == 0:
        config.available_features.add("jsonschema")
        config.substitutions.append(("%{jsonschema-python}", python))
        break
else:
    if os.environ.get("BACO_REQUIRE_ALL"):
        lit_config.fatal("python3-jsonschema is missing: run scripts/setup.sh --all")

# The stock tools, to show that what we write needs nothing of ours.
config.substitutions.append(
    ("%stock-mlir-opt", os.path.join(config.llvm_tools_dir, "mlir-opt")))
config.substitutions.append(
    ("%stock-mlir-runner", os.path.join(config.llvm_tools_dir, "mlir-runner")))
config.substitutions.append(
    ("%stock-mlir-translate",
     os.path.join(config.llvm_tools_dir, "mlir-translate")))
config.substitutions.append(
    ("%stock-llc", os.path.join(config.llvm_tools_dir, "llc")))
config.substitutions.append(
    ("%clang", os.path.join(config.llvm_tools_dir, "clang")))
config.substitutions.append(
    ("%baco-plugin", os.path.join(config.baco_lib_dir, "libBacoPlugin.so")))
config.substitutions.append(
    ("%baco-mlir-opt", os.path.join(config.baco_tools_dir, "mlir-opt")))
config.substitutions.append(("%{tools}", config.baco_tools_dir))
config.substitutions.append(
    ("%examples", os.path.join(config.baco_src_root, "examples")))

# FileCheck's lines are hard to match with a recipe whose steps are several.
config.substitutions.append(
    ("%one-line-recipes", "sed -z -f " + os.path.join(
        config.test_source_root, "one-line-recipes.sed")))

# Tools are words of their own, not parts of options such as
# --implicit-check-not, and not the command of `baco space count`.
tools = {config.llvm_tools_dir: ["FileCheck", "llvm-objdump", "not", "count", "split-file"],
         config.baco_tools_dir: ["baco-opt", "baco-tune-driver", "baco-worker"]}
for folder, names in tools.items():
    for name in names:
        config.substitutions.append(
            (r"(?<![/\w-])(?<! space )%s(?![\w-])" % name, os.path.join(folder, name)))
# Its name is a part of many others.
for name in (r"(?<![/\w.#%=-])baco(?= )", r"%baco(?![\w-])"):
    config.substitutions.append(
        (name, os.path.join(config.baco_tools_dir, "baco")))
