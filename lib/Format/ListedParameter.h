//===- ListedParameter.h - Parameters given by lists ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Other tuners describe a parameter by the list of its values.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FORMAT_LISTEDPARAMETER_H
#define BACO_LIB_FORMAT_LISTEDPARAMETER_H

#include "baco/Space/Parameter.h"

namespace baco {

/// The parameter that has these values: an ordinal of numbers, which needn't be
/// in order, a boolean, or else a categorical. Its default is the first value.
Result<Parameter> parameterOf(const std::string &name,
                              std::vector<ParameterValue> values,
                              bool isLog = false);

/// The permutation parameter whose orders are listed as strings (Python.h).
/// InvalidArgument if they aren't all orders of as many elements.
Result<Parameter> permutationOf(const std::string &name,
                                const std::vector<ParameterValue> &values,
                                PermutationMetric metric);

/// The value of the parameter that another tool writes as `value`: 0 and 1 may
/// be truth values, and strings orders. `value` itself if there is none.
ParameterValue valueOf(const Parameter &parameter, ParameterValue value);

} // namespace baco

#endif // BACO_LIB_FORMAT_LISTEDPARAMETER_H
