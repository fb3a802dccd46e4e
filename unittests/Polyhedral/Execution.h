//===- Execution.h - Run programs and schedules --------------- -*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the original order independently of code generation: it enumerates
// instances and sorts them. What generated loops do is compared with that.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_POLYHEDRAL_EXECUTION_H
#define BACO_UNITTESTS_POLYHEDRAL_EXECUTION_H

#include "baco/Polyhedral/LoopSchedule.h"

#include <map>
#include <string>
#include <vector>

namespace baco::polyhedral::test {

using IntegerPoint = std::vector<int64_t>;
/// Values of array elements; `+` on them wraps around, so sums don't depend on
/// the order.
using Memory = std::map<std::string, std::map<IntegerPoint, uint64_t>>;

/// One instance of a statement of the program, and the elements it touches.
struct Instance {
  unsigned statement;
  IntegerPoint iterators;
  IntegerPoint time;
  /// One for each access.
  std::vector<std::vector<IntegerPoint>> elements;
};

/// The program for fixed values of its parameters, in its own order.
class Reference {
public:
  Reference(const Program &program, std::map<std::string, int64_t> parameters);

  /// Pseudo-random contents of all arrays.
  Memory initial() const;
  /// Memory after running the program.
  Memory run() const;
  /// Empty if `order` (indices into `instances`) runs all instances once and
  /// keeps every two conflicting ones in order, else what is wrong.
  std::string checkOrder(const std::vector<size_t> &order,
                         bool reassociate) const;

  const Program &program;
  std::map<std::string, int64_t> parameters;
  std::vector<Instance> instances;
  std::map<std::pair<unsigned, IntegerPoint>, size_t> index;
};

/// What running generated loops gave.
struct Execution {
  /// Empty if all went well.
  std::string problem;
  Memory memory;
  /// Instances of the program's statements, as indices into
  /// Reference::instances.
  std::vector<size_t> order;
};

Execution run(const Reference &reference, const LoopSchedule &schedule,
              const GeneratedCode &code);

/// The trip counts of all loops with a mark, in one run of the code.
struct MarkedTrips {
  std::vector<int64_t> unrolled, vectors;
};
MarkedTrips markedTrips(const Reference &reference, const GeneratedCode &code);

/// Generates, runs and compares with the program. Empty if instances, their
/// order and the contents of all arrays are right.
/// Where arrays are expanded, iterations that had to wait for each other
/// needn't any more: only the results count.
std::string check(const Reference &reference, const LoopSchedule &schedule,
                  bool reassociate = false, bool isExpanded = false);

/// Of all loops, with those of instances last.
std::vector<LoopMarks> allMarks(const GeneratedCode &code);

} // namespace baco::polyhedral::test

#endif // BACO_UNITTESTS_POLYHEDRAL_EXECUTION_H
