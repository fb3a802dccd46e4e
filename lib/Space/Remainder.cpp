//===- Remainder.cpp - Remainders of conjuncts ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Remainder.h"

#include <algorithm>
#include <bit>

using namespace baco;
using namespace baco::expression;

bool Remainder::isSmall(const Conjunct &conjunct, const Domains &domains,
                        uint64_t maxChoices) {
  uint64_t choices = 1;
  for (size_t k : conjunct.reads) {
    uint64_t size = domains[k]->size();
    if (size > maxChoices / choices)
      return false;
    choices *= size;
  }
  return true;
}

static size_t choicesOf(const std::vector<size_t> &parameters,
                        const Domains &domains) {
  size_t choices = 1;
  for (size_t k : parameters)
    choices *= domains[k]->size();
  return choices;
}

Remainder::Remainder(const Conjunct &conjunct, std::vector<size_t> known,
                     std::vector<size_t> open, const Domains &domains)
    : source(&conjunct), domains(&domains), knownParameters(std::move(known)),
      openParameters(std::move(open)),
      numbers(choicesOf(knownParameters, domains), unset) {
  // One for each choice, and `never`.
  numBits = std::bit_width(numbers.size());
}

bool Remainder::step(const std::vector<size_t> &parameters,
                     std::vector<uint32_t> &indices, Scalar *slots) const {
  for (size_t i = parameters.size(); i-- > 0;) {
    const Domain &domain = *(*domains)[parameters[i]];
    bool wraps = ++indices[i] == domain.size();
    if (wraps)
      indices[i] = 0;
    slots[parameters[i]] = domain[indices[i]];
    if (!wraps)
      return true;
  }
  return false;
}

/// The condition for the known values in `slots`.
uint32_t Remainder::tabulate(Scalar *slots) {
  size_t choices = choicesOf(openParameters, *domains);
  std::vector<uint64_t> table((choices + 63) / 64, 0);
  std::vector<uint32_t> indices(openParameters.size(), 0);
  for (size_t k : openParameters)
    slots[k] = (*(*domains)[k])[0];
  bool any = false;
  size_t choice = 0;
  do {
    if (source->holds(slots)) {
      table[choice / 64] |= uint64_t(1) << choice % 64;
      any = true;
    }
    ++choice;
  } while (step(openParameters, indices, slots));
  if (!any)
    return never;
  if (const uint64_t *number = conditions.find(table))
    return static_cast<uint32_t>(*number);
  conditions.insert(table, numConditions);
  return numConditions++;
}

uint32_t Remainder::of(const uint32_t *indices, Scalar *slots) {
  size_t choice = 0;
  for (size_t k : knownParameters)
    choice = choice * (*domains)[k]->size() + indices[k];
  if (numbers[choice] == unset)
    numbers[choice] = tabulate(slots);
  return numbers[choice];
}

double Remainder::estimateCount() {
  constexpr size_t maxEvaluations = size_t(1) << 15;
  size_t perChoice = choicesOf(openParameters, *domains);
  size_t visits = std::min(std::max<size_t>(maxEvaluations / perChoice, 16),
                           numbers.size());
  std::vector<Scalar> slots(domains->size(),
                            Scalar::failed(Failure::NoValue, 0));
  for (size_t i = 0; i < visits; ++i) {
    size_t choice = i * numbers.size() / visits;
    for (size_t k = knownParameters.size(); k-- > 0;) {
      const Domain &domain = *(*domains)[knownParameters[k]];
      slots[knownParameters[k]] = domain[choice % domain.size()];
      choice /= domain.size();
    }
    tabulate(slots.data());
  }
  double found = numConditions - 1;
  // If most visits find a new condition, there are more.
  return found > visits / 2 ? found * numbers.size() / visits : found;
}
