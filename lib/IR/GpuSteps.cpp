//===- GpuSteps.cpp - Rules for the fields of GPU steps -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules that a step for GPUs alone must obey, in the order of BacoGpuSteps.td.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/RecipeFields.h"
#include "baco/Support/NvidiaGpu.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace baco;

using EmitError = function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// GpuBlocksAttr
//===----------------------------------------------------------------------===//

/// Checks an entry for each iterator: 0, or a positive constant, knob or
/// product of these.
static LogicalResult verifyList(EmitError emitError, StringRef what,
                                ArrayAttr entries) {
  for (Attribute entry : entries)
    if (failed(verifyProduct(emitError, what, entry, /*minimum=*/0)))
      return failure();
  if (llvm::none_of(entries, makesLoop))
    return emitError() << "all entries are 0, so that the step does nothing";
  return success();
}

static LogicalResult verifySizes(EmitError emitError, ArrayAttr sizes) {
  if (failed(verifyList(emitError, "a tile size", sizes)))
    return failure();
  if (int64_t count = llvm::count_if(sizes, makesLoop); count > 3)
    return emitError() << count
                       << " sizes are not 0, but a GPU has three "
                          "dimensions";
  return success();
}

/// Checks that `workers`, named `what`, has an entry where `sizes` has one.
static LogicalResult verifyWorkers(EmitError emitError, StringRef what,
                                   ArrayAttr workers, ArrayAttr sizes) {
  if (failed(verifyList(emitError, what, workers)))
    return failure();
  bool isAlike = workers.size() == sizes.size();
  for (size_t i = 0; isAlike && i < sizes.size(); ++i)
    isAlike = makesLoop(workers[i]) == makesLoop(sizes[i]);
  if (!isAlike)
    return emitError() << what
                       << " must be given for each tile size that is "
                          "not 0, and for no other";
  return success();
}

LogicalResult GpuBlocksAttr::verify(EmitError emitError, ArrayAttr sizes,
                                    ArrayAttr global, ArrayAttr local) {
  // Several iterators may be along z.
  if (failed(global ? verifySizes(emitError, sizes)
                    : verifyList(emitError, "a tile size", sizes)))
    return failure();
  if (static_cast<bool>(global) != static_cast<bool>(local))
    return emitError() << "'global' and 'local' must be given together";
  if (!global)
    return success();
  return failure(
      failed(verifyWorkers(emitError, "a global size", global, sizes)) ||
      failed(verifyWorkers(emitError, "a local size", local, sizes)));
}

bool GpuBlocksAttr::needsFullTiles() const { return true; }

//===----------------------------------------------------------------------===//
// GpuSplitAttr
//===----------------------------------------------------------------------===//

LogicalResult GpuSplitAttr::verify(EmitError emitError, ArrayAttr sizes) {
  if (failed(verifyList(emitError, "the size of a part", sizes)))
    return failure();
  if (int64_t count = llvm::count_if(sizes, makesLoop); count > 1)
    return emitError() << count << " sizes are not 0, but one sum is split";
  return success();
}

bool GpuSplitAttr::needsFullTiles() const { return true; }

//===----------------------------------------------------------------------===//
// GpuPadAttr
//===----------------------------------------------------------------------===//

LogicalResult GpuPadAttr::verify(EmitError emitError,
                                 DenseI64ArrayAttr extents) {
  for (int64_t extent : extents.asArrayRef())
    if (extent < 0)
      return emitError() << "an extent is " << extent
                         << ", but must not be negative";
  if (llvm::all_of(extents.asArrayRef(), [](int64_t e) { return e == 0; }))
    return emitError() << "all extents are 0, so that the step does nothing";
  return success();
}

//===----------------------------------------------------------------------===//
// GpuSharedAttr
//===----------------------------------------------------------------------===//

/// The padding of each of `count` operands, if it is given.
static SmallVector<Attribute> paddingsOf(Attribute padding, size_t count) {
  if (auto list = dyn_cast_or_null<ArrayAttr>(padding))
    return llvm::to_vector(list);
  return padding ? SmallVector<Attribute>(count, padding)
                 : SmallVector<Attribute>();
}

