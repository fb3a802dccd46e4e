//===- OpenClDialect.h - Devices of OpenCL ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_OPENCLDIALECT_H
#define BACO_IR_OPENCLDIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"

#include "baco/IR/OpenClDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "baco/IR/OpenClAttributes.h.inc"

#endif // BACO_IR_OPENCLDIALECT_H
