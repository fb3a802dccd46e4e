//===- Library.cpp - Schedules of tuned functions --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Apply/Library.h"

#include "baco/IR/BacoDialect.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace baco;
using namespace baco::apply;
using transform::NamedSequenceOp;

// Anchors the vtable.
Library::~Library() = default;

namespace {
/// All of a file, in memory.
class FileLibrary final : public Library {
public:
  FileLibrary(std::string path, OwningOpRef<ModuleOp> module)
      : Library(std::move(path)), module(std::move(module)) {}

  LogicalResult readEntries();

  FailureOr<std::vector<const StoredEntry *>>
  withFingerprint(StringRef fingerprint) override {
    std::vector<const StoredEntry *> found;
    for (size_t i : byFingerprint.lookup(fingerprint))
      found.push_back(&entries[i]);
    return found;
  }

  FailureOr<const Entry *> relatedTo(const FunctionKey &key) override {
    const Entry *related = nullptr;
    for (const StoredEntry &stored : entries) {
      const FunctionKey &other = stored.entry.key;
      if (other.name == key.name)
        return &stored.entry;
      if (!related && other.structure == key.structure)
        related = &stored.entry;
    }
    return related;
  }

  bool hasAsWritten() const override {
    return llvm::any_of(entries, [](const StoredEntry &stored) {
      return stored.entry.isAsWritten;
    });
  }

private:
  OwningOpRef<ModuleOp> module;
  std::vector<StoredEntry> entries;
  llvm::StringMap<SmallVector<size_t, 1>> byFingerprint;
};
} // namespace

LogicalResult FileLibrary::readEntries() {
  for (auto sequence : module->getOps<NamedSequenceOp>()) {
    Attribute attribute = sequence->getAttr(BacoDialect::kEntry);
    if (!attribute)
      continue;
    llvm::Expected<Entry> entry = Entry::read(attribute);
    if (!entry)
      return sequence.emitOpError()
             << "'baco.entry': " << toString(entry.takeError());
    byFingerprint[entry->key.fingerprint].push_back(entries.size());
    entries.push_back(
        {std::move(*entry), *module, sequence.getSymName().str()});
  }
  if (entries.empty())
    return module->emitError("not a tuned library: no transform.named_sequence "
                             "has a 'baco.entry'");
  return success();
}

FailureOr<std::unique_ptr<Library>> Library::open(const std::string &file,
                                                  Location location) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer =
      openInputFile(file, &message);
  if (!buffer)
    return emitError(location) << "library: " << message;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), SMLoc());
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(sources, location.getContext());
  if (!module)
    return failure();
  auto library = std::make_unique<FileLibrary>(file, std::move(module));
  if (failed(library->readEntries()))
    return failure();
  return std::unique_ptr<Library>(std::move(library));
}
