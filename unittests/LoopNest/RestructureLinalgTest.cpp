//===- RestructureLinalgTest.cpp - New orders of linalg ops ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convolutions and chains of ops on memrefs give what their plain lowering
// gives.
//
//===----------------------------------------------------------------------===//

#include "RestructureHelpers.h"

using namespace baco::loopnest;

/// `op` on %I, %K and %O of these types, with attributes.
static std::string convolution(const std::string &op,
                               const std::vector<int64_t> &strides,
                               const std::vector<int64_t> &dilations,
                               const Shapes &shapes) {
  auto dense = [](const std::vector<int64_t> &values) {
    std::string text;
    for (int64_t value : values)
      text += (text.empty() ? "" : ", ") + std::to_string(value);
    return "dense<[" + text + "]> : tensor<" + std::to_string(values.size()) +
           "xi64>";
  };
  std::vector<std::string> types;
  for (const std::vector<int64_t> &shape : shapes) {
    std::string type = "memref<";
    for (int64_t extent : shape)
      type += std::to_string(extent) + "x";
    types.push_back(type + "f64>");
  }
  return "func.func @f(%I: " + types[0] + ", %K: " + types[1] +
         ", %O: " + types[2] + ") {\n  linalg." + op +
         " {dilations = " + dense(dilations) + ", strides = " + dense(strides) +
         "}\n    ins(%I, %K : " + types[0] + ", " + types[1] +
         ") outs(%O : " + types[2] + ")\n  return\n}";
}

static std::string matmul(const Shapes &shapes) {
  std::vector<std::string> types;
  for (const std::vector<int64_t> &shape : shapes)
    types.push_back("memref<" + std::to_string(shape[0]) + "x" +
                    std::to_string(shape[1]) + "xf64>");
  return "func.func @f(%A: " + types[0] + ", %B: " + types[1] +
         ", %C: " + types[2] + ") {\n  linalg.matmul ins(%A, %B : " + types[0] +
         ", " + types[1] + ") outs(%C : " + types[2] + ")\n  return\n}";
}

TEST_F(RestructureTest, ConvolutionNhwc) {
  // f0, n, h, w0, kh, kw, c, w, f: with a copy of the filter; 5 rows of 7.
  std::string script =
      "\"permute([1,2,4,3,5,6,7]) tile(0,3,8,1) permute([1,2,3,5,6,7,8,4]) "
      "datacopy(0,2,2) unroll(0,4,3) vectorize(0,8,8) prefetch(0,1,1)\"";
  for (int64_t stride : {1, 2})
    for (int64_t dilation : {1, 2})
      for (int64_t filters : {8, 12}) {
        int64_t height = 4 * stride + 2 * dilation + 1;
        int64_t width = 6 * stride + 2 * dilation + 1;
        Shapes shapes = {
            {2, height, width, 5}, {3, 3, 5, filters}, {2, 5, 7, filters}};
        EXPECT_EQ(run(convolution("conv_2d_nhwc_hwcf", {stride, stride},
                                  {dilation, dilation}, shapes),
                      script, shapes),
                  "")
            << stride << " " << dilation << " " << filters;
      }
}

TEST_F(RestructureTest, MatmulInPanels) {
  // k0, i0, j, i, k: B's panels for all of j, rows of A for a block of i; with
  // rests in all directions, and without.
  for (int64_t columns : {32, 37})
    for (const char *rows : {"4", "6"}) {
      Shapes shapes = {{26, 21}, {21, columns}, {26, columns}};
      std::string script =
          std::string("[#baco.loop_permute<order = [2, 1, 3], statement = 0>, "
                      "#baco.loop_tile<statement = 0, loop = 3, size = 8, "
                      "outer = 1>, "
                      "#baco.loop_tile<statement = 0, loop = 3, size = 12, "
                      "outer = 2>, "
                      "#baco.loop_vectorize<statement = 0, loop = 3, "
                      "width = 8>, "
                      "#baco.loop_unroll<statement = 0, loop = 4, factor = ") +
          rows +
          ">, #baco.loop_copy<statement = 0, loop = 2, reference = 2, "
          "width = 4, panel = 8>, "
          "#baco.loop_copy<statement = 0, loop = 3, reference = 1, "
          "width = 4>]";
      EXPECT_EQ(run(matmul(shapes), script, shapes), "")
          << columns << " " << rows;
    }
}

TEST_F(RestructureTest, ConvolutionNchw) {
  // n, f, h, c, kh, kw, w: rows of the output in vectors, filters unrolled.
  // With strides up to 4, vectors are put together from contiguous ones.
  for (int64_t stride : {1, 2, 3, 4, 5})
    for (const char *width : {"2", "4", "8"}) {
      Shapes shapes = {
          {1, 3, 4 * stride + 3, 10 * stride + 3}, {6, 3, 3, 3}, {1, 6, 5, 11}};
      EXPECT_EQ(run(convolution("conv_2d_nchw_fchw", {stride, stride}, {1, 1},
                                shapes),
                    std::string("\"permute([1,2,3,5,6,7,4]) unroll(0,2,4) "
                                "vectorize(0,7,") +
                        width + ")\"",
                    shapes),
                "")
          << stride << " " << width;
    }
}

TEST_F(RestructureTest, ConvolutionDepthwise) {
  // n, h, w, c, kh, kw: channels in vectors, columns unrolled.
  for (int64_t dilation : {1, 2}) {
    Shapes shapes = {
        {1, 4 + 2 * dilation, 9 + 2 * dilation, 13}, {3, 3, 13}, {1, 4, 9, 13}};
    EXPECT_EQ(run(convolution("depthwise_conv_2d_nhwc_hwc", {1, 1},
                              {dilation, dilation}, shapes),
                  "\"permute([1,2,3,5,6,4]) unroll(0,3,4) "
                  "vectorize(0,6,8)\"",
                  shapes),
              "");
  }
}

