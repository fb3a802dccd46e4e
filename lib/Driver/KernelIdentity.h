//===- KernelIdentity.h - Whether two kernels are the same ------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names and locations in a kernel don't change its speed.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DRIVER_KERNELIDENTITY_H
#define BACO_LIB_DRIVER_KERNELIDENTITY_H

#include "baco/Driver/Kernel.h"

namespace baco::driver {

/// A kernel as text without the names of its symbols and values and without
/// locations: symbols are numbered in the order in which the function that runs
/// reaches them, and stand in that order.
struct KernelText {
  std::string payload, schedule;
  bool operator==(const KernelText &) const = default;
};

KernelText canonicalText(const Kernel &kernel);

} // namespace baco::driver

#endif // BACO_LIB_DRIVER_KERNELIDENTITY_H
