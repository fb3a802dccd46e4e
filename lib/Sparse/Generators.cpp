//===- Generators.cpp - Sparse tensors made from a few numbers ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Sparse/TensorSource.h"

#include "GeneratorText.h"

#include "baco/Support/Complaint.h"
#include "baco/Support/Random.h"

#include <algorithm>
#include <cmath>

using namespace baco;
using namespace baco::sparse;

static constexpr int64_t maxEntries = int64_t(1) << 28;

namespace {
/// A tensor while it is drawn.
class Drawing {
public:
  Drawing(std::vector<int64_t> extents, const GeneratorText &text)
      : random(static_cast<uint64_t>(text.integer("seed"))),
        builder(TensorBuilder::create(std::move(extents))) {}

  Random random;

  void add(std::span<const int64_t> coordinates) {
    // The value comes from the same generator as the places, so another order
    // of draws makes another tensor from the same text.
    builder->add(coordinates, random.uniform(-1, 1));
  }
  void add(int64_t row, int64_t column) {
    const int64_t place[] = {row, column};
    add(place);
  }

  /// Fails if there can't be a tensor of these extents, or of more entries.
  void check(double entries) const {
    if (!builder)
      fail(builder.error());
    if (entries > static_cast<double>(maxEntries))
      fail(
          {ErrorCode::InvalidArgument, "this may have more than 2^28 entries"});
  }
  CoordinateTensor finish() && { return std::move(*builder).finish(); }

private:
  Result<TensorBuilder> builder;
};
} // namespace

static CoordinateTensor generateRmat(const GeneratorText &text) {
  int64_t scale = text.integer("scale");
  int64_t vertices = int64_t(1) << scale;
  double edges = static_cast<double>(vertices) *
                 static_cast<double>(text.integer("degree"));
  Drawing drawing({vertices, vertices}, text);
  drawing.check(edges);
  for (auto left = static_cast<int64_t>(edges); left > 0; --left) {
    int64_t row = 0;
    int64_t column = 0;
    for (int64_t bit = 0; bit < scale; ++bit) {
      double share = drawing.random.uniform();
      // The quadrants take 0.57, 0.19, 0.19 and 0.05 of [0, 1), by rows.
      bool isLower = share >= 0.57 + 0.19;
      bool isRight = (share >= 0.57 && !isLower) || share >= 0.57 + 2 * 0.19;
      row = row * 2 + isLower;
      column = column * 2 + isRight;
    }
    drawing.add(row, column);
  }
  return std::move(drawing).finish();
}

static CoordinateTensor generateBanded(const GeneratorText &text) {
  int64_t rows = text.integer("rows");
  // Places further from the diagonal are outside of the matrix.
  int64_t width = std::min(text.integer("width"), rows - 1);
  double fill = text.number("fill");
  Drawing drawing({rows, rows}, text);
  // The check counts the full band, because how much of it is filled isn't
  // known before it is drawn.
  drawing.check(static_cast<double>(rows) *
                (2 * static_cast<double>(width) + 1));
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = std::max<int64_t>(row - width, 0),
                 end = std::min(row + width, rows - 1);
         column <= end; ++column)
      if (row == column || drawing.random.uniform() < fill)
        drawing.add(row, column);
  return std::move(drawing).finish();
}

/// Calls `visit(row, column)` for each point of a grid of side^rank points and
/// each neighbor that differs in at most `distance` coordinates, itself too.
template <typename Visit>
static void visitNeighbors(int64_t side, int rank, int distance, Visit visit) {
  int64_t points = 1;
  int directions = 1;
  for (int d = 0; d < rank; ++d) {
    points *= side;
    directions *= 3;
  }
  for (int64_t point = 0; point < points; ++point)
    for (int direction = 0; direction < directions; ++direction) {
      int64_t neighbor = 0;
      int64_t stride = 1;
      int moved = 0;
      bool isInside = true;
      int code = direction;
      for (int64_t d = 0, rest = point; d < rank; ++d) {
        // The digits 0, 1 and 2 of the direction are a step back, none, and a
        // step ahead.
        int64_t at = rest % side + code % 3 - 1;
        moved += code % 3 != 1;
        isInside &= at >= 0 && at < side;
        neighbor += at * stride;
        stride *= side;
        rest /= side;
        code /= 3;
      }
      if (isInside && moved <= distance)
        visit(point, neighbor);
    }
}

