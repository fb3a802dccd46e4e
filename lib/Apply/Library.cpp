//===- Library.cpp - Schedules of tuned functions --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// printLibrary writes entries that can be parsed by themselves. A file that
// somebody has printed in another way is brought into this form first.
//
//===----------------------------------------------------------------------===//

#include "baco/Apply/Library.h"

#include "baco/IR/BacoDialect.h"
#include "baco/IR/Fingerprint.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/SourceMgr.h"

#include <cstring>

using namespace mlir;
using namespace baco;
using namespace baco::apply;
using transform::NamedSequenceOp;

/// How each sequence begins.
static constexpr StringLiteral kBegin = "\n  transform.named_sequence @";

/// Where `wanted` is in `text` from `from` on, or npos. Faster than
/// StringRef::find, which matters for files of many megabytes.
static size_t findText(StringRef text, StringRef wanted, size_t from) {
  const void *found = memmem(text.data() + from, text.size() - from,
                             wanted.data(), wanted.size());
  return found ? static_cast<const char *>(found) - text.data()
               : StringRef::npos;
}

/// What follows `name = "` in `head`, up to the next quote.
static StringRef fieldOf(StringRef head, StringRef name) {
  std::string start = (name + " = \"").str();
  size_t at = findText(head, start, 0);
  if (at == StringRef::npos)
    return {};
  head = head.drop_front(at + start.size());
  return head.take_front(findText(head, "\"", 0));
}

StringRef Library::Part::head() const {
  return text.take_front(findText(text, "\n", 0));
}

/// Finds the entries; a sequence without one belongs to that before it.
void Library::split() {
  StringRef all = buffer->getBuffer();
  parts.clear();
  byFingerprint.clear();
  someAsWritten = false;
  // The file may begin with a sequence.
  size_t next = findText(all, kBegin, 0);
  while (next != StringRef::npos) {
    size_t begin = next + 1;
    next = findText(all, kBegin, begin);
    Part part{all.slice(begin, next)};
    StringRef head = part.head();
    if (size_t at = findText(head, BacoDialect::kEntry, 0);
        at != StringRef::npos) {
      head = head.drop_front(at + BacoDialect::kEntry.size());
      byFingerprint[fieldOf(head, "fingerprint")].push_back(parts.size());
      // The fields are in the order of their names.
      someAsWritten |= head.starts_with(" = {as_written,");
      parts.push_back(std::move(part));
    } else if (!parts.empty()) {
      StringRef &before = parts.back().text;
      before = StringRef(before.data(), part.text.end() - before.data());
    }
  }
  // The end of the module.
  if (!parts.empty())
    parts.back().text = parts.back().text.rtrim();
  if (!parts.empty())
    parts.back().text.consume_back("\n}");
}

/// Removes what `first` doesn't need: the next sequences may be of others.
static void keepReachable(ModuleOp module, StringAttr first) {
  llvm::SetVector<StringAttr> kept = findReachable(module, first);
  for (auto sequence :
       llvm::make_early_inc_range(module.getOps<NamedSequenceOp>()))
    if (!kept.contains(sequence.getSymNameAttr()))
      sequence->erase();
}

/// The sequence that `text` begins with, and what it includes; null if `text`
/// isn't valid by itself.
OwningOpRef<ModuleOp> Library::parse(StringRef text) const {
  ScopedDiagnosticHandler quiet(context,
                                [](Diagnostic &) { return success(); });
  // The sequences that follow may refer to others.
  ParserConfig config(context, /*verifyAfterParse=*/false);
  std::string module =
      ("module attributes {transform.with_named_sequence} {\n" + text + "\n}\n")
          .str();
  OwningOpRef<ModuleOp> parsed = parseSourceString<ModuleOp>(module, config);
  if (!parsed || parsed->getOps<NamedSequenceOp>().empty())
    return {};
  keepReachable(*parsed,
                (*parsed->getOps<NamedSequenceOp>().begin()).getSymNameAttr());
  return succeeded(verify(*parsed)) ? std::move(parsed)
                                    : OwningOpRef<ModuleOp>();
}

/// Parses the whole file, and prints it as this class reads it.
LogicalResult Library::reprint() {
  isPrinted = true;
  earlier = std::move(parts);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(buffer->getMemBufferRef()), SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, context);
  if (!module)
    return failure();
  buffer = llvm::MemoryBuffer::getMemBufferCopy("\n" + printLibrary(*module));
  split();
  if (!parts.empty())
    return success();
  return module->emitError("not a tuned library: no transform.named_sequence "
                           "has a 'baco.entry'");
}

FailureOr<std::unique_ptr<Library>> Library::open(const std::string &file,
                                                  Location location) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(file, &message);
  if (!buffer)
    return emitError(location) << "library: " << message;
  std::unique_ptr<Library> library(
      new Library(file, std::move(buffer), location.getContext()));
  library->split();
  if (library->parts.empty() && failed(library->reprint()))
    return failure();
  return library;
}

FailureOr<const StoredEntry *> Library::load(size_t index) {
  Part &part = parts[index];
  if (part.module)
    return &part.stored;
  part.module = parse(part.text);
  if (!part.module)
    return nullptr;
  auto sequence = *part.module->getOps<NamedSequenceOp>().begin();
  llvm::Expected<Entry> entry =
      Entry::read(sequence->getAttr(BacoDialect::kEntry));
  if (!entry) {
    StringRef before(buffer->getBufferStart(),
                     part.text.data() - buffer->getBufferStart());
    return emitError(
               FileLineColLoc::get(context, path, 1 + before.count('\n'), 3))
           << "'baco.entry' of '@" << sequence.getSymName()
           << "': " << toString(entry.takeError());
  }
  part.stored = {std::move(*entry), *part.module, sequence.getSymName().str()};
  return &part.stored;
}

FailureOr<std::vector<const StoredEntry *>>
Library::withFingerprint(StringRef fingerprint) {
  std::vector<const StoredEntry *> found;
  for (size_t i : byFingerprint.lookup(fingerprint)) {
    FailureOr<const StoredEntry *> stored = load(i);
    if (failed(stored))
      return failure();
    if (*stored) {
      found.push_back(*stored);
      continue;
    }
    // It refers to something else in the file, such as an alias.
    if (isPrinted)
      return emitError(FileLineColLoc::get(context, path, 1, 1))
             << "an entry can't be read by itself";
    if (failed(reprint()))
      return failure();
    return withFingerprint(fingerprint);
  }
  return found;
}

FailureOr<const Entry *> Library::relatedTo(const FunctionKey &key) {
  const Part *related = nullptr;
  for (const Part &part : parts) {
    StringRef head = part.head();
    if (fieldOf(head, "function") == key.name) {
      related = &part;
      break;
    }
    if (!related && fieldOf(head, "structure") == key.structure)
      related = &part;
  }
  if (!related)
    return nullptr;
  FailureOr<const StoredEntry *> stored = load(related - parts.data());
  if (failed(stored))
    return failure();
  return *stored ? &(*stored)->entry : nullptr;
}
