//===- StockCheck.cpp - Does a stock mlir-opt make the same? --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StockCheck.h"

#include "MlirFiles.h"

#include "baco/Format/LibraryText.h"
#include "baco/IR/BacoDialect.h"
#include "baco/Target/Sparse/TunedModule.h"

#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <set>

using namespace mlir;
using namespace baco;
using namespace baco::benchmarks;

/// The ops that keep the schedules in the module in `file` from being stock.
static llvm::Expected<std::string> findOwnOps(StringRef file) {
  MLIRContext context(makeRegistry(), MLIRContext::Threading::DISABLED);
  auto module = readModule(context, file);
  if (!module)
    return module.takeError();
  std::set<std::string> names;
  (*module)->walk([&](Operation *op) {
    StringRef name = op->getName().getStringRef();
    if (name.starts_with("transform.baco."))
      names.insert(name.str());
  });
  return llvm::join(names, ", ");
}

/// The payload as a stock tool can read it; marked with fingerprints by
/// baco-opt, if it `isMarked`.
llvm::Expected<std::string>
StockCheck::writeStockPayload(const std::string &payload, bool isMarked) const {
  std::string plain = payload + ".stock-in.mlir";
  MLIRContext context(makeRegistry(), MLIRContext::Threading::DISABLED);
  auto module = readModule(context, payload);
  if (!module)
    return module.takeError();
  target::removeOwnAttributes(**module);
  if (llvm::Error error = writeModule(**module, plain))
    return error;
  if (!isMarked)
    return plain;
  std::string marked = payload + ".stock-marked.mlir";
  StringRef tools = llvm::sys::path::parent_path(settings.tune.driver);
  if (auto complaint = runLogged({(tools + "/baco-opt").str(), plain,
                                  "--baco-fingerprint", "-o", marked},
                                 marked + ".log"))
    return llvm::createStringError("fingerprints can't be set: " + *complaint);
  return marked;
}

llvm::Expected<std::string>
StockCheck::check(const std::string &payload, const std::string &library,
                  const std::string &applied) const {
  auto text = llvm::MemoryBuffer::getFile(library);
  if (!text)
    return llvm::createStringError("there is no " + library);
  std::vector<EntryText> entries = splitLibrary((*text)->getBuffer());
  if (entries.size() != 1)
    return llvm::createStringError(library + " has " + Twine(entries.size()) +
                                   " entries instead of one");
  const EntryText &entry = entries.front();
  if (!entry.isScheduled)
    return "not stock (no schedule)";
  if (entry.stock == MatcherKind::None) {
    auto ops = findOwnOps(library);
    if (!ops)
      return ops.takeError();
    return "not stock (" +
           (ops->empty() ? "it finds the function in the module by its name"
                         : *ops) +
           ")";
  }
  auto input =
      writeStockPayload(payload, entry.stock == MatcherKind::Fingerprint);
  if (!input)
    return input.takeError();
  std::string output = payload + ".stock-out.mlir";
  if (auto complaint = runLogged(
          {settings.stockOptimizer, *input,
           "--transform-preload-library=transform-library-paths=" + library,
           "--transform-interpreter", "-o", output},
          output + ".log"))
    return llvm::createStringError("a stock mlir-opt can't apply " + library +
                                   ": " + *complaint);
  auto difference = findModuleDifference(output, applied);
  if (!difference)
    return difference.takeError();
  if (!difference->empty())
    return llvm::createStringError("a stock mlir-opt makes another " +
                                   *difference);
  return "stock: the same IR, found by " +
         std::string(matcherKindName(entry.stock));
}

/// The module in `file` without attributes of baco.
static llvm::Expected<OwningOpRef<ModuleOp>> readStripped(MLIRContext &context,
                                                          StringRef file) {
  auto module = readModule(context, file);
  if (!module)
    return module;
  target::removeOwnAttributes(**module);
  (*module)->walk([](Operation *op) {
    op->removeDiscardableAttr(BacoDialect::kTargetOptions);
  });
  return module;
}

static bool areSame(Operation *one, Operation *other) {
  return OperationEquivalence::isEquivalentTo(
      one, other, OperationEquivalence::IgnoreLocations);
}

llvm::Expected<std::string>
baco::benchmarks::findModuleDifference(const std::string &file,
                                       const std::string &other) {
  MLIRContext context(makeRegistry(), MLIRContext::Threading::DISABLED);
  auto module = readStripped(context, file);
  if (!module)
    return module.takeError();
  auto otherModule = readStripped(context, other);
  if (!otherModule)
    return otherModule.takeError();
  if (areSame(**module, **otherModule))
    return "";
  for (auto symbol : (*module)->getOps<SymbolOpInterface>()) {
    Operation *twin = (*otherModule)->lookupSymbol(symbol.getName());
    if (!twin || !areSame(symbol, twin))
      return "'" + symbol.getName().str() + "'";
  }
  return "module";
}
