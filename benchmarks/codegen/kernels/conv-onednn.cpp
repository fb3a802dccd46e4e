//===- conv-onednn.cpp - Convolution by oneDNN ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// O += I * K as in conv.c; with DEPTHWISE, a filter for each channel.

static constexpr long height = H, width = W, rowsIn = IH, columnsIn = IW,
                      channels = C, filters = F, window = R, stride = S;
#undef H
#undef W
#undef IH
#undef IW
#undef C
#undef F
#undef R
#undef S
#undef T

#include "onednn-layer.h"

using namespace dnnl;
using tag = memory::format_tag;
using Convolution = Layer<convolution_forward>;

static Convolution *create(void **arguments) {
  Convolution::Operand image{{1, channels, rowsIn, columnsIn}, tag::nhwc},
      result{{1, filters, height, width}, tag::nhwc};
#ifdef DEPTHWISE
  Convolution::Operand kernel{{channels, 1, 1, window, window}, tag::hwigo};
#else
  Convolution::Operand kernel{{filters, channels, window, window}, tag::hwio};
#endif
  convolution_forward::desc description(
      prop_kind::forward_inference, algorithm::convolution_direct,
      Convolution::free(image), Convolution::free(kernel),
      Convolution::free(result), {stride, stride}, {0, 0}, {0, 0});
  return new Convolution(description, engine(engine::kind::cpu, 0), image,
                         kernel, result, arguments);
}

extern "C" void kernel(void **arguments) {
  runLayer([&] { return create(arguments); });
}
