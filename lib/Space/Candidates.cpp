//===- Candidates.cpp - Values worth trying at a node ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Candidates.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>

using namespace baco;
using namespace baco::expression;

/// Below this many values, trying all is cheaper than a binary search.
static constexpr uint64_t smallRange = 16;

const std::vector<int64_t> *DivisorTable::of(int64_t n, WorkBudget &budget) {
  auto found = table.find(n);
  if (found != table.end())
    return &found->second;
  if (!budget.take(static_cast<uint64_t>(std::sqrt(static_cast<double>(n)))))
    return nullptr;
  std::vector<int64_t> small, large;
  for (int64_t d = 1; d <= n / d; ++d) {
    if (n % d != 0)
      continue;
    small.push_back(d);
    if (d != n / d)
      large.push_back(n / d);
  }
  small.insert(small.end(), large.rbegin(), large.rend());
  return &table.emplace(n, std::move(small)).first->second;
}

/// The operands of `divides(a, b)` or `b % a == 0`, a first.
static std::optional<std::pair<uint32_t, uint32_t>>
divisibility(const Tree &tree, uint32_t index) {
  const Node &node = tree.nodes[index];
  std::span<const Operand> operands = tree.operandsOf(node);
  if (node.op == Op::Divides)
    return std::pair(operands[0].node, operands[1].node);
  if (node.op != Op::Equal)
    return std::nullopt;
  const Node &left = tree.nodes[operands[0].node];
  const Node &right = tree.nodes[operands[1].node];
  if (left.op != Op::Modulo || right.op != Op::Literal ||
      right.literal.kind != Int || right.literal.integer != 0)
    return std::nullopt;
  operands = tree.operandsOf(left);
  return std::pair(operands[1].node, operands[0].node);
}

Candidates::Candidates(const Domain &domain, size_t parameter, int level,
                       const std::vector<LeveledConjunct> &conjuncts)
    : domain(&domain), parameter(parameter), level(level) {
  for (const LeveledConjunct &conjunct : conjuncts) {
    if (conjunct.lastLevel() == level)
      complete.push_back(&conjunct);
    auto sides =
        divisibility(conjunct.conjunct->rule->tree, conjunct.conjunct->node);
    if (conjunct.lastLevel() > level && sides &&
        conjunct.level(sides->second) < level)
      open.push_back(&conjunct);
  }
}

bool Candidates::generate(Scalar *values, DivisorTable &divisors,
                          WorkBudget &budget, std::vector<uint32_t> &out) {
  slots = values;
  low = 0;
  high = domain->size();
  pinned.reset();
  divisorOf = 0;
  multipleOf = 1;
  out.clear();
  for (const LeveledConjunct *conjunct : complete) {
    current = conjunct;
    restrict(conjunct->conjunct->node, /*wanted=*/true);
    if (low >= high)
      return true;
  }
  for (const LeveledConjunct *conjunct : open) {
    current = conjunct;
    restrictOpen();
  }
  if (low >= high)
    return true;
  if (pinned) {
    for (uint64_t index : *pinned)
      if (index >= low && index < high)
        out.push_back(static_cast<uint32_t>(index));
    return budget.take(out.size());
  }
  uint64_t range = high - low;
  // Trial division costs the root of the number, once.
  if (divisorOf != 0 &&
      (divisors.has(divisorOf) ||
       std::sqrt(static_cast<double>(divisorOf)) < 4.0 * range))
    return appendDivisors(divisors, budget, out);
  if (multipleOf > 1 && domain->parameter().kind() == ParameterKind::Integer)
    return appendMultiples(budget, out);
  if (!budget.take(range))
    return false;
  for (uint64_t index = low; index < high; ++index)
    out.push_back(static_cast<uint32_t>(index));
  return true;
}

bool Candidates::appendDivisors(DivisorTable &table, WorkBudget &budget,
                                std::vector<uint32_t> &out) {
  const std::vector<int64_t> *divisors = table.of(divisorOf, budget);
  if (!divisors || !budget.take(2 * divisors->size()))
    return false;
  auto append = [&](int64_t value) {
    std::optional<uint64_t> index = domain->parameter().indexOf(value);
    if (index && *index >= low && *index < high)
      out.push_back(static_cast<uint32_t>(*index));
  };
  if (domain->parameter().lower() < 0)
    for (int64_t divisor : *divisors | std::views::reverse)
      append(-divisor);
  for (int64_t divisor : *divisors)
    append(divisor);
  return true;
}

