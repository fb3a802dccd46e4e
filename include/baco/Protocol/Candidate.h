//===- Candidate.h - Kernels and candidates of a worker ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The worker's interface to kernels: their signature, and a compiler of
// candidates. The worker is independent of MLIR; tools/baco-worker combines it
// with the compiler of lib/Target.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_PROTOCOL_CANDIDATE_H
#define BACO_PROTOCOL_CANDIDATE_H

#include "baco/Sparse/Storage.h"
#include "baco/Support/Outcome.h"
#include "baco/Support/Result.h"
#include "baco/Support/TimeShares.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace baco::runtime {

/// I1 occupies a byte that holds 0 or 1, Index eight bytes. A complex number is
/// its real and its imaginary part.
enum class ElementType {
  F16,
  BF16,
  F32,
  F64,
  I1,
  I8,
  I16,
  I32,
  I64,
  Index,
  ComplexF32,
  ComplexF64
};

/// The size in bytes of an element in memory.
size_t elementSize(ElementType type);

/// MLIR's name of the type: `f32`, `i1`, `complex<f64>`, ...
std::string_view elementTypeName(ElementType type);
/// The inverse of elementTypeName.
std::optional<ElementType> parseElementType(std::string_view name);

/// Whether it consists of floating-point numbers.
bool isFloat(ElementType type);

bool isComplex(ElementType type);
/// The type of a complex number's parts; other types are their own part.
ElementType partType(ElementType type);

/// Bounds of integers, both included.
struct IntegerRange {
  int64_t least, greatest;
  /// All values are as likely, as places in a table are; else small ones are
  /// preferred, with which results stay small.
  bool isUniform = false;
  bool operator==(const IntegerRange &) const = default;
};

/// The values of an integer type, taken as signed; 0 and 1 for I1.
IntegerRange rangeOf(ElementType type);

/// The user's generator for an argument's elements, in place of the default
/// inputs.
struct Source {
  enum class Kind {
    Uniform,
    Normal,
    /// The same elements in all inputs.
    File,
    /// Each element is greater than the one before it, in row-major order;
    /// where the type has no more such values, they begin again.
    Increasing,
    /// For sparse arguments: entries in the places of those of
    /// sparse::readTensor(file). Their elements are drawn like those of
    /// arguments without a source.
    Tensor
  };
  Kind kind = Kind::Uniform;
  /// Uniform: the least and the greatest float, also of parts of complex
  /// numbers; Normal, of integers, too: mean and deviation. Uniform integers
  /// have all values of Argument::range.
  double first = 0, second = 0;
  /// Seeds the drawn elements, together with the seed of the inputs.
  uint64_t seed = 0;
  /// A file of numpy.save with elements of the argument's type and of its
  /// shape, and the hashNpyFile that it had when the user said so (Tensor: the
  /// sparse::hashTensor); empty if that isn't known.
  std::string file = {}, hash = {};
  /// Its elements in row-major order; Tensor: the coordinates of its entries,
  /// as int64_t, in lexicographic order. Null before loadSources.
  std::shared_ptr<const std::vector<std::byte>> contents = nullptr;

  bool operator==(const Source &) const = default;
};

