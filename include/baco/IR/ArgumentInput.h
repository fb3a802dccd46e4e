//===- ArgumentInput.h - What an argument is when it is timed ---*- C++ -*-===//
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
#include "llvm/Support/Error.h"

namespace baco {

/// A `baco.input` that suits its argument.
struct ArgumentInput {
  enum class Kind {
    /// Of a scalar: `least`, or `first` of a float.
    Value,
    /// Integers from `least` to `greatest`.
    Range,
    /// The same, all with the same probability; or floats from `first` to
    /// `second`.
    Uniform,
    /// Mean `first` and deviation `second`, at least 0.
    Normal,
    File
  };
  Kind kind = Kind::Value;
  int64_t least = 0, greatest = 0;
  double first = 0, second = 0;
  uint64_t seed = 0;
  /// A file of numpy.save, and the hash of its contents; empty before intake
  /// has read it.
  std::string file, hash;

  /// Reads the `baco.input` of an argument of `type`. The error says what else
  /// to write.
  static llvm::Expected<ArgumentInput> read(mlir::Type type,
                                            mlir::Attribute input);
};

/// The `baco.input` of an argument whose contents are those of `file`, with
/// `hash` if it isn't empty.
mlir::DictionaryAttr makeFileInput(mlir::MLIRContext *context,
                                   llvm::StringRef file, llvm::StringRef hash);

/// Replaces the `baco.input` of each argument whose file has been read, which
/// is one with a hash, by what `replace` makes of it.
void replaceReadFiles(
    mlir::ModuleOp module,
    llvm::function_ref<mlir::DictionaryAttr(const ArgumentInput &)> replace);

} // namespace baco

#endif // BACO_IR_ARGUMENTINPUT_H