bool Candidates::appendMultiples(WorkBudget &budget,
                                 std::vector<uint32_t> &out) {
  const Parameter &integers = domain->parameter();
  __int128 first = (*domain)[low].integer, last = (*domain)[high - 1].integer;
  __int128 step = multipleOf;
  // With a step of its own, the parameter hits every (step / gcd)-th multiple;
  // the others are passed over.
  __int128 start = first / step * step;
  if (start < first)
    start += step;
  if (start > last)
    return true;
  __int128 count = (last - start) / step + 1;
  uint64_t range = high - low;
  bool tryAll = count > range;
  if (!budget.take(tryAll ? range : static_cast<uint64_t>(count)))
    return false;
  if (tryAll) {
    for (uint64_t index = low; index < high; ++index)
      out.push_back(static_cast<uint32_t>(index));
    return true;
  }
  for (__int128 value = start; value <= last; value += step)
    if (auto index = integers.indexOf(static_cast<int64_t>(value)))
      out.push_back(static_cast<uint32_t>(*index));
  return true;
}

Scalar Candidates::valueOf(uint32_t node) const {
  return evaluate(current->conjunct->rule->tree, node, slots);
}

Scalar Candidates::valueAt(uint32_t node, uint64_t index) const {
  slots[parameter] = (*domain)[index];
  return valueOf(node);
}

bool Candidates::isVariable(uint32_t node) const {
  return reads(node) &&
         current->conjunct->rule->tree.nodes[node].op == Op::Variable;
}

/// Keeps candidates for which the node can be `wanted`.
void Candidates::restrict(uint32_t index, bool wanted) {
  if (!reads(index))
    return;
  const Tree &tree = current->conjunct->rule->tree;
  const Node &node = tree.nodes[index];
  std::span<const Operand> operands = tree.operandsOf(node);
  switch (node.op) {
  case Op::Variable:
    return pin({wanted});
  case Op::Not:
    return restrict(operands[0].node, !wanted);
  case Op::IsTrue:
    // A value that isn't true may be a failure.
    return wanted ? restrict(operands[0].node, true) : void();
  case Op::And:
  case Op::Or:
    return restrictJunction(index, wanted);
  case Op::Divides:
    if (wanted)
      restrictDivisibility(operands[0].node, operands[1].node);
    return;
  case Op::In:
    if (wanted)
      restrictMembership(index);
    return;
  case Op::Equal:
    if (auto sides = divisibility(tree, index); sides && wanted)
      return restrictDivisibility(sides->first, sides->second);
    [[fallthrough]];
  case Op::Unequal:
  case Op::Less:
  case Op::LessEqual:
  case Op::Greater:
  case Op::GreaterEqual: {
    auto negate = [](Op op) {
      switch (op) {
      case Op::Equal:
        return Op::Unequal;
      case Op::Unequal:
        return Op::Equal;
      case Op::Less:
        return Op::GreaterEqual;
      case Op::LessEqual:
        return Op::Greater;
      case Op::Greater:
        return Op::LessEqual;
      default:
        return Op::Less;
      }
    };
    return restrictComparison(wanted ? node.op : negate(node.op),
                              operands[0].node, operands[1].node);
  }
  default:
    return;
  }
}

void Candidates::restrictJunction(uint32_t index, bool wanted) {
  const Tree &tree = current->conjunct->rule->tree;
  const Node &node = tree.nodes[index];
  std::span<const Operand> operands = tree.operandsOf(node);
  if ((node.op == Op::And) == wanted) {
    // Every operand has to be `wanted`.
    for (const Operand &operand : operands)
      restrict(operand.node, wanted);
    return;
  }
  // One operand must have the wanted value. If only one can, it is known which.
  std::optional<uint32_t> choice;
  for (const Operand &operand : operands) {
    if (reads(operand.node)) {
      if (choice)
        return;
      choice = operand.node;
    } else if (!valueOf(operand.node).is(!wanted)) {
      return;
    }
  }
  if (choice)
    restrict(*choice, wanted);
}