/// One argument of a kernel.
struct Argument {
  ElementType type = ElementType::F32;
  /// A memref of static shape and identity layout, or else a scalar that is
  /// passed by value.
  bool isMemRef = true;
  /// Extents, outermost first; empty for scalars and rank-0 memrefs.
  std::vector<int64_t> shape;
  /// Whether the kernel may write it: then it is compared with the reference.
  bool isOutput = true;
  /// Whether the kernel may read what it held before: if not, that can be
  /// anything.
  bool isRead = true;
  /// Callers promise that it begins at a multiple of so many bytes, a power of
  /// two, if that is more than its element type's own alignment.
  int64_t alignment = 1;
  /// For integers (elements of a memref, or a scalar): the values for which the
  /// kernel is defined, if these are not all of its type. For example, divisors
  /// are positive.
  std::optional<IntegerRange> range = std::nullopt;
  /// For an integer scalar: first the value with which the kernel is timed, and
  /// verified, then others with which it is verified only, one argument at a
  /// time. Without any, it is drawn as elements are.
  std::vector<int64_t> values = {};
  /// For an integer scalar: whether loops, addresses, sizes or branches depend
  /// on it, so that a large value may take the kernel out of bounds.
  bool isStructural = false;
  /// Somebody has said the first of `values`, which is not to be changed.
  bool isGiven = false;
  /// Whether differences of its elements are divisors, so that the kernel may
  /// not be defined where some are equal.
  bool isDifferenced = false;
  /// For a memref, or a scalar that isn't an integer.
  std::optional<Source> source = std::nullopt;
  /// A sparse tensor of this shape, which the kernel only reads, with a source
  /// of the kind Tensor. Inputs hold its entries; each compiled kernel takes
  /// them in a format of its own, see CompiledKernel::formats.
  bool isSparse = false;
  /// Callers pass the same contents each time, so that they don't vary between
  /// timed executions.
  bool isConstant = false;

  /// 1 for scalars and rank-0 memrefs. For a sparse argument, the number of its
  /// entries; 0 before loadSources.
  int64_t numElements() const;
  /// The size in bytes of all elements; and of the coordinates of entries.
  size_t byteSize() const;
  /// Whether the source says which values its elements have.
  bool hasGivenElements() const {
    return source && source->kind != Source::Kind::Tensor;
  }
  /// The alignment in bytes that the kernel may assume: see
  /// docs/Verification.md.
  size_t minAlignment() const;
  bool operator==(const Argument &) const = default;
};

struct Signature {
  std::vector<Argument> arguments;
  /// The name of the function, for messages.
  std::string function = {};
  /// Number of terms that an output element sums, for the tolerance of the
  /// comparison; >= 1.
  int64_t reductionLength = 1;
  /// The least precise float type that a result of the kernel's operations is
  /// rounded to: outputs of a wider type are no more exact.
  ElementType roundedTo = ElementType::F64;
  /// Whether a tiny difference in a float can make a large one elsewhere: where
  /// floats are compared, or made integers.
  bool hasJumps = false;
  /// Whether the floats that decide there have the same bits in any schedule:
  /// inputs have, and what no sum and no approximated function is in.
  bool areJumpsExact = true;
  /// Whether it compares numbers, or takes the larger or the smaller one.
  bool isPiecewise = false;
  /// The first few of the numbers in its code, beside 0.
  std::vector<double> constants = {};
  /// Whether the kernel is defined for all values of its integers.
  bool takesAnyInteger = true;
  /// Whether the kernel is known to stay in bounds with the values of its
  /// structural scalars. If not, runs have to find safe values.
  bool hasSafeScalars = true;
  /// The kernel's variables: memory that outlives an execution and is no
  /// argument. No execution may see what an earlier one left there.
  std::vector<std::string> variables = {};

  /// Whether the kernel is defined where floats are NaN, and where they are
  /// infinite or become so: not if fast-math flags rule that out.
  bool takesNaN = true, takesInfinity = true;
  /// Whether numbers may become infinite in it. Not where a product is
  /// subtracted: a schedule may fuse both, and what doesn't overflow then is
  /// infinite where it doesn't (inf - inf is NaN).
  bool mayOverflow = true;

  /// Multiply-adds of floats, times the size of their type in bytes, of which
  /// every way of computing the results takes a quarter at least. 0: none is
  /// known that no algebra saves.
  double productBytes = 0;
  /// The output whose elements each take as many of these as the others, where
  /// an execution may leave some or all of them as they were; -1: all of the
  /// multiply-adds are in every execution.
  int64_t productOutput = -1;