static CoordinateTensor generateStencil(const GeneratorText &text) {
  int64_t points = text.integer("points");
  int64_t side = text.integer("side");
  if (points != 5 && points != 9 && points != 7 && points != 27)
    fail({ErrorCode::InvalidArgument, "'points' is 5, 9, 7 or 27"});
  int rank = points == 5 || points == 9 ? 2 : 3;
  // Stencils of 5 and 7 points have no diagonal neighbors.
  int distance = points == 5 || points == 7 ? 1 : rank;
  double rows = std::pow(static_cast<double>(side), rank);
  // Before the number of rows can overflow.
  if (rows * static_cast<double>(points) > static_cast<double>(maxEntries))
    fail({ErrorCode::InvalidArgument, "this may have more than 2^28 entries"});
  auto count = static_cast<int64_t>(rows);
  Drawing drawing({count, count}, text);
  visitNeighbors(side, rank, distance, [&](int64_t row, int64_t column) {
    drawing.add(row, column);
  });
  return std::move(drawing).finish();
}

static CoordinateTensor generateBlocks(const GeneratorText &text) {
  int64_t side = text.integer("side");
  int64_t size = text.integer("size");
  Drawing drawing({side * side * size, side * side * size}, text);
  drawing.check(9 * std::pow(static_cast<double>(side * size), 2));
  // A distance of 2 includes the diagonal neighbors, so that each node has 9
  // blocks, as the check counts.
  visitNeighbors(side, 2, 2, [&](int64_t node, int64_t neighbor) {
    for (int64_t i = 0; i < size; ++i)
      for (int64_t j = 0; j < size; ++j)
        drawing.add(node * size + i, neighbor * size + j);
  });
  return std::move(drawing).finish();
}

static CoordinateTensor generateDraws(const GeneratorText &text,
                                      bool isSkewed) {
  const std::vector<int64_t> &extents = text.extents();
  Drawing drawing(extents, text);
  int64_t entries = text.integer("entries");
  drawing.check(static_cast<double>(entries));
  std::vector<int64_t> at(extents.size());
  for (; entries > 0; --entries) {
    for (size_t d = 0; d < at.size(); ++d) {
      auto extent = static_cast<uint64_t>(extents[d]);
      // As a double, an extent above 2^53 may be rounded up, and the coordinate
      // with it.
      double u = isSkewed ? drawing.random.uniform() : 0;
      at[d] = isSkewed ? std::min(static_cast<int64_t>(
                                      static_cast<double>(extent) * (u * u)),
                                  extents[d] - 1)
                       : static_cast<int64_t>(drawing.random.below(extent));
    }
    drawing.add(at);
  }
  return std::move(drawing).finish();
}

static CoordinateTensor generateUniform(const GeneratorText &text) {
  return generateDraws(text, false);
}

static CoordinateTensor generateSkewed(const GeneratorText &text) {
  return generateDraws(text, true);
}

namespace {
struct Generator {
  GeneratorForm form;
  CoordinateTensor (*generate)(const GeneratorText &);
};
} // namespace

static const std::vector<Generator> &generators() {
  using Kind = GeneratorField::Kind;
  constexpr int64_t maxSide = int64_t(1) << 28;
  static const std::vector<Generator> all = {
      {{"rmat",
        {{.name = "scale", .usual = 16, .least = 1, .greatest = 28},
         {.name = "degree", .usual = 16, .least = 1, .greatest = maxEntries}}},
       generateRmat},
      {{"banded",
        {{.name = "rows", .least = 1, .greatest = maxEntries},
         {.name = "width", .least = 0, .greatest = maxEntries},
         {.name = "fill", .kind = Kind::Real, .usual = 1, .greatest = 1}}},
       generateBanded},
      {{"stencil",
        {{.name = "points", .usual = 7, .least = 5, .greatest = 27},
         {.name = "side", .least = 1, .greatest = maxSide}}},
       generateStencil},
      // Both bounds together keep the extent, which is computed before anything
      // is checked, below 2^43.
      {{"blocks",
        {{.name = "side", .least = 1, .greatest = 1 << 14},
         {.name = "size", .usual = 3, .least = 1, .greatest = 1 << 14}}},
       generateBlocks},
      {{"uniform",
        {{.name = "extents", .kind = Kind::Extents},
         {.name = "entries", .least = 0, .greatest = maxEntries}}},
       generateUniform},
      {{"skewed",
        {{.name = "extents", .kind = Kind::Extents},
         {.name = "entries", .least = 0, .greatest = maxEntries}}},
       generateSkewed},
  };
  return all;
}

Result<CoordinateTensor> sparse::generateTensor(std::string_view text) {
  size_t open = text.find('(');
  std::string_view name = text.substr(0, open);
  std::string names;
  for (const Generator &generator : generators()) {
    names += (names.empty() ? "" : ", ") + generator.form.name;
    if (generator.form.name != name)
      continue;
    auto tensor = attempt([&] {
      return generator.generate(
          need(GeneratorText::parse(generator.form, text.substr(name.size()))));
    });
    if (tensor)
      return tensor;
    return {tensor.error().code,
            "'" + std::string(text) + "': " + tensor.error().message};
  }
  return {ErrorCode::InvalidArgument,
          "'" + std::string(text) + "': there is no generator '" +
              std::string(name) + "', only " + names};
}
