//===- Fingerprint.cpp - Whether two kernels are the same -----------------===//
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

#include "baco/Analysis/Fingerprint.h"
#include "KernelParts.h"

#include "baco/IR/ArgumentInput.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/SparsifierOptions.h"
#include "baco/IR/TeamOptions.h"
#include "baco/Support/ContentHash.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace baco;

/// Old names and new ones, in the order of the new ones.
using Names = llvm::MapVector<StringAttr, StringAttr>;

/// All of `module`, whatever the user wants to see of other modules.
static std::string print(ModuleOp module) {
  constexpr int64_t unlimited = std::numeric_limits<int64_t>::max();
  OpPrintingFlags flags;
  flags.enableDebugInfo(false)
      .elideLargeElementsAttrs(unlimited)
      .elideLargeResourceString(unlimited)
      .printGenericOpForm()
      .skipRegions(false)
      .useLocalScope(false)
      .printValueUsers(false)
      .printUniqueSSAIDs(false)
      .printNameLocAsPrefix(false);
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, flags);
  return text;
}

/// Whether another module has the body of `symbol`: its name then tells what it
/// does.
static bool isDeclaration(Operation *symbol) {
  auto interface = dyn_cast<SymbolOpInterface>(symbol);
  return interface && interface.isDeclaration();
}

llvm::SetVector<StringAttr> baco::findReachable(ModuleOp module,
                                                StringAttr first) {
  llvm::SetVector<StringAttr> reached;
  reached.insert(first);
  // There is no other one; finding uses takes a while.
  if (llvm::hasSingleElement(*module.getBody()))
    return reached;
  for (size_t next = 0; next < reached.size(); ++next) {
    Operation *symbol = module.lookupSymbol(reached[next]);
    if (!symbol)
      continue;
    if (auto uses = SymbolTable::getSymbolUses(symbol))
      for (const SymbolTable::SymbolUse &use : *uses)
        if (StringAttr root = use.getSymbolRef().getRootReference();
            module.lookupSymbol(root))
          reached.insert(root);
  }
  return reached;
}

/// Numbers the symbols of `module`: those that `first` reaches, then others.
/// The prefix is unlikely to be in other names.
static Names numberSymbols(ModuleOp module, StringRef first, StringRef prefix) {
  Names names;
  auto add = [&](StringAttr name) {
    if (names.contains(name))
      return;
    std::string number = (prefix + std::to_string(names.size())).str();
    Operation *symbol = module.lookupSymbol(name);
    names[name] = symbol && isDeclaration(symbol)
                      ? name
                      : StringAttr::get(module.getContext(), number);
  };
  auto addReachable = [&](StringAttr root) {
    for (StringAttr name : findReachable(module, root))
      add(name);
  };
  addReachable(StringAttr::get(module.getContext(), first));
  for (Operation &op : *module.getBody())
    if (auto name =
            op.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
        name && !names.contains(name))
      addReachable(name);
  return names;
}

/// Replaces attributes of ops in `module`, and what is in them.
static void replaceAttributes(ModuleOp module, AttrTypeReplacer &replacer) {
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
  replaceAttributes(module, replacer);
}

void baco::renameFunction(ModuleOp schedule, StringRef from, StringRef to) {
  MLIRContext *context = schedule.getContext();
  Names names;
  names[StringAttr::get(context, from)] = StringAttr::get(context, to);
  renameUses(schedule, names);
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

/// Removes the name of `function` from the marks of ops, which expandRecipes
/// names after it.
static void renameMarks(ModuleOp schedule, StringRef function) {
  const std::string prefix = "schedule_", own = prefix + function.str();
  auto rename = [&](StringAttr mark) {
    StringRef rest = mark.getValue();
    return rest.consume_front(own)
               ? StringAttr::get(mark.getContext(), prefix + rest)
               : mark;
  };
  schedule->walk([&](transform::AnnotateOp annotate) {
    annotate.setNameAttr(rename(annotate.getNameAttr()));
  });
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](DictionaryAttr dictionary) -> Attribute {
    NamedAttrList changed;
    for (NamedAttribute entry : dictionary)
      changed.append(rename(entry.getName()), entry.getValue());
    return changed.getDictionary(dictionary.getContext());
  });
  replaceAttributes(schedule, replacer);
}

/// Removes the names of files whose contents arguments have; their hashes tell
/// them apart.
static void removeFiles(ModuleOp module) {
  changeReadInputs(module,
                   [](ArgumentInput &input) { input.file = "contents"; });
}

