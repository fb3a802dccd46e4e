//===- KernelParts.cpp - Hashes of the parts of a kernel ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An entry of a tuned library has only hashes of the function that was tuned.
// With one for each part, a message can still say what has changed.
//
//===----------------------------------------------------------------------===//

#include "KernelParts.h"

#include "baco/Analysis/Fingerprint.h"
#include "baco/Support/ContentHash.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace baco;

namespace {
/// The parts, in the order of their hashes.
enum Part { Module, Signature, Ops, Constants, Types, Attributes, Operands };
} // namespace

static constexpr llvm::StringLiteral partNames[] = {
    "the module's attributes", "its signature", "its ops",
    "its constants",           "its types",     "attributes of its ops",
    "operands of its ops"};

/// As many as tell an edit from none; the fingerprint decides.
static constexpr size_t numDigits = 8;

static std::string shortDigits(const ContentHash &hash) {
  return hash.digits().substr(0, numDigits);
}

namespace {
class PartHasher {
public:
  explicit PartHasher(MLIRContext *context)
      : state(context, OpPrintingFlags().elideLargeElementsAttrs(
                           std::numeric_limits<int64_t>::max())) {}

  void add(Part part, StringRef text) {
    hashes[part].add(text);
    hashes[part].add("\n");
  }
  void add(Part part, Attribute attribute) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    attribute.print(stream, state);
    add(part, text);
  }
  void add(Part part, Type type) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    type.print(stream, state);
    add(part, text);
  }
  /// `op` of the function `root`.
  void add(Operation *op, Operation *root);

  std::string digits() const {
    std::string text;
    for (const ContentHash &hash : hashes)
      text += (text.empty() ? "" : " ") + shortDigits(hash);
    return text;
  }

private:
  unsigned numberOf(Value value) {
    return numbers.try_emplace(value, numbers.size()).first->second;
  }

  std::array<ContentHash, std::size(partNames)> hashes;
  AsmState state;
  DenseMap<Value, unsigned> numbers;
};
} // namespace

void PartHasher::add(Operation *op, Operation *root) {
  bool isConstant = op->hasTrait<OpTrait::ConstantLike>();
  add(op == root   ? Signature
      : isConstant ? Constants
                   : Attributes,
      op->getAttrDictionary());
  if (op == root)
    return;
  if (!isConstant)
    add(Ops, op->getName().getStringRef());
  for (Type type : op->getResultTypes())
    add(isConstant ? Constants : Types, type);
  for (Value operand : op->getOperands())
    add(Operands, std::to_string(numberOf(operand)));
  for (Value result : op->getResults())
    numberOf(result);
  add(Operands, "");
}

/// The text of one op of a module, with all that it refers to.
static std::string printAlone(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream,
            OpPrintingFlags()
                .useLocalScope()
                .assumeVerified()
                .enableDebugInfo(false)
                .elideLargeElementsAttrs(std::numeric_limits<int64_t>::max()));
  return text;
}

std::string baco::hashParts(ModuleOp module) {
  PartHasher hasher(module.getContext());
  hasher.add(Module, module->getDiscardableAttrDictionary());
  Operation *first = &module.getBody()->front();
  first->walk<WalkOrder::PreOrder>(
      [&](Operation *op) { hasher.add(op, first); });
  std::string text = hasher.digits();
  for (Operation &op : llvm::drop_begin(*module.getBody())) {
    ContentHash hash;
    hash.add(printAlone(&op));
    text += " " + shortDigits(hash);
  }
  return text;
}

/// The first of `names`, and how many others there are.
static std::string listSome(ArrayRef<std::string> names) {
  constexpr size_t maxNames = 3;
  std::string text = llvm::join(names.take_front(maxNames), ", ");
  if (names.size() > maxNames)
    text += " and " + std::to_string(names.size() - maxNames) + " others";
  return text;
}

std::string baco::describeChange(StringRef before, StringRef parts,
                                 ArrayRef<std::string> used) {
  SmallVector<StringRef> old, now;
  before.split(old, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  parts.split(now, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  constexpr size_t numParts = std::size(partNames);
  if (old.size() < numParts || now.size() < numParts)
    return "";
  SmallVector<std::string> changes;
  for (size_t i = 0; i < numParts; ++i)
    if (old[i] != now[i])
      changes.push_back(partNames[i].str());
  if (old.size() != now.size()) {
    changes.push_back("what it uses");
    return llvm::join(changes, ", ");
  }
  SmallVector<std::string> names;
  for (auto [i, name] : llvm::enumerate(used))
    if (old[numParts + i] != now[numParts + i])
      names.push_back("'" + name + "'");
  if (!names.empty())
    changes.push_back("the code of " + listSome(names) + ", which it uses");
  return llvm::join(changes, ", ");
}
