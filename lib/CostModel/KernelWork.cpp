//===- KernelWork.cpp - Work of GPU kernels -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/CostModel/KernelWork.h"

#include "InstructionCost.h"
#include "RegisterPressure.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <map>

using namespace llvm;
using namespace baco;
using namespace baco::target;

//===----------------------------------------------------------------------===//
// Accesses of a warp
//===----------------------------------------------------------------------===//

static constexpr int64_t lineBytes = 128;

/// How many aligned blocks of `unit` bytes the accesses touch.
static int64_t countTouched(ArrayRef<int64_t> addresses, int64_t bytes,
                            int64_t unit) {
  SmallVector<int64_t, 64> touched;
  for (int64_t address : addresses)
    for (int64_t block = divideFloorSigned(address, unit);
         block <= divideFloorSigned(address + bytes - 1, unit); ++block)
      touched.push_back(block);
  sort(touched);
  return std::distance(touched.begin(), unique(touched));
}

WarpAccess target::accessGlobal(ArrayRef<int64_t> addresses, int64_t bytes) {
  return {countTouched(addresses, bytes, nvidia::sectorBytes),
          countTouched(addresses, bytes, lineBytes)};
}

WarpAccess target::accessShared(ArrayRef<int64_t> addresses, int64_t bytes) {
  // Long accesses are served for a half or a quarter of the warp at a time.
  int64_t words = std::max<int64_t>(1, bytes / nvidia::bankBytes);
  size_t atOnce = nvidia::warpSize / words;
  WarpAccess access;
  for (; !addresses.empty();
       addresses = addresses.drop_front(std::min(atOnce, addresses.size()))) {
    std::array<SmallSet<int64_t, 8>, nvidia::numBanks> banks;
    size_t rounds = 1;
    for (int64_t address : addresses.take_front(atOnce))
      for (int64_t i = 0; i < words; ++i) {
        int64_t word = divideFloorSigned(address, nvidia::bankBytes) + i;
        auto &bank = banks[static_cast<uint64_t>(word) % nvidia::numBanks];
        bank.insert(word);
        rounds = std::max(rounds, bank.size());
      }
    access.cycles += static_cast<int64_t>(rounds);
  }
  return access;
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

namespace {
/// Bytes that each thread accesses at an address.
struct Traffic {
  const Instruction &access;
  const Value *pointer;
  /// All of them, and those of one access.
  int64_t bytes, bytesAtOnce;
};

/// One kernel.
class WorkCounter {
public:
  WorkCounter(Function &kernel, const LaunchShape &launch,
              ArrayRef<double> bufferBytes);

  llvm::Error count(int64_t dynamicShared, const KernelResources *assembled);
  KernelWork work;

private:
  llvm::Error findFrequencies();
  void findActiveThreads();
  llvm::Error countBlock(const BasicBlock &block);
  void countAccess(const Instruction &access, double frequency,
                   const BitVector &active, InstructionCost &cost);
  void countCall(const CallBase &call, double frequency,
                 const BitVector &active);
  void countTraffic(const Traffic &traffic, double frequency,
                    const BitVector &active);
  double sectorsPerIteration(const Value *pointer, const Loop *loop);
  void countRegisters();
  void countAssembled(const KernelResources &assembled);
  void addSpills(double accesses, double frequency);
  int64_t countStaticShared() const;
  WarpValues &inSecondIteration(const Loop &loop);
  /// The warps of the block that run code in which some of the threads of
  /// `active` take part.
  double countWarps(const BitVector &active) const;

  Function &kernel;
  LaunchShape launch;
  DominatorTree dominators;
  LoopInfo loops;
  WarpValues values;
  std::map<const Loop *, std::unique_ptr<WarpValues>> seconds;
  /// How often a thread that reaches a block executes it, and the threads that
  /// do.
  DenseMap<const BasicBlock *, double> frequencies;
  DenseMap<const BasicBlock *, BitVector> activeThreads;
};
} // namespace

/// An error at an instruction, with its place if that is known.
static llvm::Error errorAt(const Instruction *instruction, const Twine &why) {
  std::string place;
  if (instruction)
    if (const DebugLoc &loc = instruction->getDebugLoc(); loc && loc.getLine())
      place = (" at " + Twine(loc->getFilename()) + ":" + Twine(loc.getLine()) +
               ":" + Twine(loc.getCol()))
                  .str();
  return createStringError("the kernel has no static cost: " + why + place);
}

WorkCounter::WorkCounter(Function &kernel, const LaunchShape &launch,
                         ArrayRef<double> bufferBytes)
    : kernel(kernel), launch(launch), dominators(kernel), loops(dominators),
      values(kernel, launch, loops) {
  for (double bytes : bufferBytes)
    work.buffers.push_back({0, bytes});
  work.blocks = launch.numBlocks();
  work.needs.threads = launch.numThreads();
}

llvm::Error WorkCounter::findFrequencies() {
  TargetLibraryInfoImpl libraryInfo(kernel.getParent()->getTargetTriple());
  TargetLibraryInfo library(libraryInfo);
  AssumptionCache assumptions(kernel);
  ScalarEvolution evolution(kernel, library, assumptions, dominators, loops);
  DenseMap<const Loop *, double> counts;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    unsigned count = evolution.getSmallConstantTripCount(loop);
    // If threads differ in the trip count, a warp runs as often as its last
    // thread.
    if (count == 0)
      count = evolution.getSmallConstantMaxTripCount(loop);
    // A larger bound is that of a type.
    constexpr unsigned maxIterations = 1 << 24;
    if (count == 0 || count > maxIterations)
      return errorAt(loop->getHeader()->getTerminator(),
                     "the number of iterations of a loop isn't static");
    const Loop *parent = loop->getParentLoop();
    counts[loop] = count * (parent ? counts[parent] : 1.0);
  }
  for (const BasicBlock &block : kernel) {
    const Loop *loop = loops.getLoopFor(&block);
    frequencies[&block] = loop ? counts[loop] : 1;
  }
  return llvm::Error::success();
}

