//===- WorkDetails.h - A kernel's work and its bound ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DRIVER_WORKDETAILS_H
#define BACO_LIB_DRIVER_WORKDETAILS_H

#include "baco/Database/KernelDetails.h"
#include "baco/Finals/FinalComparison.h"
#include "baco/Protocol/Candidate.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace baco::driver {

/// The details of a kernel whose finalists were compared; without its calls.
///
/// \param flops     of an execution of `function`; may be unknown
/// \param finals    their code and the rates that were measured beside them
/// \param defaultTrial  the trial of the default, if it works
database::KernelDetails detailsOf(mlir::func::FuncOp function,
                                  const runtime::Signature &signature,
                                  std::optional<double> flops,
                                  const finals::FinalComparisonResult &finals,
                                  std::optional<uint64_t> defaultTrial);

} // namespace baco::driver

#endif // BACO_LIB_DRIVER_WORKDETAILS_H
