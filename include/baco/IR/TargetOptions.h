//===- TargetOptions.h - How LLVM compiles a kernel ----------- -*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Choices of LLVM's that a schedule can make for its kernel. Knobs called
// `llvm.NAME` stand for them; once these are resolved, the values are in the
// dictionary `baco.target_options`, first on the schedule's named sequence, and
// after it was applied on the kernel's function.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_TARGETOPTIONS_H
#define BACO_IR_TARGETOPTIONS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/Error.h"

#include <optional>

namespace baco {

/// Names of knobs that are target options start with this.
inline constexpr llvm::StringLiteral targetKnobPrefix = "llvm.";

/// The compiler chooses unset options.
struct TargetOptions {
  /// LLVM's passes over the IR: 0 a cheap clean-up only, 1 to 3 the pipelines
  /// of -O1 to -O3. Without: 3, or less where MLIR has left nothing to do
  /// (lib/Target/ScalarWork.h).
  std::optional<int64_t> optLevel = std::nullopt;
  /// Effort of instruction selection and scheduling, 0 to 3. Without: 2 after a
  /// clean-up, else 3.
  std::optional<int64_t> codegenLevel = std::nullopt;
  /// Longest vectors in bits: 128, 256 or 512. Longer ones of the schedule's
  /// are split.
  std::optional<int64_t> preferVectorWidth = std::nullopt;
  /// Largest size that unrolling a loop, completely or in part, may result in,
  /// in LLVM's units of cost, 0 to 100000.
  std::optional<int64_t> unrollThreshold = std::nullopt;
  /// Iterations of a loop that LLVM vectorizes that run side by side: 1, 2, 4,
  /// 8 or 16.
  std::optional<int64_t> interleaveCount = std::nullopt;
  /// Instructions for sums of products, which the CPU must have: 0 none, 1
  /// AVX-512's VNNI for i8 and i16 (baco-dot-products), 2 AMX for i8, too
  /// (baco-tile-products). Without: 0.
  std::optional<int64_t> dotProducts = std::nullopt;

  bool operator==(const TargetOptions &) const = default;

  /// Reads `baco.target_options`. The error names what is wrong and what is
  /// possible.
  static llvm::Expected<TargetOptions> read(mlir::DictionaryAttr dictionary);
};

/// Whether `value` (an integer or a string) is one of the option `name`. The
/// error names what is wrong and what is possible.
llvm::Error checkTargetOption(llvm::StringRef name, mlir::Attribute value);

} // namespace baco

#endif // BACO_IR_TARGETOPTIONS_H
