//===- CodeArguments.h - Arguments as compiled code takes them --*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled code takes each sparse argument as the buffers of its format.
// Placement in memory, protection and comparison work on these buffers.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_CODEARGUMENTS_H
#define BACO_RUNTIME_CODEARGUMENTS_H

#include "baco/Verification/Check.h"

namespace baco::runtime {

/// The arguments of a kernel's signature in one call of its code: each sparse
/// one is replaced by its positions and coordinates, level by level, and its
/// values (CompiledKernel::formats); others are as they were.
class CodeArguments {
public:
  /// For a compiled kernel with these formats. Layouts of more than
  /// `maxPositions` are refused. Fails unless there is a format for each sparse
  /// argument. `kernel` must stay valid.
  static Result<CodeArguments>
  create(const Signature &kernel, std::vector<sparse::StorageFormat> formats,
         size_t maxPositions);

  /// Takes inputs of the kernel, which must stay valid until others have been
  /// taken. Entries at the same places as before aren't sorted again. If a
  /// format can't hold the entries, fails with the argument, and changes
  /// nothing. Allocates only where there are sparse arguments.
  Result<void> take(const std::vector<ArgumentData> &inputs);

  /// Buffers have as many elements as the inputs need. Integers that are
  /// positions or coordinates have a source, so that they are never changed.
  const Signature &signature() const { return code; }
  const InputViews &inputs() const { return views; }
  /// For each argument of `signature`, the kernel's argument that it is a part
  /// of.
  const std::vector<size_t> &owners() const { return ownerOf; }
  /// The signature with as many elements as any of `checks` may need.
  Signature largest(const std::vector<Check> &checks) const;
  /// The staggers for the arguments of `signature`: arguments that aren't
  /// sparse, and the first buffers of sparse ones, take their elements of
  /// `staggers`; the other buffers take the usual ones.
  std::vector<size_t> placeStaggers(const std::vector<size_t> &staggers) const;

private:
  CodeArguments(const Signature &kernel,
                std::vector<sparse::StorageFormat> formats, size_t maxPositions)
      : kernel(&kernel), formats(std::move(formats)),
        maxPositions(maxPositions) {}

  /// The buffers of a packed sparse argument.
  struct Packed {
    /// The data that was packed; null at first.
    const ArgumentData *from = nullptr;
    /// Positions and coordinates of the levels, as far as they store them.
    std::vector<ArgumentData> indices;
    ArgumentData values;
    /// For each value its entry.
    std::vector<uint32_t> entries;
  };

  void addBuffers(size_t argument, const sparse::StorageFormat &format);
  /// Sets indices and entries.
  Result<void> packPlaces(size_t argument, const sparse::StorageFormat &format,
                          const ArgumentData &data, Packed &packed) const;

  const Signature *kernel;
  std::vector<sparse::StorageFormat> formats;
  size_t maxPositions;
  Signature code;
  std::vector<size_t> ownerOf;
  InputViews views;
  /// For each sparse argument.
  std::vector<Packed> packed;
};

} // namespace baco::runtime

#endif // BACO_RUNTIME_CODEARGUMENTS_H
