//===- FpgaCost.cpp - Cycles of affine nests on an FPGA, by a model -------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the loops, cuts memories in banks for all of them, and then adds up
// cycles and resources. docs/FPGA.md has the formulas with their sources.
//
//===----------------------------------------------------------------------===//

#include "baco/CostModel/FpgaCost.h"
#include "FpgaMemory.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

#define DEBUG_TYPE "baco-fpga-cost"

using namespace mlir;
using namespace baco;
using namespace baco::target;
using affine::AffineForOp;

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

/// Cycles from the address to the element of a memory on the chip, and until
/// what is stored can be loaded, there and in a register.
static constexpr int64_t loadLatency = 2, storeLatency = 1;
/// Cycles to begin and to end a loop.
static constexpr int64_t loopCycles = 2;
/// The counter of a loop: a sum and a comparison.
static constexpr FpgaResources loopCounter = {0, 64, 32, 0};
/// The share of a limit up to which a design that doesn't fit is estimated to
/// its end: a search learns from its cycles. More would take long, in vain.
static constexpr double maxUsage = 4;
/// The most banks of a memory.
static constexpr int64_t maxBanks = 32;

static int64_t bitsOf(Type type) {
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 32;
}

/// `operation` on elements of f64 if `type` is it.
static FpgaOperator widen(FpgaOperator operation, Type type) {
  if (!type.isF64())
    return operation;
  return {2 * operation.latency, 4 * operation.dsps, 3 * operation.logic};
}

/// The operator of an op that isn't an access; nothing if there is none.
static std::optional<FpgaOperator> findOperator(Operation *op,
                                                const FpgaDevice &device) {
  if (op->hasTrait<OpTrait::ConstantLike>() ||
      isa<affine::AffineYieldOp, scf::YieldOp, func::ReturnOp, memref::AllocOp,
          memref::AllocaOp, memref::DeallocOp, memref::GetGlobalOp>(op))
    return FpgaOperator{};
  if (isa<affine::AffineIfOp, scf::IfOp>(op))
    return FpgaOperator{1, 0, 32};
  if (op->getNumResults() != 1)
    return std::nullopt;
  Type type = op->getResult(0).getType();
  if (!type.isIntOrIndexOrFloat())
    return std::nullopt;
  int64_t bits = bitsOf(type);
  if (isa<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(op))
    return FpgaOperator{1, 0, bits};
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp, arith::TruncIOp, arith::BitcastOp, arith::NegFOp,
          math::AbsFOp, math::CopySignOp>(op))
    return FpgaOperator{};
  if (isa<arith::AddFOp, arith::SubFOp, arith::SIToFPOp, arith::UIToFPOp>(op))
    return widen(device.add, type);
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op))
    return widen(device.add, op->getOperand(0).getType());
  if (isa<arith::MulFOp>(op))
    return widen(device.multiply, type);
  if (isa<math::FmaOp>(op))
    return widen({device.add.latency + device.multiply.latency,
                  device.add.dsps + device.multiply.dsps,
                  device.add.logic + device.multiply.logic},
                 type);
  if (isa<arith::DivFOp>(op))
    return widen(device.divide, type);
  if (isa<arith::MulIOp>(op)) {
    int64_t parts = llvm::divideCeil(bits, device.multiplierBits);
    return FpgaOperator{3, parts * parts, 0};
  }
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
          arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp>(op))
    return FpgaOperator{bits, 0, bits * bits};
  if (isa<arith::CmpFOp, arith::CmpIOp>(op))
    return FpgaOperator{1, 0, bitsOf(op->getOperand(0).getType())};
  if (isa<arith::RemFOp>(op) ||
      (isa<math::MathDialect>(op->getDialect()) && isa<FloatType>(type)))
    return widen(device.function, type);
  // Sums, bits, shifts, selections, minima and maxima, rounding to fewer bits.
  if (isa<arith::ArithDialect>(op->getDialect()))
    return FpgaOperator{1, 0, bits};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Dependences
//===----------------------------------------------------------------------===//

namespace {
/// `to` starts `latency` cycles after `from` of `distance` iterations before,
/// or later.
struct Edge {
  size_t from, to;
  int64_t latency, distance;
};

/// Straight-line code: the body of an innermost loop, or what is between loops.
struct Segment {
  AffineForOp loop;
  /// In an order in which operands come first; an `if` comes behind what is in
  /// it.
  SmallVector<Operation *> ops;
  SmallVector<int64_t> latencies;
  SmallVector<FpgaAccess> accesses;
  SmallVector<Edge> edges;

