//===- ContractionRoles.cpp - Which loop of a product does what -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionRoles.h"

#include <algorithm>
#include <cstdlib>

using namespace baco::polyhedral;

std::optional<unsigned>
baco::polyhedral::movedDimension(const Reference &reference, unsigned loop,
                                 int64_t step) {
  std::optional<unsigned> result;
  for (unsigned d = 0; d < reference.coefficients.size(); ++d)
    if (int64_t factor = reference.coefficients[d][loop]) {
      // A copy can't make neighbors of elements along a diagonal.
      if (result || factor != step)
        return std::nullopt;
      result = d;
    }
  return result;
}

/// Does `loop` move by several elements of the array's last dimension only, as
/// the columns of a convolution with a stride do?
static bool isStrided(const Reference &reference, unsigned loop) {
  // Gathers are contiguous vectors and shuffles, so the elements of a row have
  // to lie side by side.
  if (reference.elementStride != 1)
    return false;
  unsigned last = reference.coefficients.size() - 1;
  for (unsigned d = 0; d < last; ++d)
    if (reference.coefficients[d][loop] != 0)
      return false;
  return std::abs(reference.coefficients[last][loop]) > 1;
}

/// References that become panels if `v` is the vector loop and `u` jammed;
/// nothing if some reference would be gathered.
static std::optional<ContractionRoles>
assignRoles(const StatementModel &model, const std::vector<unsigned> &dims,
            unsigned v, unsigned u, const LeafOptions &options) {
  ContractionRoles roles;
  roles.v = v;
  roles.u = u;
  roles.step = model.update->coefficients.back()[v];
  for (size_t a = 0; a < model.references.size(); ++a) {
    const Reference &reference = model.references[a];
    if (!reference.isAffine)
      return std::nullopt;
    if (!reference.uses(v) && model.countBefore(a) == 0)
      roles.blocks.push_back(a);
    if (!reference.uses(v) || reference.isParallelTo(*model.update))
      continue;
    bool isOperand = !reference.isWrite &&
                     reference.coefficients != model.update->coefficients;
    // An operand that the jammed loop moves is another one for each row, so no
    // vector of it is used twice.
    bool isPanel = isOperand && !reference.uses(u);
    bool isGathered = isPanel && options.gathers && isStrided(reference, v);
    auto isAlongDimension = [&] {
      return movedDimension(reference, v, roles.step).has_value();
    };
    bool isRepaired =
        isGathered ||
        (isPanel && options.copies != Copies::None && isAlongDimension());
    // Vectors with large strides are loaded element by element unless a copy
    // makes them contiguous, or a gather shuffles them.
    if (reference.stride(v) == Stride::Large && !isRepaired)
      return std::nullopt;
    if (isGathered)
      roles.loadsOfPanel = std::max(
          roles.loadsOfPanel, 2 * std::abs(reference.coefficients.back()[v]));
    if (isPanel && (isGathered || isAlongDimension()) &&
        model.countBefore(a) == 0)
      roles.panels.push_back(a);
  }
  // Reuse in one direction only, as in a matrix times a vector, is the work of
  // a stream.
  if (roles.panels.empty() || roles.blocks.empty())
    return std::nullopt;
  for (unsigned dim : dims) {
    if (dim == v || dim == u)
      continue;
    // Loops that panels depend on go outside, so that a panel is used until the
    // last row before the next one comes.
    bool isPanelLoop = std::ranges::any_of(
        roles.panels, [&](size_t a) { return model.references[a].uses(dim); });
    if (!model.update->uses(dim))
      roles.reductions.push_back(dim);
    else
      (isPanelLoop ? roles.outside : roles.inside).push_back(dim);
  }
  if (roles.reductions.empty())
    return std::nullopt;
  return roles;
}

std::optional<ContractionRoles>
baco::polyhedral::findRoles(const StatementModel &model, const Leaf &leaf,
                            const LeafOptions &options) {
  std::vector<unsigned> dims = leaf.dims();
  for (auto v = dims.rbegin(); v != dims.rend(); ++v) {
    // One column, too, makes a product a stream.
    if (model.update->stride(*v) != Stride::Unit || leaf.extents[*v] == 1)
      continue;
    std::optional<ContractionRoles> best;
    for (unsigned u : dims) {
      if (u == *v || !model.update->uses(u))
        continue;
      auto roles = assignRoles(model, dims, *v, u, options);
      bool isTiny = leaf.extents[u] != 0 && leaf.extents[u] < 4;
      if (roles && (!best || !isTiny))
        best = std::move(roles);
    }
    if (best)
      return best;
  }
  return std::nullopt;
}
