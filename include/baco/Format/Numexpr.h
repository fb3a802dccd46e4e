//===- Numexpr.h - Constraints of other tools' files ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference implementation of BaCO writes constraints for the Python
// library numexpr, and T1 files have conditions in Python itself. This file
// translates both into baco's expressions; Python.h has the way back.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_FORMAT_NUMEXPR_H
#define BACO_FORMAT_NUMEXPR_H

#include "baco/Expression/Expression.h"
#include "baco/Space/Parameter.h"

namespace baco {

/// Translates a numexpr string that reads some of `parameters`.
///
/// Precedence is Python's: `&`, `|` and `~` (and, or, not) bind tighter than
/// comparisons, `**` tightest. For a permutation p, `p_k` is the element at
/// position k and `p_ik` the position of element k. A categorical stands for
/// the index of its value, or is compared with a string. `**` takes a constant
/// whole exponent, or a base of 2.
///
/// Two differences remain where numexpr has none of our failures
/// (docs/Expressions.md): a division by zero fails instead of giving infinity,
/// and `%` of a negative number has the sign of the divisor.
///
/// Errors, with the column: InvalidArgument for what isn't numexpr, reads an
/// unknown name, or chains comparisons; Unsupported for functions and for
/// arithmetic on truth values or bits.
Result<Expression> parseNumexpr(std::string_view text,
                                const std::vector<Parameter> &parameters);

/// Translates a condition in Python that reads some of `parameters`: `and`,
/// `or`, `not`, chains of comparisons, `in` and `not in` with a list, the
/// arithmetic operators, `abs`, `min` and `max`; `&` and `|` as above. A
/// number that stands as a condition is compared with 0, and True and False are
/// 1 and 0 beside numbers. A permutation p is the string of Python.h, of which
/// may be read: `int(p[0])`, `p.index('0')`, and comparisons with strings.
///
/// Errors: as those of parseNumexpr.
Result<Expression> parsePython(std::string_view text,
                               const std::vector<Parameter> &parameters);
/// The same for any value, such as a number.
Result<Expression> parsePythonValue(std::string_view text,
                                    const std::vector<Parameter> &parameters);

} // namespace baco

#endif // BACO_FORMAT_NUMEXPR_H
