//===- Plot.h - A drawing of the results ------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The progress of all techniques in one picture.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_SEARCH_PLOT_H
#define BACO_BENCHMARKS_SEARCH_PLOT_H

#include "Scores.h"

#include <iosfwd>

namespace baco::bench {

/// An SVG drawing: the geometric mean of the ratios of each technique after
/// each evaluation. The vertical scale is logarithmic in the ratio less one,
/// from 0.01 up, so that one sees who gets nearest to the optimum.
void writePlot(std::ostream &out, const Experiment &experiment);

} // namespace baco::bench

#endif // BACO_BENCHMARKS_SEARCH_PLOT_H