/// Follows branches that the numbers of threads decide. Loops are entered by
/// all that reach them, and left by all.
void WorkCounter::findActiveThreads() {
  auto size = static_cast<unsigned>(values.numThreads());
  for (const BasicBlock &block : kernel)
    activeThreads.try_emplace(&block, size);
  BitVector &all = activeThreads[&kernel.getEntryBlock()];
  for (unsigned i = 0; i < size; ++i)
    if (values.isThread(i))
      all.set(i);
  ReversePostOrderTraversal<const Function *> order(&kernel);
  for (const BasicBlock *block : order) {
    const BitVector here = activeThreads[block];
    const auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    const Loop *loop = loops.getLoopFor(block);
    bool isDecided = branch && branch->isConditional() &&
                     !(loop && loop->isLoopExiting(block));
    const ThreadValues *taken =
        isDecided ? values.find(branch->getCondition()) : nullptr;
    for (auto [number, next] : enumerate(successors(block))) {
      BitVector passing = here;
      if (taken)
        for (unsigned i : here.set_bits())
          if (((*taken)[i] != 0) != (number == 0))
            passing.reset(i);
      activeThreads[next] |= passing;
    }
  }
}

double WorkCounter::countWarps(const BitVector &active) const {
  size_t running = 0;
  for (size_t warp = 0; warp < values.numWarps(); ++warp)
    running += active.find_first_in(
                   static_cast<unsigned>(warp * nvidia::warpSize),
                   static_cast<unsigned>((warp + 1) * nvidia::warpSize)) >= 0;
  return static_cast<double>(running) / static_cast<double>(values.numWarps()) *
         static_cast<double>(work.needs.numWarps());
}

WarpValues &WorkCounter::inSecondIteration(const Loop &loop) {
  std::unique_ptr<WarpValues> &made = seconds[&loop];
  if (!made)
    made = std::make_unique<WarpValues>(values, loop);
  return *made;
}

