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

using namespace mlir;
using namespace baco;
using namespace baco::target;

/// Whether the values have the same factors in both.
static bool haveSameFactors(const LinearIndex &a, const LinearIndex &b) {
  auto areIn = [](const LinearIndex &these, const LinearIndex &those) {
    return llvm::all_of(these.factors, [&](const auto &entry) {
      return those.factorOf(entry.first) == entry.second;
    });
  };
  return areIn(a, b) && areIn(b, a);
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
        index.factors[operand] += factor;
    index.constant = row.back();
  }
  return results;
}

std::optional<FpgaAccess> target::readAccess(Operation *op) {
  FpgaAccess access;
  access.op = op;
  if (auto load = dyn_cast<affine::AffineReadOpInterface>(op)) {
    access.memref = cast<TypedValue<MemRefType>>(load.getMemRef());
    access.subscripts =
        linearize(load.getAffineMap(), llvm::to_vector(load.getMapOperands()));
    return access;
  }
  if (auto store = dyn_cast<affine::AffineWriteOpInterface>(op)) {
    access.memref = cast<TypedValue<MemRefType>>(store.getMemRef());
    access.isWrite = true;
    access.subscripts = linearize(store.getAffineMap(),
                                  llvm::to_vector(store.getMapOperands()));
    return access;
  }
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    access.memref = cast<TypedValue<MemRefType>>(load.getMemRef());
    return access;
  }
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    access.memref = cast<TypedValue<MemRefType>>(store.getMemRef());
    access.isWrite = true;
    return access;
  }
  return std::nullopt;
}

LinearIndex FpgaAccess::address() const {
  LinearIndex sum;
  int64_t stride = 1;
  for (auto [index, extent] :
       llvm::zip(llvm::reverse(*subscripts),
                 llvm::reverse(memref.getType().getShape()))) {
    for (const auto &[value, factor] : index.factors)
      sum.factors[value] += factor * stride;
    sum.constant += index.constant * stride;
    stride *= extent;
  }
  return sum;
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
    if (!haveSameFactors(a, b))
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

int64_t target::countBankAccesses(ArrayRef<FpgaAccess> accesses,
                                  Banking banking) {
  SmallVector<int64_t> inBank(banking.banks, 0);
  int64_t inAny = 0;
  const FpgaAccess *first = nullptr;
  for (auto [place, access] : llvm::enumerate(accesses)) {
    auto isSame = [&](const FpgaAccess &other) {
      if (access.isWrite || other.isWrite || !access.subscripts ||
          !other.subscripts)
        return false;
      LinearIndex mine = access.address(), its = other.address();
      return haveSameFactors(mine, its) && mine.constant == its.constant;
    };
    if (llvm::any_of(accesses.take_front(place), isSame))
      continue;
    bool isScalar = access.memref.getType().getRank() == 0;
    if (!access.subscripts || isScalar) {
      ++inAny;
      continue;
    }
    const LinearIndex &index = (*access.subscripts)[banking.dimension];
    if (!first)
      first = &access;
    if (haveSameFactors(index, (*first->subscripts)[banking.dimension]))
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
    LinearIndex index = access.address();
    SmallVector<int64_t> places;
    for (size_t j = i; j < accesses.size(); ++j) {
      const FpgaAccess &other = accesses[j];
      if (other.memref != access.memref || other.isWrite != access.isWrite ||
          !other.subscripts)
        continue;
      LinearIndex its = other.address();
      if (!haveSameFactors(index, its))
        continue;
      isCounted[j] = true;
      places.push_back(its.constant * elementBytes);
    }
    int64_t moved = std::abs(index.factorOf(loop.getInductionVar()) *
                             loop.getStepAsInt() * elementBytes);
    if (moved == 0)
      continue;
    // Neighbors, up to a transfer apart, are one piece.
    llvm::sort(places);
    for (size_t begin = 0; begin < places.size();) {
      size_t end = begin + 1;
      while (end < places.size() &&
             places[end] - places[end - 1] < device.transferBytes)
        ++end;
      int64_t bytes = places[end - 1] - places[begin] + elementBytes;
      // Iterations whose pieces overlap or touch share them.
      transfers += std::min(transfersOf(moved), std::ceil(transfersOf(bytes)));
      begin = end;
    }
  }
  return transfers;
}
