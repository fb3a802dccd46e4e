//===- FpgaMemory.cpp - Accesses of a pipeline to memory ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FpgaMemory.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

#include <set>

using namespace mlir;
using namespace baco;
using namespace baco::target;

int64_t LinearIndex::factorOf(Value value) const {
  for (auto [its, factor] : factors)
    if (its == value)
      return factor;
  return 0;
}

void LinearIndex::add(Value value, int64_t factor) {
  auto isBefore = [](const std::pair<Value, int64_t> &entry, Value value) {
    return entry.first.getAsOpaquePointer() < value.getAsOpaquePointer();
  };
  auto *place = llvm::lower_bound(factors, value, isBefore);
  if (place == factors.end() || place->first != value)
    place = factors.insert(place, {value, 0});
  place->second += factor;
  if (place->second == 0)
    factors.erase(place);
}

/// The results of `map` at `operands`; nothing if one isn't linear.
static std::optional<SmallVector<LinearIndex>>
linearize(AffineMap map, SmallVector<Value> operands) {
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  affine::canonicalizeMapAndOperands(&map, &operands);
  std::vector<SmallVector<int64_t, 8>> rows;
  if (failed(getFlattenedAffineExprs(map, &rows)))
    return std::nullopt;
  SmallVector<LinearIndex> results;
  for (ArrayRef<int64_t> row : rows) {
    // Behind the operands come quotients, and the constant at the end.
    ArrayRef<int64_t> quotients = row.drop_back().drop_front(operands.size());
    if (llvm::any_of(quotients, [](int64_t factor) { return factor != 0; }))
      return std::nullopt;
    LinearIndex &index = results.emplace_back();
    for (auto [operand, factor] : llvm::zip(operands, row))
      if (factor != 0)
        index.add(operand, factor);
    index.constant = row.back();
  }
  return results;
}

/// The subscript in a single dimension of memory of `shape`.
static LinearIndex flatten(ArrayRef<LinearIndex> subscripts,
                           ArrayRef<int64_t> shape) {
  LinearIndex sum;
  int64_t stride = 1;
  for (auto [index, extent] :
       llvm::zip(llvm::reverse(subscripts), llvm::reverse(shape))) {
    for (auto [value, factor] : index.factors)
      sum.add(value, factor * stride);
    sum.constant += index.constant * stride;
    stride *= extent;
  }
  return sum;
}

/// The access with the subscripts `map` of `operands`.
static FpgaAccess makeAccess(Operation *op, Value memref, bool isWrite,
                             AffineMap map, OperandRange operands) {
  FpgaAccess access{op,
                    cast<TypedValue<MemRefType>>(memref),
                    isWrite,
                    linearize(map, llvm::to_vector(operands)),
                    {}};
  if (access.subscripts)
    access.address =
        flatten(*access.subscripts, access.memref.getType().getShape());
  return access;
}

std::optional<FpgaAccess> target::readAccess(Operation *op) {
  if (auto load = dyn_cast<affine::AffineReadOpInterface>(op))
    return makeAccess(op, load.getMemRef(), /*isWrite=*/false,
                      load.getAffineMap(), load.getMapOperands());
  if (auto store = dyn_cast<affine::AffineWriteOpInterface>(op))
    return makeAccess(op, store.getMemRef(), /*isWrite=*/true,
                      store.getAffineMap(), store.getMapOperands());
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return FpgaAccess{
        op, load.getMemref(), /*isWrite=*/false, std::nullopt, {}};
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return FpgaAccess{
        op, store.getMemref(), /*isWrite=*/true, std::nullopt, {}};
  return std::nullopt;
}

