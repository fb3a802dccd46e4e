//===- OpenClCompiler.cpp - Candidates for devices of OpenCL --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceCompiler.h"
#include "StaticCost.h"

#include "baco/IR/GpuTarget.h"
#include "baco/Target/Passes.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace baco;
using namespace baco::target;

namespace {
class OpenClCompiler final : public DeviceCompiler {
public:
  OpenClCompiler(const PayloadKernel &kernel, OpenClTargetAttr target)
      : entry(kernel.entry), signature(kernel.signature), target(target) {}

  Result<void> setUp(const llvm::json::Object &object) override {
    std::optional<StringRef> name = object.getString("device");
    if (!name)
      return {ErrorCode::InvalidArgument,
              "device: candidates for OpenCL have no static cost; leave out "
              "--evaluator=static"};
    opened.api = runtime::DeviceApi::OpenCl;
    opened.library = "libOpenCL.so.1";
    opened.uuid = *name;
    return {};
  }

  bool isStatic() const override { return false; }
  std::optional<runtime::DeviceOptions> device() const override {
    return opened;
  }
  Result<void> enterChild() override { return {}; }

  llvm::Error transformPlain(ModuleOp module) override {
    return mapElementsToThreads(module, entry);
  }

  Compiled compile(ModuleOp module, const std::string &configuration) override {
    // A schedule is applied without it.
    module->setAttr(kGpuTarget, target);
    if (llvm::Error error =
            lowerKernels(module, entry, createLowerToOpenClPass()))
      return runtime::CompileFailure{Status::CompileFailed,
                                     llvm::toString(std::move(error))};
    return prepareLaunches(
        module.lookupSymbol<func::FuncOp>(entry),
        gpu::CompilationTarget::Assembly,
        [](StringRef text) -> llvm::Expected<DeviceImage> {
          return DeviceImage{text.str(), std::nullopt};
        },
        signature, configuration, knownCode);
  }

  std::optional<Compiled>
  load(const std::string &object,
       llvm::function_ref<Compiled(const std::string &)> compile) override {
    std::optional<DeviceCode> code = DeviceCode::decode(object);
    if (!code)
      return std::nullopt;
    llvm::SaveAndRestore<const DeviceCode *> known(knownCode, &*code);
    return compile(code->configuration);
  }

private:
  std::string entry;
  runtime::Signature signature;
  OpenClTargetAttr target;
  runtime::DeviceOptions opened;
  /// The device code that `load` has.
  const DeviceCode *knownCode = nullptr;
};
} // namespace

std::unique_ptr<DeviceCompiler>
target::makeOpenClCompiler(const PayloadKernel &kernel) {
  OpenClTargetAttr target = findOpenClTarget(kernel.payload);
  return target ? std::make_unique<OpenClCompiler>(kernel, target) : nullptr;
}
