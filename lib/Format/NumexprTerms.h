//===- NumexprTerms.h - Parts of numexpr in our language --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Translates literals, names and operators of numexpr. Chains stay chains,
// which a space enumerates fastest.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FORMAT_NUMEXPRTERMS_H
#define BACO_LIB_FORMAT_NUMEXPRTERMS_H

#include "baco/Expression/Expression.h"
#include "baco/Expression/Lexer.h"
#include "baco/Space/Parameter.h"
#include "baco/Support/Complaint.h"

#include <optional>

namespace baco::numexpr {

enum class TermKind { Truth, Number, Text, Category, Order };

/// A translated part.
struct Term {
  Expression expression;
  TermKind kind;
  /// Category, Order: the parameter.
  const Parameter *parameter = nullptr;
  /// The value of a literal integer.
  std::optional<int64_t> integer = std::nullopt;
  /// The content of a literal string.
  std::string content = {};
};

/// Makes terms. Errors (InvalidArgument or Unsupported) end the translation,
/// and say what can't be translated, with the column.
class Terms {
public:
  /// The text, for errors, and the parameters outlive this.
  Terms(std::string_view text, const std::vector<Parameter> &parameters,
        expression::Syntax syntax)
      : text(text), parameters(parameters),
        isPython(syntax == expression::Syntax::Python) {}

  Term literal(const expression::Token &start) const;
  /// True, False, a parameter, or an element of one.
  Term name(const expression::Token &start) const;

  /// A term as a condition, as Python understands it: numbers that aren't 0.
  Term truth(const Term &term, uint32_t column) const;

  /// An operator at `column`; == and its like.
  Term compare(const Term &left, std::string_view symbol, const Term &right,
               uint32_t column) const;
  /// & or |.
  Term join(bool isOr, const Term &left, const Term &right,
            uint32_t column) const;
  /// + or *, and operators of their levels.
  Term combine(const Term &left, std::string_view symbol, const Term &right,
               uint32_t column) const;
  /// -, + or ~.
  Term prefix(std::string_view symbol, const Term &operand,
              uint32_t column) const;
  /// **.
  Term raise(const Term &base, const Term &exponent, uint32_t column) const;
  Term absolute(const Term &operand, uint32_t column) const;
  /// `function` is min or max.
  Term choose(std::string_view function, const std::vector<Term> &operands,
              uint32_t column) const;
  /// Whether the term is one of `elements`.
  Term member(const Term &term, const std::vector<Term> &elements,
              uint32_t column) const;
  /// The element of a permutation at a position, or the position of an element.
  Term ofOrder(std::string_view name, std::string_view index, bool isPosition,
               uint32_t column) const;

  [[noreturn]] void error(uint32_t column, const std::string &what) const {
    fail(expression::syntaxError(text, column, what));
  }
  [[noreturn]] void unsupported(uint32_t column,
                                const std::string &what) const {
    fail({ErrorCode::Unsupported,
          expression::syntaxError(text, column, what).message});
  }

private:
  /// That an operand of `symbol` is of the kind.
  void require(const Term &term, TermKind kind, uint32_t column,
               std::string_view symbol) const;
  Term compareCategory(const Parameter &parameter, std::string_view symbol,
                       int64_t index) const;
  Term permutationPart(const expression::Token &name) const;
  const Parameter *find(std::string_view name) const;
  /// The operands of a comparison in Python, where a truth value beside a
  /// number is one, and a string beside a permutation too.
  void unify(Term &left, Term &right, uint32_t column) const;
  [[noreturn]] void unknown(const expression::Token &name) const;

  std::string_view text;
  const std::vector<Parameter> &parameters;
  bool isPython;
};

} // namespace baco::numexpr

#endif // BACO_LIB_FORMAT_NUMEXPRTERMS_H
