//===- PackConstants.cpp - Copies of constants before the first call ------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies of weights to panels cost a network as much as some of its products:
// each element is used only as often as there are rows of images or words. They
// are the same in each call, so that they are made once: by the compiler where
// callers pass constants, else by a function that the program calls.
//
//===----------------------------------------------------------------------===//

#include "EvaluateCopies.h"
#include "baco/Target/Constants/ConstantCopies.h"

#include "baco/Analysis/ConstantData.h"
#include "baco/Analysis/MemoryRoots.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/ConstantArgument.h"
#include "baco/IR/UsedSymbols.h"
#include "baco/LoopNest/FunctionMemory.h"
#include "baco/Target/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-pack-constants"

namespace baco::target {
#define GEN_PASS_DEF_PACKCONSTANTSPASS
#include "baco/Target/Passes.h.inc"
} // namespace baco::target

using namespace mlir;
using namespace baco;
using namespace baco::target;
using func::CallOp;
using func::FuncOp;
using memref::GlobalOp;

namespace {
struct PackConstants
    : baco::target::impl::PackConstantsPassBase<PackConstants> {
  using Base::Base;

protected:
  void runOnOperation() override;

private:
  void packOwn(FuncOp function, SymbolTable &symbols);
  void packArguments(FuncOp function, SymbolTable &symbols,
                     ArrayRef<Operation *> users);
};

/// The copies of one function, as a further argument or as a global.
class FunctionPacking {
public:
  FunctionPacking(FuncOp function, SymbolTable &symbols,
                  ConstantCopies::From from)
      : function(function), symbols(symbols), copies(function, from) {}

  bool empty() const { return copies.empty(); }
  int64_t bytes() const { return copies.bytes(); }
  /// Lets `calls`, which are all of them, pass what the compiler has copied. An
  /// error says why it can't, and nothing is changed.
  llvm::Error packForCalls(ArrayRef<CallOp> calls);
  /// Copies the module's constants that the function itself reads. An error
  /// says why that can't be, and nothing is changed.
  llvm::Error packOwnConstants();
  void packInGlobal();
  void packForCaller();

private:
  MemRefType memoryType() {
    return MemRefType::get(copies.bytes(),
                           IntegerType::get(function.getContext(), 8));
  }
  FuncOp addFunction(const Twine &name, TypeRange arguments, TypeRange results);
  FuncOp makeFill(const Twine &name);
  GlobalOp addGlobal(const Twine &name, Attribute contents);
  Value takeMemory();
  void dropSources(ArrayRef<CallOp> calls);

  FuncOp function;
  SymbolTable &symbols;
  ConstantCopies copies;
};
} // namespace

static constexpr const char *unknownData =
    "their data aren't known to the compiler";

/// The global that `value` is; null if it isn't a constant with known data.
static GlobalOp constantOf(Value value, SymbolTable &symbols) {
  while (auto cast = value.getDefiningOp<memref::CastOp>())
    value = cast.getSource();
  auto get = value.getDefiningOp<memref::GetGlobalOp>();
  auto global = get ? symbols.lookup<GlobalOp>(get.getName()) : GlobalOp();
  if (!global || !global.getConstant())
    return {};
  auto data = dyn_cast_or_null<ElementsAttr>(global.getConstantInitValue());
  return data && !bytesOf(data).empty() ? global : GlobalOp();
}

/// A private function in front of the packed one, with an empty block.
FuncOp FunctionPacking::addFunction(const Twine &name, TypeRange arguments,
                                    TypeRange results) {
  OpBuilder builder(function.getContext());
  auto added = FuncOp::create(function.getLoc(), name.str(),
                              builder.getFunctionType(arguments, results));
  added.setPrivate();
  symbols.insert(added, function->getIterator());
  added.addEntryBlock();
  return added;
}

/// A function that makes all copies of its arguments, which are the sources,
/// in the last one.
FuncOp FunctionPacking::makeFill(const Twine &name) {
  SmallVector<Type> types;
  llvm::append_range(types, ValueRange(copies.sources()).getTypes());
  types.push_back(memoryType());
  FuncOp fill = addFunction(name, types, {});
  OpBuilder builder = OpBuilder::atBlockBegin(&fill.front());
  auto end = func::ReturnOp::create(builder, function.getLoc());
  builder.setInsertionPoint(end);
  ValueRange arguments = fill.getArguments();
  copies.writeCopies(builder, arguments.back(), arguments.drop_back());
  return fill;
}

