//===- Execution.cpp - Run programs and schedules -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution.h"
#include "Interpreter.h"
#include "PrintCode.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <functional>

using namespace baco::polyhedral;
using namespace baco::polyhedral::test;

namespace {

uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9e3779b97f4a7c15u + b + 0x632be59bd9b4e019u;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9u;
  return x ^ (x >> 32);
}

uint64_t mix(uint64_t a, const IntegerPoint &point) {
  for (int64_t value : point)
    a = mix(a, static_cast<uint64_t>(value));
  return a;
}

uint64_t mix(uint64_t a, const std::string &text) {
  for (char c : text)
    a = mix(a, static_cast<uint64_t>(c));
  return a;
}

isl::set fix(isl::set set, const std::map<std::string, int64_t> &parameters) {
  for (const auto &[name, value] : parameters) {
    int position =
        isl_set_find_dim_by_name(set.get(), isl_dim_param, name.c_str());
    if (position >= 0)
      set = isl::manage(
          isl_set_fix_si(set.release(), isl_dim_param, position, value));
  }
  return set;
}

std::vector<IntegerPoint> points(const isl::set &set) {
  std::vector<IntegerPoint> found;
  unsigned dims = isl_set_dim(set.get(), isl_dim_set);
  set.foreach_point([&](const isl::point &point) {
    IntegerPoint values;
    isl::multi_val coordinates = point.multi_val();
    for (unsigned d = 0; d < dims; ++d)
      values.push_back(isl_val_get_num_si(coordinates.at(d).get()));
    found.push_back(values);
  });
  std::sort(found.begin(), found.end());
  return found;
}

/// { [in] : ... } -> the images of one point.
std::vector<IntegerPoint>
images(const isl::map &map, const IntegerPoint &point,
       const std::map<std::string, int64_t> &parameters) {
  isl::map one = map;
  for (size_t d = 0; d < point.size(); ++d)
    one = isl::manage(isl_map_fix_si(one.release(), isl_dim_in, d, point[d]));
  return points(fix(one.range(), parameters));
}

/// Runs one instance: `read` and `write` access its elements by the number of
/// the access.
template <typename Read, typename Write>
void execute(const Statement &statement, unsigned number,
             const IntegerPoint &iterators,
             const std::vector<size_t> &numElements, Read read, Write write) {
  const Access *update =
      statement.reduction ? &statement.accesses[*statement.reduction] : nullptr;
  uint64_t term = mix(mix(number, iterators), 1);
  uint64_t old = 0;
  for (size_t a = 0; a < statement.accesses.size(); ++a) {
    if (statement.accesses[a].isWrite)
      continue;
    for (size_t e = 0; e < numElements[a]; ++e) {
      uint64_t value = read(a, e);
      if (update && statement.accesses[a].relation.is_equal(update->relation))
        old = value;
      else
        term = mix(term, value);
    }
  }
  for (size_t a = 0; a < statement.accesses.size(); ++a)
    if (statement.accesses[a].isWrite)
      for (size_t e = 0; e < numElements[a]; ++e)
        write(a, e, update ? old + term : term + e);
}

} // namespace

Reference::Reference(const Program &program,
                     std::map<std::string, int64_t> parameters)
    : program(program), parameters(std::move(parameters)) {
  for (unsigned s = 0; s < program.statements.size(); ++s) {
    const Statement &statement = program.statements[s];
    for (const IntegerPoint &point :
         points(fix(statement.domain, this->parameters))) {
      Instance instance{s, point, {}, {}};
      instance.time = images(statement.schedule, point, this->parameters)[0];
      for (const Access &access : statement.accesses)
        instance.elements.push_back(
            images(access.relation, point, this->parameters));
      instances.push_back(instance);
    }
  }
  std::sort(
      instances.begin(), instances.end(),
      [](const Instance &a, const Instance &b) { return a.time < b.time; });
  for (size_t i = 0; i < instances.size(); ++i)
    index[{instances[i].statement, instances[i].iterators}] = i;
}

Memory Reference::initial() const {
  Memory memory;
  for (const Array &array : program.arrays)
    for (const IntegerPoint &point : points(fix(array.elements, parameters)))
      memory[array.name][point] = mix(mix(17, array.name), point);
  return memory;
}

Memory Reference::run() const {
  Memory memory = initial();
  for (const Instance &instance : instances) {
    const Statement &statement = program.statements[instance.statement];
    std::vector<size_t> counts;
    for (const auto &elements : instance.elements)
      counts.push_back(elements.size());
    auto slot = [&](size_t a, size_t e) -> uint64_t & {
      return memory.at(statement.accesses[a].relation.range_tuple_id().name())
          .at(instance.elements[a][e]);
    };
    execute(statement, instance.statement, instance.iterators, counts, slot,
            [&](size_t a, size_t e, uint64_t value) { slot(a, e) = value; });
  }
  return memory;
}

