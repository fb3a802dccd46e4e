//===- Lookup.h - The entry for a function ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_APPLY_LOOKUP_H
#define BACO_APPLY_LOOKUP_H

#include "baco/Apply/Library.h"

namespace baco::apply {

/// An entry, or why there is none.
struct LookupResult {
  /// Null if no entry may be used.
  const StoredEntry *entry = nullptr;
  /// The library that has the entry; null without an entry.
  const Library *library = nullptr;
  /// The problem and its remedy; empty if there is an entry.
  std::string problem;
  /// Whether the function has an entry, but for another schedule, machine or
  /// version, or several that fit equally well.
  bool isUnfit = false;
  /// The entry of an earlier version of the function, if that is the problem;
  /// else null.
  const Entry *changed = nullptr;
};

/// The libraries that are asked, the first one first.
class Lookup {
public:
  /// Opens `files`. Fails with a diagnostic.
  static mlir::FailureOr<Lookup> open(llvm::ArrayRef<std::string> files,
                                      Machine machine, mlir::Location location);

  /// Finds the entry of the function in the first library that has one: for
  /// this machine, or else for a similar one. If the module has a schedule for
  /// the function, the entry must be tuned from that schedule. Fails with a
  /// diagnostic if a library can't be read.
  mlir::FailureOr<LookupResult> find(const FunctionKey &key,
                                     bool isAsWritten) const;

  /// A line for each library and each of its entries for the function: whether
  /// it is `used`, and if not, what would have made it fit.
  mlir::FailureOr<std::vector<std::string>>
  explainAll(const FunctionKey &key, const StoredEntry *used) const;

  /// The shapes that a dynamic function was tuned for; empty if it wasn't. If
  /// no entry fits, `problem` says why, and the shapes are those of an entry of
  /// other versions or for another machine, if there is one.
  mlir::FailureOr<std::vector<frontend::RequestedShape>>
  findShapes(const FunctionKey &key, std::string &problem) const;

  /// Adds the shapes that the dynamic functions of `module` were tuned for to
  /// `shapes`, behind those that are there. Tells `onProblem` of
  /// others whose entries are stale or for other machines; if it is null, adds
  /// the shapes of these, which are to be tuned.
  mlir::LogicalResult
  addShapes(mlir::ModuleOp module, frontend::RequestedShapes &shapes,
            llvm::function_ref<void(mlir::func::FuncOp, llvm::StringRef)>
                onProblem) const;

  /// Whether there are entries of functions as they are written.
  bool hasAsWritten() const;

private:
  explicit Lookup(Machine machine) : machine(std::move(machine)) {}

  /// Whether an entry was made by these versions, for a machine like this one.
  bool fits(const Entry &entry) const;
  std::string explain(const FunctionKey &key, const Entry &unfit,
                      const Library &library) const;
  mlir::FailureOr<LookupResult> explainMissing(const FunctionKey &key) const;
  std::string describe(const Entry &entry, const FunctionKey &key,
                       const StoredEntry *used) const;

  std::vector<std::unique_ptr<Library>> libraries;
  Machine machine;
};

} // namespace baco::apply

#endif // BACO_APPLY_LOOKUP_H
