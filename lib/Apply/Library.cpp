//===- Library.cpp - Schedules of tuned functions -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Entries can be parsed by themselves. A file that somebody has printed in
// another way than joinLibrary is brought into this form first.
//
//===----------------------------------------------------------------------===//

#include "baco/Apply/Library.h"

#include "EntrySource.h"
#include "baco/Analysis/Fingerprint.h"
#include "baco/IR/BacoDialect.h"

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace baco;
using namespace baco::apply;
using transform::NamedSequenceOp;

Library::Library(std::string path, Location location)
    : path(std::move(path)), location(location) {}

Library::~Library() = default;

/// Removes what `first` doesn't need: the next sequences may be of others.
static void keepReachable(ModuleOp module, StringAttr first) {
  llvm::SetVector<StringAttr> kept = findReachable(module, first);
  for (auto sequence :
       llvm::make_early_inc_range(module.getOps<NamedSequenceOp>()))
    if (!kept.contains(sequence.getSymNameAttr()))
      sequence->erase();
}

/// The sequence that `text`, at that line of the file, begins with, and what it
/// includes; null if `text` isn't valid by itself.
OwningOpRef<ModuleOp> Library::parse(StringRef text, size_t line) const {
  ScopedDiagnosticHandler quiet(location.getContext(),
                                [](Diagnostic &) { return success(); });
  // The sequences that follow may refer to others.
  ParserConfig config(location.getContext(), /*verifyAfterParse=*/false);
  // Messages have places in the file.
  std::string module(line > 2 ? line - 2 : 0, '\n');
  module +=
      ("module attributes {transform.with_named_sequence} {\n" + text + "\n}\n")
          .str();
  OwningOpRef<ModuleOp> parsed =
      parseSourceString<ModuleOp>(module, config, path);
  if (!parsed || parsed->getOps<NamedSequenceOp>().empty())
    return {};
  keepReachable(*parsed,
                (*parsed->getOps<NamedSequenceOp>().begin()).getSymNameAttr());
  return succeeded(verify(*parsed)) ? std::move(parsed)
                                    : OwningOpRef<ModuleOp>();
}

/// Says what is wrong with the fields of an entry.
static InFlightDiagnostic failWith(llvm::Error problem, StringRef sequence,
                                   Location location) {
  return emitError(location) << "'baco.entry' of '@" << sequence
                             << "': " << toString(std::move(problem));
}

/// Makes what the database says a diagnostic.
template <typename T>
FailureOr<T> Library::check(Result<T> result) const {
  if (result)
    return std::move(*result);
  return emitError(location) << "library: " << result.error().message;
}

/// The line of the first mark of a merge conflict, from 1.
static std::optional<unsigned> findConflict(StringRef text) {
  for (unsigned line = 1; !text.empty(); ++line) {
    auto [first, rest] = text.split('\n');
    if (first.starts_with("<<<<<<< ") || first.starts_with(">>>>>>> "))
      return line;
    text = rest;
  }
  return std::nullopt;
}

/// A library as splitLibrary reads it, of a buffer that somebody else may have
/// printed.
static FailureOr<std::string> reprintLibrary(const llvm::MemoryBuffer &buffer,
                                             MLIRContext *context) {
  auto fail = [&](unsigned line, const Twine &what) {
    return emitError(FileLineColLoc::get(context, buffer.getBufferIdentifier(),
                                         line, 1))
           << what;
  };
  if (std::optional<unsigned> line = findConflict(buffer.getBuffer()))
    return fail(*line, "the library has a merge conflict: keep the entries of "
                       "one side, or of both where they are for different "
                       "functions or machines");
  // The parser would say what it misses in some other file.
  if (!buffer.getBufferIdentifier().ends_with(".mlir") &&
      !buffer.getBuffer().contains(BacoDialect::kEntry) &&
      !buffer.getBuffer().contains(
          transform::TransformDialect::kWithNamedSequenceAttrName))
    return fail(1, "neither a database nor a tuned library");
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(buffer.getMemBufferRef()), SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, context);
  if (!module)
    return failure();
  for (auto sequence : module->getOps<NamedSequenceOp>())
    if (Attribute fields = sequence->getAttr(BacoDialect::kEntry))
      if (llvm::Expected<Entry> entry = Entry::read(fields); !entry)
        return failWith(entry.takeError(), sequence.getSymName(),
                        sequence.getLoc());
  for (auto inner : module->getOps<ModuleOp>())
    if (llvm::any_of(inner.getOps<NamedSequenceOp>(), [](Operation *sequence) {
          return sequence->hasAttr(BacoDialect::kEntry);
        }))
      return emitError(inner.getLoc())
             << "the library has entries in a module of its own: put all "
                "entries into one module, or name several files, as in "
                "'library=a.mlir,b.mlir'";
  std::string text = printLibrary(*module);
  // That of a file without anything to tune.
  bool isEmpty = module->getBody()->empty() &&
                 (*module)->hasAttr(
                     transform::TransformDialect::kWithNamedSequenceAttrName);
  if (!isEmpty && findEntries(text).empty())
    return fail(1, "not a tuned library: no transform.named_sequence has a "
                   "'baco.entry'");
  return text;
}

