//===- StreamOrder.cpp - The order of loops for one vector loop -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamOrder.h"

using namespace baco::polyhedral;

/// How many references are reused along a loop: those that don't use it, and
/// neighbors in a stencil.
static int countReuse(const StatementModel &model, unsigned dim) {
  int count = 0;
  for (size_t a = 0; a < model.references.size(); ++a) {
    const Reference &reference = model.references[a];
    if (reference.isWrite || !reference.isAffine)
      continue;
    count += !reference.uses(dim) || model.isReusedAlong(a, dim);
  }
  return count;
}

/// Whether neighboring iterations of loop `dim` write vectors that overlap, as
/// those of `c[i + j] += a[i] * b[j]` do. Jammed, each vector would have to
/// wait until the store of the one before it is in the cache.
static bool overlapsAlong(const StatementModel &model, unsigned dim,
                          unsigned vector) {
  return std::ranges::any_of(model.references, [&](const Reference &reference) {
    if (!reference.isWrite || !reference.isAffine)
      return false;
    return std::ranges::any_of(reference.coefficients, [&](const auto &row) {
      return row[dim] != 0 && row[vector] != 0;
    });
  });
}

/// The loop of `dims` with the most reuse.
static std::optional<unsigned> findJamLoop(const StatementModel &model,
                                           const Leaf &leaf,
                                           const std::vector<unsigned> &dims,
                                           unsigned vector) {
  std::optional<unsigned> best;
  int most = 0;
  for (unsigned dim : dims) {
    if (dim == vector || leaf.extents[dim] == 1 ||
        overlapsAlong(model, dim, vector))
      continue;
    int reuse = countReuse(model, dim);
    // The innermost of equals.
    if (reuse > 0 && reuse >= most) {
      best = dim;
      most = reuse;
    }
  }
  return best;
}

/// Whether the elements that the vector and the loops `sums` touch of each
/// reference that moves with both fit into half of level 2. Then rows needn't
/// be read one after the other.
static bool isSmallMatrix(const PlanState &state, const Leaf &leaf,
                          unsigned vector, const std::vector<unsigned> &sums) {
  const StatementModel &model = state.model.statements[leaf.statement];
  std::vector<int64_t> extents(leaf.extents.size(), 1);
  extents[vector] = leaf.extents[vector];
  for (unsigned dim : sums)
    extents[dim] = leaf.extents[dim];
  for (const Reference &reference : model.references) {
    auto isUsed = [&](unsigned dim) { return reference.uses(dim); };
    if (isUsed(vector) && std::ranges::any_of(sums, isUsed) &&
        (!reference.isAffine ||
         reference.boxBytes(extents) > state.host.l2Bytes / 2))
      return false;
  }
  return true;
}

/// Puts the loop `sum`, whose sums stay in registers, inside of the vectors. If
/// the loops are free, all others that the result doesn't use go there, too, as
/// far as they touch little: they are the window of a convolution. Then one of
/// the rest may be jammed.
static void placeSums(const PlanState &state, const Leaf &leaf, unsigned sum,
                      const LeafOptions &options, StreamOrder &order) {
  const StatementModel &model = state.model.statements[leaf.statement];
  std::vector<unsigned> sums;
  for (unsigned dim : leaf.dims())
    if (dim != order.vector && !model.update->uses(dim))
      sums.push_back(dim);
  // Other reductions may be moved only where all orders are legal; tryPlan
  // finds out whether a single one may.
  if (!options.isPermutable || !isSmallMatrix(state, leaf, order.vector, sums))
    sums = {sum};
  std::erase_if(order.dims, [&](unsigned dim) {
    return std::ranges::find(sums, dim) != sums.end();
  });
  if (options.isPermutable && sums.size() > 1)
    order.jam = findJamLoop(model, leaf, order.dims, order.vector);
  if (order.jam) {
    std::erase(order.dims, *order.jam);
    order.dims.push_back(*order.jam);
  }
  order.dims.push_back(order.vector);
  order.dims.insert(order.dims.end(), sums.begin(), sums.end());
}

/// The loop over few rows of sums that share a matrix, which moves with the
/// vectors and is read from memory: all rows are done while it is there.
static std::optional<unsigned> findRows(const PlanState &state,
                                        const Leaf &leaf, unsigned vector) {
  const StatementModel &model = state.model.statements[leaf.statement];
  if (!model.update)
    return std::nullopt;
  for (unsigned dim : leaf.dims()) {
    int64_t extent = leaf.extents[dim];
    if (dim == vector || extent < 2 || extent > maxStreamedRows ||
        !model.update->uses(dim))
      continue;
    for (const Reference &reference : model.references)
      if (!reference.isWrite && reference.isAffine && !reference.uses(dim) &&
          reference.uses(vector) && comesFromMemory(state, leaf, reference))
        return dim;
  }
  return std::nullopt;
}

StreamOrder baco::polyhedral::orderLoops(const PlanState &state,
                                         const Leaf &leaf, unsigned vector,
                                         const LeafOptions &options) {
  const StatementModel &model = state.model.statements[leaf.statement];
  StreamOrder order{leaf.dims(), vector};
  if (!options.moves)
    return order;
  if (options.isPermutable)
    order.rows = findRows(state, leaf, vector);
  if (order.rows)
    std::erase(order.dims, *order.rows);
  std::optional<unsigned> jam = findJamLoop(model, leaf, order.dims, vector);
  auto isInner = [&](unsigned dim) { return dim == vector || dim == jam; };
  std::erase_if(order.dims, isInner);
  // The loop with the most reuse may be a reduction: inside of the vectors its
  // sums never leave registers. It then walks across rows, which only a matrix
  // in level 2 makes cheap.
  order.holdsSums = !order.rows && jam && model.update &&
                    !model.update->uses(*jam) &&
                    model.update->stride(vector) == Stride::Unit &&
                    isSmallMatrix(state, leaf, vector, {*jam});
  if (order.holdsSums) {
    placeSums(state, leaf, *jam, options, order);
    return order;
  }
  if (jam)
    order.dims.push_back(*jam);
  if (order.rows)
    order.dims.push_back(*order.rows);
  order.dims.push_back(vector);
  // Jamming moves iterations inside of all other loops.
  if (options.isPermutable)
    order.jam = jam;
  return order;
}

std::optional<int64_t>
baco::polyhedral::countStreams(const PlanState &state, const Leaf &leaf,
                               const StreamOrder &order) {
  const StatementModel &model = state.model.statements[leaf.statement];
  if (!order.jam || order.holdsSums || !model.update ||
      model.update->uses(*order.jam) == model.update->uses(order.vector))
    return std::nullopt;
  for (const Reference &matrix : model.references) {
    if (!matrix.isAffine || !matrix.uses(*order.jam) ||
        matrix.stride(order.vector) != Stride::Unit ||
        !comesFromMemory(state, leaf, matrix))
      continue;
    if (matrix.rowElements == leaf.extents[order.vector] &&
        matrix.rowElements * matrix.elementBytes <= pageBytes)
      return 1;
    if (!model.update->uses(*order.jam))
      return 8;
    return std::nullopt;
  }
  return std::nullopt;
}
