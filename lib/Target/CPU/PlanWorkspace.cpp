//===- PlanWorkspace.cpp - One block of memory for temporaries ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function that allocates each temporary by itself pays for it in each call:
// glibc maps large blocks, gives the end of its heap back to the system, and
// each page that comes new costs a fault (a layer of BERT with 30 MB of buffers
// took 43 ms instead of 33 ms). Here all of them get places in one block, also
// those of the functions that are called. glibc keeps a single block of up to
// 32 MB from the third call on, because its thresholds grow with the blocks
// that are freed (mallopt(3), M_MMAP_THRESHOLD).
//
//===----------------------------------------------------------------------===//

#include "Temporaries.h"

#include "baco/LoopNest/FunctionMemory.h"
#include "baco/Target/CPU/WorkspaceLayout.h"
#include "baco/Target/Passes.h"

#include "mlir/Analysis/CallGraph.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "baco-plan-workspace"

namespace baco::target {
#define GEN_PASS_DEF_PLANWORKSPACEPASS
#include "baco/Target/Passes.h.inc"
} // namespace baco::target

using namespace mlir;
using namespace baco::target;
using func::CallOp;
using func::FuncOp;
using memref::AllocOp;

static constexpr int64_t alignment = baco::loopnest::bufferAlignment;
/// The largest buffer that goes on the stack, and all such of a function.
static constexpr int64_t maxOnStack = 1 << 10, maxStack = 16 << 10;

/// Whether `op` runs in the thread that runs its function.
static bool isSequential(Operation *op) {
  for (op = op->getParentOp(); !isa<FuncOp>(op); op = op->getParentOp())
    if (!isa<affine::AffineForOp, affine::AffineIfOp, scf::ForOp, scf::IfOp,
             scf::WhileOp, scf::IndexSwitchOp, scf::ExecuteRegionOp,
             memref::AllocaScopeOp>(op))
      return false;
  return true;
}

static MemRefType bytesType(MLIRContext *context, int64_t bytes) {
  return MemRefType::get(bytes, IntegerType::get(context, 8));
}

static Value allocate(OpBuilder &builder, Location loc, int64_t bytes) {
  return AllocOp::create(builder, loc, bytesType(builder.getContext(), bytes),
                         builder.getI64IntegerAttr(alignment));
}

namespace {
/// The temporaries of a function: those that move to the stack, and allocations
/// and calls with their places in the workspace.
struct FunctionPlan {
  SmallVector<AllocOp> onStack;
  SmallVector<Operation *> inWorkspace;
  WorkspaceLayout layout;
};

class WorkspacePlanner {
public:
  WorkspacePlanner(ModuleOp module, Workspace kind)
      : module(module), symbols(module), users(tables, module), kind(kind) {}

  /// To be called for callees before their callers.
  void planFunction(FuncOp function);

  /// Allocates around the calls that got no part of a workspace.
  void finish();

private:
  /// A function, and the bytes of the workspace that its callers pass.
  struct Callee {
    FuncOp function;
    int64_t bytes = 0;
  };

  using OpNumbers = llvm::DenseMap<Operation *, int64_t>;
  bool mayKeep(Operation *user) const;
  std::optional<int64_t> findLastUse(Value memory, Block *block,
                                     const OpNumbers &numbers) const;
  std::optional<BufferLifetime> lifetimeOf(AllocOp alloc,
                                           const OpNumbers &numbers);
  std::optional<BufferLifetime> lifetimeOf(CallOp call,
                                           const OpNumbers &numbers);
  FunctionPlan makePlan(FuncOp function);
  void apply(const FunctionPlan &plan, FuncOp function, Value workspace);
  Value makeWorkspace(FuncOp function, int64_t bytes);
  FuncOp splitBody(FuncOp function);
  Callee calleeOf(CallOp call) const {
    return callees.lookup(call.getCalleeAttr().getAttr());
  }
  void insert(Operation *symbol, FuncOp function) {
    symbols.insert(symbol, function->getIterator());
  }

  ModuleOp module;
  SymbolTable symbols;
  SymbolTableCollection tables;
  SymbolUserMap users;
  Workspace kind;
  /// Functions that take a workspace, by the name that calls have.
  llvm::DenseMap<StringAttr, Callee> callees;
};

struct PlanWorkspace
    : baco::target::impl::PlanWorkspacePassBase<PlanWorkspace> {
  using Base::Base;

protected:
  void runOnOperation() override;
};
} // namespace

/// Whether `user` yields something that may be memory which it uses, or leaves
/// to others to use it.
bool WorkspacePlanner::mayKeep(Operation *user) const {
  if (auto call = dyn_cast<CallOp>(user)) {
    auto callee = symbols.lookup<FuncOp>(call.getCallee());
    if (!callee || callee.isExternal())
      return true;
  }
  return user->hasTrait<OpTrait::IsTerminator>() ||
         !llvm::all_of(user->getResultTypes(),
                       llvm::IsaPred<IntegerType, FloatType, VectorType>);
}

