//===- EmulatorInstrument.cpp - Kernels that call the emulator ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each access to memory is checked first; shared and local memory are the
// emulator's; ends of loop iterations are counted.
//
//===----------------------------------------------------------------------===//

#include "EmulatorCode.h"
#include "baco/Support/NvidiaGpu.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/ScalarizeMaskedMemIntrin.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace baco::target;
using namespace baco::runtime;

/// Address spaces of NVPTX.
static constexpr unsigned sharedSpace = 3;

namespace {
class Instrumenter {
public:
  Instrumenter(Module &module, Emulator &emulator)
      : module(module), emulator(emulator),
        self(ConstantExpr::getIntToPtr(
            ConstantInt::get(Type::getInt64Ty(module.getContext()),
                             reinterpret_cast<uint64_t>(&emulator)),
            PointerType::get(module.getContext(), 0))) {}

  Expected<EmulatorContents> run() {
    emulator.reset();
    if (llvm::Error error = checkCalls())
      return std::move(error);
    scalarizeMasks();
    if (llvm::Error error = placeVariables())
      return std::move(error);
    SmallVector<Function *> functions;
    for (Function &function : module)
      if (!function.isDeclaration())
        functions.push_back(&function);
    for (Function *function : functions)
      if (llvm::Error error = rewrite(*function))
        return std::move(error);
    for (Function *function : functions)
      finish(*function);
    emulator.setGranule(granule);
    emulator.setPlaces(std::move(places));
    StripDebugInfo(module);
    if (verifyModule(module))
      return createStringError("the emulator made invalid LLVM IR");
    return std::move(contents);
  }

private:
  static llvm::Error unsupported(const Function &function, const Twine &what) {
    return createStringError("kernel code '" + function.getName() +
                             "' can't be emulated: " + what);
  }

  llvm::Error checkCalls() {
    for (Function &function : module) {
      for (Instruction &instruction : instructions(function)) {
        auto *call = dyn_cast<CallBase>(&instruction);
        if (!call)
          continue;
        if (auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand()))
          return unsupported(function, "it has inline assembly: " +
                                           assembly->getAsmString());
        Function *callee = call->getCalledFunction();
        if (!callee)
          return unsupported(function, "it calls through a pointer");
        if (callee->isDeclaration() && !callee->isIntrinsic())
          return unsupported(function, "it calls '" + callee->getName() +
                                           "', which has no code");
      }
      for (llvm::Argument &argument : function.args())
        if (argument.hasByValAttr())
          return unsupported(function, "it takes an argument in memory");
    }
    CallGraph graph(module);
    for (auto scc = scc_begin(&graph); !scc.isAtEnd(); ++scc)
      if (scc.hasCycle() && scc->front()->getFunction())
        return unsupported(*scc->front()->getFunction(), "it calls itself");
    return llvm::Error::success();
  }

  /// Makes masked vector accesses conditional scalar ones, as the back end does
  /// for chips without them.
  void scalarizeMasks() {
    PassBuilder builder;
    FunctionAnalysisManager functions;
    builder.registerFunctionAnalyses(functions);
    ScalarizeMaskedMemIntrinPass pass;
    for (Function &function : module)
      if (!function.isDeclaration())
        pass.run(function, functions);
  }

  /// Gives variables in shared memory their addresses, and lists others.
  llvm::Error placeVariables() {
    SmallVector<GlobalVariable *> erased;
    for (GlobalVariable &variable : module.globals()) {
      if (variable.getName().starts_with("llvm.")) {
        erased.push_back(&variable);
        continue;
      }
      size_t bytes =
          module.getDataLayout().getTypeAllocSize(variable.getValueType());
      if (variable.getAddressSpace() != sharedSpace) {
        if (variable.isDeclaration())
          return createStringError("variable '" + variable.getName() +
                                   "' of a kernel has no contents");
        variable.setLinkage(GlobalValue::ExternalLinkage);
        contents.variables.emplace_back(variable.getName(), bytes);
        continue;
      }
      // Extern shared arrays alias dynamic shared memory.
      bool isDynamic = variable.isDeclaration() || bytes == 0;
      if (isDynamic) {
        dynamic.push_back(&variable);
        continue;
      }
      Align align = variable.getAlign().value_or(
          module.getDataLayout().getPreferredAlign(&variable));
      std::byte *address =
          emulator.addShared(variable.getName().str(), bytes,
                             std::min<size_t>(align.value(), 1024));
      if (!address)
        return createStringError(
            "a kernel has more than " + Twine(baco::nvidia::maxStaticShared) +
            " bytes of static shared memory; use dynamic shared memory");
      replaceByAddress(variable, address);
      erased.push_back(&variable);
    }
    for (GlobalVariable *variable : dynamic) {
      replaceByAddress(*variable, emulator.dynamicShared());
      erased.push_back(variable);
    }
    for (GlobalVariable *variable : erased)
      variable->eraseFromParent();
    return llvm::Error::success();
  }

