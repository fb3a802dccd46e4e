//===- StudyMetadata.h - Metadata of a study --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver's part of a study's record: what every run of the study must know
// again.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DRIVER_STUDYMETADATA_H
#define BACO_LIB_DRIVER_STUDYMETADATA_H

#include "baco/Database/Journal.h"

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace baco::driver {

struct StudyMetadata {
  std::string optimizer;
  uint64_t seed = 0;
  /// The clock at which the times are given, in nanoseconds; unknown before the
  /// first one.
  std::optional<double> clockNs = std::nullopt;
  /// The kernel and the machine, for people, such as `of 64x64xf32 on znver4`.
  std::string about = "";
  /// The structure of the kernel (apply::FunctionKey).
  std::string structure = "";
  /// The search's sources (study::writeSources); empty if it begins without
  /// knowledge.
  std::string sources = "";

  /// As JSON.
  std::string write() const;
};

/// The metadata of the study with this key; nullopt if there is none.
/// What they don't have, or in another form, is at its default.
std::optional<StudyMetadata> recordedMetadata(const database::Journal &journal,
                                              llvm::StringRef key);

} // namespace baco::driver

#endif // BACO_LIB_DRIVER_STUDYMETADATA_H