/// The share of an access's sectors that is new in each iteration of the
/// innermost loop: the sectors of the iteration before are in the L1 cache.
double WorkCounter::sectorsPerIteration(const Value *pointer,
                                        const Loop *loop) {
  if (!loop)
    return 1;
  const ThreadValues *now = values.find(pointer);
  const ThreadValues *next = inSecondIteration(*loop).find(pointer);
  if (!now || !next)
    return 1;
  auto distance = static_cast<double>(std::abs((*next)[0] - (*now)[0]));
  return std::min(1.0, distance / nvidia::sectorBytes);
}

/// The bytes of each instruction for an access of `type`.
static int64_t bytesOfAccess(const Type *type, Align align,
                             const DataLayout &layout) {
  auto size = static_cast<int64_t>(
      layout.getTypeStoreSize(const_cast<Type *>(type)).getFixedValue());
  auto element = static_cast<int64_t>(
      std::max(1u, const_cast<Type *>(type)->getScalarSizeInBits() / 8));
  int64_t longest = std::min<int64_t>({nvidia::maxAccessBytes,
                                       static_cast<int64_t>(PowerOf2Ceil(size)),
                                       static_cast<int64_t>(align.value())});
  return std::max(longest, element);
}

/// The variable in memory that `pointer` points into, or null.
static const GlobalVariable *findVariable(const Value *pointer) {
  return dyn_cast<GlobalVariable>(
      getUnderlyingObject(pointer, /*MaxLookup=*/0));
}

static bool isInSharedMemory(const Value *pointer) {
  const GlobalVariable *variable = findVariable(pointer);
  return cast<PointerType>(pointer->getType()->getScalarType())
                 ->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED ||
         (variable &&
          variable->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED);
}

static bool isInLocalMemory(const Value *pointer) {
  return isa<AllocaInst>(getUnderlyingObject(pointer, /*MaxLookup=*/0));
}

void WorkCounter::countAccess(const Instruction &access, double frequency,
                              const BitVector &active, InstructionCost &cost) {
  const Value *pointer = getLoadStorePointerOperand(&access);
  const DataLayout &layout = kernel.getDataLayout();
  const Type *type = getLoadStoreType(const_cast<Instruction *>(&access));
  int64_t each = bytesOfAccess(type, getLoadStoreAlignment(&access), layout);
  auto size = static_cast<int64_t>(
      layout.getTypeStoreSize(const_cast<Type *>(type)).getFixedValue());
  cost.issued = static_cast<double>(divideCeil(size, each));
  cost.latency = !isa<LoadInst>(access) ? arithmeticLatency
                 : isInSharedMemory(pointer) || isInLocalMemory(pointer)
                     ? sharedLatency
                     : globalLatency;
  countTraffic({access, pointer, size, each}, frequency, active);
}

/// Counts what instructions of PTX access that have no other name in LLVM IR.
void WorkCounter::countCall(const CallBase &call, double frequency,
                            const BitVector &active) {
  const Function *callee = call.getCalledFunction();
  StringRef name = callee ? callee->getName() : "";
  // A copy from global to shared memory, such as
  // llvm.nvvm.cp.async.cg.shared.global.16.
  if (name.consume_front("llvm.nvvm.cp.async.") &&
      (name.consume_front("ca.shared.global.") ||
       name.consume_front("cg.shared.global."))) {
    int64_t bytes = 0;
    if (name.consumeInteger(10, bytes) || bytes <= 0)
      return;
    for (unsigned i : {0, 1})
      countTraffic({call, call.getArgOperand(i), bytes, bytes}, frequency,
                   active);
    return;
  }
  // Matrices of eight rows of 16 bytes, whose addresses have eight threads
  // each, such as llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3.
  if (!name.consume_front("llvm.nvvm.ldmatrix.sync.aligned.m8n8.x"))
    return;
  unsigned matrices = 0;
  if (name.consumeInteger(10, matrices))
    return;
  constexpr unsigned rows = 8, rowBytes = 16;
  BitVector reading = active;
  for (unsigned i : active.set_bits())
    if (i % nvidia::warpSize >= matrices * rows)
      reading.reset(i);
  countTraffic({call, call.getArgOperand(0), rowBytes, rowBytes}, frequency,
               reading);
}

