//===- PlainTimes.h - Which machine is off ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Machines of a class are compared by the time of the plain kernel, which each
// has measured in its set-up.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_CLUSTER_PLAINTIMES_H
#define BACO_LIB_CLUSTER_PLAINTIMES_H

#include <string>
#include <utility>
#include <vector>

namespace baco::cluster {

/// A line for each worker whose time, in nanoseconds, is off the median of all.
std::vector<std::string>
describePlainTimes(const std::vector<std::pair<std::string, double>> &times);

} // namespace baco::cluster

#endif // BACO_LIB_CLUSTER_PLAINTIMES_H
