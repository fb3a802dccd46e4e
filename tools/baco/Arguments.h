//===- Arguments.h - Words of a command line --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arguments of the subcommands of `baco`: names of files, and options as
// --NAME=VALUE. LLVM's command line library is above the MLIR line.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_BACO_ARGUMENTS_H
#define BACO_TOOLS_BACO_ARGUMENTS_H

#include "baco/Support/Complaint.h"
#include "baco/Support/ExitCode.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace baco::tool {

/// InvalidArgument: the option, and what is wrong with it.
Error wrongOption(std::string_view option, const std::string &what);

/// An option whose value isn't as it must be ends the command.
class Arguments {
public:
  /// InvalidArgument for an option that isn't among `known`, is given twice, or
  /// has a value where none belongs, or none where one does. Arguments after
  /// `--` are no options.
  ///
  /// \param known  names, separated by spaces: `flag`, `needsValue=` and
  ///               `mayHaveValue[=]`
  static Result<Arguments> parse(std::span<const std::string_view> words,
                                 std::string_view known);

  const std::vector<std::string> &positional() const { return names; }
  bool has(std::string_view option) const { return options.contains(option); }
  /// Empty if it isn't given.
  std::string get(std::string_view option) const;
  /// A whole number from `least` to `most`; nullopt if it isn't given.
  std::optional<uint64_t> number(std::string_view option, uint64_t least,
                                 uint64_t most = UINT64_MAX) const;
  /// A number of at least 0; nullopt if it isn't given.
  std::optional<double> real(std::string_view option) const;
  /// One of `choices`, the first if it isn't given.
  std::string oneOf(std::string_view option,
                    std::span<const std::string_view> choices) const;

private:
  std::vector<std::string> names;
  std::map<std::string, std::string, std::less<>> options;
};

} // namespace baco::tool

#endif // BACO_TOOLS_BACO_ARGUMENTS_H
