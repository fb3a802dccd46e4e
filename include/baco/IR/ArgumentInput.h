//===- ArgumentInput.h - Inputs of arguments --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attribute `baco.input` of arguments of functions.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_ARGUMENTINPUT_H
#define BACO_IR_ARGUMENTINPUT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace baco {

/// A `baco.input` that suits its argument.
struct ArgumentInput {
  enum class Kind {
    /// The value of a scalar: `least`, or `first` of a float.
    Value,
    /// Integers from `least` to `greatest`.
    Range,
    /// The same, all with the same probability; or floats from `first` to
    /// `second`.
    Uniform,
    /// Mean `first` and deviation `second`, at least 0.
    Normal,
    File,
    /// Sparse tensors: the entries of a file or of a generator.
    Tensor
  };
  Kind kind = Kind::Value;
  int64_t least = 0, greatest = 0;
  double first = 0, second = 0;
  uint64_t seed = 0;
  /// File: one of numpy.save. Tensor: what sparse::readTensor reads. And the
  /// hash of the contents; empty before intake has read them.
  std::string file, hash;
  /// The number of entries of a tensor that has been read, and its extents.
  int64_t numEntries = 0;
  llvm::SmallVector<int64_t> extents = {};

  /// Reads the `baco.input` of an argument of `type`. The error says what else
  /// to write.
  static llvm::Expected<ArgumentInput> read(mlir::Type type,
                                            mlir::Attribute input);

  /// The `baco.input` that says this; only if it is a file or a tensor.
  mlir::DictionaryAttr write(mlir::MLIRContext *context) const;
};

/// The `baco.input` of an argument, if it has one that suits it.
std::optional<ArgumentInput> inputOf(mlir::BlockArgument argument);

/// Changes the `baco.input` of each argument whose contents have been read,
/// which is one with a hash.
void changeReadInputs(mlir::ModuleOp module,
                      llvm::function_ref<void(ArgumentInput &)> change);

} // namespace baco

#endif // BACO_IR_ARGUMENTINPUT_H
