//===- NestModel.h - Numeric model of a nest --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Extents, strides and which statements depend on which, as plain numbers.
// Loops are counted from 0 here, as the dimensions of a statement's domain.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPPLANNER_NESTMODEL_H
#define BACO_LIB_LOOPPLANNER_NESTMODEL_H

#include "baco/Polyhedral/Program.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace baco::polyhedral {

/// How an address moves when a loop takes a step.
enum class Stride { None, Unit, Large };

/// A reference as a function of the iterators.
struct Reference {
  std::string array;
  bool isWrite = false;
  /// If false, no coefficients and offsets are known.
  bool isAffine = false;
  /// See Access.
  std::optional<unsigned> contiguousLoop;
  /// coefficients[dimension of the array][loop], for one iteration of the loop.
  std::vector<std::vector<int64_t>> coefficients;
  /// The offset in each dimension of the array: multiples of the parameters,
  /// and the constant.
  std::vector<std::vector<int64_t>> offsets;
  int64_t elementBytes = 8;
  /// Extent of the array's last dimension; 0 if no constant.
  int64_t rowElements = 0;
  /// The stride of that dimension in elements; 0 if unknown.
  int64_t elementStride = 1;
  /// Copies of its elements are made before the first execution.
  bool isConstant = false;
  /// Products of its elements that one instruction may add.
  int64_t dotTerms = 1;

  bool uses(unsigned loop) const;
  Stride stride(unsigned loop) const;
  /// Elements touched when each loop takes extents[loop] iterations: the box
  /// around them. An upper bound.
  double boxElements(const std::vector<int64_t> &extents) const;
  double boxBytes(const std::vector<int64_t> &extents) const {
    return boxElements(extents) * double(elementBytes);
  }
  /// Whether both are equal but for the offsets.
  bool isParallelTo(const Reference &other) const;
  /// Whether it touches elements that `other`, a parallel reference, touches in
  /// another iteration of the loop.
  bool follows(const Reference &other, unsigned loop) const;
};

struct StatementModel {
  /// Iterations of each loop at most, in one iteration of those that stay
  /// outside; 0 if no constant bounds it.
  std::vector<int64_t> extents;
  std::vector<Reference> references;
  /// The write of an element that is read, too, and changed again and again in
  /// some loop; or nothing.
  const Reference *update = nullptr;
  /// Whether the terms of the update may be combined in any order.
  bool commutes = false;
  /// The widest element that it touches.
  int64_t elementBytes = 8;
  /// Whether no bounds of a loop depend on other loops, but for those outside.
  bool isRectangular = true;
  /// Numbers of the gaps between loops, one more than there are loops.
  std::vector<int64_t> places;

  StatementModel() = default;
  StatementModel(const StatementModel &) = delete;
  StatementModel(StatementModel &&) = default;

  unsigned depth() const { return extents.size(); }
  /// Unknown extents count as 1000.
  double countInstances() const;
  const Reference *write() const;
  /// References before number `access` that are parallel to it.
  size_t countBefore(size_t access) const;
  /// Whether an earlier reference of its kind touches the elements of number
  /// `access` in another iteration of the loop.
  bool isReusedAlong(size_t access, unsigned loop) const;
  /// Whether no reference moves along the loop.
  bool isRepeated(unsigned loop) const;
};

/// Fails, by an exception of isl, only if isl does.
class NestModel {
public:
  /// The outermost `outer` loops aren't part of the plan.
  explicit NestModel(const Program &program, unsigned outer = 0);

  const Program &program;
  std::vector<StatementModel> statements;

  /// Whether the statement adds products of two bytes to sums of 32 bits, each
  /// in a lane of its own along `loop`, as a depthwise convolution does.
  bool addsByteProducts(unsigned statement, unsigned loop) const;
  /// Whether the statements share loops 0 ... count - 1.
  bool share(unsigned first, unsigned second, unsigned count) const;
  /// The statements that share these loops with `statement`, and this one
  /// itself.
  std::vector<unsigned> sharing(unsigned statement, unsigned count) const;
  /// Bytes that some statements touch of all arrays where the loops of each
  /// take extents(model) iterations. An array counts where it is used first.
  using Extents = std::function<std::vector<int64_t>(const StatementModel &)>;
  double arrayBytes(const std::vector<unsigned> &some,
                    const Extents &extents) const;
  /// Whether loop `low` of a statement is never beyond loop `high`.
  bool isBelow(unsigned statement, unsigned low, unsigned high) const;
  /// Whether all values of the loops `low` and `high` of a statement with low <
  /// high occur together, but not all others.
  bool isTriangle(unsigned statement, unsigned low, unsigned high) const;
};

} // namespace baco::polyhedral

#endif // BACO_LIB_LOOPPLANNER_NESTMODEL_H
