//===- TuneOptions.td - Options of tuning -------------------*- tablegen -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options that baco-tune-driver and --baco-autotune have in common. A `def`
// here is all that a new option needs, besides the member of
// baco::driver::OptionValues that it sets: the command line of the driver, the
// pass, their help texts and docs/generated/BacoPasses.md are made from it. Other
// passes that have one of these options name its record, too.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DRIVER_TUNEOPTIONS_TD
#define BACO_DRIVER_TUNEOPTIONS_TD

include "mlir/Pass/PassBase.td"
include "llvm/TableGen/SearchableTable.td"

/// A heading of the driver's --help.
class OptionGroup<string heading> {
  string title = heading;
}
def InputOptions : OptionGroup<"Input and output">;
def SearchOptions : OptionGroup<"Search">;
def MeasureOptions : OptionGroup<"Measuring">;
def LimitOptions : OptionGroup<"Limits">;

/// `type` is that of the member: bool, int, unsigned, int64_t, uint64_t, double
/// or std::string. `default` is the member's initial value, as C++ code;
/// OptionTableTest sees to it that the two agree. `help` has no quotes.
class TuneOption<OptionGroup itsGroup, string argument, string type,
                 string default, string itsMember, string unit, string itsHelp,
                 string shownDefault = default>
    : Option<!subst("-", "_", argument), argument, type, default,
             itsHelp # " (default: " # shownDefault # ")"> {
  string group = itsGroup.title;
  /// Finds the member; C++.
  string member = "[](OptionValues &values) -> OptionMember { return &values."
                  # itsMember # "; }";
  string valueName = unit;
  /// What the driver puts between the values of several occurrences; without,
  /// there may be only one.
  string separator = "";
}

def Schedule : TuneOption<InputOptions, "schedule", "std::string", "\"\"",
  "kernels.scheduleFile", "file",
  "File with a schedule (transform IR with knobs), unless the input has one",
  "the input's, or an automatic one">;
def Entry : TuneOption<InputOptions, "entry", "std::string", "\"\"",
  "kernels.entry", "function",
  "Function to tune; a schedule is applied to the whole file",
  "all that can be tuned; with a schedule, the only public one">;
def Sequence : TuneOption<InputOptions, "sequence", "std::string", "\"\"",
  "kernels.sequence", "name",
  "The named sequence that the schedule starts with",
  "__transform_main">;
def Retune : TuneOption<InputOptions, "retune", "bool", "false",
  "kernels.retune", "",
  "Tune knobs and alternatives of the schedule that have a selected value, "
  "too; that value is their default">;
def Shape : TuneOption<InputOptions, "shape", "std::string", "\"\"",
  "kernels.shapes", "function:n=extents,...",
  "Shapes to tune a function for whose arguments are dynamic, such as "
  "f:0=512x64,1=64x64; N is the number of an argument, from 0, or its name; "
  "further shapes, of the same function or another one, follow after ; or in "
  "a further --shape; see docs/Intake.md",
  "those that callers in the file pass"> {
  let separator = ";";
}
def Layout : TuneOption<InputOptions, "layout", "std::string", "\"auto\"",
  "layout", "auto|keep|channels-last|tensor-cores",
  "Layout of the images that channels-first convolutions on tensors read and "
  "write: channels-last, keep, as they are, tensor-cores, channels-last where "
  "those of a GPU gain, or auto, which is that for NVIDIA's GPUs, and for CPUs "
  "channels-last where what is left to transpose is little; see docs/Intake.md",
  "auto">;
def Winograd : TuneOption<InputOptions, "winograd", "std::string", "\"off\"",
  "winograd", "off|2|4|measure|shape:tile,...",
  "Largest tile of results by which 3x3 convolutions with constant filters are "
  "computed by Winograd's algorithm, where that is estimated to be faster, or "
  "measured, or that of each shape: fewer products, but other roundings; see "
  "docs/Intake.md",
  "off">;
