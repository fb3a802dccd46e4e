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
#include "WarpClock.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <cmath>
#include <map>
#include <numeric>

using namespace llvm;
using namespace baco;
using namespace baco::target;

//===----------------------------------------------------------------------===//
// Accesses of a warp
//===----------------------------------------------------------------------===//

static constexpr int64_t lineBytes = 128;

/// The aligned blocks of `unit` bytes that accesses touch, by their numbers, in
/// order.
static SmallVector<int64_t, 64> touch(ArrayRef<int64_t> addresses,
                                      int64_t bytes, int64_t unit) {
  SmallVector<int64_t, 64> touched;
  for (int64_t address : addresses)
    for (int64_t block = divideFloorSigned(address, unit);
         block <= divideFloorSigned(address + bytes - 1, unit); ++block)
      touched.push_back(block);
  sort(touched);
  touched.erase(unique(touched), touched.end());
  return touched;
}

WarpAccess target::accessGlobal(ArrayRef<int64_t> addresses, int64_t bytes) {
  auto count = [&](int64_t unit) {
    return static_cast<int64_t>(touch(addresses, bytes, unit).size());
  };
  return {count(nvidia::sectorBytes), count(lineBytes)};
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
  /// Whether the L1 cache keeps them: reads, but not copies that go around it.
  bool isCached;
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
  std::optional<double> findShareSet(const PHINode &phi);
  std::optional<double> findShareTaken(const BranchInst &branch,
                                       ScalarEvolution &evolution);
  void findActiveThreads();
  llvm::Error countBlock(const BasicBlock &block);
  void countAccess(const Instruction &access, double frequency,
                   const BitVector &active, ThreadCost &cost);
  void countCall(const CallBase &call, double frequency,
                 const BitVector &active);
  /// Adds sectors to the buffer that is accessed; the cycles of the
  /// multiprocessor.
  double countTraffic(const Traffic &traffic, double frequency,
                      const BitVector &active);
  /// How many iterations of `loop` reach an instruction in it.
  int64_t countIterations(const Instruction &instruction, const Loop &loop);
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
  /// The iterations of each loop.
  DenseMap<const Loop *, int64_t> tripCounts;
  /// The share of iterations, or of executions of the kernel, that reach a
  /// block: at most that of its dominator.
  DenseMap<const BasicBlock *, double> reached;
  /// How often a thread that reaches a block executes it, and the threads that
  /// do.
  DenseMap<const BasicBlock *, double> frequencies;
  DenseMap<const BasicBlock *, BitVector> activeThreads;
  DenseMap<const Instruction *, ThreadCost> costs;
};
} // namespace

static std::string nameOf(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee ? callee->getName().str() : instruction.getOpcodeName();
}

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
      values(kernel, launch, dominators, loops) {
  for (double bytes : bufferBytes)
    work.buffers.push_back({0, bytes});
  work.blocks = launch.numBlocks();
  work.needs.threads = launch.numThreads();
}

/// The share of a loop's iterations in which the bit `phi` is set, if that is
/// known of the first one and of all others.
std::optional<double> WorkCounter::findShareSet(const PHINode &phi) {
  const Loop *loop = loops.getLoopFor(phi.getParent());
  if (!loop || loop->getHeader() != phi.getParent() || !loop->getLoopLatch() ||
      phi.getNumIncomingValues() != 2)
    return std::nullopt;
  double isSet = 0, trips = static_cast<double>(tripCounts.lookup(loop));
  for (auto [block, value] : zip_equal(phi.blocks(), phi.incoming_values())) {
    const auto *bit = dyn_cast<ConstantInt>(value);
    if (!bit)
      return std::nullopt;
    isSet += bit->isZero() ? 0 : block == loop->getLoopLatch() ? trips - 1 : 1;
  }
  return isSet / trips;
}

