//===- StudyMetadata.h - Metadata of studies --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver's part of a study's record, which every run of the study reads
// again.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DRIVER_STUDYMETADATA_H
#define BACO_LIB_DRIVER_STUDYMETADATA_H

#include "baco/Database/Journal.h"
#include "baco/Database/KernelDetails.h"

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace baco::driver {

struct StudyMetadata {
  std::string optimizer;
  uint64_t seed = 0;
  /// The clock at which the times are given, in nanoseconds; unknown before the
  /// first one.
  std::optional<double> clockNs = std::nullopt;
  /// A description of the kernel and the machine for people, such as `of
  /// 64x64xf32 on znver4`.
  std::string about = "";
  /// The structure of the kernel (apply::FunctionKey).
  std::string structure = "";
  /// The transfer sources (study::writeSources); empty if the search begins
  /// without knowledge.
  std::string sources = "";

  /// The study's name in a cluster, and the slots there when it began; empty
  /// and 0 if it had none.
  std::string clusterName = "";
  uint64_t slots = 0;

  /// Known once finalists were compared (member `kernel`).
  std::optional<database::KernelDetails> details = std::nullopt;

  /// The metadata as JSON.
  std::string write() const;
};

/// The metadata of the study with this key; nullopt if there is none. Fields
/// that are missing or have another form are at their defaults.
std::optional<StudyMetadata> recordedMetadata(const database::Journal &journal,
                                              llvm::StringRef key);

} // namespace baco::driver

#endif // BACO_LIB_DRIVER_STUDYMETADATA_H