def Arg : TuneOption<InputOptions, "arg", "std::string", "\"\"",
  "kernels.inputs", "function:n=value,...",
  "Inputs with which a function is timed: values of scalars, such as f:0=512; "
  "ranges, such as f:1=0..99; distributions, such as "
  "f:1=uniform(0.5,2,seed=1), normal(0,1) or below(100); or files of numpy.save, "
  "such as f:1=@x.npy; or constant for weights, which are the same in each "
  "call; N is the number of an argument, from 0, or its name; "
  "further ones follow after ; or in a further --arg; see docs/Intake.md",
  "integers the largest with which it stays in bounds, others random"> {
  let separator = ";";
}
def Host : TuneOption<InputOptions, "host", "std::string", "\"\"",
  "host", "key=value,...",
  "Machine to schedule for, KEY=VALUE,... with cpu, LLVM's name of a CPU of "
  "x86-64 or AArch64 for static costs, vector-bytes, vector-registers, "
  "l1, l2, l3 in bytes, threads, as the option threads, and dot-products, 1 "
  "for AVX-512's VNNI, 2 for AMX, too",
  "this machine">;
def Threads : TuneOption<InputOptions, "threads", "int64_t", "1",
  "threads", "n",
  "The most threads of a kernel, 1 to 64, or 0 for all CPUs; with more than one, "
  "what is distributed, and in chunks of which sizes, are knobs",
  "1, or threads in the option host">;
def SharedLibs : TuneOption<InputOptions, "shared-libs", "std::string", "\"\"",
  "sharedLibs", "file,...",
  "Shared libraries with external functions that kernels call, as in mlir-runner, "
  "FILE,...",
  "none">;
def Interface : TuneOption<InputOptions, "interface", "std::string",
  "\"original\"", "interface", "original|buffers",
  "What functions of the tuned module take and return: original, tensors where "
  "they did, or buffers, memrefs for these, those of results as last arguments",
  "original">;
def Verbose : TuneOption<InputOptions, "verbose", "bool", "false",
  "kernels.isVerbose", "",
  "Emit each remark, not only the first one of those with the same text, and "
  "after several kernels the summary of each one, not only a table">;
def Database : TuneOption<InputOptions, "db", "std::string", "\"\"",
  "tuning.database", "file",
  "Journal of all trials (SQLite); the same command resumes from it",
  "NAME.baco.db in the output directory; --baco-autotune keeps none">;

def Budget : TuneOption<SearchOptions, "budget", "uint64_t", "60",
  "tuning.budget", "n",
  "Candidates to evaluate, including those of earlier runs, at least 1; several "
  "kernels share them in proportion to their times",
  "60 per kernel, with --stop no limit">;
def Top : TuneOption<SearchOptions, "top", "uint64_t", "0",
  "tuning.top", "n",
  "Tune only the N kernels that take the most time, by an estimate; 0 for all",
  "all">;
def KernelShare : TuneOption<SearchOptions, "share", "std::string", "\"100%\"",
  "share", "percentage",
  "Tune only as many kernels as take this part of the time, by an estimate",
  "100%">;
def TimeLimit : TuneOption<SearchOptions, "time-limit", "double", "0",
  "tuning.timeLimitS", "seconds",
  "Wall time in seconds for all kernels, including planning and set-up; after it "
  "no candidate is started except the default of a kernel that is set up, no "
  "further kernel is begun, and what is under way has 5 s more; 0 for no limit">;
def Stop : TuneOption<SearchOptions, "stop", "std::string", "\"\"",
  "tuning.stop", "condition",
  "Condition after which a kernel's search ends: evaluations(N), "
  "duration(10min), fraction(10%), cost(NANOSECONDS), speedup(1.05, 20), "
  "speedup(1.05, 30s), expected_improvement(1%), joined by &&, || and "
  "parentheses, see docs/Library.md",
  "none; of several kernels without --budget, speedup(1.01, 25)">;
def Seed : TuneOption<SearchOptions, "seed", "uint64_t", "0",
  "tuning.seed", "n", "Seed of the search and of inputs">;
def Optimizer : TuneOption<SearchOptions, "optimizer", "std::string",
  "\"baco\"", "tuning.optimizer", "name",
  "Search technique: baco, baco--, baco-published, forest, random, random-raw, "
  "random-walk, exhaustive, annealing, atf-bandit, opentuner, pro, pro-c or "
  "genetic; with settings such as baco:surrogate=forest or pro:simplex=12N, see "
  "docs/Rivals.md",
  "baco">;
