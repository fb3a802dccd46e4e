//===- NvvmTarget.h - NVIDIA GPUs that LLVM knows ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks of a chip's name and of features. LLVM itself only warns of unknown
// ones on the standard error, and compiles for another chip.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_NVVM_NVVMTARGET_H
#define BACO_TARGET_NVVM_NVVMTARGET_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace baco::target {

/// The triple of the PTX back end.
inline constexpr llvm::StringLiteral nvvmTriple = "nvptx64-nvidia-cuda";

/// Fails, with a message of one line, unless LLVM has the PTX back end, which
/// this registers, and knows `chip` ("sm_90") and each of `features`, a list of
/// names behind + or - separated by commas, or nothing.
llvm::Error checkNvvmTarget(llvm::StringRef chip, llvm::StringRef features);

} // namespace baco::target

#endif // BACO_TARGET_NVVM_NVVMTARGET_H
