//===- PlanThreads.cpp - Parallel loops around a statement ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop is cut into chunks, which run at the same time; what is inside of a
// chunk is planned as if there were one thread.
//
//===----------------------------------------------------------------------===//

#include "PlanStrategies.h"

#include <algorithm>

using namespace baco::polyhedral;

/// The sizes of chunks: one for all iterations, one for each thread, and some
/// smaller ones, for iterations that differ.
static std::vector<int64_t> chunkSizes(int64_t extent, int64_t threads,
                                       int64_t unit) {
  std::vector<int64_t> result{extent};
  auto add = [&](int64_t count) {
    int64_t size = roundUp((extent + count - 1) / count, unit);
    if (size > 0 && size < extent)
      result.push_back(size);
  };
  for (int64_t count = 2; count < threads; count *= 2)
    add(count);
  for (int64_t rounds : {1, 2, 4})
    add(rounds * threads);
  return result;
}

bool baco::polyhedral::planThreads(PlanState &state, Leaf &leaf,
                                   const std::vector<unsigned> &dims) {
  const StatementModel &model = state.model.statements[leaf.statement];
  int64_t threads = state.host.threads;
  KnobGroup knobs(state, leaf.statement);
  struct Chunk {
    unsigned dim;
    LoopValue size;
    int64_t extent;
    bool isColumn;
  };
  std::vector<Chunk> chunks;
  for (unsigned dim : dims) {
    static const char *const names[] = {"PI", "PJ", "PK"};
    int64_t extent = leaf.extents[dim];
    if (extent < 2 * threads || chunks.size() == std::size(names))
      continue;
    // Columns in whole vectors, such that threads share no cache line.
    const Reference *write = model.write();
    bool isColumn = write && write->stride(dim) == Stride::Unit;
    int64_t unit = isColumn ? state.vectorLength(model.elementBytes) : 1;
    std::vector<int64_t> sizes = chunkSizes(extent, threads, unit);
    if (sizes.size() > 1)
      chunks.push_back(
          {dim, knobs.add(names[chunks.size()], sizes), extent, isColumn});
  }
  if (chunks.empty())
    return false;
  // A parallel loop inside of another one would have a single thread.
  for (size_t b = 1; b < chunks.size(); ++b)
    for (size_t a = 0; a < b; ++a)
      knobs.require(toString(chunks[a].size) +
                        " == " + std::to_string(chunks[a].extent) + " || " +
                        toString(chunks[b].size) +
                        " == " + std::to_string(chunks[b].extent),
                    "one loop is distributed over the threads");
  auto busyThreads = [&](int64_t extent, int64_t size) {
    return std::min((extent + size - 1) / size, threads);
  };
  knobs.choose([&](const auto &value) -> std::vector<double> {
    double busy = 1, size = 1, columns = 0;
    for (const Chunk &chunk : chunks)
      if (int64_t its = value(chunk.size); its < chunk.extent) {
        busy = busyThreads(chunk.extent, its);
        size = its;
        columns = chunk.isColumn;
      }
    // Columns of a product share no panels; of other statements, rows are
    // contiguous.
    return {-busy, model.update ? -columns : columns, -size};
  });
  LeafBuilder builder(state, leaf);
  for (const Chunk &chunk : chunks) {
    unsigned place = leaf.outer + 1;
    builder.tile(chunk.dim, chunk.size, place);
    builder.parallelize(place);
    ++leaf.outer;
    for (const PlanKnob &knob : state.plan.knobs)
      if (chunk.size == LoopValue(knob.name))
        leaf.extents[chunk.dim] = knob.best;
  }
  state.remark(leaf.statement, "is distributed over threads");
  return true;
}
