//===- LayerRows.cpp - Rows of layers with weights ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

using namespace baco::benchmarks;

namespace {
/// A convolution: the extent of its square result, its channels in and out, its
/// square window, and how far that moves.
struct Layer {
  int64_t extent, channels, filters, window = 1, stride = 1;
  bool isDepthwise = false;

  std::string name() const {
    auto square = [](int64_t n) {
      return std::to_string(n) + "x" + std::to_string(n);
    };
    std::string result = square(extent) + " " + std::to_string(channels);
    if (isDepthwise)
      result += " depthwise";
    else if (channels != filters)
      result += " to " + std::to_string(filters);
    result += " " + square(window);
    if (stride > 1)
      result += "/" + std::to_string(stride);
    return result;
  }
};
} // namespace

static Baseline ownFormats(const std::string &file) {
  return {.label = "oneDNN, its formats",
          .group = "oneDNN, its formats",
          .code = CSource{.file = file,
                          .flags = {"-fopenmp=libgomp"},
                          .libraries = {"-ldnnl", "-lstdc++"}}};
}

/// A constant filter may be copied once, before all executions.
static Case convCase(const Layer &layer, bool isConstant) {
  Case result;
  result.name = layer.name();
  result.payload = layer.isDepthwise ? "depthwise.mlir" : "conv.mlir";
  result.words = {{"KIND", isConstant ? " {baco.constant}" : ""}};
  int64_t extentIn = (layer.extent - 1) * layer.stride + layer.window;
  result.sizes = {{"H", layer.extent},   {"W", layer.extent},
                  {"IH", extentIn},      {"IW", extentIn},
                  {"C", layer.channels}, {"F", layer.filters},
                  {"R", layer.window},   {"S", layer.stride}};
  result.reference = {CSource::Strict, "conv.c",
                      layer.isDepthwise ? "kernel_depthwise" : "kernel_hwyxcf"};
  result.flops = 2.0 * layer.window * layer.window * layer.extent *
                 layer.extent * layer.filters *
                 (layer.isDepthwise ? 1 : layer.channels);
  if (isConstant) {
    result.hasPlain = false;
    result.baselines.push_back(ownFormats("conv-onednn.cpp"));
    if (layer.isDepthwise)
      std::get<CSource>(result.baselines.back().code)
          .flags.push_back("-DDEPTHWISE");
  } else {
    addOrders(result, "conv.c",
              {"hwfyxc", "hwyxcf", "hyxwcf", "yxhwcf", "hyxcwf"});
    result.baselines.push_back(
        library(LibraryCall::OpenBlas, LibraryCall::ConvolutionByGemm));
    result.baselines.back().label = "im2col + OpenBLAS";
  }
  result.baselines.push_back(peak());
  return result;
}

Row baco::benchmarks::makeConvRow(bool isSmall) {
  Row row{"conv", "3 x 3 convolution, NHWC, f32", {}};
  using Shapes = std::vector<std::pair<int64_t, int64_t>>;
  for (bool isConstant : {false, true})
    for (auto [extent, channels] :
         isSmall ? Shapes{{7, 16}}
                 : Shapes{{56, 64}, {28, 128}, {14, 256}, {7, 512}}) {
      Case &added = row.cases.emplace_back(
          convCase({extent, channels, channels, 3}, isConstant));
      added.name = std::to_string(extent) + "x" + std::to_string(extent) + "x" +
                   std::to_string(channels);
      if (isConstant)
        added.name += ", constant filter";
    }
  return row;
}

Row baco::benchmarks::makeLayersRow(bool isSmall) {
  Row row{"layers", "layers of networks with constant weights, f32", {}};
  constexpr bool depthwise = true;
  std::vector<Layer> layers = {
      // ResNet-18 and -50: the stem, stages and the ways between them.
      {112, 3, 64, 7, 2},
      {28, 64, 128, 3, 2},
      {14, 128, 256, 3, 2},
      {7, 256, 512, 3, 2},
      {56, 64, 256},
      {56, 256, 64},
      {28, 256, 512, 1, 2},
      {14, 256, 1024},
      {14, 1024, 256},
      {7, 512, 2048},
      {7, 2048, 512},
      // MobileNetV2.
      {112, 16, 96},
      {14, 64, 384},
      {7, 320, 1280},
      {112, 32, 32, 3, 1, depthwise},
      {56, 96, 96, 3, 2, depthwise},
      {14, 384, 384, 3, 1, depthwise},
      {7, 960, 960, 3, 1, depthwise},
      // U-Net.
      {32, 320, 320, 3},
      {32, 640, 320},
  };
  struct Shape {
    int64_t m, n, k;
  };
  // BERT-base and GPT-2.
  std::vector<Shape> products = {{128, 768, 768},
                                 {128, 3072, 768},
                                 {128, 768, 3072},
                                 {1, 2304, 768},
                                 {1, 768, 3072}};
  if (isSmall) {
    layers = {{7, 3, 16, 7, 2}, {7, 16, 24}, {7, 16, 16, 3, 2, depthwise}};
    products = {{8, 48, 16}, {1, 32, 24}};
  }
  for (const Layer &layer : layers)
    row.cases.push_back(convCase(layer, /*isConstant=*/true));
  for (auto [m, n, k] : products) {
    Case &added =
        row.cases.emplace_back(matmulCase(m, n, k, /*isSingle=*/true));
    added.words = {{"KIND", " {baco.constant}"}};
    added.hasPlain = false;
    added.baselines = {ownFormats("matmul-onednn.cpp"), peak()};
  }
  for (Case &added : row.cases)
    addDefault(added);
  return row;
}
