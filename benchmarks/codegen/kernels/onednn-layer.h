//===- onednn-layer.h - A primitive of oneDNN in its own formats -*- C++
//-*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_CODEGEN_KERNELS_ONEDNN_LAYER_H
#define BACO_BENCHMARKS_CODEGEN_KERNELS_ONEDNN_LAYER_H

#include <dnnl.hpp>
#include <omp.h>

/// A primitive with one source and weights that adds to its result. The first
/// execution brings the operands to the formats that oneDNN chose, and the
/// result back; later ones are the primitive alone.
template <typename Primitive>
class Layer {
public:
  /// How an operand lies in the caller's memory.
  struct Operand {
    dnnl::memory::dims extents;
    dnnl::memory::format_tag format;
  };
  using Plan = typename Primitive::primitive_desc;
  using Description = typename Primitive::desc;

  Layer(const Description &description, const dnnl::engine &cpu, Operand source,
        Operand weights, Operand result, void **arguments)
      : cpu(cpu), queue(cpu), plan(description, addsToResult(), cpu),
        primitive(plan), source(plan.src_desc(), cpu),
        weights(plan.weights_desc(), cpu), result(plan.dst_desc(), cpu) {
    dnnl::memory own = wrap(result, arguments[2]);
    copy(wrap(source, arguments[0]), this->source);
    copy(wrap(weights, arguments[1]), this->weights);
    copy(own, this->result);
    run();
    copy(this->result, own);
  }

  void run() {
    primitive.execute(queue, {{DNNL_ARG_SRC, source},
                              {DNNL_ARG_WEIGHTS, weights},
                              {DNNL_ARG_DST, result}});
    queue.wait();
  }

  /// An operand in a format that oneDNN chooses.
  static dnnl::memory::desc free(const Operand &operand) {
    return {operand.extents, dnnl::memory::data_type::f32,
            dnnl::memory::format_tag::any};
  }

private:
  static dnnl::primitive_attr addsToResult() {
    dnnl::post_ops sums;
    sums.append_sum(1);
    dnnl::primitive_attr attributes;
    attributes.set_post_ops(sums);
    return attributes;
  }
  dnnl::memory wrap(const Operand &operand, void *data) {
    return {{operand.extents, dnnl::memory::data_type::f32, operand.format},
            cpu,
            data};
  }
  void copy(dnnl::memory from, dnnl::memory to) {
    dnnl::reorder(from, to).execute(queue, from, to);
    queue.wait();
  }

  dnnl::engine cpu;
  dnnl::stream queue;
  Plan plan;
  Primitive primitive;
  dnnl::memory source, weights, result;
};

/// Runs the layer that `create` returns at the first call.
template <typename Create>
void runLayer(Create create) {
  static auto *layer = [&] {
    omp_set_num_threads(1);
    return create();
  }();
  static bool isNew = true;
  if (!isNew)
    layer->run();
  isNew = false;
}

#endif // BACO_BENCHMARKS_CODEGEN_KERNELS_ONEDNN_LAYER_H