std::optional<int64_t> target::findDistance(const FpgaAccess &from,
                                            const FpgaAccess &to,
                                            affine::AffineForOp loop,
                                            bool isBehind) {
  int64_t least = isBehind ? 0 : 1;
  if (!from.subscripts || !to.subscripts)
    return least;
  std::optional<int64_t> distance;
  for (const auto &[a, b] : llvm::zip(*from.subscripts, *to.subscripts)) {
    // Else they may be equal in any iteration.
    if (a.factors != b.factors)
      continue;
    int64_t moved =
        loop ? a.factorOf(loop.getInductionVar()) * loop.getStepAsInt() : 0;
    int64_t apart = a.constant - b.constant;
    if (moved == 0 ? apart != 0 : apart % moved != 0)
      return std::nullopt;
    if (moved == 0)
      continue;
    if (distance && *distance != apart / moved)
      return std::nullopt;
    distance = apart / moved;
  }
  if (!distance)
    return least;
  std::optional<uint64_t> trips = affine::getConstantTripCount(loop);
  bool isThere = *distance >= least &&
                 (!trips || *distance < static_cast<int64_t>(*trips));
  return isThere ? distance : std::nullopt;
}

SmallVector<FpgaAccess> target::mergeLoads(ArrayRef<FpgaAccess> accesses) {
  SmallVector<FpgaAccess> kept;
  std::set<std::vector<std::pair<const void *, int64_t>>> loaded;
  for (const FpgaAccess &access : accesses) {
    if (access.isWrite || !access.subscripts) {
      kept.push_back(access);
      continue;
    }
    std::vector<std::pair<const void *, int64_t>> element{
        {nullptr, access.address.constant}};
    for (auto [value, factor] : access.address.factors)
      element.emplace_back(value.getAsOpaquePointer(), factor);
    if (loaded.insert(std::move(element)).second)
      kept.push_back(access);
  }
  return kept;
}

int64_t target::countBankAccesses(ArrayRef<FpgaAccess> accesses,
                                  Banking banking) {
  SmallVector<int64_t> inBank(banking.banks, 0);
  int64_t inAny = 0;
  const LinearIndex *first = nullptr;
  for (const FpgaAccess &access : accesses) {
    if (!access.subscripts || access.subscripts->empty()) {
      ++inAny;
      continue;
    }
    const LinearIndex &index = (*access.subscripts)[banking.dimension];
    if (!first)
      first = &index;
    if (index.factors == first->factors)
      ++inBank[llvm::mod(index.constant, banking.banks)];
    else
      ++inAny;
  }
  return *llvm::max_element(inBank) + inAny;
}

double target::countTransfers(ArrayRef<FpgaAccess> accesses,
                              affine::AffineForOp loop,
                              const FpgaDevice &device) {
  auto transfersOf = [&](int64_t bytes) {
    return static_cast<double>(bytes) /
           static_cast<double>(device.transferBytes);
  };
  double transfers = 0;
  SmallVector<bool> isCounted(accesses.size(), false);
  for (size_t i = 0; i < accesses.size(); ++i) {
    if (isCounted[i])
      continue;
    const FpgaAccess &access = accesses[i];
    if (!access.subscripts) {
      transfers += 1;
      continue;
    }
    int64_t elementBytes =
        llvm::divideCeil(access.memref.getType().getElementTypeBitWidth(), 8);
    const LinearIndex &index = access.address;
    SmallVector<int64_t> places;
    for (size_t j = i; j < accesses.size(); ++j) {
      const FpgaAccess &other = accesses[j];
      if (other.memref != access.memref || other.isWrite != access.isWrite ||
          !other.subscripts)
        continue;
      if (index.factors != other.address.factors)
        continue;
      isCounted[j] = true;
      places.push_back(other.address.constant * elementBytes);
    }
    int64_t moved = std::abs(index.factorOf(loop.getInductionVar()) *
                             loop.getStepAsInt() * elementBytes);
    if (moved == 0)
      continue;
    // Neighbors are one piece.
    int64_t apart = std::max(device.transferBytes - 1, elementBytes);
    llvm::sort(places);
    for (size_t begin = 0; begin < places.size();) {
      size_t end = begin + 1;
      while (end < places.size() && places[end] - places[end - 1] <= apart)
        ++end;
      int64_t bytes = places[end - 1] - places[begin] + elementBytes;
      // Iterations whose pieces overlap or touch share them.
      transfers += std::min(transfersOf(moved), std::ceil(transfersOf(bytes)));
      begin = end;
    }
  }
  return transfers;
}
