//===- MeasureWinograd.h - Choose tiles by times ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DRIVER_MEASUREWINOGRAD_H
#define BACO_DRIVER_MEASUREWINOGRAD_H

#include "baco/Driver/Kernel.h"
#include "baco/Driver/TuneOptions.h"

#include <atomic>
#include <functional>

namespace baco::driver {

/// For KernelOptions::onWinograd: sets `winograd.tiles` to the tiles by which
/// convolutions of `module` are certainly faster under their default schedules,
/// of which each shape's are measured once. `kernels` and `tuning` are those of
/// the module. Trials are in a journal beside the one of `tuning`,
/// `NAME.winograd.db`, so that a run that resumes chooses the same. A remark at
/// the first convolution of a shape has times and errors. Shapes whose turn
/// comes when half of the time limit is over stay as they are, with a warning.
/// `announce` is told of each shape. Fails, with a diagnostic, where the
/// environment does.
mlir::LogicalResult
measureWinograd(mlir::ModuleOp module, const KernelOptions &kernels,
                const TuneOptions &tuning, const std::atomic<bool> *stop,
                const std::function<void(const std::string &)> &announce,
                globalopt::WinogradOptions &winograd);

} // namespace baco::driver

#endif // BACO_DRIVER_MEASUREWINOGRAD_H
