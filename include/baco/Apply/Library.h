//===- Library.h - Schedules of tuned functions ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tuned library is a transform library whose named sequences have a
// `baco.entry`. It can be read as a file of MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_APPLY_LIBRARY_H
#define BACO_APPLY_LIBRARY_H

#include "baco/Apply/Entry.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseMap.h"
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

/// Entries by what identifies their functions. Only those that are asked for
/// are parsed: the others cost a look at the text of their first line.
class Library {
public:
  /// Reads a file. Fails with a diagnostic, at `location` unless it is about a
  /// place in the file.
  static mlir::FailureOr<std::unique_ptr<Library>>
  open(const std::string &file, mlir::Location location);

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
  /// An entry in the text.
  struct Part {
    /// Its sequence, up to that of the next entry.
    llvm::StringRef text;
    StoredEntry stored = {};
    /// Null until it is asked for.
    mlir::OwningOpRef<mlir::ModuleOp> module = {};

    /// The line with the attribute.
    llvm::StringRef head() const;
  };

  Library(std::string path, std::unique_ptr<llvm::MemoryBuffer> buffer,
          mlir::MLIRContext *context)
      : path(std::move(path)), buffer(std::move(buffer)), context(context) {}

  void split();
  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text) const;
  mlir::LogicalResult reprint();
  mlir::FailureOr<const StoredEntry *> load(size_t part);

  std::string path;
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  mlir::MLIRContext *context;
  std::vector<Part> parts;
  /// Those of before `reprint`, whose schedules may be in use.
  std::vector<Part> earlier;
  llvm::DenseMap<llvm::StringRef, llvm::SmallVector<size_t, 1>> byFingerprint;
  bool someAsWritten = false;
  /// The text is as printLibrary writes it.
  bool isPrinted = false;
};

/// What is to be written of a function.
struct NewEntry {
  Entry entry;
  /// With every choice resolved; null if there is none.
  mlir::ModuleOp schedule;
  /// The function as it was before the schedule was applied, for a matcher in
  /// the library; null: unknown.
  mlir::func::FuncOp function;
};

/// The library of these entries. Where a schedule needs nothing of baco, the
/// library's `@__transform_main` applies it in a stock mlir-opt, see
/// docs/Apply.md.
mlir::OwningOpRef<mlir::ModuleOp> makeLibrary(mlir::MLIRContext *context,
                                              llvm::ArrayRef<NewEntry> entries);

/// The library as a file has it: each entry by itself, so that files can be
/// compared and merged line by line.
std::string printLibrary(mlir::ModuleOp library);

} // namespace baco::apply

#endif // BACO_APPLY_LIBRARY_H