  /// Extents are non-negative, all arguments together stay below 2^46 bytes,
  /// scalars have no shape and are no outputs, what isn't an output is read,
  /// alignments are powers of two up to 2^21, the reduction is not empty,
  /// `roundedTo` is a real float type, ranges hold something, only integer
  /// scalars have values, which their type holds, and no sources; sources have
  /// finite numbers, in order, or elements of the argument's size; sparse
  /// arguments are memrefs with extents, none of them 0, are only read and have
  /// a tensor as their source, which no other argument has; `productBytes` is
  /// finite and not negative, and `productOutput` an output's number or -1.
  Result<void> validate() const;
  bool operator==(const Signature &) const = default;
};

struct DeviceProgram;

/// The code of a kernel, in short.
struct CodeListing {
  /// The assembly of the loop in which most samples are, or, without any, in
  /// which most time is likely spent, an instruction a line. Empty: none.
  std::string text = {};
  /// Nullopt without samples.
  std::optional<TimeShares> shares = std::nullopt;
};

/// The most limits of a candidate of which a worker tells how much it needs.
inline constexpr size_t maxLimits = 8;

/// Machine code of one candidate, in this process.
struct CompiledKernel {
  /// Calls the kernel. `arguments[i]` points to the i-th argument: to its
  /// memref descriptor {allocated, aligned, offset, sizes..., strides...}
  /// (pointers, then int64_t), or to the scalar. An exception that leaves it
  /// ends the process, as any other crash does. It is called many times, from
  /// one thread (it may use those of the team), and may do no more than
  /// docs/Sandbox.md allows: compute, allocate, and write to the standard
  /// output.
  void (*entry)(void **arguments) = nullptr;
  /// Owns the code.
  std::shared_ptr<void> code;
  /// For CandidateCompiler::load; empty if the compiler has no such thing.
  std::string object = {};
  /// The memory of Signature::variables, where it has any left. Before each
  /// execution it is to hold what it held at first. Variables that a schedule
  /// adds are none: what they keep must not show.
  std::vector<std::span<std::byte>> state = {};
  /// Copies constant arguments to `copies`, of which `entry` reads them; null
  /// if it needs no copies. Takes what `entry` takes, and is called whenever
  /// these arguments may have changed.
  void (*prepare)(void **arguments) = nullptr;
  std::span<std::byte> copies = {};
  /// Whether it runs in several threads (Team.h): then it gets as many CPUs,
  /// and its wall time counts.
  bool isParallel = false;
  /// The cost from a compiler without runs (CandidateCompiler::isStatic), above
  /// 0 and finite, in place of the time, and a line about it.
  double staticCost = 0;
  std::string note = {};
  /// The resources of GPU kernels, if an assembler has reported them.
  std::optional<KernelResources> resources = std::nullopt;
  /// As Outcome::usage, maxLimits at most.
  std::vector<double> usage = {};
  /// Whether its threads wait for, or add to, what others write by atomic
  /// operations: then they can't run one after another (TeamMode::Apart).
  bool hasAtomics = false;
  /// Records the launches of a call with these arguments (as for `entry`, which
  /// is null then), for a compiler with a device. Accesses no element. Empty:
  /// the kernel runs on the CPU.
  std::function<Result<DeviceProgram>(void **arguments)> launches = {};
  /// The format of each sparse argument, in their order. `entry` takes buffers
  /// in place of the argument, each as a memref of rank 1: for each level its
  /// positions and its coordinates, as far as the format stores them, and
  /// behind all levels the values.
  std::vector<sparse::StorageFormat> formats = {};
};

/// The driver of a device.
enum class DeviceApi { Cuda, OpenCl };

/// A device on which candidates run.
struct DeviceOptions {
  /// The driver, for dlopen.
  std::string library = "libcuda.so.1";
  /// The device among the driver's; for OpenCL, a part of its name.
  std::string uuid;
  /// How long a process that was killed may take to end: a driver frees what it
  /// had, and may wait for its kernel.
  int killTimeoutMs = 30000;
  DeviceApi api = DeviceApi::Cuda;
};

