//===- ChannelsLast.h - Images in the order of vectors ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives convolutional networks images whose innermost dimension are the
// channels, from the first convolution to the last one.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_GLOBALOPTIMIZATION_CHANNELSLAST_H
#define BACO_GLOBALOPTIMIZATION_CHANNELSLAST_H

#include "baco/Support/Result.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace baco::globalopt {

/// The layout of the images that convolutions read and write.
enum class Layout {
  /// Channels-last in functions where it pays; see convertToChannelsLast.
  Auto,
  /// As the file has them.
  Keep,
  /// Channels-last.
  ChannelsLast,
  /// Channels-last for convolutions that tensor cores of a GPU can do then,
  /// where it pays.
  TensorCores
};

/// `auto`, `keep`, `channels-last` or `tensor-cores`; InvalidArgument
/// otherwise.
Result<Layout> parseLayout(llvm::StringRef text);

/// As parseLayout reads it.
llvm::StringRef nameOf(Layout layout);

struct ChannelsLastOptions {
  Layout layout = Layout::Auto;
  /// Only this function is rewritten; empty: all of them.
  std::string entry;
};

/// Makes channels-last convolutions of channels-first ones on tensors (named
/// ops, and `linalg.generic` ops that do the same), and of poolings, paddings,
/// element-wise ops, reductions, slices and reshapes between them what computes
/// on transposed tensors: no transposition is left between two of them. At
/// other ops, and at arguments and results of functions, tensors are transposed
/// once; an op is only rewritten if that makes these no larger. A constant
/// filter is transposed by an op that transposeConstants removes.
///
/// With Layout::Auto, convolutions of at least 8 output channels are rewritten,
/// in functions whose convolutions have at least 1000 operations for each
/// element that is then transposed in an execution; with Layout::TensorCores,
/// 50 operations. A dynamic extent counts as 1 on both sides.
///
/// Functions with recipes, and those with `baco.no_tune`, stay as they are.
/// A remark at each other function that has such convolutions says what was
/// done, with notes at what is transposed. Sums have another order.
/// \returns the number of convolutions that were rewritten
int64_t convertToChannelsLast(mlir::ModuleOp module,
                              const ChannelsLastOptions &options = {});

} // namespace baco::globalopt

#endif // BACO_GLOBALOPTIMIZATION_CHANNELSLAST_H
