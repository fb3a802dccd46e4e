//===- WinogradCandidates.cpp - Shapes that may gain ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WinogradConvolutions.h"
#include "WinogradError.h"
#include "baco/GlobalOptimization/RewrittenFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <cmath>

using namespace mlir;
using namespace baco;
using namespace baco::globalopt;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static std::optional<int64_t> parseTile(StringRef text) {
  return text == "2"   ? std::optional(2)
         : text == "4" ? std::optional(4)
                       : std::nullopt;
}

/// Whether `text` is like WinogradCandidate::shape.
static bool isShape(StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, 'x');
  constexpr size_t numExtents = 5;
  if (parts.size() != numExtents + 1)
    return false;
  StringRef element = parts.pop_back_val();
  return (element == "f32" || element == "f64") &&
         llvm::all_of(parts, [](StringRef part) {
           int64_t extent;
           return !part.getAsInteger(10, extent) && extent > 0;
         });
}

Result<WinogradOptions> globalopt::parseWinograd(StringRef text) {
  WinogradOptions options;
  if (text == "off")
    return options;
  options.isMeasured = text == "measure";
  if (std::optional<int64_t> tile = options.isMeasured ? 4 : parseTile(text)) {
    options.maxTile = *tile;
    return options;
  }
  for (StringRef part : llvm::split(text, ',')) {
    auto [shape, size] = part.split(':');
    std::optional<int64_t> tile = parseTile(size);
    if (!isShape(shape) || !tile)
      return Error{ErrorCode::InvalidArgument,
                   "Winograd's tile must be off, 2, 4, measure or a list for "
                   "shapes, such as 1x56x56x64x64xf32:4, but is '" +
                       text.str() + "'"};
    options.tiles[shape.str()] = *tile;
  }
  return options;
}

std::string globalopt::writeWinograd(const WinogradOptions &options) {
  if (options.isMeasured)
    return "measure";
  std::vector<std::string> parts;
  for (const auto &[shape, tile] : options.tiles)
    parts.push_back(shape + ":" + std::to_string(tile));
  if (!parts.empty())
    return llvm::join(parts, ",");
  return options.maxTile == 0 ? "off" : std::to_string(options.maxTile);
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// A module with a function that takes the image, before it is padded, and
/// returns what the convolution adds to zeros.
static OwningOpRef<ModuleOp> makeProbe(const WinogradConvolution &conv) {
  linalg::LinalgOp op = conv.op;
  Location location = op.getLoc();
  OpBuilder builder(op.getContext());
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder, location);
  Value image = op.getDpsInputOperand(0)->get();
  tensor::PadOp pad = findPadding(image);
  if (pad && !pad.getSourceType().hasStaticShape())
    pad = nullptr;
  Value argument = pad ? pad.getSource() : image;
  Type result = op->getResult(0).getType();
  builder.setInsertionPointToEnd(module->getBody());
  auto function =
      func::FuncOp::create(builder, location, "convolution_" + conv.shape(),
                           builder.getFunctionType(argument.getType(), result));
  builder.setInsertionPointToStart(function.addEntryBlock());
  IRMapping mapping;
  mapping.map(argument, function.getArgument(0));
  Value zero = arith::ConstantOp::create(
      builder, location, builder.getZeroAttr(conv.filter.elementType()));
  if (pad) {
    mapping.map(pad.getConstantPaddingValue(), zero);
    builder.clone(*pad, mapping);
  }
  Value filter = op.getDpsInputOperand(1)->get();
  mapping.map(filter, builder.clone(*filter.getDefiningOp())->getResult(0));
  Value empty = tensor::EmptyOp::create(builder, location,
                                        cast<ShapedType>(result).getShape(),
                                        conv.filter.elementType());
  Value start =
      linalg::FillOp::create(builder, location, zero, empty).getResult(0);
  mapping.map(op.getDpsInits()[0], start);
  Operation *copy = builder.clone(*op, mapping);
  func::ReturnOp::create(builder, location, copy->getResults());
  return module;
}

std::vector<WinogradCandidate>
globalopt::findWinogradCandidates(ModuleOp module,
                                  const WinogradOptions &options) {
  // The estimate knows little of the machine.
  constexpr double muchSlower = 1.25;
  std::vector<WinogradCandidate> found;
  llvm::StringSet<> shapes;
  for (func::FuncOp function : functionsToRewrite(module, options.entry))
    function.walk([&](linalg::LinalgOp op) {
      std::optional<WinogradConvolution> conv = matchWinograd(op);
      if (!conv || !shapes.insert(conv->shape()).second)
        return;
      WinogradCandidate candidate{conv->shape(), op.getLoc(), {}, {}};
      double enough = muchSlower * conv->cost(std::nullopt);
      for (int64_t size = 0; size <= options.maxTile; size += 2) {
        std::optional<WinogradTile> tile;
        if (size > 0)
          tile = WinogradTile{size};
        if (tile && conv->cost(tile) > enough)
          continue;
        double error = sampleError(conv->filter, tile);
        if (std::isfinite(error))
          candidate.tiles.push_back({size, error});
      }
      // Without the convolution itself there is nothing to compare with.
      if (candidate.tiles.size() < 2 || candidate.tiles.front().size != 0)
        return;
      candidate.probe = makeProbe(*conv);
      found.push_back(std::move(candidate));
    });
  return found;
}
