//===- DeviceCompiler.h - Candidates that are not host code -----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of ModuleCompiler that depends on the kind of device. References are
// host code for all of them.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_CANDIDATECOMPILER_DEVICECOMPILER_H
#define BACO_LIB_CANDIDATECOMPILER_DEVICECOMPILER_H

#include "baco/Protocol/Candidate.h"
#include "baco/Target/DeviceHost.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace baco::target {

/// A candidate, compiled.
using Compiled = std::variant<runtime::CompiledKernel, runtime::CompileFailure>;

/// A kernel of which candidates are compiled.
struct PayloadKernel {
  mlir::ModuleOp payload;
  /// Its function `entry` gives the right results.
  mlir::ModuleOp reference;
  std::string entry;
  runtime::Signature signature;
};

class DeviceCompiler {
public:
  explicit DeviceCompiler(PayloadKernel kernel) : kernel(std::move(kernel)) {}
  virtual ~DeviceCompiler() = default;

  /// `object`: see ModuleCompiler::setUp, as for the errors.
  virtual Result<void> setUp(const llvm::json::Object &object) = 0;
  /// See runtime::CandidateCompiler, as for the next two.
  virtual bool isStatic() const = 0;
  virtual std::optional<runtime::DeviceOptions> device() const = 0;
  virtual Result<void> enterChild() = 0;
  /// Makes kernels of the ops of `module`, a copy of the payload. The error
  /// says which op can't be one.
  virtual llvm::Error transformPlain(mlir::ModuleOp module) const;
  /// Lowers `module`, which was transformed; `configuration` is the
  /// candidate's, or empty.
  virtual Compiled compile(mlir::ModuleOp module,
                           const std::string &configuration) = 0;
  /// Calls `compile` for the candidate that `object` is of, reusing its code;
  /// nothing if it is something else.
  std::optional<Compiled>
  load(const std::string &object,
       llvm::function_ref<Compiled(const std::string &configuration)> compile);

protected:
  /// The candidate with the launches of the kernel's function in `module`, see
  /// DeviceFunction::create; it can be loaded again if there is a
  /// `configuration`.
  Compiled prepareLaunches(mlir::ModuleOp module,
                           mlir::gpu::CompilationTarget format,
                           const DeviceImageMaker &make,
                           const std::string &configuration) const;

  PayloadKernel kernel;
  /// The device code that `load` has; null outside of it.
  const DeviceCode *knownCode = nullptr;
};

/// Null if `kernel` isn't for an NVIDIA GPU.
std::unique_ptr<DeviceCompiler> makeNvidiaCompiler(const PayloadKernel &kernel);
/// Null if it isn't for a device of OpenCL.
std::unique_ptr<DeviceCompiler> makeOpenClCompiler(const PayloadKernel &kernel);
/// Null if it isn't for an FPGA.
std::unique_ptr<DeviceCompiler> makeFpgaCompiler(const PayloadKernel &kernel);

/// A copy of the payload in a cheap order of its loops. Sets `sharesStores`, if
/// not null, to what interchangeForLocality returns.
mlir::OwningOpRef<mlir::ModuleOp>
cloneInLocalOrder(mlir::ModuleOp payload, llvm::StringRef entry,
                  bool *sharesStores = nullptr);

} // namespace baco::target

#endif // BACO_LIB_CANDIDATECOMPILER_DEVICECOMPILER_H