/// Softmax of the rows of %A.
static const char softmax[] = R"(
  #both = affine_map<(i, j) -> (i, j)>
  #row = affine_map<(i, j) -> (i)>
  func.func @f(%A: memref<9x@Nxf64>, %B: memref<9x@Nxf64>) {
    %least = arith.constant 0xFFF0000000000000 : f64
    %zero = arith.constant 0.0 : f64
    %m = memref.alloc() : memref<9xf64>
    %s = memref.alloc() : memref<9xf64>
    linalg.fill ins(%least : f64) outs(%m : memref<9xf64>)
    linalg.generic {indexing_maps = [#both, #row],
                    iterator_types = ["parallel", "reduction"]}
      ins(%A : memref<9x@Nxf64>) outs(%m : memref<9xf64>) {
    ^bb0(%a: f64, %x: f64):
      %r = arith.@MAX %a, %x : f64
      linalg.yield %r : f64
    }
    linalg.generic {indexing_maps = [#both, #row, #both],
                    iterator_types = ["parallel", "parallel"]}
      ins(%A, %m : memref<9x@Nxf64>, memref<9xf64>)
      outs(%B : memref<9x@Nxf64>) {
    ^bb0(%a: f64, %x: f64, %b: f64):
      %d = arith.subf %a, %x : f64
      %e = math.exp %d : f64
      linalg.yield %e : f64
    }
    linalg.fill ins(%zero : f64) outs(%s : memref<9xf64>)
    linalg.generic {indexing_maps = [#both, #row],
                    iterator_types = ["parallel", "reduction"]}
      ins(%B : memref<9x@Nxf64>) outs(%s : memref<9xf64>) {
    ^bb0(%b: f64, %x: f64):
      %r = arith.addf %b, %x : f64
      linalg.yield %r : f64
    }
    linalg.generic {indexing_maps = [#row, #both],
                    iterator_types = ["parallel", "parallel"]}
      ins(%s : memref<9xf64>) outs(%B : memref<9x@Nxf64>) {
    ^bb0(%x: f64, %b: f64):
      %q = arith.divf %b, %x : f64
      linalg.yield %q : f64
    }
    memref.dealloc %m : memref<9xf64>
    memref.dealloc %s : memref<9xf64>
    return
  })";

static std::string with(std::string text, const std::string &name,
                        const std::string &value) {
  for (size_t at = 0; (at = text.find(name, at)) != std::string::npos;)
    text.replace(at, name.size(), value);
  return text;
}

TEST_F(RestructureTest, SoftmaxRowByRow) {
  std::string script =
      "\"fuse([0,1,2,3,4,5],1) vectorize(1,2,8) unroll(1,2,@U) "
      "vectorize(2,2,8) vectorize(4,2,8) unroll(4,2,@U) vectorize(5,2,8)\"";
  for (const char *n : {"3", "37", "64"})
    for (const char *maximum : {"maxnumf", "maximumf"})
      for (const char *unroll : {"1", "24"}) {
        int64_t columns = std::stoll(n);
        EXPECT_EQ(run(with(with(softmax, "@N", n), "@MAX", maximum),
                      with(script, "@U", unroll), {{9, columns}, {9, columns}}),
                  "")
            << n << " " << maximum << " " << unroll;
      }
}

TEST_F(RestructureTest, OtherTypesOnTheWay) {
  // Through f16 and bf16, selections, and i1 as an accumulator.
  std::string payload = R"(
    func.func @f(%A: memref<6x50xf64>, %B: memref<6x50xf64>) {
      %zero = arith.constant 0.0 : f64
      %no = arith.constant false
      %any = memref.alloc() : memref<6xi1>
      affine.for %i = 0 to 6 {
        affine.store %no, %any[%i] : memref<6xi1>
        affine.for %j = 0 to 50 {
          %a = affine.load %A[%i, %j] : memref<6x50xf64>
          %b = affine.load %B[%i, %j] : memref<6x50xf64>
          %h = arith.truncf %a : f64 to f16
          %e = arith.extf %h : f16 to f32
          %g = arith.truncf %e : f32 to bf16
          %k = arith.extf %g : bf16 to f64
          %c = arith.cmpf ogt, %a, %b : f64
          %s = arith.select %c, %k, %zero : f64
          affine.store %s, %A[%i, %j] : memref<6x50xf64>
        }
        affine.for %j = 0 to 50 {
          %a = affine.load %A[%i, %j] : memref<6x50xf64>
          %b = affine.load %B[%i, %j] : memref<6x50xf64>
          %c = arith.cmpf ogt, %a, %b : f64
          %o = affine.load %any[%i] : memref<6xi1>
          %n = arith.ori %o, %c : i1
          affine.store %n, %any[%i] : memref<6xi1>
        }
        affine.for %j = 0 to 50 {
          %o = affine.load %any[%i] : memref<6xi1>
          %u = arith.uitofp %o : i1 to f64
          affine.store %u, %B[%i, %j] : memref<6x50xf64>
        }
      }
      memref.dealloc %any : memref<6xi1>
      return
    })";
  EXPECT_EQ(run(payload,
                "\"vectorize(1,2,8) vectorize(2,2,8) "
                "vectorize(3,2,8)\"",
                {{6, 50}, {6, 50}}),
            "");
}