/// Keeps the candidates that are one of `values`.
void Candidates::pin(const std::vector<ParameterValue> &values) {
  std::vector<uint64_t> indices;
  for (const ParameterValue &value : values)
    if (std::optional<uint64_t> index = domain->parameter().indexOf(value))
      indices.push_back(*index);
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  if (!pinned) {
    pinned = std::move(indices);
    return;
  }
  std::vector<uint64_t> both;
  std::set_intersection(pinned->begin(), pinned->end(), indices.begin(),
                        indices.end(), std::back_inserter(both));
  pinned = std::move(both);
}

void Candidates::restrictMembership(uint32_t index) {
  const Tree &tree = current->conjunct->rule->tree;
  std::span<const Operand> operands = tree.operandsOf(tree.nodes[index]);
  if (!isVariable(operands[0].node))
    return;
  std::vector<ParameterValue> members;
  for (const Operand &operand : operands.subspan(1)) {
    if (reads(operand.node))
      return;
    // Operands after a failure aren't evaluated.
    Scalar member = valueOf(operand.node);
    if (member.isFailed())
      break;
    members.push_back(expression::valueOf(member));
  }
  pin(members);
}

void Candidates::restrictComparison(Op op, uint32_t left, uint32_t right) {
  if (op == Op::Unequal)
    return;
  if (op == Op::Equal) {
    if (isVariable(right))
      std::swap(left, right);
    if (isVariable(left) && !reads(right)) {
      Scalar value = valueOf(right);
      return pin(value.isFailed() ? std::vector<ParameterValue>()
                                  : std::vector{expression::valueOf(value)});
    }
  }
  if (high - low > smallRange)
    restrictRange(op, left, right);
}

/// Whatever the later factors are, p * k * later divides the known number only
/// if p * k does.
void Candidates::restrictOpen() {
  auto sides =
      divisibility(current->conjunct->rule->tree, current->conjunct->node);
  restrictDivisibility(sides->first, sides->second);
}

/// The known factor k of p * k, where p is the parameter; nullopt if the node
/// isn't such a product of integers, or k is 0. There may be other factors that
/// aren't known yet.
std::optional<int64_t> Candidates::factorOf(uint32_t index) const {
  if (isVariable(index))
    return 1;
  const Rule &rule = *current->conjunct->rule;
  const Tree &tree = rule.tree;
  if (tree.nodes[index].op != Op::Product)
    return std::nullopt;
  ExactAccumulator factor{1};
  bool found = false;
  for (const Operand &operand : tree.operandsOf(tree.nodes[index])) {
    if (rule.kinds[operand.node] != Int)
      return std::nullopt;
    if (current->level(operand.node) > level)
      continue;
    if (reads(operand.node)) {
      if (found || !isVariable(operand.node))
        return std::nullopt;
      found = true;
      continue;
    }
    Scalar x = valueOf(operand.node);
    if (x.kind != Int)
      return std::nullopt;
    factor.multiply(x.integer);
  }
  // INT64_MIN has no absolute value.
  if (!found || factor.value == 0 || !factor.fits() ||
      factor.value == INT64_MIN)
    return std::nullopt;
  return static_cast<int64_t>(factor.value);
}

void Candidates::restrictDivisibility(uint32_t divisor, uint32_t dividend) {
  // Fractions of ordinals may divide integers too.
  bool generatesDivisors = current->level(divisor) >= level;
  if (domain->kinds() != Int ||
      generatesDivisors == (current->level(dividend) >= level))
    return;
  std::optional<int64_t> factor =
      factorOf(generatesDivisors ? divisor : dividend);
  Scalar known = valueOf(generatesDivisors ? dividend : divisor);
  if (!factor || known.kind != Int || known.integer == 0 ||
      known.integer == INT64_MIN)
    return;
  int64_t number = std::abs(known.integer), k = std::abs(*factor);
  if (generatesDivisors) {
    if (number % k != 0)
      high = low; // p * k divides nothing that k doesn't divide
    divisorOf = std::gcd(divisorOf, number / k);
    return;
  }
  int64_t step = number / std::gcd(number, k);
  __int128 both =
      static_cast<__int128>(multipleOf) / std::gcd(multipleOf, step) * step;
  if (both <= INT64_MAX)
    multipleOf = static_cast<int64_t>(both);
}
