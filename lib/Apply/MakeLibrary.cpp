//===- MakeLibrary.cpp - Write schedules of tuned functions ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StockMatch.h"
#include "baco/Apply/Library.h"
#include "baco/Apply/Sequences.h"
#include "baco/IR/BacoDialect.h"
#include "baco/Schedule/ExtractSpace.h"
#include "baco/TransformOps/BacoTransformOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace baco;
using namespace baco::apply;
using transform::NamedSequenceOp;

/// A sequence that changes nothing.
static NamedSequenceOp addNothing(StringRef name, ModuleOp library) {
  auto builder = OpBuilder::atBlockEnd(library.getBody());
  auto sequence = NamedSequenceOp::create(
      builder, library.getLoc(), name,
      transform::AnyOpType::get(library.getContext()), TypeRange(),
      [](OpBuilder &body, Location location, BlockArgument) {
        transform::YieldOp::create(body, location);
      });
  sequence.setArgAttr(0, transform::TransformDialect::kArgReadOnlyAttrName,
                      builder.getUnitAttr());
  return sequence;
}

OwningOpRef<ModuleOp> apply::makeLibrary(MLIRContext *context,
                                         ArrayRef<NewEntry> entries) {
  Builder builder(context);
  OwningOpRef<ModuleOp> library = emptyLibrary(context);
  StockMain main(*library);
  for (const NewEntry &one : entries) {
    std::string name = "tuned." + one.entry.key.name;
    while (library->lookupSymbol(name))
      name += "_";
    NamedAttrList fields(one.entry.toAttribute(context));
    NamedSequenceOp sequence;
    if (one.schedule) {
      OwningOpRef<ModuleOp> copy = ModuleOp(one.schedule).clone();
      bool needsUs = needsBaco(*copy);
      // What it includes follows, so that the entry can be read by itself.
      copy->lookupSymbol(schedule::defaultSequence)
          ->moveBefore(copy->getBody(), copy->getBody()->begin());
      sequence = addToLibrary(*copy, name, *library);
      StockMatch match =
          !needsUs && takeFunction(sequence, one.entry.key.name)
              ? main.add(sequence, one.function, one.entry.key.fingerprint)
              : StockMatch::None;
      if (match != StockMatch::None)
        fields.set(kStock, builder.getStringAttr(match == StockMatch::Structure
                                                     ? "structure"
                                                     : "fingerprint"));
    } else {
      sequence = addNothing(name, *library);
    }
    sequence->setAttr(BacoDialect::kEntry, fields.getDictionary(context));
  }
  main.finish();
  return library;
}

std::string apply::printLibrary(ModuleOp library) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  library.print(stream, OpPrintingFlags().useLocalScope());
  return text;
}
