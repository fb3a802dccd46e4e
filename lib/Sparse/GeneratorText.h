//===- GeneratorText.h - The text that describes a generator ----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "(KEY=VALUE, ...)": which keys there are, and their ranges, is a table.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SPARSE_GENERATORTEXT_H
#define BACO_LIB_SPARSE_GENERATORTEXT_H

#include "baco/Support/Result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baco::sparse {

struct GeneratorField {
  enum class Kind { Integer, Real, Extents };

  std::string name;
  Kind kind = Kind::Integer;
  /// Must be given if there is none.
  std::optional<double> usual = std::nullopt;
  double least = 0;
  double greatest = 0;
};

struct GeneratorForm {
  std::string name;
  /// And, in all, `seed`.
  std::vector<GeneratorField> fields;
};

class GeneratorText {
public:
  /// Fails if a field is unknown, given twice, missing or out of range.
  static Result<GeneratorText> parse(const GeneratorForm &form,
                                     std::string_view text);

  /// The value of a field of that kind, given or usual.
  int64_t integer(std::string_view name) const {
    return static_cast<int64_t>(number(name));
  }
  double number(std::string_view name) const;
  const std::vector<int64_t> &extents() const { return sizes; }

private:
  struct Given {
    std::string name;
    double value;
  };

  Result<void> set(const GeneratorField &field, std::string_view value);

  std::vector<Given> given;
  std::vector<int64_t> sizes;
};

} // namespace baco::sparse

#endif // BACO_LIB_SPARSE_GENERATORTEXT_H
