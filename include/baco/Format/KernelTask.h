//===- KernelTask.h - A kernel in OpenCL C or CUDA C++ ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch of a candidate whose kernel is a text: source, sizes and arguments.
// docs/OpenCL.md describes the file.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_FORMAT_KERNELTASK_H
#define BACO_FORMAT_KERNELTASK_H

#include "baco/Expression/Expression.h"

#include <string>
#include <utility>
#include <vector>

namespace baco {

enum class KernelScalar {
  Char,
  UChar,
  Short,
  UShort,
  Int,
  UInt,
  Long,
  ULong,
  Half,
  Float,
  Double
};

/// In bytes.
size_t sizeOf(KernelScalar type);
/// OpenCL's name of it: `uint`.
std::string_view nameOf(KernelScalar type);
bool isFloat(KernelScalar type);

struct KernelArgument {
  enum class Kind {
    Scalar,
    Buffer,
    /// Memory that a work-group has (CUDA: a block's dynamic shared memory,
    /// which is no argument there).
    Local
  };
  Kind kind = Kind::Scalar;
  /// For messages; may be empty.
  std::string name = {};
  KernelScalar type = KernelScalar::Int;
  /// A scalar's value, which may read parameters; without one it is random.
  std::optional<Expression> value = std::nullopt;
  /// Elements: those of a buffer read constants only, as it is uploaded once.
  std::optional<Expression> size = std::nullopt;
  /// The initial contents of a buffer: a .npy file, or else its bytes. Empty:
  /// random.
  std::string file = {};
  /// Bounds of random values, both of which are possible for integers.
  std::optional<std::pair<double, double>> range = std::nullopt;
  /// A buffer that the kernel writes. It has its initial contents before each
  /// launch.
  bool isOutput = false;
  /// The right contents of an output, as `file` has them. Empty: the reference
  /// says so, if there is one.
  std::string expected = {};
};

/// A kernel and its sizes.
struct KernelCode {
  /// For messages, and the text.
  std::string file = {}, text = {};
  std::string kernel = {};
  /// One to three sizes: work-items (OpenCL's NDRange), or, if `isGrid`,
  /// work-groups.
  std::vector<Expression> global = {};
  bool isGrid = false;
  /// The sizes of a work-group; empty: the device chooses.
  std::vector<Expression> local = {};
  /// For the compiler.
  std::string options = {};
};

struct KernelTask {
  KernelCode code;
  /// Computes the right outputs from the same arguments. Parameters have their
  /// defaults in it.
  std::optional<KernelCode> reference = std::nullopt;
  /// Macros that are the same for each candidate.
  std::vector<std::pair<std::string, ParameterValue>> constants = {};
  std::vector<KernelArgument> arguments = {};
  /// Parts of the names of the platform and the device; empty: any.
  std::string platform = {}, device = {};
  /// How far a float may be off: as a share of its right value, or of the root
  /// mean square of its buffer if that is more. Unset: 1e-4, 1e-10 of doubles,
  /// or 1e-2 of halves.
  std::optional<double> tolerance = std::nullopt;

  /// Sets a constant, or another value of one.
  void setConstant(const std::string &name, const ParameterValue &value);
};

/// Reads a task. Names of files in it are relative to the folder of `file`,
/// where the text is from (empty: the current folder); the sources are read.
/// Errors are in one line and
/// begin with the place: Corrupt, or IOError if a file can't be read.
Result<KernelTask> readKernelTask(std::string_view text,
                                  const std::string &file);

} // namespace baco

#endif // BACO_FORMAT_KERNELTASK_H