  void connect(const FpgaDevice &device);
  int64_t depth() const;
  int64_t findRecurrence() const;

private:
  void connectMemory(const DenseMap<Operation *, size_t> &places,
                     const FpgaDevice &device);
  bool canStartEvery(int64_t interval) const;
};
} // namespace

/// The values that `op` waits for: its operands, conditions around a store, and
/// what the branches of an `if` yield.
static SmallVector<Value> listInputs(Operation *op) {
  SmallVector<Value> inputs(op->getOperands());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::append_range(inputs, block.getTerminator()->getOperands());
  if (op->getNumResults() == 0)
    for (Operation *around = op->getParentOp();
         isa<affine::AffineIfOp, scf::IfOp>(around);
         around = around->getParentOp())
      llvm::append_range(inputs, around->getOperands());
  return inputs;
}

void Segment::connect(const FpgaDevice &device) {
  DenseMap<Operation *, size_t> places;
  for (auto [place, op] : llvm::enumerate(ops))
    places[op] = place;
  for (auto [place, op] : llvm::enumerate(ops))
    for (Value input : listInputs(op)) {
      // A value that the loop carries is that of an iteration before.
      int64_t distance = 0;
      for (auto argument = dyn_cast<BlockArgument>(input);
           loop && argument && argument.getOwner() == loop.getBody() &&
           argument.getArgNumber() > 0;
           argument = dyn_cast<BlockArgument>(input)) {
        input = loop.getBody()->getTerminator()->getOperand(
            argument.getArgNumber() - 1);
        if (++distance > static_cast<int64_t>(loop.getNumRegionIterArgs()))
          break;
      }
      auto found = places.find(input.getDefiningOp());
      if (found != places.end())
        edges.push_back(
            {found->second, place, latencies[found->second], distance});
    }
  connectMemory(places, device);
  // One round then follows all edges of one iteration.
  llvm::sort(edges, [](const Edge &a, const Edge &b) {
    return std::tie(a.from, a.to, a.distance, a.latency) <
           std::tie(b.from, b.to, b.distance, b.latency);
  });
}

void Segment::connectMemory(const DenseMap<Operation *, size_t> &places,
                            const FpgaDevice &device) {
  for (const FpgaAccess &from : accesses)
    for (const FpgaAccess &to : accesses) {
      if (from.memref != to.memref || (!from.isWrite && !to.isWrite))
        continue;
      size_t first = places.lookup(from.op), second = places.lookup(to.op);
      bool isBehind = first < second;
      if (!loop && !isBehind)
        continue;
      std::optional<int64_t> distance = findDistance(from, to, loop, isBehind);
      if (!distance)
        continue;
      // An element may be read in the cycle that overwrites it.
      int64_t latency = !from.isWrite      ? 0
                        : to.isWrite       ? 1
                        : from.isOffChip() ? device.offChipLatency
                                           : storeLatency;
      edges.push_back({first, second, latency, *distance});
    }
}

int64_t Segment::depth() const {
  SmallVector<int64_t> starts(ops.size(), 0);
  for (const Edge &edge : edges)
    if (edge.distance == 0)
      starts[edge.to] =
          std::max(starts[edge.to], starts[edge.from] + edge.latency);
  int64_t end = 0;
  for (auto [start, latency] : llvm::zip(starts, latencies))
    end = std::max(end, start + latency);
  return end;
}

/// Whether no chain of dependences comes back to an op later than that starts
/// again: no cycle of positive length.
bool Segment::canStartEvery(int64_t interval) const {
  // No path without a cycle is longer: it leaves each op once.
  SmallVector<int64_t> longest(ops.size(), 0);
  size_t numCarried = 0;
  for (const Edge &edge : edges) {
    longest[edge.from] = std::max(longest[edge.from], edge.latency);
    numCarried += edge.distance > 0;
  }
  int64_t most = std::accumulate(longest.begin(), longest.end(), int64_t(0));
  SmallVector<int64_t> starts(ops.size(), 0);
  // Each round but the last one follows a carried dependence more.
  for (size_t round = 0; round <= numCarried + 1; ++round) {
    bool isChanged = false;
    for (const Edge &edge : edges) {
      int64_t start =
          starts[edge.from] + edge.latency - interval * edge.distance;
      if (start <= starts[edge.to])
        continue;
      if (start > most)
        return false;
      starts[edge.to] = start;
      isChanged = true;
    }
    if (!isChanged)
      return true;
  }
  return false;
}

int64_t Segment::findRecurrence() const {
  int64_t least = 1, most = 1;
  while (!canStartEvery(most)) {
    least = most + 1;
    most *= 2;
  }
  while (least < most) {
    int64_t middle = (least + most) / 2;
    if (canStartEvery(middle))
      most = middle;
    else
      least = middle + 1;
  }
  return least;
}