  static void replaceByAddress(GlobalVariable &variable, std::byte *address) {
    auto *word = Type::getInt64Ty(variable.getContext());
    variable.replaceAllUsesWith(ConstantExpr::getIntToPtr(
        ConstantInt::get(word, reinterpret_cast<uint64_t>(address)),
        variable.getType()));
  }

  unsigned addPlace(const Instruction &instruction, StringRef otherwise = "") {
    std::string text = otherwise.str();
    if (const DebugLoc &at = instruction.getDebugLoc())
      text = (at->getFilename() + ":" + Twine(at->getLine()) + ":" +
              Twine(at->getColumn()))
                 .str();
    places.push_back(std::move(text));
    return places.size() - 1;
  }

  void check(IRBuilder<> &builder, Value *pointer, Value *bytes,
             AccessKind kind, Align align, Value *place) {
    size_t size = 1;
    if (auto *constant = dyn_cast<ConstantInt>(bytes))
      size = constant->getZExtValue() & -constant->getZExtValue();
    if (size)
      granule = std::min<size_t>({granule, size, align.value()});
    callEmulator(
        builder, "access", builder.getVoidTy(),
        {self, builder.CreateAddrSpaceCast(pointer, builder.getPtrTy()),
         builder.CreateZExtOrTrunc(bytes, builder.getInt64Ty()),
         builder.getInt32(static_cast<uint32_t>(kind)),
         builder.getInt32(static_cast<uint32_t>(align.value())), place});
  }

