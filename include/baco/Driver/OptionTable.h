//===- OptionTable.h - Options of driver and pass ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options that baco-tune-driver and --baco-autotune have in common, as
// TuneOptions.td defines them.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DRIVER_OPTIONTABLE_H
#define BACO_DRIVER_OPTIONTABLE_H

#include "baco/Driver/Kernel.h"
#include "baco/Driver/TuneOptions.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <variant>

namespace baco::driver {

/// The values of the options.
struct OptionValues {
  TuneOptions tuning;
  /// Without what other options say; see kernelOptions.
  KernelOptions kernels;
  /// In the syntax of schedule::HostInfo::parse.
  std::string host;
  /// See schedule::HostInfo::useThreads.
  int64_t threads = 1;
  /// Names of files, separated by commas.
  std::string sharedLibs;
  /// A percentage.
  std::string share = "100%";
  /// See globalopt::parseLayout.
  std::string layout = "auto";
  /// See globalopt::parseWinograd.
  std::string winograd = "off";
  /// See apply::parseInterface.
  std::string interface = "original";
  /// In the syntax of runtime::parseCaches.
  std::string caches = "hot";

  /// Completes `tuning` by what depends on several options, or is spelled
  /// otherwise there. InvalidArgument, naming the option.
  Result<void> complete(bool isBudgetGiven);

  /// `kernels` with the host, its threads, the limits of plans and whether
  /// there are libraries. With a runner, call TuneOptions::meetWorkers first.
  /// An Error starts with the option's name.
  llvm::Expected<KernelOptions> kernelOptions() const;
};

using OptionMember = std::variant<bool *, int *, unsigned *, int64_t *,
                                  uint64_t *, double *, std::string *>;

/// A row of the table.
struct TuneOption {
  llvm::StringLiteral argument;
  /// The placeholder after the `=` in the help text; empty for flags.
  llvm::StringLiteral valueName;
  /// With its default at the end.
  llvm::StringLiteral description;
  /// The heading under which the driver's --help lists it.
  llvm::StringLiteral group;
  /// The separator between the values of several occurrences; empty: the option
  /// may occur only once.
  llvm::StringLiteral separator;
  /// Finds the option's member; that of fresh `values` has the default.
  OptionMember (*member)(OptionValues &values);
};

/// All options, in the order of their names.
llvm::ArrayRef<TuneOption> tuneOptions();

} // namespace baco::driver

#endif // BACO_DRIVER_OPTIONTABLE_H