/// The share of a loop's iterations in which `branch` goes its first way, if
/// their number decides.
std::optional<double> WorkCounter::findShareTaken(const BranchInst &branch,
                                                  ScalarEvolution &evolution) {
  if (const auto *phi = dyn_cast<PHINode>(branch.getCondition()))
    return findShareSet(*phi);
  const auto *comparison = dyn_cast<ICmpInst>(branch.getCondition());
  if (!comparison ||
      !evolution.isSCEVable(comparison->getOperand(0)->getType()))
    return std::nullopt;
  const auto *counter =
      dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(comparison->getOperand(0)));
  const auto *bound = dyn_cast<ConstantInt>(comparison->getOperand(1));
  if (!counter || !bound || !counter->isAffine())
    return std::nullopt;
  const auto *start = dyn_cast<SCEVConstant>(counter->getStart());
  const auto *step =
      dyn_cast<SCEVConstant>(counter->getStepRecurrence(evolution));
  int64_t trips = tripCounts.lookup(counter->getLoop());
  constexpr int64_t mostTrips = 1 << 16;
  if (!start || !step || trips == 0 || trips > mostTrips)
    return std::nullopt;
  int64_t taken = 0;
  APInt value = start->getAPInt();
  for (int64_t i = 0; i < trips; ++i, value += step->getAPInt())
    taken +=
        ICmpInst::compare(value, bound->getValue(), comparison->getPredicate());
  return static_cast<double>(taken) / static_cast<double>(trips);
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
    tripCounts[loop] = count;
    const Loop *parent = loop->getParentLoop();
    counts[loop] = count * (parent ? counts[parent] : 1.0);
  }
  // The shares of iterations that come over edges to a block.
  DenseMap<const BasicBlock *, double> shares;
  shares[&kernel.getEntryBlock()] = 1;
  ReversePostOrderTraversal<const Function *> order(&kernel);
  for (const BasicBlock *block : order) {
    // Ways that join again are no more than what they come from.
    const auto *above = dominators.getNode(block)->getIDom();
    double here =
        std::min(above ? reached[above->getBlock()] : 1.0, shares[block]);
    reached[block] = here;
    const Loop *loop = loops.getLoopFor(block);
    frequencies[block] = here * (loop ? counts[loop] : 1);
    const auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    std::optional<double> taken;
    if (branch && branch->isConditional() &&
        !(loop && loop->isLoopExiting(block)))
      taken = findShareTaken(*branch, evolution);
    // Either way, if the threads or the data decide.
    for (auto [number, next] : enumerate(successors(block)))
      shares[next] += here * (!taken ? 1 : number == 0 ? *taken : 1 - *taken);
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
                              const BitVector &active, ThreadCost &cost) {
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
  work.accessCycles += countTraffic(
      {access, pointer, size, each, isa<LoadInst>(access)}, frequency, active);
}

