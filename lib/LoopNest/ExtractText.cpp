//===- ExtractText.cpp - Sets and maps of a nest in isl's notation --------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExtractIndices.h"
#include "baco/IR/OpenExtents.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace baco::loopnest;

/// `<letter>0, <letter>1, ...`
static std::string numbered(char letter, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i)
    text += (i ? ", " : "") + std::string(1, letter) + std::to_string(i);
  return text;
}

std::string Nest::parameterList() const {
  return "[" + numbered('p', parameters.size()) + "]";
}

/// `S<index>[i0, i1, ...]`
static std::string instance(const Nest &nest, size_t index) {
  return "S" + std::to_string(index) + "[" +
         numbered('i', nest.statements[index].iterators.size()) + "]";
}

/// ` : a and b`; nothing if there are no conditions.
static std::string such(ArrayRef<std::string> conditions) {
  return conditions.empty() ? "" : " : " + llvm::join(conditions, " and ");
}

std::string Nest::domain(size_t statement) const {
  return parameterList() + " -> { " + instance(*this, statement) +
         such(statements[statement].conditions) + " }";
}

std::string Nest::schedule(size_t statement, size_t depth) const {
  const NestStatement &it = statements[statement];
  SmallVector<std::string> times;
  for (size_t level = 0; level <= depth; ++level) {
    if (level > 0)
      times.push_back(level <= it.iterators.size()
                          ? "i" + std::to_string(level - 1)
                          : std::string("0"));
    times.push_back(
        std::to_string(level < it.places.size() ? it.places[level] : 0));
  }
  return parameterList() + " -> { " + instance(*this, statement) + " -> [" +
         llvm::join(times, ", ") + "] }";
}

static int64_t rankOf(const NestArray &array) {
  return array.isOpaque ? 0
                        : cast<MemRefType>(array.memref.getType()).getRank();
}

std::string Nest::relation(size_t statement, const NestAccess &access) const {
  const NestArray &array = arrays[access.array];
  SmallVector<std::string> subscripts;
  for (int64_t dim = 0, rank = rankOf(array); dim < rank; ++dim) {
    AffineExpr known = access.subscripts ? (*access.subscripts)[dim]
                       : dim + 1 == rank ? access.lastSubscript
                                         : AffineExpr();
    subscripts.push_back(known ? toText(known) : "x" + std::to_string(dim));
  }
  return parameterList() + " -> { " + instance(*this, statement) + " -> A" +
         std::to_string(access.array) + "[" + llvm::join(subscripts, ", ") +
         "] }";
}

std::string Nest::elements(size_t array) const {
  SmallVector<std::string> conditions;
  int64_t rank = rankOf(arrays[array]);
  auto type = cast<MemRefType>(arrays[array].memref.getType());
  for (int64_t dim = 0; dim < rank; ++dim) {
    std::string extent;
    if (!type.isDynamicDim(dim)) {
      extent = std::to_string(type.getDimSize(dim));
    } else {
      // Only an extent that the nest uses is a parameter.
      const auto *it = llvm::find_if(parameters, [&](const NestParameter &p) {
        return p.value == arrays[array].memref && p.dimension == dim;
      });
      if (it != parameters.end())
        extent = "p" + std::to_string(it - parameters.begin());
    }
    std::string x = "x" + std::to_string(dim);
    conditions.push_back("0 <= " + x);
    if (!extent.empty())
      conditions.push_back(x + " < " + extent);
  }
  return parameterList() + " -> { A" + std::to_string(array) + "[" +
         numbered('x', rank) + "]" + such(conditions) + " }";
}

std::string Nest::context() const {
  SmallVector<std::string> conditions;
  for (auto [index, parameter] : llvm::enumerate(parameters)) {
    std::string name = "p" + std::to_string(index);
    if (parameter.dimension)
      conditions.push_back(name + " >= 0");
    // The iterator of a loop around the nest.
    auto loop = affine::getForInductionVarOwner(parameter.value);
    if (!loop || parameter.dimension || !loop.hasConstantBounds())
      continue;
    conditions.push_back(name +
                         " >= " + std::to_string(loop.getConstantLowerBound()));
    conditions.push_back(name + " < " +
                         std::to_string(loop.getConstantUpperBound()));
  }
  return parameterList() + " -> { : " +
         (conditions.empty() ? "" : llvm::join(conditions, " and ")) + " }";
}

std::string Nest::measured() const {
  SmallVector<std::string> conditions;
  for (auto [index, parameter] : llvm::enumerate(parameters)) {
    auto argument = dyn_cast<BlockArgument>(parameter.value);
    if (!argument || !parameter.dimension)
      continue;
    if (auto extents = measuredExtents(argument))
      conditions.push_back("p" + std::to_string(index) + " = " +
                           std::to_string((*extents)[*parameter.dimension]));
  }
  return parameterList() + " -> { : " + llvm::join(conditions, " and ") + " }";
}

size_t Nest::depth() const {
  size_t depth = 0;
  for (const NestStatement &statement : statements)
    depth = std::max(depth, statement.iterators.size());
  return depth;
}
