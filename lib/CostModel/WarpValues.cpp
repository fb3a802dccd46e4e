//===- WarpValues.cpp - Values of the threads of a block ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpValues.h"

#include "baco/Support/NvidiaGpu.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace baco;
using namespace baco::target;

WarpValues::WarpValues(const Function &kernel, const LaunchShape &launch,
                       const DominatorTree &dominators, const LoopInfo &loops)
    : dominators(dominators), loops(loops), layout(kernel.getDataLayout()),
      launch(launch) {
  int64_t count = launch.numThreads();
  int64_t all = divideCeil(count, nvidia::warpSize);
  int64_t chosen = std::min(all, maxWarps);
  for (int64_t i = 0; i < chosen; ++i) {
    int64_t warp = chosen == 1 ? 0 : i * (all - 1) / (chosen - 1);
    for (int64_t lane = 0; lane < nvidia::warpSize; ++lane) {
      int64_t thread = warp * nvidia::warpSize + lane;
      if (thread >= count) {
        threads.push_back({-1, -1, -1});
        continue;
      }
      threads.push_back({thread % launch.block[0],
                         thread / launch.block[0] % launch.block[1],
                         thread / launch.block[0] / launch.block[1]});
    }
  }
}

WarpValues::WarpValues(WarpValues &first, const Loop &loop)
    : dominators(first.dominators), loops(first.loops), layout(first.layout),
      launch(first.launch), threads(first.threads), first(&first),
      second(&loop) {}

size_t WarpValues::numWarps() const {
  return threads.size() / nvidia::warpSize;
}

const ThreadValues *WarpValues::find(const Value *value) {
  auto [place, isNew] = known.try_emplace(value);
  // A value that depends on itself is found here, too.
  if (!isNew)
    return place->second.get();
  std::optional<ThreadValues> values = evaluate(value);
  if (!values)
    return nullptr;
  std::unique_ptr<ThreadValues> &made = known[value];
  made = std::make_unique<ThreadValues>(std::move(*values));
  return made.get();
}

/// `value`, of which the last `bits` bits count, sign-extended.
static int64_t extend(int64_t value, unsigned bits) {
  return bits >= 64 ? value : SignExtend64(static_cast<uint64_t>(value), bits);
}

static uint64_t unsignedOf(int64_t value, unsigned bits) {
  return static_cast<uint64_t>(value) & maskTrailingOnes<uint64_t>(bits);
}

/// The result of an operation; nullopt if it has none, or isn't known here.
static std::optional<int64_t> compute(unsigned opcode, int64_t a, int64_t b,
                                      unsigned bits) {
  uint64_t x = unsignedOf(a, bits), y = unsignedOf(b, bits);
  switch (opcode) {
  case Instruction::Add:
    return extend(static_cast<int64_t>(x + y), bits);
  case Instruction::Sub:
    return extend(static_cast<int64_t>(x - y), bits);
  case Instruction::Mul:
    return extend(static_cast<int64_t>(x * y), bits);
  case Instruction::And:
    return a & b;
  case Instruction::Or:
    return a | b;
  case Instruction::Xor:
    return a ^ b;
  default:
    break;
  }
  bool isShift = Instruction::isShift(opcode);
  if (isShift ? y >= bits : y == 0)
    return std::nullopt;
  switch (opcode) {
  case Instruction::Shl:
    return extend(static_cast<int64_t>(x << y), bits);
  case Instruction::LShr:
    return extend(static_cast<int64_t>(x >> y), bits);
  case Instruction::AShr:
    return a >> y;
  case Instruction::UDiv:
    return extend(static_cast<int64_t>(x / y), bits);
  case Instruction::URem:
    return extend(static_cast<int64_t>(x % y), bits);
  case Instruction::SDiv:
    return b == -1 ? extend(static_cast<int64_t>(-x), bits) : a / b;
  case Instruction::SRem:
    return b == -1 ? 0 : a % b;
  default:
    return std::nullopt;
  }
}

static bool compare(CmpInst::Predicate predicate, int64_t a, int64_t b,
                    unsigned bits) {
  return ICmpInst::compare(
      APInt(64, static_cast<uint64_t>(
                    CmpInst::isUnsigned(predicate)
                        ? static_cast<int64_t>(unsignedOf(a, bits))
                        : a)),
      APInt(64, static_cast<uint64_t>(
                    CmpInst::isUnsigned(predicate)
                        ? static_cast<int64_t>(unsignedOf(b, bits))
                        : b)),
      predicate);
}