/// A failed compilation, and why: `TransformFailed`, `CompileFailed`, or, if
/// the compiler has run it in an emulator, `WrongResult` or `DeviceFault`.
struct CompileFailure {
  Status status;
  /// One line; if it is empty, the first line that the compiler printed is
  /// taken instead.
  std::string message;
  /// As Outcome::usage, maxLimits at most.
  std::vector<double> usage = {};
  /// As in Outcome.
  double costBeyondLimits = 0;
};

/// Compiles candidates of one kernel. `setUp` runs once, in the zygote; the
/// others run in forked children, which may crash, hang, or eat all memory.
/// None of them may leave a second thread behind: a fork takes only the caller
/// along.
class CandidateCompiler {
public:
  virtual ~CandidateCompiler();

  /// Parses what all candidates share. `text` is opaque to the worker (the
  /// compiler's own JSON: payload, schedule, entry, target).
  virtual Result<Signature> setUp(const std::string &text) = 0;

  /// Whether candidates have a cost as soon as they are compiled, and are never
  /// run; asked after setUp. The default is no.
  virtual bool isStatic() const;

  /// The device that runs kernels with CompiledKernel::launches; asked after
  /// setUp. Then compileReference and the like are for the CPU, and only
  /// compilePlain and compile are for the device. The default has none.
  virtual std::optional<DeviceOptions> device() const;

  /// Called in each child before the child is barred from starting processes.
  /// Processes started here end with the child. An error, of one line, says
  /// that the system refuses. The default does nothing.
  virtual Result<void> enterChild();

  /// The unscheduled kernel: the plain lowering's time, and the reference if
  /// there is nothing better.
  virtual std::variant<CompiledKernel, CompileFailure> compilePlain() = 0;

  /// The unscheduled kernel in an order of its work that takes less time and
  /// has the same results: each sum has its terms in the same order. It should
  /// not be parallel, so that it needs no exclusive CPUs. The default is the
  /// plain one.
  virtual std::variant<CompiledKernel, CompileFailure> compileReference();

  /// Does the unscheduled kernel on the absolute values of its inputs compute
  /// something else than the sums of the absolute values of its terms, such
  /// that compileErrorBound is needed? The default is no.
  virtual bool needsErrorBound() const;

  /// A kernel whose results are sums of the absolute values of the terms of the
  /// unscheduled kernel, on the same inputs. Only if it is needed. The default
  /// refuses.
  virtual std::variant<CompiledKernel, CompileFailure> compileErrorBound();

  /// The unscheduled kernel, ended by a signal before it accesses anything out
  /// of bounds; before that it may print a line that names the access. The
  /// default refuses.
  virtual std::variant<CompiledKernel, CompileFailure> compileChecked();

  /// Can a rounding have an effect on the results of the unscheduled kernel
  /// that the sizes of its terms don't show, such that compilePerturbed is
  /// needed? The default is no.
  virtual bool needsPerturbed() const;

  /// The unscheduled kernel with a result of each operation on floats that is
  /// one unit in the last place off, in a direction that looks random. The
  /// default refuses.
  virtual std::variant<CompiledKernel, CompileFailure> compilePerturbed();

  /// The kernel under a configuration (a JSON object, parameter name to value).
  virtual std::variant<CompiledKernel, CompileFailure>
  compile(const std::string &configuration) = 0;

  /// The kernel that had this CompiledKernel::object in another process, with
  /// its formats. Repeats only what depends on the process (memory for the
  /// code), which is fast. The code begins at `codeOffset` within a page, a
  /// multiple of 16 below 4096; without a value it lies where it would. The
  /// default refuses, as it never has an object.
  virtual std::variant<CompiledKernel, CompileFailure>
  load(const std::string &object, std::optional<size_t> codeOffset);

  /// The code of an object, by samples of where it executes: `places` are
  /// addresses, less that of CompiledKernel::entry. Empty if nothing is known
  /// of the object, as by default.
  virtual CodeListing list(const std::string &object,
                           std::span<const int64_t> places) const;
};

} // namespace baco::runtime

#endif // BACO_PROTOCOL_CANDIDATE_H
