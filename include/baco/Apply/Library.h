//===- Library.h - Schedules of tuned functions -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tuned library is a transform library whose named sequences have a
// `baco.entry`: a file of MLIR, or the table of entries in a database.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_APPLY_LIBRARY_H
#define BACO_APPLY_LIBRARY_H

#include "baco/Apply/Entry.h"
#include "baco/Format/LibraryText.h"
#include "baco/Support/Result.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <vector>

namespace baco::apply {

/// An entry with its schedule, which belongs to the library.
struct StoredEntry {
  Entry entry;
  mlir::ModuleOp schedule;
  /// The named sequence of `schedule` that is for the entry's function.
  std::string sequence;
};

class EntrySource;

/// Whether the file at `path` is a database: see database::isDatabase. Files
/// that are called `.mlir` are none.
bool isDatabase(const std::string &path);

/// Entries by what identifies their functions. Only those that are asked for
/// are parsed.
class Library {
public:
  /// Opens a file of MLIR or a database. Fails with a diagnostic, at `location`
  /// unless it is about a place in the file.
  static mlir::FailureOr<std::unique_ptr<Library>>
  open(const std::string &file, mlir::Location location);
  ~Library();

  /// The entries with a fingerprint, in their order. Fails with a diagnostic.
  mlir::FailureOr<std::vector<const StoredEntry *>>
  withFingerprint(llvm::StringRef fingerprint);

  /// An entry that may be of an earlier state of the function `key`: of that
  /// name, or else of that structure; null if there is none. Fails with a
  /// diagnostic.
  mlir::FailureOr<const Entry *> relatedTo(const FunctionKey &key);

  /// Whether there are entries of functions as they are written.
  bool hasAsWritten() const { return someAsWritten; }

  const std::string &file() const { return path; }

private:
  /// A parsed entry.
  struct Part {
    StoredEntry stored;
    mlir::OwningOpRef<mlir::ModuleOp> module;
  };

  Library(std::string path, mlir::Location location);

  mlir::LogicalResult openSource();
  mlir::LogicalResult reprint();
  template <typename T>
  mlir::FailureOr<T> check(Result<T> result) const;
  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text,
                                          size_t line) const;
  mlir::FailureOr<const StoredEntry *> load(const EntryText &text);

  std::string path;
  mlir::Location location;
  /// The file, and what `reprint` makes of it.
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  std::string printed;
  std::unique_ptr<EntrySource> source;
  /// By name.
  llvm::StringMap<std::unique_ptr<Part>> parts;
  bool someAsWritten = false;
  /// The text is as printLibrary writes it.
  bool isPrinted = false;
};

/// All entries of a file of MLIR. Fails with a diagnostic.
mlir::FailureOr<std::vector<EntryText>> readLibrary(const std::string &file,
                                                    mlir::Location location);

/// A function's data for writing its library entry.
struct NewEntry {
  Entry entry;
  /// With every choice resolved; null if there is none.
  mlir::ModuleOp schedule;
  /// The function as it was before the schedule was applied, for a matcher in
  /// the library; null: unknown.
  mlir::func::FuncOp function;
  /// See EntryText::study.
  std::string study;
};

/// The text of these entries. A schedule that needs no op of baco comes with
/// matchers by which a stock mlir-opt finds its functions, see docs/Apply.md.
std::vector<EntryText> makeEntries(mlir::MLIRContext *context,
                                   llvm::ArrayRef<NewEntry> entries);

/// The library as splitLibrary reads it: each entry by itself, so that files
/// can be compared and merged line by line.
std::string printLibrary(mlir::ModuleOp library);

} // namespace baco::apply

#endif // BACO_APPLY_LIBRARY_H
