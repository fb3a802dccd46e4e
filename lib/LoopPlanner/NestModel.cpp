//===- NestModel.cpp - Numeric model of a nest ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestModel.h"

#include "baco/Polyhedral/AffineRows.h"
#include "baco/Polyhedral/Context.h"
#include "baco/Polyhedral/ScheduleState.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>
#include <cstdlib>
#include <set>

using namespace baco::polyhedral;

/// Products of extents stay below this; larger ones fit no cache.
static constexpr int64_t manyElements = int64_t(1) << 40;

bool Reference::uses(unsigned loop) const {
  return !isAffine || std::ranges::any_of(coefficients,
                                          [&](const std::vector<int64_t> &row) {
                                            return row[loop] != 0;
                                          });
}

Stride Reference::stride(unsigned loop) const {
  // An unknown subscript may move by any distance.
  if (!isAffine)
    return contiguousLoop == loop && elementStride == 1 ? Stride::Unit
                                                        : Stride::Large;
  if (!uses(loop))
    return Stride::None;
  // A step in any dimension but the last one skips a row at least. Loads from
  // neighboring rows of one element are merged, stores are not.
  size_t last = coefficients.size() - 1;
  if (!isWrite && rowElements == 1 && last > 0)
    --last;
  for (size_t d = 0; d < last; ++d)
    if (coefficients[d][loop] != 0)
      return Stride::Large;
  // An unknown stride of the elements is 0, and so counts as large.
  return std::abs(coefficients[last][loop] * elementStride) == 1
             ? Stride::Unit
             : Stride::Large;
}

bool Reference::isParallelTo(const Reference &other) const {
  return array == other.array && isWrite == other.isWrite &&
         isAffine == other.isAffine && coefficients == other.coefficients;
}

bool Reference::follows(const Reference &other, unsigned loop) const {
  // How many iterations lie between, once a dimension has told.
  std::optional<int64_t> steps;
  for (size_t d = 0; d < offsets.size(); ++d) {
    const std::vector<int64_t> &a = offsets[d], &b = other.offsets[d];
    // Offsets that differ by parameters are at an unknown distance.
    if (!std::equal(a.begin(), a.end() - 1, b.begin()))
      return false;
    int64_t distance = a.back() - b.back(), step = coefficients[d][loop];
    // The loop can't bridge a distance in a dimension that it doesn't move in,
    // nor one that is no whole number of its steps.
    if (step == 0 ? distance != 0 : distance % step != 0)
      return false;
    if (step != 0 && steps.value_or(distance / step) != distance / step)
      return false;
    if (step != 0)
      steps = distance / step;
  }
  // No step between them means the same iteration, which is no reuse along the
  // loop.
  return steps.value_or(0) != 0;
}

double Reference::boxElements(const std::vector<int64_t> &extents) const {
  double product = 1;
  for (const std::vector<int64_t> &row : coefficients) {
    // n iterations move by c * (n - 1), to which the first element is added.
    double extent = 1;
    for (size_t l = 0; l < row.size(); ++l)
      if (row[l] != 0)
        extent += std::abs(double(row[l])) *
                  double(extents[l] ? extents[l] - 1 : manyElements);
    product = std::min(product * extent, double(manyElements));
  }
  return product;
}

double StatementModel::countInstances() const {
  double count = 1;
  for (int64_t extent : extents)
    count *= extent ? extent : 1000;
  return count;
}

const Reference *StatementModel::write() const {
  for (const Reference &reference : references)
    if (reference.isWrite)
      return &reference;
  return nullptr;
}

size_t StatementModel::countBefore(size_t access) const {
  return std::count_if(references.begin(), references.begin() + access,
                       [&](const Reference &earlier) {
                         return earlier.isParallelTo(references[access]);
                       });
}

bool StatementModel::isReusedAlong(size_t access, unsigned loop) const {
  const Reference &reference = references[access];
  return std::any_of(references.begin(), references.begin() + access,
                     [&](const Reference &earlier) {
                       return earlier.isParallelTo(reference) &&
                              reference.follows(earlier, loop);
                     });
}

bool StatementModel::isRepeated(unsigned loop) const {
  return std::ranges::none_of(references, [&](const Reference &reference) {
    return reference.uses(loop);
  });
}

