//===- SparseCandidates.cpp - Candidates with a sparse argument -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseCandidates.h"

#include <algorithm>
#include <map>

using namespace baco;
using namespace baco::runtime;
using namespace baco::sparse;

/// The elements of a memref of rank 1.
template <typename T>
static std::span<T> elements(void **arguments, int i) {
  auto *words = static_cast<int64_t *>(arguments[i]);
  return {reinterpret_cast<T **>(words)[1], static_cast<size_t>(words[3])};
}

//===----------------------------------------------------------------------===//
// CSR: positions, coordinates, values, x, y
//===----------------------------------------------------------------------===//

namespace {
template <typename Position, typename Coordinate>
struct Csr {
  explicit Csr(void **arguments)
      : positions(elements<Position>(arguments, 0)),
        columns(elements<Coordinate>(arguments, 1)),
        values(elements<double>(arguments, 2)),
        x(elements<double>(arguments, 3)), y(elements<double>(arguments, 4)) {}

  /// Adds up the entries from `begin` to `end` into a row.
  void add(size_t row, size_t begin, size_t end) {
    for (size_t p = begin; p < end; ++p)
      y[row] += values[p] * x[columns[p]];
  }

  std::span<Position> positions;
  std::span<Coordinate> columns;
  std::span<double> values, x, y;
};
using Wide = Csr<uint64_t, uint64_t>;
} // namespace

template <typename Position, typename Coordinate = Position>
static void csr(void **arguments) {
  Csr<Position, Coordinate> a(arguments);
  for (size_t i = 0; i < a.y.size(); ++i)
    a.add(i, a.positions[i], a.positions[i + 1]);
}

/// Enters the loop of each row once at least.
static void neverEmpty(void **arguments) {
  Wide a(arguments);
  for (size_t i = 0; i < a.y.size(); ++i) {
    size_t end = std::max(a.positions[i] + 1, a.positions[i + 1]);
    a.add(i, a.positions[i], std::min(end, a.values.size()));
  }
}

/// A buffer for a row is too short.
static void shortRows(void **arguments) {
  Wide a(arguments);
  for (size_t i = 0; i < a.y.size(); ++i)
    a.add(i, a.positions[i], std::min(a.positions[i] + 16, a.positions[i + 1]));
}

/// Works on pairs of entries, and on what is left of a longer list.
static void pairs(void **arguments) {
  Wide a(arguments);
  if (a.values.size() >= 2)
    csr<uint64_t>(arguments);
}

/// Remembers where rows began in another matrix.
static void remembers(void **arguments) {
  Wide a(arguments);
  static std::vector<uint64_t> first(a.positions.begin(), a.positions.end());
  for (size_t i = 0; i < a.y.size(); ++i)
    a.add(i, std::min(first[i], a.values.size()),
          std::min(first[i + 1], a.values.size()));
}

static void writesPositions(void **arguments) {
  csr<uint64_t>(arguments);
  Wide(arguments).positions[1] = 0;
}

static void writesBehindColumns(void **arguments) {
  Wide a(arguments);
  *(a.columns.data() + a.columns.size()) = 0;
  csr<uint64_t>(arguments);
}

static void readsBehindValues(void **arguments) {
  csr<uint64_t>(arguments);
  Wide a(arguments);
  a.y[0] += 1e-9 * *(a.values.data() + a.values.size());
}

//===----------------------------------------------------------------------===//
// Other formats
//===----------------------------------------------------------------------===//

static void csc(void **arguments) {
  auto positions = elements<uint64_t>(arguments, 0),
       rows = elements<uint64_t>(arguments, 1);
  auto values = elements<double>(arguments, 2),
       x = elements<double>(arguments, 3), y = elements<double>(arguments, 4);
  for (size_t k = 0; k < x.size(); ++k)
    for (size_t p = positions[k]; p < positions[k + 1]; ++p)
      y[rows[p]] += values[p] * x[k];
}