/// The last op in the block, or in an op of it, that uses `memory` or a view of
/// it, by its number; nothing if that isn't known.
std::optional<int64_t>
WorkspacePlanner::findLastUse(Value memory, Block *block,
                              const OpNumbers &numbers) const {
  int64_t last = numbers.at(memory.getDefiningOp());
  for (Operation *user : memory.getUsers()) {
    if (isa<memref::DeallocOp>(user))
      continue;
    std::optional<int64_t> use;
    Operation *inBlock = block->findAncestorOpInBlock(*user);
    if (isa<ViewLikeOpInterface>(user) && user->getNumResults() == 1)
      use = findLastUse(user->getResult(0), block, numbers);
    else if (inBlock && !mayKeep(user))
      use = numbers.at(inBlock->getNextNode()) - 1;
    if (!use)
      return std::nullopt;
    last = std::max(last, *use);
  }
  return last;
}

/// Nothing if the memory may be in use behind its block.
std::optional<BufferLifetime>
WorkspacePlanner::lifetimeOf(AllocOp alloc, const OpNumbers &numbers) {
  std::optional<int64_t> bytes = sizeInBytes(alloc);
  memref::DeallocOp dealloc = deallocationOf(alloc);
  if (!bytes || !dealloc)
    return std::nullopt;
  // Upstream's deallocation frees buffers at the end of their block, and its
  // pass that moves this to the last use, optimize-allocation-liveness, may
  // move it behind the terminator.
  int64_t end = findLastUse(alloc, alloc->getBlock(), numbers)
                    .value_or(numbers.at(dealloc));
  return BufferLifetime{*bytes, numbers.at(alloc), end};
}

/// Nothing if the function that is called has no workspace.
std::optional<BufferLifetime>
WorkspacePlanner::lifetimeOf(CallOp call, const OpNumbers &numbers) {
  Callee callee = calleeOf(call);
  if (!callee.function)
    return std::nullopt;
  return BufferLifetime{callee.bytes, numbers.at(call), numbers.at(call)};
}

FunctionPlan WorkspacePlanner::makePlan(FuncOp function) {
  FunctionPlan plan;
  // Ops are numbered in the order of the text. A buffer that is freed in the
  // block that allocates it is in use at the same time as another one if and
  // only if these ranges overlap, in loops as well.
  OpNumbers numbers;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    numbers.try_emplace(op, static_cast<int64_t>(numbers.size()));
  });
  SmallVector<BufferLifetime> lifetimes;
  int64_t stack = 0, sum = 0;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    std::optional<BufferLifetime> lifetime;
    if (auto call = dyn_cast<CallOp>(op))
      lifetime = lifetimeOf(call, numbers);
    else if (auto alloc = dyn_cast<AllocOp>(op))
      lifetime = lifetimeOf(alloc, numbers);
    if (!lifetime || sum + lifetime->bytes > maxTemporaryBytes ||
        !isSequential(op))
      return;
    if (isa<AllocOp>(op) && lifetime->bytes <= maxOnStack &&
        stack + lifetime->bytes <= maxStack) {
      stack += lifetime->bytes;
      plan.onStack.push_back(cast<AllocOp>(op));
      return;
    }
    sum += lifetime->bytes;
    plan.inWorkspace.push_back(op);
    lifetimes.push_back(*lifetime);
  });
  plan.layout = layOutWorkspace(lifetimes, alignment);
  if (sum + stack > 0)
    remark::analysis(function.getLoc(), remark::RemarkOpts::name("Workspace")
                                            .category("workspace")
                                            .function(function.getName()))
        << remark::metric("temporaryBytes", sum)
        << remark::metric("workspaceBytes", plan.layout.bytes)
        << remark::metric("stackBytes", stack);
  return plan;
}

/// Makes `call` one of `function`, which takes a workspace.
static void passWorkspace(CallOp call, FuncOp function, Value workspace) {
  call.setCallee(function.getName());
  call.getOperandsMutable().append(workspace);
}

void WorkspacePlanner::apply(const FunctionPlan &plan, FuncOp function,
                             Value workspace) {
  auto replace = [](AllocOp alloc, Value memory) {
    deallocationOf(alloc).erase();
    alloc.replaceAllUsesWith(memory);
    alloc.erase();
  };
  OpBuilder builder(function.getContext());
  Value last = workspace;
  for (auto [op, offset] :
       llvm::zip_equal(plan.inWorkspace, plan.layout.offsets)) {
    LDBG() << *op << " gets the place at " << offset;
    // The op behind the last view may have been erased.
    builder.setInsertionPointAfterValue(last);
    Location loc = op->getLoc();
    auto call = dyn_cast<CallOp>(op);
    MemRefType type = call
                          ? bytesType(module.getContext(), calleeOf(call).bytes)
                          : cast<AllocOp>(op).getType();
    Value start = arith::ConstantIndexOp::create(builder, loc, offset);
    last = memref::ViewOp::create(builder, loc, type, workspace, start,
                                  /*sizes=*/ValueRange());
    if (call)
      passWorkspace(call, calleeOf(call).function, last);
    else
      replace(cast<AllocOp>(op), last);
  }
  for (AllocOp alloc : plan.onStack) {
    builder.setInsertionPointToStart(&function.front());
    replace(alloc,
            memref::AllocaOp::create(builder, alloc.getLoc(), alloc.getType(),
                                     builder.getI64IntegerAttr(alignment)));
  }
}

