//===- OpenClDialect.cpp - Devices of OpenCL ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/IR/OpenClDialect.h"

#include "mlir/Dialect/GPU/IR/CompilationInterfaces.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace baco;

#include "baco/IR/OpenClDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "baco/IR/OpenClAttributes.cpp.inc"

void OpenClDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "baco/IR/OpenClAttributes.cpp.inc"
      >();
  // A gpu.binary says what its text is for. Only `baco-lower-to-opencl` writes
  // it.
  declarePromisedInterface<gpu::TargetAttrInterface, OpenClTargetAttr>();
}

LogicalResult
OpenClTargetAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                         StringRef name, int64_t threads,
                         ArrayRef<int64_t> items, int64_t localBytes,
                         int64_t units, bool half, bool doubles) {
  if (items.size() != 3)
    return emitError() << "'items' has " << items.size()
                       << " numbers, but work-groups have three dimensions";
  for (int64_t number :
       {threads, items[0], items[1], items[2], localBytes, units})
    if (number <= 0)
      return emitError() << "'" << name << "': a limit is " << number
                         << ", but must be positive";
  return success();
}