FailureOr<std::vector<EntryText>> apply::readLibrary(const std::string &file,
                                                     Location location) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(file, &message);
  if (!buffer)
    return emitError(location) << "library: " << message;
  FailureOr<std::string> text = reprintLibrary(*buffer, location.getContext());
  if (failed(text))
    return failure();
  return splitLibrary(*text);
}

/// Parses the whole file.
LogicalResult Library::reprint() {
  isPrinted = true;
  FailureOr<std::string> text = reprintLibrary(*buffer, location.getContext());
  if (failed(text))
    return failure();
  printed = std::move(*text);
  source = readEntries(printed, /*mayBeEmpty=*/true);
  return success();
}

LogicalResult Library::openSource() {
  // SQLite takes an empty file for a database.
  uint64_t size = 0;
  bool isEmpty = !llvm::sys::fs::file_size(path, size) && size == 0;
  if (!isEmpty && isDatabase(path)) {
    FailureOr<std::unique_ptr<EntrySource>> opened = check(openEntries(path));
    if (failed(opened))
      return failure();
    isPrinted = true;
    source = std::move(*opened);
    return success();
  }
  std::string message;
  buffer = openInputFile(path, &message);
  if (!buffer)
    return emitError(location) << "library: " << message;
  source = readEntries(buffer->getBuffer());
  return source ? success() : reprint();
}

FailureOr<std::unique_ptr<Library>> Library::open(const std::string &file,
                                                  Location location) {
  std::unique_ptr<Library> library(new Library(file, location));
  if (failed(library->openSource()))
    return failure();
  FailureOr<bool> some = library->check(library->source->hasAsWritten());
  if (failed(some))
    return failure();
  library->someAsWritten = *some;
  return library;
}

/// Null if the text can't be read by itself.
FailureOr<const StoredEntry *> Library::load(const EntryText &text) {
  if (auto known = parts.find(text.name); known != parts.end())
    return &known->second->stored;
  OwningOpRef<ModuleOp> module = parse(withoutMatchers(text), text.line);
  if (!module)
    return nullptr;
  auto sequence = *module->getOps<NamedSequenceOp>().begin();
  llvm::Expected<Entry> entry =
      Entry::read(sequence->getAttr(BacoDialect::kEntry));
  if (!entry)
    return failWith(
        entry.takeError(), sequence.getSymName(),
        FileLineColLoc::get(location.getContext(), path, text.line, 3));
  auto part = std::make_unique<Part>(
      Part{{std::move(*entry), *module, sequence.getSymName().str()},
           std::move(module)});
  return &(parts[text.name] = std::move(part))->stored;
}

FailureOr<std::vector<const StoredEntry *>>
Library::withFingerprint(StringRef fingerprint) {
  FailureOr<std::vector<EntryText>> texts =
      check(source->withFingerprint(fingerprint));
  if (failed(texts))
    return failure();
  std::vector<const StoredEntry *> found;
  for (const EntryText &text : *texts) {
    FailureOr<const StoredEntry *> stored = load(text);
    if (failed(stored))
      return failure();
    if (*stored) {
      found.push_back(*stored);
      continue;
    }
    // It refers to something else in the file, such as an alias.
    if (isPrinted)
      return emitError(FileLineColLoc::get(location.getContext(), path, 1, 1))
             << "an entry can't be read by itself";
    if (failed(reprint()))
      return failure();
    return withFingerprint(fingerprint);
  }
  return found;
}

FailureOr<const Entry *> Library::relatedTo(const FunctionKey &key) {
  FailureOr<std::optional<EntryText>> text =
      check(source->like(key.name, key.structure));
  if (failed(text))
    return failure();
  if (!*text)
    return nullptr;
  FailureOr<const StoredEntry *> stored = load(**text);
  if (failed(stored))
    return failure();
  return *stored ? &(*stored)->entry : nullptr;
}
