//===- GroupRows.cpp - Rows of ops that are scheduled together ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

using namespace baco::benchmarks;

static Baseline apart() {
  return {.label = "ours without groups",
          .group = "without groups",
          .code = WithoutGroups{}};
}

Row baco::benchmarks::makeMlpRow(bool isSmall) {
  Row row{"mlp", "three dense layers with bias and relu, f32", {}};
  int64_t m = isSmall ? 32 : 512, n = isSmall ? 48 : 1024;
  for (std::string form : {"tensors", "memrefs"}) {
    Case &added = row.cases.emplace_back();
    added.name = std::to_string(m) + "x" + std::to_string(n) + " " + form;
    added.payload = form == "tensors" ? "mlp.mlir" : "mlp-memref.mlir";
    added.sizes = {{"M", m}, {"N", n}};
    added.reference = {CSource::Strict, "mlp.c"};
    added.flops = 3.0 * m * n * (2 * n + 2);
    added.hasPlain = false;
    added.baselines = {apart(), peak()};
    if (isSmall)
      addDefault(added);
  }
  return row;
}

Row baco::benchmarks::makeAttentionRow(bool isSmall) {
  Row row{"attention", "attention, f32", {}};
  int64_t heads = isSmall ? 2 : 8, n = isSmall ? 48 : 512,
          d = isSmall ? 16 : 64;
  for (std::string form : {"tensors", "memrefs"}) {
    Case &added = row.cases.emplace_back();
    added.name = std::to_string(heads) + "x" + std::to_string(n) + "x" +
                 std::to_string(d) + " " + form;
    added.payload =
        form == "tensors" ? "attention.mlir" : "attention-memref.mlir";
    added.sizes = {{"H", heads}, {"N", n}, {"D", d}};
    added.reference = {CSource::Strict, "attention.c", "kernel_whole"};
    added.flops = 4.0 * heads * n * n * d;
    added.hasPlain = false;
    added.baselines = {apart(), peak()};
    for (std::string variant : {"whole", "rows", "blocks", "flash"})
      for (bool isFast : {false, true})
        added.baselines.push_back(
            {.label = "clang " + variant + (isFast ? ", fast, libmvec" : ""),
             .group = isFast ? "clang, fast, libmvec" : "clang",
             .code = CSource{CSource::Clang, "attention.c", "kernel_" + variant,
                             isFast, isFast}});
    if (isSmall)
      addDefault(added);
  }
  return row;
}