LogicalResult GpuSharedAttr::verify(EmitError emitError,
                                    DenseI64ArrayAttr operands, Attribute width,
                                    Attribute padding, Attribute run,
                                    Attribute stages, int64_t limit,
                                    Attribute enabled) {
  if (operands.empty())
    return emitError() << "at least one operand must be copied";
  if (failed(verifyOperands(emitError, operands, "copied")))
    return failure();
  if (run && (width || stages))
    return emitError() << "'run' can't be given with 'width' or 'stages'";
  for (auto [what, field] : {std::pair("the width of copies", width),
                             std::pair("the run of copies", run),
                             std::pair("the number of stages", stages)})
    if (field && failed(verifyQuantity(emitError, what, field, /*minimum=*/1)))
      return failure();
  if (auto list = dyn_cast_or_null<ArrayAttr>(padding);
      list && std::ssize(list) != operands.size())
    return emitError() << "the padding has " << list.size() << " entries, but "
                       << operands.size() << " operands are copied";
  for (Attribute field : paddingsOf(padding, operands.size()))
    if (failed(verifyQuantity(emitError, "the padding", field, /*minimum=*/0,
                              /*knobMinimum=*/0)))
      return failure();
  if (limit < 1)
    return emitError() << "the limit of shared memory is " << limit
                       << " bytes, but must be positive";
  return verifySwitch(emitError, enabled);
}

bool GpuSharedAttr::needsFullTiles() const { return true; }

SmallVector<Attribute> GpuSharedAttr::listPaddings() const {
  return paddingsOf(getPadding(), getOperands().size());
}

//===----------------------------------------------------------------------===//
// GpuFuseAttr
//===----------------------------------------------------------------------===//

LogicalResult GpuFuseAttr::verify(EmitError emitError, int64_t limit) {
  if (limit < 1)
    return emitError() << "the limit of shared memory is " << limit
                       << " bytes, but must be positive";
  return success();
}

bool GpuFuseAttr::needsFullTiles() const { return true; }

//===----------------------------------------------------------------------===//
// GpuChainAttr
//===----------------------------------------------------------------------===//

LogicalResult GpuChainAttr::verify(EmitError emitError, Attribute columns,
                                   Attribute rows, Attribute run,
                                   Attribute depth, Attribute width,
                                   Attribute padding, Attribute stages,
                                   Attribute lanes, int64_t limit, bool) {
  for (auto [what, field] :
       {std::pair("the number of columns", columns),
        std::pair("the number of rows", rows), std::pair("the run", run),
        std::pair("the depth", depth), std::pair("the width", width),
        std::pair("the number of stages", stages),
        std::pair("the number of lanes", lanes)})
    if (failed(verifyProduct(emitError, what, field, /*minimum=*/1)))
      return failure();
  if (failed(verifyQuantity(emitError, "the padding", padding, /*minimum=*/0,
                            /*knobMinimum=*/0)))
    return failure();
  if (Quantity(stages).largest() > 2)
    return emitError() << "the number of stages is "
                       << Quantity(stages).quoted() << ", but must be 1 or 2";
  if (!Quantity(lanes).allOf([](int64_t value) {
        return value <= nvidia::warpSize && llvm::isPowerOf2_64(value);
      }))
    return emitError() << "the number of lanes is " << Quantity(lanes).quoted()
                       << ", but must be a power of two of at most "
                       << nvidia::warpSize;
  if (limit < 1)
    return emitError() << "the limit of shared memory is " << limit
                       << " bytes, but must be positive";
  return success();
}

bool GpuChainAttr::needsFullTiles() const { return true; }

//===----------------------------------------------------------------------===//
// GpuThreadsAttr
//===----------------------------------------------------------------------===//

LogicalResult GpuThreadsAttr::verify(EmitError emitError, ArrayAttr sizes,
                                     ArrayAttr local) {
  if (failed(verifySizes(emitError, sizes)))
    return failure();
  return local ? verifyWorkers(emitError, "a local size", local, sizes)
               : success();
}

bool GpuThreadsAttr::needsFullTiles() const { return true; }

//===----------------------------------------------------------------------===//
// GpuReduceAttr
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// GpuRowsAttr
//===----------------------------------------------------------------------===//

LogicalResult GpuRowsAttr::verify(EmitError emitError, Attribute rows,
                                  Attribute lanes, Attribute width) {
  for (auto [what, field] :
       {std::pair("the number of rows", rows),
        std::pair("the number of lanes", lanes), std::pair("the width", width)})
    if (failed(verifyProduct(emitError, what, field, /*minimum=*/1)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// GpuMmaAttr
//===----------------------------------------------------------------------===//

LogicalResult GpuMmaAttr::verify(EmitError emitError, ArrayAttr sizes) {
  return verifySizes(emitError, sizes);
}

bool GpuMmaAttr::needsFullTiles() const { return true; }