void WorkCounter::countTraffic(const Traffic &traffic, double frequency,
                               const BitVector &active) {
  const Value *pointer = traffic.pointer;
  int64_t each = traffic.bytesAtOnce;
  auto parts = static_cast<int64_t>(divideCeil(traffic.bytes, each));
  bool isShared = isInSharedMemory(pointer), isLocal = isInLocalMemory(pointer);
  bool isConstant = findVariable(pointer) && !isShared;
  const ThreadValues *addresses = isConstant ? nullptr : values.find(pointer);
  WarpAccess sum;
  double running = 0;
  for (size_t warp = 0; warp < values.numWarps(); ++warp) {
    SmallVector<int64_t, 32> ofWarp;
    for (unsigned i = 0; i < nvidia::warpSize; ++i) {
      auto thread = static_cast<unsigned>(warp * nvidia::warpSize) + i;
      if (active.test(thread))
        ofWarp.push_back(addresses ? (*addresses)[thread] : 0);
    }
    if (ofWarp.empty())
      continue;
    ++running;
    for (int64_t part = 0; part < parts; ++part) {
      if (isLocal || isConstant) {
        ++sum.cycles;
        continue;
      }
      WarpAccess one;
      if (!addresses) // Anywhere.
        one = isShared ? WarpAccess{0, 4}
                       : WarpAccess{static_cast<int64_t>(ofWarp.size()),
                                    static_cast<int64_t>(ofWarp.size())};
      else
        one =
            isShared ? accessShared(ofWarp, each) : accessGlobal(ofWarp, each);
      sum.sectors += one.sectors;
      sum.cycles += one.cycles;
      for (int64_t &address : ofWarp)
        address += each;
    }
  }
  if (running == 0)
    return;
  double perWarp = frequency * countWarps(active) / running;
  work.accessCycles += perWarp * static_cast<double>(sum.cycles);
  if (sum.sectors == 0)
    return;
  double share = sectorsPerIteration(
      pointer, loops.getLoopFor(traffic.access.getParent()));
  // A vector that isn't one access has each of its sectors several times.
  if (addresses && parts > 1)
    share /= static_cast<double>(
        std::min(parts, std::max<int64_t>(1, nvidia::sectorBytes / each)));
  double sectors = perWarp * share * static_cast<double>(sum.sectors);
  const auto *argument =
      dyn_cast<Argument>(getUnderlyingObject(pointer, /*MaxLookup=*/0));
  if (argument && argument->getArgNo() < work.buffers.size())
    work.buffers[argument->getArgNo()].sectors += sectors;
  else
    work.buffers.back().sectors += sectors;
}

llvm::Error WorkCounter::countBlock(const BasicBlock &block) {
  double frequency = frequencies[&block];
  const BitVector &active = activeThreads[&block];
  if (active.none())
    return llvm::Error::success();
  double warps = countWarps(active);
  // When the result of each instruction is there, if a warp is alone and
  // instructions start as soon as they can.
  DenseMap<const Value *, double> ready;
  double issued = 0, start = 0, last = 0, lastStart = 0;
  for (const Instruction &instruction : block) {
    InstructionCost cost;
    if (isa<LoadInst, StoreInst>(instruction)) {
      countAccess(instruction, frequency, active, cost);
    } else if (isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction)) {
      cost = {1, std::nullopt, 0, globalLatency};
      work.accessCycles += frequency * warps * nvidia::warpSize;
    } else {
      std::optional<InstructionCost> known = costOf(instruction);
      if (!known)
        return errorAt(&instruction, Twine("its instruction '") +
                                         instruction.getOpcodeName() +
                                         "' isn't known");
      cost = *known;
      if (const auto *call = dyn_cast<CallBase>(&instruction))
        countCall(*call, frequency, active);
    }
    work.instructions += frequency * warps * cost.issued;
    if (cost.unit)
      work.at(*cost.unit) +=
          frequency * warps * nvidia::warpSize * cost.operations;
    issued += cost.issued;
    double begin = start;
    for (const Value *operand : instruction.operand_values())
      if (auto found = ready.find(operand); found != ready.end())
        begin = std::max(begin, found->second);
    if (isBarrier(instruction)) {
      begin = std::max({begin, lastStart, issued});
      start = begin + cost.latency;
    }
    if (cost.issued > 0 || cost.latency > 0)
      lastStart = std::max(lastStart, begin);
    ready[&instruction] = begin + cost.latency;
    last = std::max(last, begin + cost.latency);
  }
  work.latency += frequency * std::max(last, issued);
  return llvm::Error::success();
}

