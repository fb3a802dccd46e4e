//===- PtxText.cpp - PTX of kernels in LLVM IR ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/NVVM/PtxText.h"

#include "baco/Target/NVVM/NvvmTarget.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace baco::target;

Expected<std::string>
baco::target::writePtx(const Module &module,
                       mlir::NVVM::NVVMTargetAttr target) {
  if (llvm::Error error =
          checkNvvmTarget(target.getChip(), target.getFeatures()))
    return std::move(error);
  Triple triple(nvvmTriple);
  std::string message;
  const Target *backEnd = TargetRegistry::lookupTarget(triple, message);
  if (!backEnd)
    return createStringError(message);
  std::unique_ptr<TargetMachine> machine(backEnd->createTargetMachine(
      triple, target.getChip(), target.getFeatures(), TargetOptions(),
      /*RM=*/std::nullopt));
  // That of the default of `baco-lower-to-nvvm`.
  machine->setOptLevel(CodeGenOptLevel::Aggressive);
  // The back end changes the IR. Places in sources would be a part of the text.
  std::unique_ptr<Module> copy = CloneModule(module);
  StripDebugInfo(*copy);
  copy->setTargetTriple(triple);
  copy->setDataLayout(machine->createDataLayout());
  SmallString<0> text;
  raw_svector_ostream stream(text);
  legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, /*DwoOut=*/nullptr,
                                   CodeGenFileType::AssemblyFile))
    return createStringError("LLVM can't write PTX");
  passes.run(*copy);
  return text.str().str();
}

Expected<baco::runtime::Assembly>
KernelAssembler::assemble(const Module &module) const {
  auto ptx = writePtx(module, target);
  if (!ptx)
    return ptx.takeError();
  Result<runtime::Assembly> made = ptxas.assemble(*ptx);
  if (!made)
    return createStringError(made.error().message);
  if (!made->error.empty())
    return createStringError(made->error);
  return std::move(*made);
}

DeviceImageMaker baco::target::ptxImages(mlir::NVVM::NVVMTargetAttr target,
                                         runtime::PtxAssembler *ptxas) {
  return [=](StringRef bitcode) -> Expected<DeviceImage> {
    LLVMContext context;
    auto module =
        parseBitcodeFile(MemoryBufferRef(bitcode, "kernels"), context);
    if (!module)
      return module.takeError();
    if (!ptxas) {
      auto text = writePtx(**module, target);
      if (!text)
        return text.takeError();
      return DeviceImage{std::move(*text), std::nullopt};
    }
    auto assembled = KernelAssembler{*ptxas, target}.assemble(**module);
    if (!assembled)
      return assembled.takeError();
    DeviceImage image = {std::move(assembled->code), KernelResources()};
    for (const auto &[name, resources] : assembled->kernels)
      image.resources->include(resources);
    return image;
  };
}