std::string Reference::checkOrder(const std::vector<size_t> &order,
                                  bool reassociate) const {
  std::vector<size_t> position(instances.size(), SIZE_MAX);
  for (size_t p = 0; p < order.size(); ++p) {
    if (position[order[p]] != SIZE_MAX)
      return "an instance runs twice";
    position[order[p]] = p;
  }
  if (order.size() != instances.size())
    return "an instance doesn't run";
  struct Touch {
    size_t instance;
    bool isWrite, isUpdate;
  };
  std::map<std::pair<std::string, IntegerPoint>, std::vector<Touch>> touches;
  for (size_t i = 0; i < instances.size(); ++i) {
    const Statement &statement = program.statements[instances[i].statement];
    for (size_t a = 0; a < statement.accesses.size(); ++a) {
      const Access &access = statement.accesses[a];
      bool update = statement.reduction &&
                    access.relation.is_equal(
                        statement.accesses[*statement.reduction].relation);
      for (const IntegerPoint &element : instances[i].elements[a])
        touches[{access.relation.range_tuple_id().name(), element}].push_back(
            {i, access.isWrite, update});
    }
  }
  for (const auto &[element, list] : touches)
    for (const Touch &a : list)
      for (const Touch &b : list) {
        if (a.instance >= b.instance || (!a.isWrite && !b.isWrite))
          continue;
        bool same =
            instances[a.instance].statement == instances[b.instance].statement;
        if (reassociate && a.isUpdate && b.isUpdate && same)
          continue;
        if (position[a.instance] > position[b.instance])
          return "conflicting instances run in the wrong order";
      }
  return "";
}

Execution baco::polyhedral::test::run(const Reference &reference,
                                      const LoopSchedule &schedule,
                                      const GeneratedCode &code) {
  Execution result;
  result.memory = reference.initial();
  for (const Buffer &buffer : schedule.buffers()) {
    IntegerPoint point(buffer.shape.size(), 0);
    auto &elements = result.memory[buffer.name];
    std::function<void(size_t)> fill = [&](size_t d) {
      if (d == point.size()) {
        elements[point] = mix(99, point);
        return;
      }
      for (point[d] = 0; point[d] < buffer.shape[d]; ++point[d])
        fill(d + 1);
    };
    fill(0);
  }
  Interpreter interpreter(code, reference.parameters);
  interpreter.onInstance = [&](const GeneratedInstance &instance) {
    if (!result.problem.empty())
      return;
    IntegerPoint iterators;
    for (const isl::ast_expr &expr : instance.iterators)
      iterators.push_back(interpreter.eval(expr));
    auto slot = [&](size_t a) -> uint64_t * {
      const GeneratedAccess &access = instance.accesses[a];
      IntegerPoint point;
      for (const isl::ast_expr &expr : *access.subscripts)
        point.push_back(interpreter.eval(expr));
      auto &array = result.memory.at(access.array);
      auto found = array.find(point);
      if (found == array.end()) {
        result.problem = access.array + " is accessed out of bounds";
        static uint64_t nowhere;
        return &nowhere;
      }
      return &found->second;
    };
    const ScheduledStatement &statement =
        schedule.statements()[instance.statement];
    if (statement.kind != ScheduledStatement::Kind::Original) {
      *slot(1) = *slot(0);
      return;
    }
    auto found = reference.index.find(
        {static_cast<unsigned>(statement.origin), iterators});
    if (found == reference.index.end()) {
      result.problem = "an instance runs that isn't in the program";
      return;
    }
    result.order.push_back(found->second);
    execute(
        reference.program.statements[statement.origin], statement.origin,
        iterators, std::vector<size_t>(instance.accesses.size(), 1),
        [&](size_t a, size_t) { return *slot(a); },
        [&](size_t a, size_t, uint64_t value) { *slot(a) = value; });
  };
  interpreter.run();
  return result;
}

MarkedTrips baco::polyhedral::test::markedTrips(const Reference &reference,
                                                const GeneratedCode &code) {
  MarkedTrips trips;
  Interpreter interpreter(code, reference.parameters);
  interpreter.onInstance = [](const GeneratedInstance &) {};
  interpreter.onLoop = [&](const LoopMarks &marks, int64_t count) {
    if (marks.unroll)
      trips.unrolled.push_back(count);
    if (marks.vectorWidth)
      trips.vectors.push_back(count);
  };
  interpreter.run();
  return trips;
}

std::string baco::polyhedral::test::check(const Reference &reference,
                                          const LoopSchedule &schedule,
                                          bool reassociate, bool isExpanded) {
  baco::Result<GeneratedCode> code = schedule.generate();
  if (!code)
    return code.error().message;
  Execution result = run(reference, schedule, *code);
  if (!result.problem.empty())
    return result.problem + "\n" + print(*code);
  if (!isExpanded)
    if (std::string problem = reference.checkOrder(result.order, reassociate);
        !problem.empty())
      return problem + "\n" + print(*code);
  Memory expected = reference.run();
  for (const auto &[name, elements] : expected)
    if (result.memory[name] != elements)
      return name + " has wrong contents\n" + print(*code);
  return "";
}

static void addMarks(const std::vector<InnerLoop> &loops,
                     std::vector<LoopMarks> &marks) {
  for (const InnerLoop &loop : loops) {
    marks.push_back(loop.marks);
    addMarks(loop.body, marks);
  }
}

std::vector<LoopMarks>
baco::polyhedral::test::allMarks(const GeneratedCode &code) {
  std::vector<LoopMarks> marks = code.loops;
  for (const GeneratedInstance &instance : code.instances)
    addMarks(instance.loops, marks);
  return marks;
}
