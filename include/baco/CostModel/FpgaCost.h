//===- FpgaCost.h - Cycles of affine nests on an FPGA, by a model *- C++ -*-==//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An estimate of the design that high-level synthesis makes of a function:
// innermost loops are pipelines, all else runs one after another. docs/FPGA.md
// has the formulas with their sources. A cost ranks designs; it is not a time.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_COSTMODEL_FPGACOST_H
#define BACO_COSTMODEL_FPGACOST_H

#include "baco/Support/FpgaDevice.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace baco::target {

/// An innermost loop, whose iterations start one initiation interval after
/// another.
struct FpgaPipeline {
  mlir::Location location;
  int64_t trips = 0;
  /// Cycles of one iteration.
  int64_t depth = 0;
  /// The least intervals in cycles, each at least 1, by dependences between
  /// iterations, ports of memories on the chip, and transfers to memory off the
  /// chip.
  int64_t byRecurrence = 1, byPorts = 1, byTransfers = 1;

  int64_t interval() const {
    return std::max({byRecurrence, byPorts, byTransfers});
  }
  /// From the first iteration to the end of the last one.
  double cycles() const {
    return trips == 0 ? 0
                      : static_cast<double>(depth) +
                            static_cast<double>(interval()) *
                                static_cast<double>(trips - 1);
  }
};

/// The design of a function. Of one that is far from fitting its device, cycles
/// aren't known, and needs are the least.
struct FpgaDesign {
  /// A call takes so many, at least 1.
  std::optional<double> cycles;
  FpgaResources needs;
  /// In the order of the program.
  std::vector<FpgaPipeline> pipelines;
};

/// The design of `function` on `device`, which it may not fit
/// (FpgaDevice::whyNotFits). Arguments are memory off the chip, allocations
/// and constants are on it. Fails with an error at the op that can't be in a
/// design: nothing but loops of affine.for with constant numbers of
/// iterations, affine.if and scf.if, accesses to memrefs of static shapes, and
/// arithmetic on numbers can.
mlir::FailureOr<FpgaDesign> estimateDesign(mlir::func::FuncOp function,
                                           const FpgaDevice &device);

} // namespace baco::target

#endif // BACO_COSTMODEL_FPGACOST_H
