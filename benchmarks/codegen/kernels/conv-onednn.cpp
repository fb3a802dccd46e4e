//===- conv-onednn.cpp - 3 x 3 convolution by oneDNN ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// O += I * K as in conv.c, in the formats that oneDNN chooses for itself. The
// first execution brings the operands there, and the result back; later ones
// are the convolution alone.

static constexpr long height = H, width = W, channels = C, filters = F;
#undef H
#undef W
#undef C
#undef F
#undef T

#include <dnnl.hpp>
#include <omp.h>

using namespace dnnl;
using tag = memory::format_tag;

namespace {
struct Convolution {
  engine cpu{engine::kind::cpu, 0};
  stream queue{cpu};
  convolution_forward::primitive_desc plan;
  convolution_forward primitive;
  memory image, weights, result;

  explicit Convolution(void **arguments);
  memory::desc describe(memory::dims extents, tag format) {
    return {extents, memory::data_type::f32, format};
  }
  void copy(memory from, memory to) {
    reorder(from, to).execute(queue, from, to);
    queue.wait();
  }
  void run() {
    primitive.execute(queue, {{DNNL_ARG_SRC, image},
                              {DNNL_ARG_WEIGHTS, weights},
                              {DNNL_ARG_DST, result}});
    queue.wait();
  }
};
} // namespace

Convolution::Convolution(void **arguments) {
  omp_set_num_threads(1);
  memory::dims in = {1, channels, height + 2, width + 2},
               kernel = {filters, channels, 3, 3},
               out = {1, filters, height, width};
  post_ops sums;
  sums.append_sum(1);
  primitive_attr attributes;
  attributes.set_post_ops(sums);
  convolution_forward::desc description(
      prop_kind::forward_inference, algorithm::convolution_direct,
      describe(in, tag::any), describe(kernel, tag::any),
      describe(out, tag::any), {1, 1}, {0, 0}, {0, 0});
  plan = convolution_forward::primitive_desc(description, attributes, cpu);
  primitive = convolution_forward(plan);
  image = memory(plan.src_desc(), cpu);
  weights = memory(plan.weights_desc(), cpu);
  result = memory(plan.dst_desc(), cpu);
  memory ownResult(describe(out, tag::nhwc), cpu, arguments[2]);
  copy(memory(describe(in, tag::nhwc), cpu, arguments[0]), image);
  copy(memory(describe(kernel, tag::hwio), cpu, arguments[1]), weights);
  copy(ownResult, result);
  run();
  copy(result, ownResult);
}

extern "C" void kernel(void **arguments) {
  static Convolution *convolution;
  if (!convolution)
    convolution = new Convolution(arguments);
  else
    convolution->run();
}