static void coo(void **arguments) {
  auto positions = elements<uint32_t>(arguments, 0),
       rows = elements<uint32_t>(arguments, 1),
       columns = elements<uint32_t>(arguments, 2);
  auto values = elements<double>(arguments, 3),
       x = elements<double>(arguments, 4), y = elements<double>(arguments, 5);
  for (size_t p = positions[0]; p < positions[1]; ++p)
    y[rows[p]] += values[p] * x[columns[p]];
}

static void dense(void **arguments) {
  auto values = elements<double>(arguments, 0),
       x = elements<double>(arguments, 1), y = elements<double>(arguments, 2);
  for (size_t i = 0; i < y.size(); ++i)
    for (size_t k = 0; k < x.size(); ++k)
      y[i] += values[i * x.size() + k] * x[k];
}

/// One entry in each row.
static void diagonal(void **arguments) {
  auto columns = elements<uint64_t>(arguments, 0);
  auto values = elements<double>(arguments, 1),
       x = elements<double>(arguments, 2), y = elements<double>(arguments, 3);
  for (size_t i = 0; i < y.size(); ++i)
    y[i] += values[i] * x[columns[i]];
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

namespace {
struct Candidate {
  void (*entry)(void **);
  std::vector<StorageFormat> formats;
};
} // namespace

static StorageFormat named(std::string_view name, unsigned positionWidth = 64,
                           unsigned coordinateWidth = 64) {
  StorageFormat format = *namedFormat(name, 2);
  format.positionWidth = positionWidth;
  format.coordinateWidth = coordinateWidth;
  return format;
}

static const std::map<std::string, Candidate> &candidates() {
  static const std::map<std::string, Candidate> all = {
      {"csr", {csr<uint64_t>, {named("csr")}}},
      {"csr-32", {csr<uint32_t>, {named("csr", 32, 32)}}},
      {"csr-16", {csr<uint16_t>, {named("csr", 16, 16)}}},
      {"csr-8", {csr<uint8_t>, {named("csr", 8, 8)}}},
      {"csr-8-16", {csr<uint8_t, uint16_t>, {named("csr", 8, 16)}}},
      {"csc", {csc, {named("csc")}}},
      {"coo", {coo, {named("coo", 32, 32)}}},
      {"dense", {dense, {named("dense")}}},
      {"diagonal",
       {diagonal, {{{{LevelKind::Dense, 0}, {LevelKind::Singleton, 1}}}}}},
      {"transposed", {csr<uint64_t>, {named("csc")}}},
      {"no-format", {csr<uint64_t>, {}}},
      {"no-columns", {csr<uint64_t>, {{{{LevelKind::Dense, 0}}}}}},
      {"wrong-width", {csr<uint64_t>, {named("csr", 32, 64)}}},
      {"never-empty", {neverEmpty, {named("csr")}}},
      {"short-rows", {shortRows, {named("csr")}}},
      {"pairs", {pairs, {named("csr")}}},
      {"remembers", {remembers, {named("csr")}}},
      {"writes-positions", {writesPositions, {named("csr")}}},
      {"writes-behind-columns", {writesBehindColumns, {named("csr")}}},
      {"reads-behind-values", {readsBehindValues, {named("csr")}}},
  };
  return all;
}

Signature test::sparseSignature(const std::string &source, int64_t rows) {
  Signature signature;
  signature.arguments = {{ElementType::F64, true, {rows, rows}, false},
                         {ElementType::F64, true, {rows}, false},
                         {ElementType::F64, true, {rows}, true}};
  signature.arguments[0].isSparse = true;
  signature.arguments[0].source = Source{Source::Kind::Tensor};
  signature.arguments[0].source->file = source;
  signature.reductionLength = rows;
  return signature;
}

std::optional<CompiledKernel> test::findSparseKernel(const std::string &name) {
  auto found = candidates().find(name);
  if (found == candidates().end())
    return std::nullopt;
  CompiledKernel kernel{found->second.entry, nullptr};
  kernel.formats = found->second.formats;
  kernel.object = name;
  return kernel;
}