//===----------------------------------------------------------------------===//
// Designs
//===----------------------------------------------------------------------===//

namespace {
class Estimator {
public:
  Estimator(func::FuncOp function, const FpgaDevice &device)
      : function(function), device(device) {}

  FailureOr<FpgaDesign> run();

private:
  LogicalResult addBlock(Block &block, double runs);
  LogicalResult addLoop(AffineForOp loop, double runs);
  LogicalResult addPipeline(AffineForOp loop, int64_t trips, double runs);
  LogicalResult addOp(Operation *op, Segment &segment);
  LogicalResult checkMemory(const FpgaAccess &access);
  void finish(Segment &segment);
  bool isNearDevice() const {
    return llvm::all_of(device.usage(design.needs),
                        [](double share) { return share <= maxUsage; });
  }
  void cutInBanks(Value memref);

  /// The accesses of a pipeline to a memory.
  struct Use {
    size_t pipeline;
    SmallVector<FpgaAccess> accesses;
  };

  func::FuncOp function;
  const FpgaDevice &device;
  FpgaDesign design;
  /// Those of the loops and ops so far, pipelines aside.
  double cyclesSoFar = 0;
  /// The uses of each memory on the chip.
  llvm::MapVector<Value, std::vector<Use>> uses;
  /// How often each pipeline runs.
  std::vector<double> runsOf;
};
} // namespace

static bool hasLoop(Operation *op) {
  return op->walk([](AffineForOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

LogicalResult Estimator::checkMemory(const FpgaAccess &access) {
  MemRefType type = access.memref.getType();
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      !type.getElementType().isIntOrIndexOrFloat())
    return access.op->emitError()
           << "an FPGA design can't have it: " << type
           << " isn't memory of a static shape without strides, of numbers";
  if (auto argument = dyn_cast<BlockArgument>(access.memref))
    return success(argument.getOwner()->getParentOp() == function);
  Operation *source = access.memref.getDefiningOp();
  if (isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(source))
    return success();
  return source->emitError()
         << "an FPGA design can't have it: memory must be an argument, an "
            "allocation or a constant";
}

LogicalResult Estimator::addOp(Operation *op, Segment &segment) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : block)
        if (failed(addOp(&inner, segment)))
          return failure();
  int64_t latency = 0;
  if (std::optional<FpgaAccess> access = readAccess(op)) {
    if (failed(checkMemory(*access)))
      return failure();
    if (access->isWrite)
      latency = storeLatency;
    else
      latency = access->isOffChip() ? device.offChipLatency : loadLatency;
    segment.accesses.push_back(std::move(*access));
  } else if (std::optional<FpgaOperator> unit = findOperator(op, device)) {
    latency = unit->latency;
    int64_t resultBits = 0;
    for (Type type : op->getResultTypes())
      resultBits += bitsOf(type);
    design.needs += {unit->dsps, unit->logic, latency * resultBits, 0};
  } else {
    return op->emitError()
           << "an FPGA design can't have it: only loops of affine.for, ifs, "
              "accesses to memrefs and arithmetic on numbers can be in one";
  }
  segment.ops.push_back(op);
  segment.latencies.push_back(latency);
  return success();
}

/// Ends `segment` before its cycles are added.
void Estimator::finish(Segment &segment) {
  for (const FpgaAccess &access : segment.accesses) {
    if (access.isOffChip())
      design.needs += device.offChipUnit;
    else
      uses[access.memref];
  }
  if (!isNearDevice())
    segment = Segment();
  segment.connect(device);
}

LogicalResult Estimator::addPipeline(AffineForOp loop, int64_t trips,
                                     double runs) {
  Segment segment;
  segment.loop = loop;
  for (Operation &op : loop.getBody()->without_terminator())
    if (failed(addOp(&op, segment)))
      return failure();
  finish(segment);
  if (!isNearDevice())
    return success();
  FpgaPipeline pipeline{loop.getLoc()};
  pipeline.trips = trips;
  pipeline.depth = std::max<int64_t>(segment.depth(), 1);
  pipeline.byRecurrence = segment.findRecurrence();
  SmallVector<FpgaAccess> offChip;
  llvm::MapVector<Value, SmallVector<FpgaAccess>> onChip;
  for (const FpgaAccess &access : segment.accesses)
    (access.isOffChip() ? offChip : onChip[access.memref]).push_back(access);
  double transfers = countTransfers(offChip, loop, device) /
                     static_cast<double>(device.transfersPerCycle);
  pipeline.byTransfers =
      std::max<int64_t>(1, static_cast<int64_t>(std::ceil(transfers)));
  for (auto &[memref, accesses] : onChip)
    uses[memref].push_back({design.pipelines.size(), mergeLoads(accesses)});
  design.pipelines.push_back(pipeline);
  runsOf.push_back(runs);
  return success();
}

