//===- Witness.h - A feasible point of a space ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Trees have leaves, but loose constraints may forbid all of them.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SPACE_WITNESS_H
#define BACO_LIB_SPACE_WITNESS_H

#include "GroupSpec.h"
#include "SpaceData.h"

namespace baco {

/// Sets `witness` and `isSparse` of a space with loose conjuncts, some of them
/// those of `hardGroups`: by draws, then walks, then a search of the full trees
/// of these groups. EmptySpace if there is no feasible point, or draws of reals
/// found none; Unsupported if none is found otherwise, or walks don't lead to
/// enough different points.
Result<void> findWitness(detail::SpaceData &data,
                         const std::vector<GroupSpec> &hardGroups);

} // namespace baco

#endif // BACO_LIB_SPACE_WITNESS_H