def Like : TuneOption<SearchOptions, "like", "std::string", "\"\"",
  "tuning.like", "study,...",
  "Studies to learn from: names or keys of studies in --db, FILE or "
  "FILE#STUDY for those of another database, or a tuned library, which ends in "
  ".mlir, for its entries of similar kernels; auto for all in --db with the same "
  "knobs; their best configurations are tried first, and what they expect is an "
  "input of the model",
  "none">;
def Target : TuneOption<InputOptions, "target", "std::string", "\"cpu\"",
  "tuning.target", "target[:chip]",
  "Machine to tune for: cpu, this one; nvvm:CHIP, an NVIDIA GPU such as "
  "nvvm:sm_90, which need not be here, with --evaluator=static; cuda:CHIP, the "
  "GPU of this machine; opencl or opencl:NAME, a device of OpenCL; fpga:DEVICE, "
  "an FPGA such as fpga:arria10, with --evaluator=static; see docs/Gpu.md, "
  "docs/OpenCLTarget.md and docs/FPGA.md",
  "cpu">;
def AllowTF32 : TuneOption<InputOptions, "tf32", "bool", "false",
  "kernels.allowsTF32", "",
  "Let tensor cores of the GPU round f32 to tf32, which has 11 digits, in all "
  "products of matrices, as the attribute baco.tf32 does in one; see docs/Gpu.md">;
def Evaluator : TuneOption<SearchOptions, "evaluator", "std::string",
  "\"jit\"", "tuning.evaluator", "jit|static|replay:file",
  "Where times come from: jit compiles and runs each candidate, static "
  "computes a cost of compiled code for a GPU, or for the CPU of --host, or of "
  "an estimated design for an FPGA, instead of a time, replay:FILE looks them up in a database (FILE#KEY: in that study), "
  "in exported trials (.jsonl), in a table (.csv) or in results of other tuners",
  "jit">;
def Ptxas : TuneOption<MeasureOptions, "ptxas", "std::string", "\"\"",
  "tuning.device.assembler", "file|auto",
  "NVIDIA's assembler: what it refuses is a candidate that fails, and static "
  "costs follow from the registers and spills that it gives; auto: the ptxas "
  "on PATH or in CUDA_HOME/bin",
  "none">;
def Verify : TuneOption<MeasureOptions, "verify", "std::string", "\"\"",
  "tuning.device.verify", "emulate",
  "How candidates that don't run here are verified: emulate, in the emulator, "
  "where the kernel is small enough; see docs/Gpu.md",
  "not at all">;
def Gpus : TuneOption<MeasureOptions, "gpus", "std::string", "\"0\"",
  "tuning.device.ids", "n,...|all",
  "GPUs on which candidates are measured side by side, by the driver's numbers "
  "or all; they must be of one model. The first one measures the default, the "
  "plain lowering and the final comparison",
  "0">;
def InFlight : TuneOption<SearchOptions, "in-flight", "unsigned", "3",
  "tuning.inFlight", "n",
  "Candidates in flight, 1 to 1024, for each GPU, or slot of a cluster: one is "
  "timed while the others are compiled; more keep more cores busy, but are "
  "chosen with less information">;
def IgnoreAdvisory : TuneOption<SearchOptions, "ignore-advisory", "bool",
  "false", "tuning.ignoreAdvisory", "",
  "Ignore advisory constraints">;

def Groups : TuneOption<SearchOptions, "groups", "bool",
  "true", "tuning.groups", "",
  "Fuse ops and nests with their neighbors, block by block, where dependences "
  "allow it, as a knob; false: tune each alone">;

def Worker : TuneOption<MeasureOptions, "worker", "std::string", "\"\"",
  "tuning.worker", "file", "Program that plans loop nests and runs candidates",
  "$BACO_WORKER, or baco-worker beside this program">;
def Runner : TuneOption<MeasureOptions, "runner", "std::string", "\"\"",
  "tuning.runner", "command",
  "Command that gives a baco-worker on its standard input and output, such as "
  "'ssh board baco-worker': candidates are compiled for its machine, and run there",
  "none">;
def Engine : TuneOption<MeasureOptions, "engine", "std::string", "\"local\"",
  "tuning.engine", "local|nats",
  "Where candidates run: local, on this machine, or nats, on the workers of a "
  "cluster; see docs/Cluster.md",
  "local">;
