//===- PtxasProgram.h - Where ptxas is --------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The value of the option `ptxas`. baco needs no ptxas, and never takes one
// that nobody has asked for.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DRIVER_PTXASPROGRAM_H
#define BACO_DRIVER_PTXASPROGRAM_H

#include "baco/Support/Result.h"

#include <string>

namespace baco::driver {

/// An assembler that knows a chip.
struct PtxasProgram {
  /// An absolute path; empty if none is to be used.
  std::string file;
  /// As it says itself, such as `V13.0.88`.
  std::string version;
};

/// Finds the program for `option`: a file; `auto`, on PATH or in the folder bin
/// of CUDA_HOME; or nothing. Runs it once in this process, for its version.
/// Safe from any thread. NotFound,
/// Unsupported or IOError, naming the option, if there is none, it doesn't know
/// `chip`, or it fails.
Result<PtxasProgram> findPtxas(const std::string &option,
                               const std::string &chip);

} // namespace baco::driver

#endif // BACO_DRIVER_PTXASPROGRAM_H
