//===- ConversionTime.h - Time of format conversions ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DRIVER_CONVERSIONTIME_H
#define BACO_LIB_DRIVER_CONVERSIONTIME_H

#include "baco/Driver/Kernel.h"
#include "baco/Driver/TuneOptions.h"

#include <atomic>

namespace baco::driver {

/// The time of a call of `kernel` as the tuned module has it, in nanoseconds:
/// with `schedule`, and with the conversion of sparse tensors from the formats
/// of the original. No other worker may run. Nothing if it can't be measured.
std::optional<double> measureConvertingCall(const Kernel &kernel,
                                            mlir::ModuleOp schedule,
                                            const TuneOptions &options,
                                            const std::atomic<bool> *stop);

} // namespace baco::driver

#endif // BACO_LIB_DRIVER_CONVERSIONTIME_H
