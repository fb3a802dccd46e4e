//===- EntrySource.h - Where the text of entries is -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file has its entries one after the other, and all of it is looked at once.
// In a database each is found by an index.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_APPLY_ENTRYSOURCE_H
#define BACO_LIB_APPLY_ENTRYSOURCE_H

#include "baco/Format/LibraryText.h"
#include "baco/Support/Result.h"

#include "llvm/ADT/StringRef.h"

#include <memory>
#include <optional>

namespace baco::apply {

class EntrySource {
public:
  virtual ~EntrySource();

  /// The entries with a fingerprint, in their order.
  virtual Result<std::vector<EntryText>>
  withFingerprint(llvm::StringRef fingerprint) = 0;
  /// An entry of a function of this name, or else of this structure.
  virtual Result<std::optional<EntryText>> like(llvm::StringRef function,
                                                llvm::StringRef structure) = 0;
  /// Whether there are entries of functions as they are written.
  virtual Result<bool> hasAsWritten() = 0;
};

/// The entries of a text as joinLibrary writes it, which must outlive them;
/// null if it has none, unless it `mayBeEmpty`.
std::unique_ptr<EntrySource> readEntries(llvm::StringRef text,
                                         bool mayBeEmpty = false);

/// The entries of the database at `path`.
Result<std::unique_ptr<EntrySource>> openEntries(const std::string &path);

} // namespace baco::apply

#endif // BACO_LIB_APPLY_ENTRYSOURCE_H
