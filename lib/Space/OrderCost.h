//===- OrderCost.h - Cost of an order of levels -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Estimates the work of building a diagram without building it.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SPACE_ORDERCOST_H
#define BACO_LIB_SPACE_ORDERCOST_H

#include "GroupSpec.h"

namespace baco {

/// A node of a level remembers the frontier, earlier parameters that open
/// conjuncts read, or the remainders of these conjuncts (Remainder.h). There
/// are at most as many nodes as values of the frontier that the complete
/// conjuncts among it let pass, as different remainders, and as choices in the
/// level before. A conjunct lets pass the share that it has of random choices,
/// independently of others.
class OrderCost {
public:
  /// Tabulates remainders of conjuncts of up to so many choices: some 10 ms for
  /// each conjunct. `group` outlives this.
  OrderCost(const GroupSpec &group, const Domains &domains,
            uint64_t remainderChoices);

  /// The logarithm (base 2) of the number of candidates of all levels, without
  /// the conjuncts that are loose (one flag each). About a microsecond for 20
  /// parameters and conjuncts.
  double workBits(const std::vector<size_t> &order,
                  const std::vector<char> &isLoose);

  /// The logarithm (base 2) of the share of random choices that a conjunct lets
  /// pass: -9 if it let none of 256 pass.
  double shareBits(size_t conjunct) const { return shares[conjunct]; }

private:
  double sampleShare(const Conjunct &conjunct, const Domains &domains) const;
  std::vector<double> remainderBits(const Conjunct &conjunct,
                                    const Domains &domains,
                                    uint64_t remainderChoices) const;

  // The sweep of workBits over the levels.
  void start(const std::vector<char> &isLoose);
  void place(size_t parameter);
  void showMore(size_t conjunct, size_t parameter);
  void leaveFrontier(size_t parameter);
  double openBits() const;

  const std::vector<size_t> &parameters;
  /// Per parameter: log2 of its number of values; its conjuncts.
  std::vector<double> bits;
  std::vector<std::vector<size_t>> readers;
  /// Per conjunct: the parameters that it reads, and log2 of its share.
  std::vector<std::vector<size_t>> reads;
  std::vector<double> shares;
  /// Per conjunct and set of known parameters among those that it reads: log2
  /// of the number of its remainders; empty if they aren't tabulated.
  std::vector<std::vector<double>> remainders;

  // The state of a sweep.
  /// The readers that count, by parameter.
  std::vector<std::vector<size_t>> tightReaders;
  /// Per parameter: whether it is in the frontier, how many conjuncts that read
  /// it are incomplete, how many not tabulated ones show its value, and the
  /// bits of the remainders that it alone decides.
  struct Placed {
    bool inFrontier = false;
    size_t numOpen = 0, numShowing = 0;
    double aloneBits = 0;
  };
  std::vector<Placed> placed;
  /// Per conjunct: its known parameters as a set and their number, how many
  /// parameters aren't in the frontier, and whether all are.
  struct Progress {
    size_t known = 0, numKnown = 0, numOutside = 0;
    bool isInside = false;
  };
  std::vector<Progress> progress;
  /// Bits of the parameters in the frontier, of the complete conjuncts among
  /// them, of the remainders that several parameters decide, and of the nodes.
  double frontier = 0, passing = 0, shared = 0, nodes = 0;
};

} // namespace baco

#endif // BACO_LIB_SPACE_ORDERCOST_H