/// Appends the workspace to the arguments of `function`.
static Value takeArgument(FuncOp function, int64_t bytes) {
  unsigned index = function.getNumArguments();
  (void)function.insertArgument(index, bytesType(function.getContext(), bytes),
                                /*argAttrs=*/{}, function.getLoc());
  return function.getArgument(index);
}

/// Makes memory at the start of `function`, whose interface stays.
Value WorkspacePlanner::makeWorkspace(FuncOp function, int64_t bytes) {
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  Location loc = function.getLoc();
  if (kind == Workspace::Global) {
    MemRefType type = bytesType(module.getContext(), bytes);
    OpBuilder outer(module.getContext());
    auto global = memref::GlobalOp::create(
        outer, loc, (function.getName() + "_workspace").str(),
        outer.getStringAttr("private"), type, outer.getUnitAttr(),
        /*constant=*/false, outer.getI64IntegerAttr(alignment));
    insert(global, function);
    return memref::GetGlobalOp::create(builder, loc, type, global.getSymName());
  }
  Value memory = allocate(builder, loc, bytes);
  function.walk([&](func::ReturnOp end) {
    builder.setInsertionPoint(end);
    memref::DeallocOp::create(builder, loc, memory);
  });
  return memory;
}

/// Moves the body of `function` to a private function, which it calls.
FuncOp WorkspacePlanner::splitBody(FuncOp function) {
  FuncOp inner = function.cloneWithoutRegions();
  inner.setName((function.getName() + "_in_workspace").str());
  inner.setPrivate();
  inner->removeAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName());
  insert(inner, function);
  inner.getBody().takeBody(function.getBody());
  Block *entry = function.addEntryBlock();
  OpBuilder builder = OpBuilder::atBlockBegin(entry);
  auto call =
      CallOp::create(builder, function.getLoc(), inner, entry->getArguments());
  func::ReturnOp::create(builder, function.getLoc(), call.getResults());
  return inner;
}

void WorkspacePlanner::planFunction(FuncOp function) {
  FunctionPlan plan = makePlan(function);
  ArrayRef<Operation *> uses = users.getUsers(function);
  bool isCalled = llvm::any_of(uses, llvm::IsaPred<CallOp>),
       isCalledOnly = llvm::all_of(uses, llvm::IsaPred<CallOp>);
  bool isAsked = kind == Workspace::Argument && function.isPublic();
  int64_t bytes = plan.layout.bytes;
  // An interface that doesn't depend on the plan.
  if (isAsked && isCalledOnly) {
    OpBuilder builder(module.getContext());
    auto number = builder.getI64Type();
    insert(
        LLVM::GlobalOp::create(builder, function.getLoc(), number,
                               /*isConstant=*/true, LLVM::Linkage::External,
                               (function.getName() + "_workspace_bytes").str(),
                               builder.getIntegerAttr(number, bytes)),
        function);
  } else if (plan.inWorkspace.empty()) {
    return apply(plan, function, {});
  }
  if (isCalledOnly && (isAsked || function.isPrivate())) {
    callees[function.getNameAttr()] = {function, bytes};
    return apply(plan, function, takeArgument(function, bytes));
  }
  if (!isCalled)
    return apply(plan, function, makeWorkspace(function, bytes));
  FuncOp inner = splitBody(function);
  callees[function.getNameAttr()] = {inner, bytes};
  apply(plan, inner, takeArgument(inner, bytes));
  auto call = cast<CallOp>(function.front().front());
  passWorkspace(call, inner, makeWorkspace(function, bytes));
}

void WorkspacePlanner::finish() {
  OpBuilder builder(module.getContext());
  module.walk([&](CallOp call) {
    Callee callee = calleeOf(call);
    if (!callee.function ||
        call.getNumOperands() == callee.function.getNumArguments())
      return;
    builder.setInsertionPoint(call);
    Value memory = allocate(builder, call.getLoc(), callee.bytes);
    passWorkspace(call, callee.function, memory);
    builder.setInsertionPointAfter(call);
    memref::DeallocOp::create(builder, call.getLoc(), memory);
  });
}

void PlanWorkspace::runOnOperation() {
  ModuleOp module = getOperation();
  WorkspacePlanner planner(module, workspace);
  const CallGraph graph(module);
  for (auto it = llvm::scc_begin(&graph); !it.isAtEnd(); ++it) {
    // A function that may be active twice needs memory of its own each time.
    if (it.hasCycle())
      continue;
    for (const CallGraphNode *node : *it) {
      if (node->isExternal())
        continue;
      auto function =
          dyn_cast<FuncOp>(node->getCallableRegion()->getParentOp());
      if (function && function->getParentOp() == module)
        planner.planFunction(function);
    }
  }
  planner.finish();
}
