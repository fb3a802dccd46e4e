//===- KernelIdentity.cpp - Whether two kernels are the same --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The printer numbers values; symbols must be renamed. A schedule knows
// functions by their names, too: as the attribute `sym_name` of what it
// matches, or as symbols.
//
//===----------------------------------------------------------------------===//

#include "KernelIdentity.h"

#include "baco/IR/ArgumentInput.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace baco;
using namespace baco::driver;

/// Old names and new ones, in the order of the new ones.
using Names = llvm::MapVector<StringAttr, StringAttr>;

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, OpPrintingFlags().assumeVerified());
  return text;
}

/// Numbers the symbols of `module`: the symbols that `first` refers to, then
/// those that these refer to, and finally unreferenced ones. The prefix is
/// unlikely to be in other names.
static Names numberSymbols(ModuleOp module, StringRef first, StringRef prefix) {
  Names names;
  SmallVector<StringAttr> open;
  auto add = [&](StringAttr name) {
    std::string number = (prefix + std::to_string(names.size())).str();
    if (names.insert({name, StringAttr::get(module.getContext(), number)})
            .second)
      open.push_back(name);
  };
  auto addReachable = [&](StringAttr root) {
    add(root);
    for (size_t next = open.size() - 1; next < open.size(); ++next) {
      Operation *symbol = module.lookupSymbol(open[next]);
      if (!symbol)
        continue;
      if (auto uses = SymbolTable::getSymbolUses(symbol))
        for (const SymbolTable::SymbolUse &use : *uses)
          if (module.lookupSymbol(use.getSymbolRef().getRootReference()))
            add(use.getSymbolRef().getRootReference());
    }
  };
  addReachable(StringAttr::get(module.getContext(), first));
  for (Operation &op : *module.getBody())
    if (auto name =
            op.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
        name && !names.contains(name))
      addReachable(name);
  return names;
}

/// Renames references to symbols, and `sym_name` in the dictionaries that
/// describe ops to match.
static void renameUses(ModuleOp module, const Names &names) {
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](SymbolRefAttr symbol)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        const auto *found = names.find(symbol.getRootReference());
        if (found == names.end())
          return std::nullopt;
        return std::pair(Attribute(SymbolRefAttr::get(
                             found->second, symbol.getNestedReferences())),
                         WalkResult::skip());
      });
  replacer.addReplacement(
      [&](DictionaryAttr dictionary) -> std::optional<Attribute> {
        auto name =
            dictionary.getAs<StringAttr>(SymbolTable::getSymbolAttrName());
        const auto *found = name ? names.find(name) : names.end();
        if (found == names.end())
          return std::nullopt;
        NamedAttrList changed(dictionary);
        changed.set(SymbolTable::getSymbolAttrName(), found->second);
        return changed.getDictionary(dictionary.getContext());
      });
  module->walk([&](Operation *op) {
    SmallVector<NamedAttribute> changed;
    for (NamedAttribute attribute : op->getAttrs())
      if (Attribute value = replacer.replace(attribute.getValue());
          value != attribute.getValue())
        changed.emplace_back(attribute.getName(), value);
    for (NamedAttribute attribute : changed)
      op->setAttr(attribute.getName(), attribute.getValue());
  });
}

/// Gives the symbols their new names and moves them into their order.
static void renameSymbols(ModuleOp module, const Names &names) {
  SmallVector<Operation *> symbols;
  for (auto [name, _] : names)
    if (Operation *symbol = module.lookupSymbol(name))
      symbols.push_back(symbol);
  for (Operation *symbol : symbols) {
    symbol->moveBefore(module.getBody(), module.getBody()->end());
    auto name =
        symbol->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    symbol->setAttr(SymbolTable::getSymbolAttrName(), names.lookup(name));
  }
}

/// The text of a schedule in which marks of ops, which expandRecipes names
/// after their function, don't have its name.
static std::string withoutName(StringRef text, StringRef function) {
  const std::string prefix = "schedule_";
  SmallVector<StringRef> parts;
  text.split(parts, prefix + function.str());
  return llvm::join(parts, prefix);
}

/// Removes the names of files whose contents arguments have; their hashes tell
/// them apart.
static void removeFiles(ModuleOp module) {
  replaceReadFiles(module, [&](const ArgumentInput &input) {
    return makeFileInput(module.getContext(), "contents", input.hash);
  });
}

KernelText driver::canonicalText(const Kernel &kernel) {
  OwningOpRef<ModuleOp> payload = kernel.payload.get().clone();
  OwningOpRef<ModuleOp> schedule = kernel.schedule.get().clone();
  removeFiles(*payload);
  Names functions = numberSymbols(*payload, kernel.name, "baco.symbol.");
  renameUses(*payload, functions);
  renameSymbols(*payload, functions);
  renameUses(*schedule, functions);
  // The sequences of the schedule are named after the functions.
  Names sequences =
      numberSymbols(*schedule, "__transform_main", "baco.sequence.");
  renameUses(*schedule, sequences);
  renameSymbols(*schedule, sequences);
  return {print(*payload), withoutName(print(*schedule), kernel.name)};
}
