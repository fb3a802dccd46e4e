//===- Sequences.cpp - Several schedules in one library -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Apply/Sequences.h"

#include "baco/Analysis/Fingerprint.h"
#include "baco/Schedule/ExtractSpace.h"

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace baco;
using transform::NamedSequenceOp;

OwningOpRef<ModuleOp> apply::emptyLibrary(MLIRContext *context) {
  // Nothing may have loaded it where no function has a schedule.
  context->getOrLoadDialect<transform::TransformDialect>();
  OwningOpRef<ModuleOp> library = ModuleOp::create(UnknownLoc::get(context));
  (*library)->setAttr(transform::TransformDialect::kWithNamedSequenceAttrName,
                      UnitAttr::get(context));
  return library;
}

NamedSequenceOp apply::addNothing(StringRef name, ModuleOp library) {
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

NamedSequenceOp apply::addToLibrary(ModuleOp schedule, StringRef prefix,
                                    ModuleOp library) {
  NamedSequenceOp first;
  for (auto sequence :
       llvm::make_early_inc_range(schedule.getOps<NamedSequenceOp>())) {
    bool isFirst = sequence.getSymName() == schedule::defaultSequence;
    std::string name =
        isFirst ? prefix.str() : (prefix + "." + sequence.getSymName()).str();
    // The schedule holds nothing but sequences: the replacement can't fail.
    (void)SymbolTable::replaceAllSymbolUses(
        sequence.getSymNameAttr(), StringAttr::get(schedule.getContext(), name),
        schedule);
    sequence.setSymName(name);
    if (isFirst)
      first = sequence;
  }
  library.getBody()->getOperations().splice(
      library.getBody()->end(), schedule.getBody()->getOperations());
  return first;
}

OwningOpRef<ModuleOp> apply::copyFor(ModuleOp library, StringRef name,
                                     StringRef from, StringRef to) {
  OwningOpRef<ModuleOp> copy = emptyLibrary(library.getContext());
  for (StringAttr symbol :
       findReachable(library, StringAttr::get(library.getContext(), name)))
    copy->push_back(library.lookupSymbol(symbol)->clone());
  renameFunction(*copy, from, to);
  return copy;
}