def Nats : TuneOption<MeasureOptions, "nats", "std::string", "\"\"",
  "tuning.server.url", "url,...",
  "Servers of the cluster, nats://HOST:PORT, for the engine nats", "none">;
def NatsTls : TuneOption<MeasureOptions, "nats-tls", "std::string", "\"\"",
  "tuning.server.tls", "folder",
  "Folder with ca.pem, cert.pem and key.pem, with which server and tuner prove "
  "who they are",
  "none">;
def Wait : TuneOption<MeasureOptions, "wait", "double", "30",
  "tuning.waitS", "seconds",
  "How long to wait for a worker of the cluster, in seconds">;
def Machines : TuneOption<MeasureOptions, "machines", "std::string", "\"\"",
  "tuning.machines", "class",
  "Class of the machines that the engine nats uses; list prints them all, "
  "instead of tuning",
  "the one with the most slots">;
def Cpu : TuneOption<MeasureOptions, "cpu", "int", "-1",
  "tuning.measure.cpu", "n", "Number of the CPU that candidates run on",
  "-1, the last one available">;
def TrialTime : TuneOption<MeasureOptions, "trial-time", "double", "50",
  "tuning.measure.timing.trialMs", "ms",
  "Time for measuring a candidate during the search, in milliseconds">;
def FinalTime : TuneOption<MeasureOptions, "final-time", "double", "160",
  "tuning.measure.timing.comparisonMs", "ms",
  "Time for measuring each of the best candidates, the default and the plain "
  "lowering at the end, in milliseconds; up to four times as long if their "
  "times vary; 0: they aren't, and the trials decide">;
def ProgramTime : TuneOption<MeasureOptions, "program-time", "double", "-1",
  "tuning.programTimeS", "seconds",
  "Wall time in seconds for running a function that calls kernels as a whole, with "
  "original, default and tuned code in turns; 0 for not at all",
  "-1, which is 10 s, or a quarter of the time that tuning took">;
def Caches : TuneOption<MeasureOptions, "caches", "std::string", "\"hot\"",
  "caches", "hot|flushed",
  "State of the caches when a candidate is timed: hot, as its last execution "
  "left them; flushed, without its arguments",
  "hot">;
def Tolerance : TuneOption<MeasureOptions, "tolerance", "double", "1",
  "tuning.measure.tolerance", "factor",
  "How much floats may differ from those of the plain lowering, as a multiple of "
  "the rounding error bound for any order of operations; 0: not at all">;

def PlanTimeout : TuneOption<LimitOptions, "plan-timeout", "int64_t",
  "30000", "tuning.planTimeoutMs", "ms",
  "Wall time for planning one kernel in milliseconds; ops that aren't planned by "
  "then are left as they are; 0 for no limit">;
def SetupTimeout : TuneOption<LimitOptions, "setup-timeout", "int64_t",
  "120000", "tuning.measure.limits.setupTimeoutMs", "ms",
  "Wall time for computing the expected results and timing the plain lowering, "
  "in milliseconds">;
def PlainTimeout : TuneOption<LimitOptions, "plain-timeout", "int64_t",
  "5000", "tuning.measure.limits.plainTimeoutMs", "ms",
  "Wall time for one execution of the plain lowering in milliseconds; if it takes "
  "longer, its time stays unknown">;
def CompileTimeout : TuneOption<LimitOptions, "compile-timeout", "int64_t",
  "20000", "tuning.measure.limits.compileTimeoutMs", "ms",
  "Wall time for compiling a candidate in milliseconds">;
def RunTimeout : TuneOption<LimitOptions, "run-timeout", "int64_t",
  "1000", "tuning.measure.limits.runTimeoutMs", "ms",
  "Wall time for one execution of a candidate in milliseconds, but at least 4 "
  "times the time of the plain lowering">;
def MemoryLimit : TuneOption<LimitOptions, "memory-limit", "int64_t",
  "4096", "tuning.measure.limits.memoryLimitMiB", "MiB",
  "Memory that a candidate may allocate, in MiB">;

def TuneOptionTable : GenericTable {
  let FilterClass = "TuneOption";
  let CppTypeName = "TuneOption";
  let Fields = ["argument", "valueName", "description", "group", "separator",
                "member"];
  string TypeOf_member = "code";
}

#endif // BACO_DRIVER_TUNEOPTIONS_TD
