//===- StepGpuReduce.cpp - Reductions of all elements on a GPU ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Product.h"
#include "baco/IR/RecipeExpander.h"
#include "baco/Support/NvidiaGpu.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace baco;

using EmitError = function_ref<InFlightDiagnostic()>;

LogicalResult GpuReduceAttr::verify(EmitError emitError, Attribute chunk,
                                    Attribute run, Attribute stride,
                                    Attribute global, Attribute local) {
  for (auto [what, field] :
       {std::pair("the chunk", chunk), std::pair("the run", run),
        std::pair("the stride", stride), std::pair("the global size", global),
        std::pair("the local size", local)})
    if (failed(verifyProduct(emitError, what, field, /*minimum=*/1)))
      return failure();
  return success();
}

/// Requires that `divisor` divides `number`.
static LogicalResult requireDivisor(RecipeState &state, const Product &divisor,
                                    const Product &number,
                                    const std::string &reason) {
  if (!divisor.isConstant() || !number.isConstant())
    state.require("divides(" + divisor.str() + ", " + number.str() + ")",
                  reason);
  else if (number.getConstant() % divisor.getConstant() != 0)
    return state.emitError() << reason;
  return success();
}

LogicalResult GpuReduceAttr::advance(RecipeState &state) const {
  if (failed(state.needOp()) || failed(state.needMemRefs()))
    return failure();
  if (state.hasLoops())
    return state.emitError() << "an earlier step has made loops of the op";
  if (!llvm::all_of(state.getLaterSteps(), llvm::IsaPred<LLVMAttr>))
    return state.emitError() << "no other step can follow";
  const Extents *extents =
      state.getNumIterators() == 1 ? &state.getExtents()[0] : nullptr;
  if (!extents || state.isReduction(0) != true || extents->size() != 1 ||
      !extents->front().count)
    return state.emitError()
           << "the op doesn't have one iterator, a reduction of static extent";
  Quantity chunk(getChunk()), run(getRun()), stride(getStride()),
      global(getGlobal()), local(getLocal());
  if (failed(requireDivisor(state, Product(run).multiply(stride), chunk,
                            "runs " + run.quoted() + " at stride " +
                                stride.quoted() + " must divide chunk " +
                                chunk.quoted())) ||
      failed(requireDivisor(state, local, global,
                            "local size " + local.quoted() +
                                " must divide global size " + global.quoted() +
                                " (a grid has whole blocks)")) ||
      failed(requireAtMost(state, local, nvidia::maxThreads,
                           "a block has at most 1024 threads")))
    return failure();
  return state.distribute(ArrayRef<Attribute>(),
                          RecipeState::GpuLevel::Threads);
}

void GpuReduceAttr::expand(RecipeExpander &expander) const {
  SmallVector<int64_t> numbers;
  OperationState reduce(expander.loc, "transform.baco.gpu_reduce");
  reduce.addOperands(expander.target);
  for (Attribute field :
       {getChunk(), getRun(), getStride(), getGlobal(), getLocal()}) {
    OpFoldResult number = expander.mixed(field);
    if (auto param = dyn_cast<mlir::Value>(number))
      reduce.addOperands(param);
    numbers.push_back(
        getConstantIntValue(number).value_or(ShapedType::kDynamic));
  }
  reduce.addAttribute("numbers",
                      expander.builder.getDenseI64ArrayAttr(numbers));
  expander.builder.create(reduce);
  expander.target = mlir::Value();
}
