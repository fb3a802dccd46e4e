//===- ConfigurationFormat.h - Values to configurations ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FORMAT_CONFIGURATIONFORMAT_H
#define BACO_LIB_FORMAT_CONFIGURATIONFORMAT_H

#include "baco/Space/Space.h"

#include <optional>

namespace baco {

/// The configuration of these values, one per parameter, in the parameters' own
/// types. Errors: InvalidArgument, naming the parameter without a value or with
/// one that isn't its own.
Result<Configuration>
completeConfiguration(const Space &space,
                      std::vector<std::optional<ParameterValue>> values);

} // namespace baco

#endif // BACO_LIB_FORMAT_CONFIGURATIONFORMAT_H
