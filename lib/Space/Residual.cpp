//===- Residual.cpp - Values that open constraints read -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Residual.h"

#include <algorithm>
#include <bit>

using namespace baco;
using namespace baco::expression;

/// The first of the nodes beneath `root`, operands of operands included.
static uint32_t firstNode(const Tree &tree, uint32_t root) {
  uint32_t first = root;
  std::vector<uint32_t> stack = {root};
  while (!stack.empty()) {
    uint32_t index = stack.back();
    stack.pop_back();
    first = std::min(first, index);
    for (const Operand &operand : tree.operandsOf(tree.nodes[index]))
      stack.push_back(operand.node);
  }
  return first;
}

LeveledConjunct baco::assignLevels(const Conjunct &conjunct,
                                   const std::vector<int> &levelOf) {
  // In a rule with many conjuncts, each looks at its own nodes only. They
  // follow each other, operands first.
  const Tree &tree = conjunct.rule->tree;
  uint32_t first = firstNode(tree, conjunct.node);
  LeveledConjunct result{&conjunct, first,
                         std::vector<int>(conjunct.node - first + 1, -1)};
  for (uint32_t i = first; i <= conjunct.node; ++i) {
    const Node &node = tree.nodes[i];
    int &level = result.levels[i - first];
    if (node.op == Op::Variable)
      level = levelOf[node.variable];
    for (const Operand &operand : tree.operandsOf(node))
      if (operand.node >= first)
        level = std::max(level, result.level(operand.node));
  }
  return result;
}

/// A text that is equal for equal sub-expressions.
static void render(const Tree &tree, uint32_t index, std::string &out) {
  const Node &node = tree.nodes[index];
  out += '(' + std::to_string(static_cast<int>(node.op));
  if (node.op == Op::Variable)
    out += ' ' + std::to_string(node.variable);
  if (node.op == Op::Literal)
    out += ' ' + toString(valueOf(node.literal));
  // Two pieces of code may have one name.
  if (node.op == Op::Call)
    out +=
        ' ' + std::to_string(reinterpret_cast<uintptr_t>(tree.predicate.get()));
  for (const Operand &operand : tree.operandsOf(node)) {
    out += operand.subtracted ? '-' : ' ';
    render(tree, operand.node, out);
  }
  out += ')';
}

Residual::Residual(const std::vector<LeveledConjunct> &conjuncts, int level,
                   const std::vector<int> &levelOf, const Domains &domains,
                   uint64_t remainderChoices, const Residual *previous) {
  Seen seen;
  for (const LeveledConjunct &leveled : conjuncts) {
    const Conjunct &conjunct = *leveled.conjunct;
    if (leveled.lastLevel() <= level)
      continue;
    if (!Remainder::isSmall(conjunct, domains, remainderChoices)) {
      collect(leveled, conjunct.node, level, seen, items);
      continue;
    }
    std::vector<size_t> known, open;
    for (size_t k : conjunct.reads)
      (levelOf[k] <= level ? known : open).push_back(k);
    if (known.empty())
      continue;
    auto isSame = [&](const std::shared_ptr<Remainder> &other) {
      return &other->conjunct() == &conjunct && other->known() == known;
    };
    if (previous) {
      auto same = std::find_if(previous->remainders.begin(),
                               previous->remainders.end(), isSame);
      if (same != previous->remainders.end()) {
        remainders.push_back(*same);
        continue;
      }
    }
    remainders.push_back(std::make_shared<Remainder>(conjunct, std::move(known),
                                                     std::move(open), domains));
  }
}

void Residual::collect(const LeveledConjunct &conjunct, uint32_t index,
                       int level, Seen &seen, std::vector<Item> &out) const {
  if (conjunct.level(index) <= level)
    return collectKnown(conjunct, index, seen, out);
  const Tree &tree = conjunct.conjunct->rule->tree;
  const Node &node = tree.nodes[index];
  if ((node.op == Op::And || node.op == Op::Or) &&
      collectGuard(conjunct, index, level, seen, out))
    return;
  // Only integers can be folded: sums of doubles depend on the order.
  bool isChain = node.op == Op::Sum || node.op == Op::Product;
  for (const Operand &operand : tree.operandsOf(node))
    isChain &= conjunct.conjunct->rule->kinds[operand.node] == Int;
  if (isChain)
    return collectChain(conjunct, index, level, seen, out);
  for (const Operand &operand : tree.operandsOf(node))
    collect(conjunct, operand.node, level, seen, out);
}

void Residual::collectKnown(const LeveledConjunct &conjunct, uint32_t index,
                            Seen &seen, std::vector<Item> &out) const {
  const Tree &tree = conjunct.conjunct->rule->tree;
  if (conjunct.level(index) < 0)
    return; // the same at every node
  std::string text;
  render(tree, index, text);
  if (!seen.insert(text).second)
    return;
  const Node &node = tree.nodes[index];
  if (node.op == Op::Variable)
    out.push_back({Item::Kind::Parameter, &tree, node.variable, {}, {}});
  else
    out.push_back({Item::Kind::Value, &tree, index, {}, {}});
}