/// Gives the symbols of `module` their numbers. Returns these.
static Names makeCanonical(ModuleOp module, StringRef first, StringRef prefix) {
  Names names = numberSymbols(module, first, prefix);
  renameUses(module, names);
  renameSymbols(module, names);
  return names;
}

KernelText baco::canonicalText(ModuleOp payload, StringRef entry,
                               ModuleOp schedule) {
  OwningOpRef<ModuleOp> code = payload.clone(), script = schedule.clone();
  removeFiles(*code);
  Names functions = makeCanonical(*code, entry, "baco.symbol.");
  renameUses(*script, functions);
  renameMarks(*script, entry);
  // The sequences of the schedule are named after the functions.
  makeCanonical(*script,
                transform::TransformDialect::kTransformEntryPointSymbolName,
                "baco.sequence.");
  return {print(*code), print(*script)};
}

/// Whether a discardable attribute of a module, a function, an argument or a
/// result can change the code: those without a dialect, such as
/// `target_features`, go on to LLVM, and these dialects have attributes for the
/// lowering. Others, such as `transform.with_named_sequence` or a program's
/// own, are for readers.
static bool mayChangeCode(StringRef name) {
  auto [dialect, rest] = name.split('.');
  return rest.empty() ||
         llvm::is_contained({"arm_neon", "arm_sme", "arm_sve", "bufferization",
                             "dlti", "gpu", "llvm", "nvvm", "omp", "rocdl",
                             "sparse_tensor", "x86vector"},
                            dialect);
}

/// Whether a user says by a discardable attribute of `op`, or of one of its
/// arguments, what the code may be.
static bool isMaterial(StringRef name, Operation *op) {
  if (name.starts_with("baco."))
    return name == BacoDialect::kTF32 || name == BacoDialect::kTargetOptions ||
           isSparsifierOption(name) || isTeamOption(name);
  if (!isa<ModuleOp, SymbolOpInterface>(op))
    return true;
  // The lowering requests that interface in any case, but calls one of others.
  if (name == "llvm.emit_c_interface")
    return isDeclaration(op);
  return mayChangeCode(name);
}

/// Removes what doesn't change the code of `op`: comments, visibility, and
/// attributes that aren't material.
static void removeImmaterial(Operation *op) {
  for (NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs()))
    if (!isMaterial(attribute.getName(), op))
      op->removeDiscardableAttr(attribute.getName());
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    generic.removeDocAttr();
  if (isa<SymbolOpInterface>(op))
    op->removeAttr(SymbolTable::getVisibilityAttrName());
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    for (NamedAttribute attribute : llvm::to_vector(function.getArgAttrs(i)))
      if (!isMaterial(attribute.getName(), op))
        function.removeArgAttr(i, attribute.getName());
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    for (NamedAttribute attribute : llvm::to_vector(function.getResultAttrs(i)))
      if (!isMaterial(attribute.getName(), op))
        function.removeResultAttr(i, attribute.getName());
}

/// Removes the constants of `block` that nothing uses, and moves each of the
/// others in front of what uses it first.
static void orderConstants(Block &block) {
  SmallVector<Operation *> users;
  for (Operation &op : llvm::make_early_inc_range(block))
    if (!op.hasTrait<OpTrait::ConstantLike>())
      users.push_back(&op);
    else if (op.use_empty())
      op.erase();
  llvm::SmallPtrSet<Operation *, 8> ordered;
  for (Operation *user : users)
    user->walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (Value operand : op->getOperands())
        if (Operation *constant = operand.getDefiningOp();
            constant && constant->getBlock() == &block &&
            constant->hasTrait<OpTrait::ConstantLike>() &&
            ordered.insert(constant).second)
          constant->moveBefore(user);
    });
}

Fingerprint baco::takeFingerprint(ModuleOp module, StringRef entry) {
  OwningOpRef<ModuleOp> copy =
      ModuleOp::create(UnknownLoc::get(module.getContext()));
  // Such as the data layout.
  copy.get()->setDiscardableAttrs(module->getDiscardableAttrDictionary());
  Fingerprint result;
  for (StringAttr name :
       findReachable(module, StringAttr::get(module.getContext(), entry))) {
    copy->push_back(module.lookupSymbol(name)->clone());
    result.used.push_back(name.str());
  }
  result.used.erase(result.used.begin());
  copy->walk([](Operation *op) {
    removeImmaterial(op);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        orderConstants(block);
  });
  makeCanonical(*copy, entry, "baco.symbol.");
  ContentHash hash;
  hash.add(print(*copy));
  result.digits = hash.digits();
  result.parts = hashParts(*copy);
  return result;
}

std::string baco::fingerprint(ModuleOp module, StringRef entry) {
  return takeFingerprint(module, entry).digits;
}
