//===- Ptxas.h - NVIDIA's assembler -----------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs ptxas, where somebody has it, and reads what it says of kernels. A
// candidate's process may start no program: a helper that it forks before its
// sandbox closes does. PTX and code go through memory, so that no file is left
// behind, however the processes end.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DEVICE_PTXAS_H
#define BACO_DEVICE_PTXAS_H

#include "baco/Support/Outcome.h"
#include "baco/Support/Result.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace baco::runtime {

/// Parses the resources of each kernel, by name, from the output of `ptxas -v`.
/// Lines of another kind are skipped.
std::map<std::string, KernelResources> parsePtxasReport(std::string_view text);

/// The first line of ptxas' report that states an error, without its place in
/// the generated text, which nobody sees; or the first line.
std::string findPtxasError(std::string_view text);

/// The result of assembling one text.
struct Assembly {
  /// Its kernels; empty if it wasn't assembled.
  std::map<std::string, KernelResources> kernels;
  /// The machine code.
  std::string code;
  /// One line if ptxas refused the text, or failed; else empty.
  std::string error;
};

/// A process that runs ptxas.
class PtxAssembler {
public:
  /// Forks it. It ends with the calling thread, at the latest; so does each
  /// ptxas, whose limits are those of this process.
  ///
  /// \param program  a file
  /// \param chip     as ptxas and LLVM name it, "sm_90"
  static Result<std::unique_ptr<PtxAssembler>> start(const std::string &program,
                                                     const std::string &chip);
  /// Ends and reaps it.
  ~PtxAssembler();
  PtxAssembler(const PtxAssembler &) = delete;
  PtxAssembler &operator=(const PtxAssembler &) = delete;

  /// Waits for ptxas. IOError if the helper is gone.
  Result<Assembly> assemble(std::string_view ptx);

private:
  PtxAssembler() = default;

  pid_t process = -1;
  int socket = -1;
};

} // namespace baco::runtime

#endif // BACO_DEVICE_PTXAS_H