/// Counts the registers of a thread. If a block needs too many, each excess
/// register is stored and loaded once.
void WorkCounter::countRegisters() {
  int64_t limit = limitRegisters(work.needs.threads);
  for (auto [block, live] : findPressure(kernel)) {
    int64_t needed = live + registerOverhead;
    work.needs.registers = std::max(work.needs.registers, needed);
    if (needed <= limit)
      continue;
    addSpills(2 * static_cast<double>(needed - limit), frequencies[block]);
  }
}

/// Accesses of each warp to spilled registers, where code runs `frequency`
/// times.
void WorkCounter::addSpills(double accesses, double frequency) {
  double all =
      accesses * frequency * static_cast<double>(work.needs.numWarps());
  work.accessCycles += all;
  work.instructions += all;
  work.latency += frequency * 2 * sharedLatency;
}

/// The same as an assembler says. It doesn't say where it spills: most likely
/// where the most registers are live, and of such places in the one that runs
/// most often.
void WorkCounter::countAssembled(const KernelResources &assembled) {
  constexpr double registerBytes = 4;
  work.assembled = assembled;
  work.needs.registers = assembled.registers;
  if (assembled.spillBytes == 0)
    return;
  int64_t most = 0;
  double frequency = 0;
  for (auto [block, live] : findPressure(kernel)) {
    if (live < most)
      continue;
    frequency = live > most ? frequencies[block]
                            : std::max(frequency, frequencies[block]);
    most = live;
  }
  addSpills(static_cast<double>(assembled.spillBytes) / registerBytes,
            frequency);
}

int64_t WorkCounter::countStaticShared() const {
  int64_t bytes = 0;
  for (const GlobalVariable &variable : kernel.getParent()->globals()) {
    bool isUsed = any_of(instructions(kernel), [&](const Instruction &one) {
      return any_of(one.operand_values(), [&](const Value *operand) {
        return operand->getType()->isPointerTy() &&
               getUnderlyingObject(operand, /*MaxLookup=*/0) == &variable;
      });
    });
    if (variable.getAddressSpace() != 3 || variable.isDeclaration() || !isUsed)
      continue;
    bytes = static_cast<int64_t>(alignTo(static_cast<uint64_t>(bytes),
                                         variable.getAlign().valueOrOne()));
    bytes += static_cast<int64_t>(
        kernel.getDataLayout().getTypeAllocSize(variable.getValueType()));
  }
  return bytes;
}

llvm::Error WorkCounter::count(int64_t dynamicShared,
                               const KernelResources *assembled) {
  // The last one is for memory that isn't an argument.
  work.buffers.resize(kernel.arg_size() + 1);
  work.needs.sharedBytes = countStaticShared() + dynamicShared;
  if (llvm::Error error = findFrequencies())
    return error;
  findActiveThreads();
  for (const BasicBlock &block : kernel)
    if (llvm::Error error = countBlock(block))
      return error;
  if (assembled)
    countAssembled(*assembled);
  else
    countRegisters();
  return llvm::Error::success();
}

llvm::Expected<KernelWork> target::countWork(Function &kernel,
                                             const LaunchShape &launch,
                                             int64_t dynamicShared,
                                             ArrayRef<double> bufferBytes,
                                             const KernelResources *assembled) {
  WorkCounter counter(kernel, launch, bufferBytes);
  if (llvm::Error error = counter.count(dynamicShared, assembled))
    return std::move(error);
  return std::move(counter.work);
}