/// Counts what instructions of PTX access that have no other name in LLVM IR.
void WorkCounter::countCall(const CallBase &call, double frequency,
                            const BitVector &active) {
  const Function *callee = call.getCalledFunction();
  StringRef name = callee ? callee->getName() : "";
  // A copy from global to shared memory, such as
  // llvm.nvvm.cp.async.cg.shared.global.16, which goes around the L1 cache.
  bool isCached = name.starts_with("llvm.nvvm.cp.async.ca.");
  if (name.consume_front("llvm.nvvm.cp.async.ca.shared.global.") ||
      name.consume_front("llvm.nvvm.cp.async.cg.shared.global.")) {
    int64_t bytes = 0;
    if (name.consumeInteger(10, bytes) || bytes <= 0)
      return;
    // The sectors arrive where they are stored, and pass once.
    double cycles = 0;
    for (unsigned i : {0, 1})
      cycles = std::max(cycles, countTraffic({call, call.getArgOperand(i),
                                              bytes, bytes, isCached},
                                             frequency, active));
    work.accessCycles += cycles;
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
  work.accessCycles +=
      countTraffic({call, call.getArgOperand(0), rowBytes, rowBytes, false},
                   frequency, reading);
}

/// The addresses of the active threads of a warp; all 0 if they aren't known.
static SmallVector<int64_t, nvidia::warpSize>
addressesOfWarp(const ThreadValues *addresses, size_t warp,
                const BitVector &active) {
  SmallVector<int64_t, nvidia::warpSize> ofWarp;
  for (unsigned i = 0; i < nvidia::warpSize; ++i) {
    auto thread = static_cast<unsigned>(warp * nvidia::warpSize) + i;
    if (active.test(thread))
      ofWarp.push_back(addresses ? (*addresses)[thread] : 0);
  }
  return ofWarp;
}

/// The sectors that a warp takes from the L2 cache in the mean of `trips`
/// iterations, if those of the iteration before are in the L1 cache. `next` are
/// the addresses in the second one.
static double countNewSectors(SmallVector<int64_t, nvidia::warpSize> addresses,
                              ArrayRef<int64_t> next, int64_t bytes,
                              int64_t trips) {
  auto before = touch(addresses, bytes, nvidia::sectorBytes);
  auto first = static_cast<double>(before.size());
  // After so many iterations, what is new repeats.
  int64_t period = 1;
  SmallVector<int64_t, nvidia::warpSize> steps;
  for (auto [address, other] : zip_equal(addresses, next)) {
    steps.push_back(other - address);
    period = std::max(period, nvidia::sectorBytes /
                                  std::gcd(steps.back(), nvidia::sectorBytes));
  }
  SmallVector<double, nvidia::sectorBytes> added;
  for (int64_t i = 1; i < trips && i <= period; ++i) {
    for (auto [address, step] : zip_equal(addresses, steps))
      address += step;
    auto here = touch(addresses, bytes, nvidia::sectorBytes);
    SmallVector<int64_t, 64> fresh;
    std::set_difference(here.begin(), here.end(), before.begin(), before.end(),
                        std::back_inserter(fresh));
    added.push_back(static_cast<double>(fresh.size()));
    before = std::move(here);
  }
  auto sum = [](ArrayRef<double> counts) {
    return std::accumulate(counts.begin(), counts.end(), 0.0);
  };
  auto periods = static_cast<double>((trips - 1) / period);
  ArrayRef<double> rest = ArrayRef(added).take_front((trips - 1) % period);
  return (first + periods * sum(added) + sum(rest)) /
         static_cast<double>(trips);
}

int64_t WorkCounter::countIterations(const Instruction &instruction,
                                     const Loop &loop) {
  double share = reached[instruction.getParent()] / reached[loop.getHeader()];
  return std::max<int64_t>(
      1, std::llround(share * static_cast<double>(tripCounts[&loop])));
}

double WorkCounter::countTraffic(const Traffic &traffic, double frequency,
                                 const BitVector &active) {
  const Value *pointer = traffic.pointer;
  int64_t each = traffic.bytesAtOnce;
  bool isShared = isInSharedMemory(pointer), isLocal = isInLocalMemory(pointer);
  bool isConstant = findVariable(pointer) && !isShared;
  bool isGlobal = !isShared && !isLocal && !isConstant;
  const ThreadValues *addresses = isConstant ? nullptr : values.find(pointer);
  const Loop *loop = loops.getLoopFor(traffic.access.getParent());
  bool isCached = isGlobal && addresses && traffic.isCached;
  const ThreadValues *next =
      isCached && loop ? inSecondIteration(*loop).find(pointer) : nullptr;
  double cycles = 0, sectors = 0, running = 0;
  for (size_t warp = 0; warp < values.numWarps(); ++warp) {
    auto ofWarp = addressesOfWarp(addresses, warp, active);
    if (ofWarp.empty())
      continue;
    ++running;
    auto threads = static_cast<int64_t>(ofWarp.size());
    // If the L1 cache keeps them, the sectors of a vector that takes several
    // instructions come once.
    if (isCached)
      sectors += countNewSectors(
          ofWarp, next ? addressesOfWarp(next, warp, active) : ofWarp,
          traffic.bytes, next ? countIterations(traffic.access, *loop) : 1);
    else if (isGlobal && !addresses) // Anywhere.
      sectors += static_cast<double>(threads);
    for (int64_t first = 0; first < traffic.bytes; first += each) {
      WarpAccess one = {0, 1};
      if (isGlobal)
        one = addresses ? accessGlobal(ofWarp, each) : WarpAccess{0, threads};
      else if (isShared)
        one = addresses ? accessShared(ofWarp, each) : WarpAccess{0, 4};
      cycles += static_cast<double>(one.cycles);
      if (!isCached)
        sectors += static_cast<double>(one.sectors);
      for (int64_t &address : ofWarp)
        address += each;
    }
  }
  if (running == 0)
    return 0;
  double perWarp = frequency * countWarps(active) / running;
  if (!isGlobal)
    return perWarp * cycles;
  const auto *argument =
      dyn_cast<Argument>(getUnderlyingObject(pointer, /*MaxLookup=*/0));
  KernelWork::Buffer &buffer =
      argument && argument->getArgNo() < work.buffers.size()
          ? work.buffers[argument->getArgNo()]
          : work.buffers.back();
  buffer.sectors += perWarp * sectors;
  return perWarp * cycles;
}

llvm::Error WorkCounter::countBlock(const BasicBlock &block) {
  double frequency = frequencies[&block];
  const BitVector &active = activeThreads[&block];
  if (active.none())
    return llvm::Error::success();
  double warps = countWarps(active);
  for (const Instruction &instruction : block) {
    ThreadCost cost;
    if (isa<LoadInst, StoreInst>(instruction)) {
      countAccess(instruction, frequency, active, cost);
    } else if (isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction)) {
      cost = {1, std::nullopt, 0, globalLatency};
      work.accessCycles += frequency * warps * nvidia::warpSize;
    } else {
      std::optional<ThreadCost> known = costOf(instruction);
      if (!known)
        return errorAt(&instruction, "its instruction '" + nameOf(instruction) +
                                         "' isn't known");
      cost = *known;
      if (const auto *call = dyn_cast<CallBase>(&instruction))
        countCall(*call, frequency, active);
    }
    work.instructions += frequency * warps * cost.issued;
    if (cost.unit)
      work.at(*cost.unit) +=
          frequency * warps * nvidia::warpSize * cost.operations;
    costs[&instruction] = cost;
  }
  return llvm::Error::success();
}

/// Counts the registers of a thread. If a block needs too many, each excess
/// register is stored and loaded once.
void WorkCounter::countRegisters() {
  int64_t limit = limitRegisters(work.needs.threads);
  for (auto [block, needed] : estimateRegisters(kernel)) {
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
  for (auto [block, live] : estimateRegisters(kernel)) {
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
  work.latency = timeWarp(kernel, {loops, costs, tripCounts, frequencies});
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
