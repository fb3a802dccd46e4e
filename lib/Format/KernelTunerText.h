//===- KernelTunerText.h - Cache files as JSON ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernel Tuner appends to its cache files line by line, so that those of a run
// that was killed, or goes on, have no end.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FORMAT_KERNELTUNERTEXT_H
#define BACO_LIB_FORMAT_KERNELTUNERTEXT_H

#include "JsonPlaces.h"

namespace baco {

struct KernelTunerText {
  /// The text with the end that was missing.
  std::string text;
  Json json;
  /// `tune_params_keys`, at least one.
  std::vector<std::string> names;
};

/// Reads a cache file. A missing end is made up for, and what follows the last
/// whole line is left out then. Corrupt if it isn't such a file; the error is
/// that of the text as it is.
Result<KernelTunerText> parseKernelTuner(std::string_view text,
                                         const std::string &file);

} // namespace baco

#endif // BACO_LIB_FORMAT_KERNELTUNERTEXT_H