  void checkAccess(Instruction &instruction) {
    IRBuilder<> builder(&instruction);
    auto kindOf = [](bool isAtomic, AccessKind plain) {
      return isAtomic ? AccessKind::Atomic : plain;
    };
    auto emit = [&](Value *pointer, Type *type, AccessKind kind, Align align) {
      Value *bytes = builder.getInt64(
          module.getDataLayout().getTypeStoreSize(type).getFixedValue());
      check(builder, pointer, bytes, kind, align,
            builder.getInt32(addPlace(instruction)));
    };
    if (auto *load = dyn_cast<LoadInst>(&instruction)) {
      emit(load->getPointerOperand(), load->getType(),
           kindOf(load->isAtomic(), AccessKind::Read), load->getAlign());
      // A promise that the emulator checks isn't for the compiler.
      load->setMetadata(LLVMContext::MD_invariant_load, nullptr);
    } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      emit(store->getPointerOperand(), store->getValueOperand()->getType(),
           kindOf(store->isAtomic(), AccessKind::Write), store->getAlign());
    } else if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) {
      emit(update->getPointerOperand(), update->getType(), AccessKind::Atomic,
           update->getAlign());
    } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
      emit(exchange->getPointerOperand(),
           exchange->getNewValOperand()->getType(), AccessKind::Atomic,
           exchange->getAlign());
    } else if (auto *memory = dyn_cast<MemIntrinsic>(&instruction)) {
      Value *place = builder.getInt32(addPlace(instruction));
      if (auto *transfer = dyn_cast<MemTransferInst>(memory))
        check(builder, transfer->getRawSource(), memory->getLength(),
              AccessKind::Read, transfer->getSourceAlign().valueOrOne(), place);
      check(builder, memory->getRawDest(), memory->getLength(),
            AccessKind::Write, memory->getDestAlign().valueOrOne(), place);
    }
  }

  /// Moves variables of the stack to local memory of the emulator, where it
  /// knows their bounds.
  llvm::Error moveLocals(Function &function) {
    SmallVector<AllocaInst *> locals;
    SmallVector<Instruction *> erased, returns;
    for (Instruction &instruction : instructions(function)) {
      if (auto *local = dyn_cast<AllocaInst>(&instruction))
        locals.push_back(local);
      else if (instruction.isLifetimeStartOrEnd())
        erased.push_back(&instruction);
      else if (isa<ReturnInst>(instruction))
        returns.push_back(&instruction);
    }
    for (Instruction *instruction : erased)
      instruction->eraseFromParent();
    if (locals.empty())
      return llvm::Error::success();
    IRBuilder<> builder(&function.getEntryBlock(),
                        function.getEntryBlock().begin());
    const DataLayout &layout = module.getDataLayout();
    constexpr uint64_t alignment = 64, maxBytes = 512 * 1024;
    // Between variables there is memory of none, so that an index that is
    // slightly wrong is out of bounds.
    uint64_t bytes = 0;
    std::vector<EmulatedLocal> variables;
    for (AllocaInst *local : locals) {
      std::optional<TypeSize> size = local->getAllocationSize(layout);
      if (!local->isStaticAlloca() || !size ||
          local->getAlign().value() > alignment)
        return unsupported(function, "the size of its local memory varies");
      std::string name = local->hasName() ? "'" + local->getName().str() + "'"
                                          : utostr(variables.size());
      variables.push_back({"local memory " + name, bytes, *size});
      bytes = alignTo(bytes + *size + alignment, alignment);
      if (bytes > maxBytes)
        return unsupported(function,
                           "it has more than 512 KiB of local memory");
    }
    unsigned number = emulator.addFrame(variables);
    Value *frame = callEmulator(builder, "enter", builder.getPtrTy(),
                                {self, builder.getInt32(number)});
    for (auto [local, variable] : zip(locals, variables)) {
      Value *address =
          builder.CreatePtrAdd(frame, builder.getInt64(variable.offset));
      address = builder.CreateAddrSpaceCast(address, local->getType());
      local->replaceAllUsesWith(address);
    }
    // The builder is before the first one.
    for (AllocaInst *local : locals)
      local->eraseFromParent();
    for (Instruction *instruction : returns) {
      IRBuilder<> before(instruction);
      callEmulator(before, "leave", before.getVoidTy(), {self});
    }
    return llvm::Error::success();
  }

  void countIterations(Function &function) {
    SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> edges;
    FindFunctionBackedges(function, edges);
    SmallPtrSet<const BasicBlock *, 8> seen;
    for (auto [from, to] : edges) {
      if (!seen.insert(from).second)
        continue;
      IRBuilder<> builder(const_cast<BasicBlock *>(from)->getTerminator());
      callEmulator(builder, "step", builder.getVoidTy(), {self});
    }
  }

  void trap(Instruction &instruction) {
    IRBuilder<> builder(&instruction);
    callEmulator(builder, "trap", builder.getVoidTy(),
                 {self, builder.getInt32(addPlace(instruction))});
  }

  llvm::Error rewrite(Function &function) {
    countIterations(function);
    if (llvm::Error error = moveLocals(function))
      return error;
    SmallVector<Instruction *> all;
    for (Instruction &instruction : instructions(function))
      all.push_back(&instruction);
    unsigned numBarriers = 0;
    for (Instruction *instruction : all) {
      auto *call = dyn_cast<CallInst>(instruction);
      Function *callee = call ? call->getCalledFunction() : nullptr;
      if (isa<UnreachableInst>(instruction)) {
        trap(*instruction);
      } else if (callee && callee->getName().starts_with("llvm.nvvm.")) {
        std::string name = callee->getName().str();
        std::string otherwise;
        if (StringRef(name).contains("barrier"))
          otherwise = "barrier instruction " + utostr(++numBarriers);
        if (!replaceIntrinsic(*call, self, addPlace(*call, otherwise), granule))
          return unsupported(function,
                             "intrinsic '" + name + "' isn't supported");
      } else if (callee && (callee->getIntrinsicID() == Intrinsic::trap ||
                            callee->getIntrinsicID() == Intrinsic::debugtrap)) {
        trap(*call);
        call->eraseFromParent();
      } else {
        checkAccess(*instruction);
      }
    }
    return llvm::Error::success();
  }

  /// Adds an entry to a kernel, and removes attributes and calling conventions
  /// that are for NVPTX alone.
  void finish(Function &function) {
    bool isKernel = function.getCallingConv() == CallingConv::PTX_Kernel;
    function.setCallingConv(CallingConv::C);
    function.setAttributes(AttributeList());
    function.clearMetadata();
    function.setLinkage(GlobalValue::InternalLinkage);
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction)) {
        call->setCallingConv(CallingConv::C);
        if (Function *callee = call->getCalledFunction();
            callee && !callee->isIntrinsic())
          call->setAttributes(AttributeList());
      }
    if (!isKernel)
      return;
    LLVMContext &context = module.getContext();
    IRBuilder<> builder(context);
    auto *type =
        FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
    auto *entry = Function::Create(type, GlobalValue::ExternalLinkage,
                                   "baco_entry_" + function.getName(), module);
    builder.SetInsertPoint(BasicBlock::Create(context, "", entry));
    SmallVector<Value *> arguments;
    for (llvm::Argument &parameter : function.args()) {
      Value *slot = builder.CreateConstInBoundsGEP1_32(
          builder.getPtrTy(), entry->getArg(0), parameter.getArgNo());
      arguments.push_back(builder.CreateLoad(
          parameter.getType(), builder.CreateLoad(builder.getPtrTy(), slot)));
    }
    builder.CreateCall(&function, arguments);
    builder.CreateRetVoid();
    contents.kernels.push_back({function.getName().str(),
                                entry->getName().str(),
                                static_cast<unsigned>(function.arg_size())});
  }

  Module &module;
  Emulator &emulator;
  Constant *self;
  EmulatorContents contents;
  SmallVector<GlobalVariable *> dynamic;
  std::vector<std::string> places;
  size_t granule = 16;
};
} // namespace

Expected<EmulatorContents>
baco::target::instrumentForEmulator(Module &module, Emulator &emulator) {
  return Instrumenter(module, emulator).run();
}
