//===- ModuleCompiler.h - Compiles the candidates of a kernel - -*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The worker's compiler: a payload and a schedule in MLIR, parsed once, and for
// each configuration the machine code that the schedule makes of the payload.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_CANDIDATECOMPILER_MODULECOMPILER_H
#define BACO_CANDIDATECOMPILER_MODULECOMPILER_H

#include "baco/Schedule/HostInfo.h"
#include "baco/Target/CPU/MachineCode.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

namespace baco::target {

class DeviceCompiler;

/// Part of the key of studies with static costs. Changes whenever a cost may.
inline constexpr int staticCostVersion = 10;

/// See runtime::CandidateCompiler. If the payload has a `baco.gpu_target`,
/// candidates are kernels for that GPU; they have static costs, and are not
/// run, unless the set-up has a device. Candidates for a CPU have static costs,
/// too, if the set-up has the CPU's description. Not thread-safe.
class ModuleCompiler : public runtime::CandidateCompiler {
public:
  ModuleCompiler();
  ~ModuleCompiler() override;

  /// `text` is a JSON object: `payload` and `schedule`, modules in MLIR's
  /// syntax, the latter with a named sequence `__transform_main`; `entry`, the
  /// name of the payload's function to run; and, if there is one, `source`, a
  /// module whose function of this name and type gives the right results,
  /// unless the payload's does; and, if there are any, `libraries`,
  /// files of shared libraries with functions that it calls, and `ptxas`, a
  /// program that is to assemble kernels for a GPU, and `verify`, which may be
  /// `emulate`: candidates for a GPU run in the emulator; with `device`, the
  /// number of the GPU that they run on; `cost-host`, a schedule::HostInfo: the
  /// CPU for which candidates have static costs, and `cost-cpu`, its name, see
  /// findCostOfCode. In place of `schedule` there may be `versions`, an object
  /// of modules that have the function, too: the configuration
  /// `{"version": NAME}` is that of NAME as it is. Errors say which of them is
  /// wrong, and where.
  Result<runtime::Signature> setUp(const std::string &text) override;

  bool isStatic() const override;
  std::optional<runtime::DeviceOptions> device() const override;

  Result<void> enterChild() override;

  /// On a GPU: one thread for each element, in blocks of 256.
  std::variant<runtime::CompiledKernel, runtime::CompileFailure>
  compilePlain() override;
  std::variant<runtime::CompiledKernel, runtime::CompileFailure>
  compileReference() override;
  bool needsErrorBound() const override;
  std::variant<runtime::CompiledKernel, runtime::CompileFailure>
  compileErrorBound() override;
  std::variant<runtime::CompiledKernel, runtime::CompileFailure>
  compileChecked() override;
  bool needsPerturbed() const override;
  std::variant<runtime::CompiledKernel, runtime::CompileFailure>
  compilePerturbed() override;

  std::variant<runtime::CompiledKernel, runtime::CompileFailure>
  compile(const std::string &configuration) override;
  std::variant<runtime::CompiledKernel, runtime::CompileFailure>
  load(const std::string &object, std::optional<size_t> codeOffset) override;
  runtime::CodeListing list(const std::string &object,
                            std::span<const int64_t> places) const override;

  /// Records the phases of later compilations; null: none.
  void setClock(PhaseClock *newClock) { clock = newClock; }
  /// Compiles for this CPU from now on (compileToMachineCode). Such kernels can
  /// be called only where its instructions are there.
  void setCpu(std::string newCpu) { cpu = std::move(newCpu); }

private:
  /// Parses a module that has the function that is run; errors start with
  /// `what`.
  Result<mlir::OwningOpRef<mlir::ModuleOp>> parseRunnable(llvm::StringRef text,
                                                          llvm::StringRef what);
  /// `source`: nullopt if there is none.
  Result<runtime::Signature>
  parsePayload(llvm::StringRef text, std::optional<llvm::StringRef> source);
  Result<void> parseSource(llvm::StringRef text, mlir::FunctionType type);
  mlir::ModuleOp reference() const {
    return source ? source.get() : payload.get();
  }
  Result<void> parseSchedule(llvm::StringRef text);
  void applyFixedSteps();
  Result<void> parseVersions(const llvm::json::Object &texts);
  std::variant<runtime::CompiledKernel, runtime::CompileFailure>
  compileVersion(const std::string &configuration);
  std::variant<runtime::CompiledKernel, runtime::CompileFailure>
  finish(mlir::ModuleOp module, const std::string &configuration);
  /// `lowered` has the formats of sparse arguments that were lowered before.
  std::variant<runtime::CompiledKernel, runtime::CompileFailure>
  finishForCpu(mlir::ModuleOp module,
               llvm::ArrayRef<sparse::StorageFormat> lowered = {});
  Result<mlir::OwningOpRef<mlir::ModuleOp>>
  cloneOnMemory(bool *sharesStores = nullptr);

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> payload;
  /// See setUp; null: the payload.
  mlir::OwningOpRef<mlir::ModuleOp> source;
  /// Null if there are versions. The steps at its beginning that are the same
  /// for all candidates are done in `prepared`.
  mlir::OwningOpRef<mlir::ModuleOp> schedule;
  mlir::OwningOpRef<mlir::ModuleOp> prepared;
  /// By their names.
  llvm::StringMap<mlir::OwningOpRef<mlir::ModuleOp>> versions;
  std::string entry;
  /// For payloads that name a device; null: candidates are host code.
  std::unique_ptr<DeviceCompiler> onDevice;
  /// See runtime::Signature.
  std::vector<std::string> variables;
  /// The payload's sparse formats: CompiledKernel::formats.
  std::vector<sparse::StorageFormat> formats;
  PhaseClock *clock = nullptr;
  std::string cpu;
  std::optional<schedule::HostInfo> costHost;
  std::string costCpu;
};

} // namespace baco::target

#endif // BACO_CANDIDATECOMPILER_MODULECOMPILER_H