void Residual::collectChain(const LeveledConjunct &conjunct, uint32_t index,
                            int level, Seen &seen,
                            std::vector<Item> &out) const {
  const Tree &tree = conjunct.conjunct->rule->tree;
  Item fold{Item::Kind::Fold, &tree, index, {}, {}};
  size_t numVarying = 0;
  for (const Operand &operand : tree.operandsOf(tree.nodes[index])) {
    if (conjunct.level(operand.node) > level) {
      collect(conjunct, operand.node, level, seen, out);
      continue;
    }
    numVarying += conjunct.level(operand.node) >= 0;
    fold.known.push_back(operand);
  }
  if (numVarying > 1) {
    std::string text = tree.nodes[index].op == Op::Sum ? "sum" : "product";
    for (const Operand &operand : fold.known) {
      text += operand.subtracted ? '-' : '+';
      render(tree, operand.node, text);
    }
    if (seen.insert(text).second)
      out.push_back(std::move(fold));
    return;
  }
  for (const Operand &operand : fold.known)
    collectKnown(conjunct, operand.node, seen, out);
}

/// Returns whether the first operands are known.
bool Residual::collectGuard(const LeveledConjunct &conjunct, uint32_t index,
                            int level, const Seen &seen,
                            std::vector<Item> &out) const {
  const Tree &tree = conjunct.conjunct->rule->tree;
  std::span<const Operand> operands = tree.operandsOf(tree.nodes[index]);
  size_t numKnown = 0;
  while (conjunct.level(operands[numKnown].node) <= level)
    ++numKnown;
  if (numKnown == 0)
    return false;
  Item guard{Item::Kind::Guard, &tree, index, {}, {}};
  guard.known.assign(operands.begin(), operands.begin() + numKnown);
  // The other operands aren't always evaluated, so that the values they see
  // don't count outside.
  Seen seenInside = seen;
  for (const Operand &operand : operands.subspan(numKnown))
    collect(conjunct, operand.node, level, seenInside, guard.rest);
  out.push_back(std::move(guard));
  return true;
}

bool Residual::compute(const uint32_t *indices, Scalar *slots,
                       std::vector<uint64_t> &key) const {
  key.clear();
  // As many numbers in a word as it holds.
  unsigned used = 64;
  for (const std::shared_ptr<Remainder> &remainder : remainders) {
    uint64_t number = remainder->of(indices, slots);
    if (number == Remainder::never)
      return false;
    if (used + remainder->bits() > 64) {
      key.push_back(0);
      used = 0;
    }
    key.back() |= number << used;
    used += remainder->bits();
  }
  append(items, indices, slots, key);
  return true;
}

/// Two words: the kind, and the bits. Strings and orders are told apart by
/// where they are stored, which is sound: at most, sharing is missed.
static void appendScalar(const Scalar &x, std::vector<uint64_t> &key) {
  if (x.isFailed()) {
    key.push_back(Failed);
    key.push_back(0);
    return;
  }
  key.push_back(x.kind);
  switch (x.kind) {
  case Bool:
    key.push_back(x.flag);
    break;
  case Int:
    key.push_back(static_cast<uint64_t>(x.integer));
    break;
  case Real:
    key.push_back(std::bit_cast<uint64_t>(x.real));
    break;
  case String:
    key.push_back(reinterpret_cast<uintptr_t>(x.text));
    break;
  default:
    key.push_back(reinterpret_cast<uintptr_t>(x.order));
    break;
  }
}

/// Two words: the exact sum or product, or a pattern that none has.
static void appendFold(const Tree &tree, bool isSum,
                       std::span<const Operand> operands, const Scalar *slots,
                       std::vector<uint64_t> &key) {
  ExactAccumulator chain{isSum ? 0 : 1};
  bool failed = false;
  for (const Operand &operand : operands) {
    Scalar x = evaluate(tree, operand.node, slots);
    if (x.kind != Int)
      failed = true;
    else if (isSum)
      chain.add(x.integer, operand.subtracted);
    else
      chain.multiply(x.integer);
  }
  key.push_back(static_cast<uint64_t>(chain.value));
  key.push_back(failed ? uint64_t(1) << 63
                       : static_cast<uint64_t>(chain.value >> 64));
}

void Residual::append(const std::vector<Item> &items, const uint32_t *indices,
                      const Scalar *slots, std::vector<uint64_t> &key) {
  for (const Item &item : items) {
    const Node &node = item.tree->nodes[item.node];
    switch (item.kind) {
    case Item::Kind::Parameter:
      key.push_back(indices[item.node]);
      break;
    case Item::Kind::Value:
      appendScalar(evaluate(*item.tree, item.node, slots), key);
      break;
    case Item::Kind::Fold:
      appendFold(*item.tree, node.op == Op::Sum, item.known, slots, key);
      break;
    case Item::Kind::Guard: {
      bool decisive = node.op == Op::Or;
      Scalar x = Scalar::ofBool(!decisive);
      for (const Operand &operand : item.known) {
        x = evaluate(*item.tree, operand.node, slots);
        if (!x.is(!decisive))
          break;
      }
      bool isOpen = x.is(!decisive);
      key.push_back(x.isFailed() ? 2 : isOpen);
      if (isOpen)
        append(item.rest, indices, slots, key);
      break;
    }
    }
  }
}