const BasicBlock *WarpValues::findLastBlock(const BasicBlock *from,
                                            const BasicBlock *to,
                                            size_t thread) {
  // Loops on the way may go on for long.
  constexpr int maxBlocks = 64;
  for (int i = 0; i < maxBlocks; ++i) {
    const auto *branch = dyn_cast<BranchInst>(from->getTerminator());
    if (!branch)
      return nullptr;
    unsigned way = 0;
    if (branch->isConditional()) {
      const ThreadValues *taken = find(branch->getCondition());
      if (!taken)
        return nullptr;
      way = (*taken)[thread] != 0 ? 0 : 1;
    }
    const BasicBlock *next = branch->getSuccessor(way);
    if (next == to)
      return from;
    from = next;
  }
  return nullptr;
}

std::optional<ThreadValues> WarpValues::mergeWays(const PHINode &phi) {
  const BasicBlock *end = phi.getParent();
  const auto *node = dominators.getNode(end);
  if (!node || !node->getIDom())
    return std::nullopt;
  ThreadValues result;
  for (size_t thread = 0; thread < threads.size(); ++thread) {
    const BasicBlock *last =
        findLastBlock(node->getIDom()->getBlock(), end, thread);
    const ThreadValues *values =
        last ? find(phi.getIncomingValueForBlock(last)) : nullptr;
    if (!values)
      return std::nullopt;
    result.push_back((*values)[thread]);
  }
  return result;
}

/// A loop is in its first iteration, or in its second one. If the way that a
/// thread takes through branches isn't known, either is as good.
std::optional<ThreadValues> WarpValues::evaluatePhi(const PHINode &phi) {
  const Loop *loop = loops.getLoopFor(phi.getParent());
  bool isCounter = loop && loop->getHeader() == phi.getParent();
  if (isCounter && loop == second) {
    if (const BasicBlock *latch = loop->getLoopLatch())
      if (const ThreadValues *next =
              first->find(phi.getIncomingValueForBlock(latch)))
        return *next;
    return std::nullopt;
  }
  if (!isCounter)
    if (std::optional<ThreadValues> merged = mergeWays(phi))
      return merged;
  for (auto [block, value] : zip_equal(phi.blocks(), phi.incoming_values())) {
    if (isCounter && loop->contains(block))
      continue;
    if (const ThreadValues *found = find(value))
      return *found;
  }
  return std::nullopt;
}

std::optional<ThreadValues> WarpValues::evaluateCall(const CallBase &call) {
  auto ofThread = [&](int dim) {
    return to_vector<0>(map_range(threads, [dim](const auto &thread) {
      return std::max<int64_t>(thread[dim], 0);
    }));
  };
  // A block in the middle: those at the borders may have less to do.
  auto ofBlock = [&](int dim) { return splat(launch.grid[dim] / 2); };
  switch (call.getIntrinsicID()) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
    return ofThread(0);
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
    return ofThread(1);
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
    return ofThread(2);
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
    return ofBlock(0);
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
    return ofBlock(1);
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
    return ofBlock(2);
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    return splat(launch.block[0]);
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
    return splat(launch.block[1]);
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
    return splat(launch.block[2]);
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
    return splat(launch.grid[0]);
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
    return splat(launch.grid[1]);
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
    return splat(launch.grid[2]);
  case Intrinsic::nvvm_read_ptx_sreg_warpsize:
    return splat(nvidia::warpSize);
  case Intrinsic::nvvm_read_ptx_sreg_laneid: {
    ThreadValues lanes;
    for (size_t i = 0; i < threads.size(); ++i)
      lanes.push_back(static_cast<int64_t>(i) % nvidia::warpSize);
    return lanes;
  }
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax: {
    const auto &minmax = cast<MinMaxIntrinsic>(call);
    const ThreadValues *a = find(minmax.getLHS()), *b = find(minmax.getRHS());
    if (!a || !b || !call.getType()->isIntegerTy())
      return std::nullopt;
    ThreadValues result;
    for (auto [x, y] : zip_equal(*a, *b))
      result.push_back(compare(minmax.getPredicate(), x, y,
                               call.getType()->getIntegerBitWidth())
                           ? x
                           : y);
    return result;
  }
  default:
    return std::nullopt;
  }
}

