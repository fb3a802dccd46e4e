//===- ChoiceText.h - Choices that people write -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_FORMAT_CHOICETEXT_H
#define BACO_FORMAT_CHOICETEXT_H

#include "baco/Space/ExplainChoice.h"

#include <string_view>

namespace baco {

/// Reads `NAME=VALUE,...`. Values are as in messages (`toString`); orders may
/// stand in brackets, too, and strings without quotes. InvalidArgument, naming
/// the parameters or values that there are.
Result<ChosenValues> readChoice(const Space &space, std::string_view text);

} // namespace baco

#endif // BACO_FORMAT_CHOICETEXT_H
