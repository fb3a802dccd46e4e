//===- MeasuredGpus.h - The GPUs of this machine that measure ---*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The value of the option `gpus`. Times of different models can't be compared,
// so that all GPUs of a study are of one.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DRIVER_MEASUREDGPUS_H
#define BACO_DRIVER_MEASUREDGPUS_H

#include "baco/Device/CudaDriver.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace baco::driver {

/// Selects the devices of `gpus` that `text` lists, in its order: `all`, or
/// numbers separated by commas. InvalidArgument if `text` has another form,
/// repeats a number or names a GPU that doesn't exist, or if the models differ.
Result<std::vector<runtime::CudaDeviceFacts>>
selectGpus(llvm::ArrayRef<runtime::CudaDeviceFacts> gpus, llvm::StringRef text);

/// The same for the GPUs that NVIDIA's driver has, which must be of the chip
/// `chip`: Unsupported, with the right target, if they aren't. The driver's
/// errors say what works without a GPU.
Result<std::vector<runtime::CudaDeviceFacts>> findGpus(llvm::StringRef chip,
                                                       llvm::StringRef text);

} // namespace baco::driver

#endif // BACO_DRIVER_MEASUREDGPUS_H
