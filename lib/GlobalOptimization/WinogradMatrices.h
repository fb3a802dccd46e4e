//===- WinogradMatrices.h - Transforms of tiles -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The matrices of F(2x2, 3x3) and F(4x4, 3x3) in Lavin and Gray, "Fast
// Algorithms for Convolutional Neural Networks", CVPR 2016, section 4, times
// vectors of what an `Arithmetic` adds, subtracts and scales: values of IR, or
// numbers.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_GLOBALOPTIMIZATION_WINOGRADMATRICES_H
#define BACO_LIB_GLOBALOPTIMIZATION_WINOGRADMATRICES_H

#include "WinogradTransforms.h"

namespace baco::globalopt {

template <typename Arithmetic>
class WinogradMatrices {
public:
  using Value = typename Arithmetic::Value;
  using Values = llvm::SmallVector<Value>;

  explicit WinogradMatrices(Arithmetic arithmetic) : a(arithmetic) {}

  /// B^T d B of a tile [y][x].
  Values factorsOf(llvm::ArrayRef<Value> tile, WinogradTile size) {
    return ofTile(tile, size.extent(), &WinogradMatrices::factors);
  }
  /// A^T m A of the products [y][x] of a tile.
  Values resultsOf(llvm::ArrayRef<Value> products, WinogradTile size) {
    return ofTile(products, size.extent(), &WinogradMatrices::results);
  }

private:
  /// Transforms the columns of a square tile [y][x], and then the rows of that.
  using Line = Values (WinogradMatrices::*)(llvm::ArrayRef<Value>);
  Values ofTile(llvm::ArrayRef<Value> tile, int64_t extent, Line transform) {
    llvm::SmallVector<Values> columns;
    for (int64_t x = 0; x < extent; ++x) {
      Values column;
      for (int64_t y = 0; y < extent; ++y)
        column.push_back(tile[y * extent + x]);
      columns.push_back((this->*transform)(column));
    }
    Values all;
    for (size_t y = 0; y < columns.front().size(); ++y) {
      Values row;
      for (const Values &column : columns)
        row.push_back(column[y]);
      llvm::append_range(all, (this->*transform)(row));
    }
    return all;
  }

  /// B^T d.
  Values factors(llvm::ArrayRef<Value> d) {
    if (d.size() == 4)
      return {a.subtract(d[0], d[2]), a.add(d[1], d[2]), a.subtract(d[2], d[1]),
              a.subtract(d[1], d[3])};
    auto ends = [&](unsigned i) {
      return a.add(a.subtract(a.scale(4, d[i]), a.scale(5, d[i + 2])),
                   d[i + 4]);
    };
    Value even = a.subtract(d[4], a.scale(4, d[2])),
          odd = a.subtract(d[3], a.scale(4, d[1])), p = a.subtract(d[4], d[2]),
          q = a.scale(2, a.subtract(d[3], d[1]));
    return {ends(0),     a.add(even, odd), a.subtract(even, odd),
            a.add(p, q), a.subtract(p, q), ends(1)};
  }

  /// A^T m.
  Values results(llvm::ArrayRef<Value> m) {
    Value sum = a.add(m[1], m[2]), difference = a.subtract(m[1], m[2]);
    if (m.size() == 4)
      return {a.add(m[0], sum), a.subtract(difference, m[3])};
    Value p = a.add(m[3], m[4]), q = a.subtract(m[3], m[4]);
    return {a.add(m[0], a.add(sum, p)), a.add(difference, a.scale(2, q)),
            a.add(sum, a.scale(4, p)),
            a.add(a.add(difference, a.scale(8, q)), m[5])};
  }

  Arithmetic a;
};

} // namespace baco::globalopt

#endif // BACO_LIB_GLOBALOPTIMIZATION_WINOGRADMATRICES_H
