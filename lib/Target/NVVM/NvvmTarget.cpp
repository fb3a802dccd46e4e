//===- NvvmTarget.cpp - NVIDIA GPUs that LLVM knows -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/NVVM/NvvmTarget.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

// LLVM's headers declare the functions of all targets only together.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}
// NOLINTEND(readability-identifier-naming)

Error baco::target::checkNvvmTarget(StringRef chip, StringRef features) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  Triple triple(nvvmTriple);
  std::string message;
  const Target *target = TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return createStringError(message);
  // For a chip or a feature that it doesn't know, LLVM only prints a warning,
  // and goes on; so the names are looked up here.
  std::unique_ptr<MCSubtargetInfo> info(
      target->createMCSubtargetInfo(triple, /*CPU=*/"", /*Features=*/""));
  if (!chip.starts_with("sm_") || !info->isCPUStringValid(chip))
    return createStringError("chip '" + chip +
                             "' is unknown to LLVM; give one such as 'sm_90' "
                             "(list: llc -march=nvptx64 -mcpu=help)");
  SmallVector<StringRef> given;
  features.split(given, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef feature : given) {
    StringRef name = feature.trim();
    bool hasSign = name.consume_front("+") || name.consume_front("-");
    if (!hasSign || none_of(info->getAllProcessorFeatures(),
                            [&](const SubtargetFeatureKV &known) {
                              return name == known.Key;
                            }))
      return createStringError(
          "feature '" + feature.trim() +
          "' is unknown to LLVM; give one such as '+ptx80' (list: llc "
          "-march=nvptx64 -mattr=help)");
  }
  return Error::success();
}
