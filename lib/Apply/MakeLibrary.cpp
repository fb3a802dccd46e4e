//===- MakeLibrary.cpp - Write schedules of tuned functions ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StructuredMatcher.h"
#include "baco/Apply/Library.h"
#include "baco/Apply/Sequences.h"
#include "baco/IR/BacoDialect.h"
#include "baco/Schedule/ExtractSpace.h"
#include "baco/Support/ContentHash.h"
#include "baco/TransformOps/BacoTransformOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace baco;
using namespace baco::apply;
using transform::NamedSequenceOp;

/// A name that tells entries apart wherever they come together: those of one
/// function for one machine have the same.
static std::string nameOf(const Entry &entry) {
  ContentHash hash;
  const Machine &machine = entry.machine;
  for (StringRef part :
       {StringRef(entry.key.fingerprint), StringRef(machine.cpu),
        StringRef(machine.isa), StringRef(machine.host), StringRef(machine.gpu),
        StringRef(entry.isAsWritten ? "as written" : "")}) {
    hash.add(part);
    hash.add("\n");
  }
  constexpr size_t numDigits = 8;
  return "tuned." + entry.key.name + "." + hash.digits().substr(0, numDigits);
}

std::vector<EntryText> apply::makeEntries(MLIRContext *context,
                                          ArrayRef<NewEntry> entries) {
  Builder builder(context);
  OwningOpRef<ModuleOp> library = emptyLibrary(context);
  std::vector<std::string> studies;
  for (const NewEntry &one : entries) {
    std::string name = nameOf(one.entry);
    // The same for the same module.
    if (library->lookupSymbol(name))
      continue;
    studies.push_back(one.study);
    NamedAttrList fields(one.entry.toAttribute(context));
    NamedSequenceOp sequence;
    if (one.schedule) {
      OwningOpRef<ModuleOp> copy = ModuleOp(one.schedule).clone();
      bool needsUs = needsBaco(*copy);
      // Included sequences follow, so that the entry can be read by itself.
      copy->lookupSymbol(schedule::defaultSequence)
          ->moveBefore(copy->getBody(), copy->getBody()->begin());
      sequence = addToLibrary(*copy, name, *library);
      if (!needsUs && takeFunction(sequence, one.entry.key.name, one.function))
        fields.set(kStock, builder.getStringAttr(matcherKindName(
                               addMatchers(sequence, one.function, *library))));
    } else {
      sequence = addNothing(name, *library);
    }
    sequence->setAttr(BacoDialect::kEntry, fields.getDictionary(context));
  }
  std::vector<EntryText> texts = splitLibrary(printLibrary(*library));
  assert(texts.size() == studies.size() && "printed entries can be found");
  for (auto [text, study] : llvm::zip_equal(texts, studies))
    text.study = study;
  return texts;
}

std::string apply::printLibrary(ModuleOp library) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  library.print(stream, OpPrintingFlags().useLocalScope());
  return text;
}