/// The last extent of a box that begins at 0; 0 if it isn't a constant.
static int64_t lastExtent(const isl::set &elements) {
  unsigned rank = elements.tuple_dim();
  if (rank == 0)
    return 0;
  // Without a maximum, -1 + 1 is the 0 that stands for no constant.
  return toInt64(elements.dim_max_val(rank - 1)).value_or(-1) + 1;
}

static Reference readReference(const Access &access, const Program &program) {
  Reference result;
  result.array = access.relation.range_tuple_id().name();
  result.isWrite = access.isWrite;
  result.contiguousLoop = access.contiguousLoop;
  for (const Array &array : program.arrays)
    if (array.name == result.array) {
      if (array.elementBytes > 0)
        result.elementBytes = array.elementBytes;
      result.rowElements = lastExtent(array.elements);
      result.elementStride = array.elementStride;
      result.isConstant = array.isConstant;
      result.dotTerms = array.dotTerms;
    }
  std::optional<std::vector<Row>> rows = rowsOf(access.relation);
  result.isAffine = rows.has_value();
  unsigned loops = access.relation.domain_tuple_dim();
  if (rows)
    for (const Row &row : *rows) {
      result.coefficients.emplace_back(row.begin(), row.begin() + loops);
      result.offsets.emplace_back(row.begin() + loops, row.end());
    }
  return result;
}

/// The number of values that a dimension takes at most where the first `outer`
/// ones have the same values; 0 if unbounded.
static int64_t countValues(const isl::set &domain, unsigned dim,
                           unsigned outer) {
  // Distances between instances in one iteration of the outer loops bound the
  // extent, wherever it begins there.
  if (outer > 0 && dim >= outer) {
    isl::map pairs = isl::manage(
        isl_map_from_domain_and_range(domain.copy(), domain.copy()));
    isl::set distances = shareLoops(pairs, outer).deltas();
    return toInt64(distances.dim_max_val(dim)).value_or(-1) + 1;
  }
  auto low = toInt64(domain.dim_min_val(dim));
  auto high = toInt64(domain.dim_max_val(dim));
  return low && high && *high >= *low ? *high - *low + 1 : 0;
}

/// How far apart the values of a dimension are.
static int64_t findStep(const isl::set &domain, unsigned dim) {
  auto step = toInt64(domain.stride(dim));
  return step && *step > 0 ? *step : 1;
}

/// The product of the set's projections, for each value of the first `outer`
/// dimensions.
static isl::set boxAround(const isl::set &domain, unsigned outer = 0) {
  unsigned dims = domain.tuple_dim();
  isl::set box = isl::set::universe(domain.space());
  // Eliminating the others, unlike projecting them out, keeps the dimension in
  // its place.
  for (unsigned d = outer; d < dims; ++d) {
    isl_set *one = domain.copy();
    for (unsigned other = outer; other < dims; ++other)
      if (other != d)
        one = isl_set_eliminate(one, isl_dim_set, other, 1);
    box = box.intersect(isl::manage(one));
  }
  return box;
}

static void findUpdate(const Statement &statement, StatementModel &model) {
  if (statement.reduction) {
    model.update = &model.references[*statement.reduction];
    model.commutes = true;
    return;
  }
  for (size_t w = 0; w < model.references.size(); ++w) {
    const Reference &write = model.references[w];
    bool isRepeated = false;
    // An element that every loop moves on from is written once: that is no sum.
    for (unsigned l = 0; l < model.depth(); ++l)
      isRepeated |= !write.uses(l);
    if (!write.isWrite || !write.isAffine || !isRepeated)
      continue;
    for (const Access &access : statement.accesses)
      if (!access.isWrite &&
          access.relation.is_equal(statement.accesses[w].relation))
        model.update = &write;
  }
}

/// The instances that touch existing elements only: a bound for loops that the
/// program bounds by a mere parameter. Guarded instances may seem to touch
/// others.
static isl::set inBounds(const Statement &statement, const Program &program,
                         isl::set domain) {
  // A subscript that isn't affine may be any element, so it bounds nothing.
  for (const Access &access : statement.accesses)
    for (const Array &array : program.arrays)
      if (access.relation.range_tuple_id().name() == array.name &&
          access.relation.is_single_valued())
        domain = domain.intersect(
            access.relation.intersect_range(array.elements).domain());
  return domain;
}

