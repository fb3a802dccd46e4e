//===- Validation.h - Checks of stored trials -------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one check of trials read from a file: a database or an export.
//===----------------------------------------------------------------------===//

#ifndef BACO_DATABASE_VALIDATION_H
#define BACO_DATABASE_VALIDATION_H

#include "baco/Database/Trial.h"

#include <string>

namespace baco::database {

/// Whether a journal takes `ns` for the time of a candidate.
bool isTime(double ns);

/// Checks the numbers of an outcome: the time of an ok trial is one that a
/// kernel can take, others are finite and not negative (or NaN where they
/// aren't known). Returns an error message, or an empty text. The time of a
/// trial that isn't ok has no meaning and isn't looked at.
std::string findMistake(const Outcome &outcome);

/// The same for the configuration, whose values must be of the kinds that
/// parameters can have, and for the outcome if there is one.
std::string findMistake(const Trial &trial);

/// A number of samples; -1, which findMistake refuses, if it is out of range.
int toSampleCount(double samples);

} // namespace baco::database

#endif // BACO_DATABASE_VALIDATION_H