std::optional<ThreadValues>
WarpValues::evaluateAddress(const GEPOperator &address) {
  const ThreadValues *base = find(address.getPointerOperand());
  if (!base || !address.getType()->isPointerTy())
    return std::nullopt;
  SmallMapVector<Value *, APInt, 4> scales;
  unsigned bits = layout.getIndexTypeSizeInBits(address.getType());
  APInt constant(bits, 0);
  if (!address.collectOffset(layout, bits, scales, constant))
    return std::nullopt;
  ThreadValues result = *base;
  for (int64_t &offset : result)
    offset += constant.getSExtValue();
  for (auto &[index, scale] : scales) {
    const ThreadValues *values = find(index);
    if (!values)
      return std::nullopt;
    for (auto [offset, value] : zip_equal(result, *values))
      offset += value * scale.getSExtValue();
  }
  return result;
}

std::optional<ThreadValues> WarpValues::evaluate(const Value *value) {
  if (const auto *constant = dyn_cast<ConstantInt>(value)) {
    if (constant->getBitWidth() > 64)
      return std::nullopt;
    return splat(constant->getSExtValue());
  }
  if (const auto *address = dyn_cast<GEPOperator>(value))
    return evaluateAddress(*address);
  if (isa<GlobalVariable, AllocaInst>(value) ||
      (isa<Argument>(value) && value->getType()->isPointerTy()))
    return splat(0);
  if (isa<UndefValue>(value) && value->getType()->isIntegerTy())
    return splat(0);
  if (const auto *cast = dyn_cast<AddrSpaceCastOperator>(value)) {
    const ThreadValues *same = find(cast->getPointerOperand());
    return same ? std::optional(*same) : std::nullopt;
  }
  const auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return std::nullopt;
  if (const auto *phi = dyn_cast<PHINode>(instruction))
    return evaluatePhi(*phi);
  if (const auto *call = dyn_cast<CallBase>(instruction))
    return evaluateCall(*call);
  Type *type = instruction->getType();
  if (!type->isIntegerTy() && !type->isPointerTy())
    return std::nullopt;
  auto isKnown = [](const Value *operand) {
    Type *type = operand->getType();
    return (type->isIntegerTy() && type->getIntegerBitWidth() <= 64) ||
           type->isPointerTy();
  };
  SmallVector<const ThreadValues *, 3> operands;
  if (!isa<BinaryOperator, CastInst, ICmpInst, SelectInst, FreezeInst>(
          instruction))
    return std::nullopt;
  for (const Use &operand : instruction->operands()) {
    const ThreadValues *values = isKnown(operand) ? find(operand) : nullptr;
    if (!values)
      return std::nullopt;
    operands.push_back(values);
  }
  unsigned bits =
      instruction->getOperand(0)->getType()->isIntegerTy()
          ? instruction->getOperand(0)->getType()->getIntegerBitWidth()
          : 64;
  ThreadValues result;
  for (size_t i = 0; i < threads.size(); ++i) {
    auto operand = [&](size_t number) { return (*operands[number])[i]; };
    std::optional<int64_t> computed;
    if (isa<BinaryOperator>(instruction))
      computed =
          compute(instruction->getOpcode(), operand(0), operand(1), bits);
    else if (const auto *comparison = dyn_cast<ICmpInst>(instruction))
      computed =
          compare(comparison->getPredicate(), operand(0), operand(1), bits) ? -1
                                                                            : 0;
    else if (isa<SelectInst>(instruction))
      computed = operand(0) != 0 ? operand(1) : operand(2);
    else if (isa<ZExtInst>(instruction))
      computed = static_cast<int64_t>(unsignedOf(operand(0), bits));
    else if (isa<TruncInst>(instruction))
      computed = extend(operand(0), type->getIntegerBitWidth());
    else if (isa<SExtInst, FreezeInst>(instruction))
      computed = operand(0);
    if (!computed)
      return std::nullopt;
    result.push_back(*computed);
  }
  return result;
}