/// A private global for the copies; without `contents` it isn't a constant.
GlobalOp FunctionPacking::addGlobal(const Twine &name, Attribute contents) {
  OpBuilder builder(function.getContext());
  auto global = GlobalOp::create(
      builder, function.getLoc(), name.str(), builder.getStringAttr("private"),
      memoryType(), contents ? contents : builder.getUnitAttr(),
      /*constant=*/static_cast<bool>(contents),
      builder.getI64IntegerAttr(loopnest::bufferAlignment));
  symbols.insert(global, function->getIterator());
  return global;
}

/// Appends the memory to the arguments of the function.
Value FunctionPacking::takeMemory() {
  unsigned number = function.getNumArguments();
  (void)function.insertArgument(number, memoryType(), /*argAttrs=*/{},
                                function.getLoc());
  return function.getArgument(number);
}

/// Removes arguments that only copies have read.
void FunctionPacking::dropSources(ArrayRef<CallOp> calls) {
  llvm::BitVector unused(function.getNumArguments());
  for (unsigned number : copies.argumentNumbers())
    if (function.getArgument(number).use_empty())
      unused.set(number);
  (void)function.eraseArguments(unused);
  for (CallOp call : calls) {
    SmallVector<Value> operands;
    for (unsigned number : unused.set_bits())
      operands.push_back(call.getOperand(number));
    call->eraseOperands(unused);
    for (Value operand : operands)
      if (Operation *op = operand.getDefiningOp(); op && isOpTriviallyDead(op))
        op->erase();
  }
}

llvm::Error FunctionPacking::packForCalls(ArrayRef<CallOp> calls) {
  // The copies by what they are made of.
  llvm::MapVector<SmallVector<Operation *>, GlobalOp> made;
  FuncOp fill = makeFill(function.getName() + "_fill");
  auto giveUp = [&](llvm::Error why) {
    for (auto &[key, global] : made)
      if (global)
        symbols.erase(global);
    symbols.erase(fill);
    return why;
  };
  // A kernel that occurs several times in a network is called with several
  // weights, or with the same ones again.
  SmallVector<GlobalOp> packed;
  for (CallOp call : calls) {
    SmallVector<Operation *> key;
    SmallVector<ElementsAttr> data;
    for (unsigned number : copies.argumentNumbers()) {
      GlobalOp global = constantOf(call.getOperand(number), symbols);
      if (!global)
        return giveUp(llvm::createStringError(unknownData));
      key.push_back(global);
      data.push_back(cast<ElementsAttr>(global.getConstantInitValue()));
    }
    GlobalOp &global = made[key];
    if (!global) {
      llvm::Expected<DenseResourceElementsAttr> contents =
          evaluateCopies(fill, data);
      if (!contents)
        return giveUp(contents.takeError());
      global = addGlobal(function.getName() + "_packed", *contents);
    }
    packed.push_back(global);
  }
  // From here on nothing can fail.
  symbols.erase(fill);
  copies.useCopies(takeMemory());
  for (auto [index, call] : llvm::enumerate(calls)) {
    GlobalOp global = packed[index];
    OpBuilder builder(call);
    auto memory = memref::GetGlobalOp::create(
        builder, call->getLoc(), global.getType(), global.getSymName());
    call->insertOperands(call->getNumOperands(), memory->getResults());
  }
  dropSources(calls);
  return llvm::Error::success();
}

llvm::Error FunctionPacking::packOwnConstants() {
  FuncOp fill = makeFill(function.getName() + "_fill");
  SmallVector<ElementsAttr> data;
  for (Value source : copies.sources())
    if (GlobalOp global = constantOf(source, symbols))
      data.push_back(cast<ElementsAttr>(global.getConstantInitValue()));
  auto contents = data.size() == copies.sources().size()
                      ? evaluateCopies(fill, data)
                      : llvm::createStringError(unknownData);
  symbols.erase(fill);
  if (!contents)
    return contents.takeError();
  GlobalOp global = addGlobal(function.getName() + "_packed", *contents);
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  copies.useCopies(memref::GetGlobalOp::create(
      builder, function.getLoc(), global.getType(), global.getSymName()));
  return llvm::Error::success();
}

