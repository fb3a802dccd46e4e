//===- DeviceHost.cpp - Functions whose kernels run on a device -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceHost.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"

using namespace mlir;
using namespace baco::target;
using namespace baco::runtime;

FailureOr<std::unique_ptr<DeviceFunction>>
DeviceFunction::create(func::FuncOp function, NVVM::NVVMTargetAttr target,
                       PtxAssembler *ptxas, const Signature &signature) {
  std::unique_ptr<DeviceFunction> self(
      new DeviceFunction(target, ptxas, signature));
  if (failed(self->compile(function)))
    return failure();
  self->ptxas = nullptr;
  return self;
}

llvm::Error DeviceFunction::addCode(StringRef bitcode) {
  llvm::LLVMContext context;
  auto module = llvm::parseBitcodeFile(
      llvm::MemoryBufferRef(bitcode, "kernels"), context);
  if (!module)
    return module.takeError();
  if (!ptxas) {
    auto text = writePtx(**module, target);
    if (!text)
      return text.takeError();
    images.push_back(std::move(*text));
    return llvm::Error::success();
  }
  auto made = KernelAssembler{*ptxas, target}.assemble(**module);
  if (!made)
    return made.takeError();
  if (!assembled)
    assembled.emplace();
  for (const auto &[name, resources] : made->kernels)
    assembled->include(resources);
  images.push_back(std::move(made->code));
  return llvm::Error::success();
}

/// Where on the device something that the host passes is.
DeviceOperand DeviceFunction::place(const Operand &operand,
                                    const Passed &passed) {
  auto word = static_cast<uint64_t>(passed.word);
  if (!passed.buffer)
    return {DeviceOperand::Word, 0, word};
  uint64_t offset = word - reinterpret_cast<uint64_t>(passed.buffer);
  for (auto [index, argument] : llvm::enumerate(signature.arguments))
    if (argument.isMemRef && static_cast<const std::byte *const *>(
                                 arguments[index])[1] == passed.buffer)
      return {DeviceOperand::Argument, static_cast<uint32_t>(index), offset};
  size_t index = llvm::find(temporaries, passed.buffer) - temporaries.begin();
  if (index == temporaries.size()) {
    temporaries.push_back(passed.buffer);
    program.temporaries.push_back(0);
  }
  // What was freed may be allocated again.
  uint64_t &bytes = program.temporaries[index];
  bytes = std::max<uint64_t>(bytes, operand.bytes);
  return {DeviceOperand::Temporary, static_cast<uint32_t>(index), offset};
}

void DeviceFunction::run(const Launch &launch, const CudaLaunch &sizes,
                         ArrayRef<Passed> passed) {
  DeviceLaunch &made = program.launches.emplace_back();
  made.image = static_cast<uint32_t>(launch.binary);
  made.kernel = launch.kernel;
  made.sizes = sizes;
  for (auto [operand, got] : llvm::zip_equal(launch.operands, passed))
    made.operands.push_back(place(operand, got));
}

baco::Result<DeviceProgram> DeviceFunction::record(void **newArguments) {
  arguments = newArguments;
  program = {};
  temporaries.clear();
  program.images = images;
  call(arguments);
  if (program.launches.empty())
    return Error{ErrorCode::Unsupported, "it launches no kernel"};
  return std::move(program);
}
