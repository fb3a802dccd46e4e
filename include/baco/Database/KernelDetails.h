//===- KernelDetails.h - A kernel beside its trials -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts that only the tuner knows of a kernel, kept so that reports need
// neither the kernel nor MLIR. They are the member `kernel` of a study's
// metadata.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DATABASE_KERNELDETAILS_H
#define BACO_DATABASE_KERNELDETAILS_H

#include "baco/Support/TimeShares.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baco::database {

/// Why no code can be faster.
enum class BoundKind { Computing, Memory };

/// The least time of an execution on the machine of the study.
struct TimeBound {
  double ns = 0;
  BoundKind kind = BoundKind::Memory;
};

/// The code of a finalist, in short.
struct Listing {
  /// Unset: the original code.
  std::optional<uint64_t> trial;
  /// Its hottest loop, in assembly; empty: it has none.
  std::string text;
  /// Nullopt if unknown.
  std::optional<TimeShares> shares = std::nullopt;
};

struct KernelDetails {
  /// How often the module calls the kernel, where that is known.
  std::optional<double> calls = std::nullopt;
  /// Operations on floats of an execution, and the bytes of its arguments, each
  /// of which it must read or write; > 0.
  std::optional<double> flops = std::nullopt, bytes = std::nullopt;
  /// The machine's measured rates in operations of the kernel's type and in
  /// bytes, each per second, by so many threads; > 0.
  std::optional<double> flopsPerS = std::nullopt, bytesPerS = std::nullopt;
  /// `flops` are products and sums of integers, too.
  bool countsIntegers = false;
  uint64_t threads = 1;
  /// The default's, and that of what was kept, if they are schedules.
  std::vector<Listing> listings = {};

  /// The larger of the times of computing and of loading alone; nullopt if
  /// neither is known.
  std::optional<TimeBound> bound() const;

  /// As a JSON object on one line: `calls`, `flops`, `bytes`, `flops_per_s`,
  /// `bytes_per_s`, `counts_integers`, `threads`, `listings` (`trial`, `text`,
  /// `shares` with `computing`, `moving`, `elsewhere`); members that are
  /// unknown are missing.
  std::string write() const;
};

/// The details in the metadata of a study. Nullopt if there are none; a member
/// that has another form or range is unknown.
std::optional<KernelDetails> readKernelDetails(std::string_view metadata);

} // namespace baco::database

#endif // BACO_DATABASE_KERNELDETAILS_H
