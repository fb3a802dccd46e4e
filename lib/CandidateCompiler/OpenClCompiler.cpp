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

using namespace mlir;
using namespace baco;
using namespace baco::target;

namespace {
class OpenClCompiler final : public DeviceCompiler {
public:
  OpenClCompiler(const PayloadKernel &kernel, OpenClTargetAttr target)
      : DeviceCompiler(kernel), target(target) {}

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

  Compiled compile(ModuleOp module, const std::string &configuration) override {
    // A schedule is applied without it.
    module->setAttr(kGpuTarget, target);
    if (llvm::Error error =
            lowerKernels(module, kernel.entry, createLowerToOpenClPass()))
      return runtime::CompileFailure{Status::CompileFailed,
                                     llvm::toString(std::move(error))};
    return prepareLaunches(
        module, gpu::CompilationTarget::Assembly,
        [](StringRef text) -> llvm::Expected<DeviceImage> {
          return DeviceImage{text.str(), std::nullopt};
        },
        configuration);
  }

private:
  OpenClTargetAttr target;
  runtime::DeviceOptions opened;
};
} // namespace

std::unique_ptr<DeviceCompiler>
target::makeOpenClCompiler(const PayloadKernel &kernel) {
  OpenClTargetAttr target = findOpenClTarget(kernel.payload);
  return target ? std::make_unique<OpenClCompiler>(kernel, target) : nullptr;
}