void FunctionPacking::packInGlobal() {
  GlobalOp global = addGlobal(packedPrefix + function.getName(), {});
  // Whoever calls the function has its arguments, and so the filling function
  // takes the same ones.
  FuncOp fill = addFunction(preparePrefix + function.getName(),
                            function.getArgumentTypes(), {});
  fill.setPublic();
  fill->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                UnitAttr::get(function.getContext()));
  auto memoryAt = [&](OpBuilder &builder) -> Value {
    return memref::GetGlobalOp::create(builder, function.getLoc(),
                                       global.getType(), global.getSymName());
  };
  OpBuilder builder = OpBuilder::atBlockBegin(&fill.front());
  auto end = func::ReturnOp::create(builder, function.getLoc());
  builder.setInsertionPoint(end);
  SmallVector<Value> sources;
  for (unsigned number : copies.argumentNumbers())
    sources.push_back(fill.getArgument(number));
  copies.writeCopies(builder, memoryAt(builder), sources);
  builder.setInsertionPointToStart(&function.front());
  copies.useCopies(memoryAt(builder));
}

/// NAME_prepare, NAME_tuned and NAME_release for programs that call the
/// function many times, and the function itself for those that don't.
void FunctionPacking::packForCaller() {
  std::string name = function.getName().str();
  Location loc = function.getLoc();
  SmallVector<unsigned> numbers = copies.argumentNumbers();
  FuncOp fill = makeFill(name + "_fill");
  MemRefType memory = memoryType();
  UnitAttr unit = UnitAttr::get(function.getContext());
  StringRef wrapper = LLVM::LLVMDialect::getEmitCWrapperAttrName();
  auto addPublic = [&](StringRef suffix, TypeRange arguments,
                       TypeRange results) {
    FuncOp added = addFunction(name + suffix, arguments, results);
    added.setPublic();
    added->setAttr(wrapper, unit);
    return added;
  };
  auto allocate = [&](OpBuilder &builder) -> Value {
    return memref::AllocOp::create(
        builder, loc, memory,
        builder.getI64IntegerAttr(loopnest::bufferAlignment));
  };

  FuncOp prepare = addPublic(
      "_prepare", ArrayRef(fill.getArgumentTypes()).drop_back(), memory);
  OpBuilder builder = OpBuilder::atBlockBegin(&prepare.front());
  Value made = allocate(builder);
  SmallVector<Value> operands(ValueRange(prepare.getArguments()));
  operands.push_back(made);
  CallOp::create(builder, loc, fill, operands);
  func::ReturnOp::create(builder, loc, made);

  FuncOp release = addPublic("_release", memory, {});
  builder.setInsertionPointToStart(&release.front());
  memref::DeallocOp::create(builder, loc, release.getArgument(0));
  func::ReturnOp::create(builder, loc);

  // The body moves, with the values that the copies know.
  FuncOp tuned = addPublic("_tuned", function.getArgumentTypes(),
                           function.getResultTypes());
  tuned.getBody().takeBody(function.getBody());
  if (ArrayAttr attributes = function.getAllArgAttrs())
    tuned.setAllArgAttrs(attributes);
  Block *entry = function.addEntryBlock();
  FuncOp outer = function;
  function = tuned;
  copies.useCopies(takeMemory());

  // Programs that call it once get what they had: copies, then the product.
  builder.setInsertionPointToStart(entry);
  Value own = allocate(builder);
  operands.clear();
  for (unsigned number : numbers)
    operands.push_back(outer.getArgument(number));
  operands.push_back(own);
  CallOp::create(builder, loc, fill, operands);
  operands.assign(outer.getArguments().begin(), outer.getArguments().end());
  operands.push_back(own);
  auto call = CallOp::create(builder, loc, tuned, operands);
  memref::DeallocOp::create(builder, loc, own);
  func::ReturnOp::create(builder, loc, call.getResults());
}

//===----------------------------------------------------------------------===//
// Functions that pass constants on
//===----------------------------------------------------------------------===//

/// Functions that ops other than calls name. Inlining adds none.
static std::optional<SymbolNames> findAddressTaken(ModuleOp module) {
  return usedSymbols(module, [](const SymbolTable::SymbolUse &use) {
    auto call = dyn_cast<CallOp>(use.getUser());
    return !call || call.getCalleeAttr() != use.getSymbolRef();
  });
}

/// The calls of `function`; nothing if its address is taken.
static std::optional<SmallVector<CallOp>>
callsOf(FuncOp function, const SymbolNames &addressTaken) {
  if (addressTaken.contains(function.getNameAttr()))
    return std::nullopt;
  SmallVector<CallOp> calls;
  // The names of callees are strings: comparing these takes no walk over
  // attributes.
  function->getParentOp()->walk([&](CallOp call) {
    if (call.getCallee() == function.getName())
      calls.push_back(call);
  });
  return calls;
}