static void readStatement(const Statement &statement, const Program &program,
                          unsigned outer, StatementModel &model) {
  isl::set domain = statement.domain.intersect_params(program.context);
  isl::set inside = inBounds(statement, program, domain);
  if (program.measured)
    inside = inside.intersect_params(*program.measured);
  unsigned depth = domain.tuple_dim();
  std::vector<int64_t> steps;
  for (unsigned d = 0; d < depth; ++d) {
    steps.push_back(findStep(domain, d));
    int64_t values = countValues(domain, d, outer);
    // The arrays bound only loops that the domain leaves open: guards may hide
    // accesses that seem to be outside.
    if (values == 0)
      values = countValues(inside, d, outer);
    // The values of a strided loop include those between its iterations.
    model.extents.push_back((values + steps[d] - 1) / steps[d]);
  }
  model.isRectangular = boxAround(domain, outer).is_subset(domain);
  model.elementBytes = 1;
  for (const Access &access : statement.accesses) {
    model.references.push_back(readReference(access, program));
    // One iteration moves the address by the loop's step, too. Without it, a
    // store to every second element would count as contiguous.
    for (std::vector<int64_t> &row : model.references.back().coefficients)
      for (unsigned d = 0; d < depth; ++d)
        row[d] *= steps[d];
    model.elementBytes =
        std::max(model.elementBytes, model.references.back().elementBytes);
  }
  findUpdate(statement, model);
  isl::set times = statement.schedule.intersect_domain(domain).range();
  unsigned dims = times.tuple_dim();
  // Odd dimensions are the loops; even ones number the places between them.
  for (unsigned d = 0; d < dims; d += 2) {
    model.places.push_back(fixedValue(times, d).value_or(0));
  }
}

NestModel::NestModel(const Program &program, unsigned outer)
    : program(program) {
  statements.reserve(program.statements.size());
  for (const Statement &statement : program.statements)
    readStatement(statement, program, outer, statements.emplace_back());
}

bool NestModel::addsByteProducts(unsigned statement, unsigned loop) const {
  const StatementModel &model = statements[statement];
  return model.update && model.elementBytes == sizeof(int32_t) &&
         program.statements[statement].isInteger &&
         std::ranges::count_if(model.references,
                               [&](const Reference &reference) {
                                 return reference.dotTerms == 4 &&
                                        reference.stride(loop) == Stride::Unit;
                               }) == 2;
}

bool NestModel::share(unsigned first, unsigned second, unsigned count) const {
  const StatementModel &a = statements[first], &b = statements[second];
  if (a.depth() < count || b.depth() < count)
    return false;
  return std::equal(a.places.begin(), a.places.begin() + count,
                    b.places.begin());
}

std::vector<unsigned> NestModel::sharing(unsigned statement,
                                         unsigned count) const {
  std::vector<unsigned> group;
  for (unsigned s = 0; s < statements.size(); ++s)
    if (s == statement || share(statement, s, count))
      group.push_back(s);
  return group;
}

double NestModel::arrayBytes(const std::vector<unsigned> &some,
                             const Extents &extents) const {
  double bytes = 0;
  std::set<std::string> seen;
  for (unsigned s : some)
    for (const Reference &reference : statements[s].references)
      if (reference.isAffine && seen.insert(reference.array).second)
        bytes += reference.boxBytes(extents(statements[s]));
  return bytes;
}

/// The values that loops `first` and `second`, from 0, have together.
static isl::set pairsOf(const isl::set &domain, unsigned first,
                        unsigned second) {
  unsigned depth = domain.tuple_dim();
  isl::map both =
      join(selectLoops(domain.ctx(), depth, first + 1, first + 1),
           selectLoops(domain.ctx(), depth, second + 1, second + 1));
  return domain.apply(both.set_domain_tuple(tupleName(domain)));
}

bool NestModel::isBelow(unsigned statement, unsigned low, unsigned high) const {
  isl::set pairs = pairsOf(program.statements[statement].domain, low, high);
  return pairs.is_subset(isl::set(pairs.ctx(), "{ [a, b] : a <= b }"));
}

bool NestModel::isTriangle(unsigned statement, unsigned low,
                           unsigned high) const {
  const isl::set &domain = program.statements[statement].domain;
  isl::set pairs = pairsOf(domain, low, high);
  isl::set box = boxAround(pairs);
  isl::set half = box.intersect(isl::set(domain.ctx(), "{ [a, b] : a < b }"));
  return half.is_subset(pairs) && !box.is_subset(pairs);
}