LogicalResult Estimator::addLoop(AffineForOp loop, double runs) {
  std::optional<uint64_t> trips = affine::getConstantTripCount(loop);
  if (!trips)
    return loop.emitError()
           << "an FPGA design can't have it: its number of iterations must "
              "be constant";
  design.needs += loopCounter;
  cyclesSoFar += runs * loopCycles;
  bool isOuter = llvm::any_of(loop.getBody()->getOperations(),
                              [](Operation &op) { return hasLoop(&op); });
  return isOuter ? addBlock(*loop.getBody(), runs * static_cast<double>(*trips))
                 : addPipeline(loop, static_cast<int64_t>(*trips), runs);
}

/// Adds the ops of a block that runs `runs` times, and that has loops or is the
/// function's.
LogicalResult Estimator::addBlock(Block &block, double runs) {
  Segment segment;
  auto end = [&] {
    finish(segment);
    cyclesSoFar += runs * static_cast<double>(segment.depth());
    segment = Segment();
  };
  for (Operation &op : block.without_terminator()) {
    if (auto loop = dyn_cast<AffineForOp>(op)) {
      end();
      if (failed(addLoop(loop, runs)))
        return failure();
    } else if (isa<affine::AffineIfOp, scf::IfOp>(op) && hasLoop(&op)) {
      end();
      for (Region &region : op.getRegions())
        for (Block &branch : region)
          if (failed(addBlock(branch, runs)))
            return failure();
    } else if (failed(addOp(&op, segment))) {
      return failure();
    }
  }
  end();
  return success();
}

/// Chooses the banks of a memory: the fewest with the least cycles of all
/// pipelines, if nothing but its ports kept these.
void Estimator::cutInBanks(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  int64_t bits = bitsOf(type.getElementType());
  if (type.getNumElements() <= 1) {
    // A register.
    design.needs.registers += bits;
    return;
  }
  auto intervalOf = [](const Use &use, Banking banking) {
    return std::max<int64_t>(
        1, llvm::divideCeil(countBankAccesses(use.accesses, banking), 2));
  };
  std::optional<double> least;
  Banking best;
  for (int64_t banks = 1; banks <= maxBanks; banks *= 2)
    for (unsigned dimension = type.getRank(); dimension-- > 0;) {
      if (banks > type.getDimSize(dimension))
        continue;
      Banking banking{dimension, banks};
      double cycles = 0;
      for (const Use &use : uses[memref])
        cycles += runsOf[use.pipeline] *
                  static_cast<double>(design.pipelines[use.pipeline].trips *
                                      intervalOf(use, banking));
      if (least && cycles >= *least)
        continue;
      least = cycles;
      best = banking;
    }
  for (const Use &use : uses[memref]) {
    int64_t &byPorts = design.pipelines[use.pipeline].byPorts;
    byPorts = std::max(byPorts, intervalOf(use, best));
  }
  int64_t bankBits = llvm::divideCeil(type.getNumElements(), best.banks) * bits;
  design.needs.memories +=
      best.banks * llvm::divideCeil(bankBits, device.memoryBits);
  LDBG() << type << " at " << memref.getLoc() << ": " << best.banks
         << " banks of dimension " << best.dimension;
}

FailureOr<FpgaDesign> Estimator::run() {
  if (!function.getBody().hasOneBlock())
    return function.emitError()
           << "an FPGA design can't have it: a function must have a body of "
              "one block";
  if (failed(addBlock(function.getBody().front(), /*runs=*/1)))
    return failure();
  if (!isNearDevice())
    return design;
  for (Value memref : llvm::make_first_range(uses))
    cutInBanks(memref);
  for (auto [pipeline, runs] : llvm::zip(design.pipelines, runsOf)) {
    cyclesSoFar += runs * pipeline.cycles();
    LDBG() << pipeline.location << ": " << pipeline.trips << " iterations, "
           << pipeline.depth << " deep, interval " << pipeline.byRecurrence
           << " by recurrence, " << pipeline.byPorts << " by ports, "
           << pipeline.byTransfers << " by transfers";
  }
  design.cycles = std::max(cyclesSoFar, 1.0);
  return design;
}

FailureOr<FpgaDesign> target::estimateDesign(func::FuncOp function,
                                             const FpgaDevice &device) {
  return Estimator(function, device).run();
}