/// Puts a copy of `callee`, which has one block, in the place of `call`.
static void inlineCall(CallOp call, FuncOp callee) {
  OpBuilder builder(call);
  IRMapping mapping;
  mapping.map(callee.getArguments(), call.getOperands());
  for (Operation &op : callee.front().without_terminator())
    builder.clone(op, mapping);
  for (auto [result, value] : llvm::zip_equal(
           call.getResults(), callee.front().getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call.erase();
}

static bool isConstantArgument(BlockArgument argument) {
  return isa<MemRefType>(argument.getType()) && isConstantMemory(argument);
}

/// Whether `call` passes an argument of its function to a constant one.
static bool passesArgument(CallOp call, FuncOp callee) {
  return llvm::any_of(callee.getArguments(), [&](BlockArgument argument) {
    if (!isConstantArgument(argument))
      return false;
    Value root = memoryRoot(call.getOperand(argument.getArgNumber()));
    return isa_and_nonnull<BlockArgument>(root);
  });
}

/// Whether all that `call` passes to constant arguments of `function` would be
/// constants if its own function were inlined at `outer`.
static bool becomesConstant(CallOp call, FuncOp function, CallOp outer) {
  return llvm::all_of(function.getArguments(), [&](BlockArgument argument) {
    if (!isConstantArgument(argument))
      return true;
    Value root = memoryRoot(call.getOperand(argument.getArgNumber()));
    if (auto passed = dyn_cast_or_null<BlockArgument>(root))
      root = memoryRoot(outer.getOperand(passed.getArgNumber()));
    return root && root.getDefiningOp<memref::GetGlobalOp>();
  });
}

/// Inlines the function around `call`, a call of `function`, where that is
/// called: everywhere if it is private and thus gone then, else where
/// constants are passed. False if nothing was inlined.
static bool inlineCaller(CallOp call, FuncOp function,
                         const SymbolNames &addressTaken) {
  auto caller = call->getParentOfType<FuncOp>();
  std::optional<SmallVector<CallOp>> outer = callsOf(caller, addressTaken);
  // Inlining a function that calls itself would never end.
  if (!outer || !caller.getBody().hasOneBlock() ||
      llvm::any_of(*outer, [&](CallOp other) {
        return caller->isProperAncestor(other);
      }))
    return false;
  if (caller.isPublic())
    llvm::erase_if(*outer, [&](CallOp other) {
      return !becomesConstant(call, function, other);
    });
  for (CallOp other : *outer)
    inlineCall(other, caller);
  if (caller.isPrivate() && !outer->empty())
    caller.erase();
  return !outer->empty();
}

/// Functions on tensors call those on memrefs that a schedule has made of them.
/// Inlines a function that does so with constants, so that `function`, which is
/// private, is called where these are known. Calls that pass arguments of a
/// public function, whose callers may be anywhere, have the code of their own
/// afterwards: in that function, where it can become NAME_prepare, or in a copy
/// of `function`. False if nothing is left to do.
static bool inlineAround(FuncOp function, const SymbolNames &addressTaken) {
  // A function whose address is taken may be called with anything, and one that
  // is public, too.
  std::optional<SmallVector<CallOp>> calls = callsOf(function, addressTaken);
  if (!function.isPrivate() || !calls)
    return false;
  SmallVector<CallOp> passing = llvm::filter_to_vector(
      *calls, [&](CallOp call) { return passesArgument(call, function); });
  for (CallOp call : passing)
    if (call->getParentOfType<FuncOp>() != function &&
        inlineCaller(call, function, addressTaken))
      return true;
  if (passing.empty())
    return false;
  bool isOnly = passing.size() == calls->size();
  auto caller = passing.front()->getParentOfType<FuncOp>();
  // The public function's callers promise what its callee relies on.
  bool isPromised =
      llvm::all_of(function.getArguments(), [&](BlockArgument argument) {
        return !isConstantArgument(argument) ||
               isConstantMemory(
                   passing.front().getOperand(argument.getArgNumber()));
      });
  if (passing.size() == 1 && caller.isPublic() && isPromised &&
      caller.getBody().hasOneBlock() && function.getBody().hasOneBlock()) {
    // These say how LLVM compiles the schedule's code, which moves.
    if (Attribute options = function->getAttr(BacoDialect::kTargetOptions))
      caller->setAttr(BacoDialect::kTargetOptions, options);
    inlineCall(passing.front(), function);
    if (isOnly)
      function.erase();
  } else if (!isOnly) {
    SymbolTable symbols(function->getParentOfType<ModuleOp>());
    FuncOp copy = function.clone();
    symbols.insert(copy, std::next(function->getIterator()));
    for (CallOp call : passing)
      call.setCallee(copy.getSymName());
  }
  return false;
}

/// Says what has become of the copies of `function`.
static void reportCopies(FuncOp function, int64_t bytes, bool isPacked) {
  remark::RemarkOpts opts = remark::RemarkOpts::name("ConstantCopies")
                                .category("constants")
                                .function(function.getName());
  auto made = isPacked ? remark::passed(function.getLoc(), opts)
                       : remark::missed(function.getLoc(), opts);
  made << remark::metric("bytes", bytes);
}

static void warn(FuncOp function, llvm::Error why) {
  if (why)
    function.emitWarning("copies of constants are made in each call: ")
        << llvm::toString(std::move(why));
}

void PackConstants::packOwn(FuncOp function, SymbolTable &symbols) {
  FunctionPacking copies(function, symbols, ConstantCopies::From::Globals);
  if (copies.empty())
    return;
  int64_t bytes = copies.bytes();
  llvm::Error error = copies.packOwnConstants();
  reportCopies(function, bytes, /*isPacked=*/!error);
  warn(function, std::move(error));
}

void PackConstants::packArguments(FuncOp function, SymbolTable &symbols,
                                  ArrayRef<Operation *> users) {
  SmallVector<CallOp> calls;
  for (Operation *user : users)
    if (auto call = dyn_cast<CallOp>(user))
      calls.push_back(call);
  // What has the address of a private function may call it with anything.
  if (function.isPrivate() && (calls.empty() || calls.size() != users.size()))
    return;
  FunctionPacking copies(function, symbols, ConstantCopies::From::Arguments);
  if (copies.empty())
    return;
  std::string name = function.getName().str();
  SmallVector<std::string> added = {name + "_prepare", name + "_tuned",
                                    name + "_release"};
  if (packing == ConstantPacking::Global)
    added = {preparePrefix.str() + name, packedPrefix.str() + name};
  bool isFree = llvm::none_of(
      added, [&](const std::string &other) { return symbols.lookup(other); });
  int64_t bytes = copies.bytes();
  bool isPacked = isFree;
  if (function.isPrivate()) {
    llvm::Error error = copies.packForCalls(calls);
    isPacked = !error;
    warn(function, std::move(error));
  } else if (packing == ConstantPacking::Caller && isFree) {
    copies.packForCaller();
  } else if (isFree && calls.empty()) {
    copies.packInGlobal();
  } else {
    isPacked = false;
  }
  reportCopies(function, bytes, isPacked);
}

void PackConstants::runOnOperation() {
  ModuleOp module = getOperation();
  auto hasConstant = [](FuncOp function) {
    return !function.isExternal() &&
           llvm::any_of(function.getArguments(), isConstantArgument);
  };
  // Calls are brought to where constants are known before any of them changes.
  SmallVector<StringAttr> names;
  for (auto function : module.getOps<FuncOp>())
    if (hasConstant(function) &&
        !ConstantCopies(function, ConstantCopies::From::Arguments).empty())
      names.push_back(function.getNameAttr());
  std::optional<SymbolNames> addressTaken = findAddressTaken(module);
  // An op that may use any symbol may call any function, with anything.
  if (!addressTaken)
    names.clear();
  // Inlining erases functions, perhaps some of these.
  for (StringAttr name : names)
    for (bool isDone = false; !isDone;) {
      auto function = module.lookupSymbol<FuncOp>(name);
      isDone = !function || !inlineAround(function, *addressTaken);
    }
  SymbolTable symbols(module);
  SymbolTableCollection tables;
  SymbolUserMap users(tables, module);
  for (auto function : llvm::make_early_inc_range(module.getOps<FuncOp>())) {
    if (function.isExternal())
      continue;
    packOwn(function, symbols);
    if (hasConstant(function))
      packArguments(function, symbols,
                    SmallVector<Operation *>(users.getUsers(function)));
  }
  // Lowerings of functions don't know the attribute.
  module.walk([](FuncOp function) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      function.removeArgAttr(i, kConstantArgument);
  });
  // Data that only copies have read would be in the program without a use.
  auto used = usedSymbols(module);
  for (auto global : llvm::make_early_inc_range(module.getOps<GlobalOp>()))
    if (used && global.isPrivate() && global.getConstant() &&
        !used->contains(global.getNameAttr()))
      symbols.erase(global);
}
