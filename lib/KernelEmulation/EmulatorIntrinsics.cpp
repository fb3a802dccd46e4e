//===- EmulatorIntrinsics.cpp - Intrinsics of NVPTX in the emulator -------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By name, as most of them are families.
//
//===----------------------------------------------------------------------===//

#include "EmulatorCode.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace baco::target;
using namespace baco::runtime;

CallInst *baco::target::callEmulator(IRBuilderBase &builder, StringRef name,
                                     Type *result,
                                     ArrayRef<Value *> arguments) {
  SmallVector<Type *> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  Module *module = builder.GetInsertBlock()->getModule();
  return builder.CreateCall(
      module->getOrInsertFunction(("baco_emulator_" + name).str(),
                                  FunctionType::get(result, types, false)),
      arguments);
}

namespace {
/// The replacement of one call.
class Replacement {
public:
  Replacement(CallInst &call, Constant *emulator, unsigned place,
              size_t &granule)
      : call(call), builder(&call), emulator(emulator),
        place(builder.getInt32(place)), granule(granule) {}

  bool run() {
    StringRef name = call.getCalledFunction()->getName();
    if (!name.consume_front("llvm.nvvm."))
      return false;
    Value *result = nullptr;
    if (!build(name, result))
      return false;
    if (!call.getType()->isVoidTy())
      call.replaceAllUsesWith(result);
    call.eraseFromParent();
    return true;
  }

private:
  template <typename Enum>
  Constant *number(Enum value) {
    return builder.getInt32(static_cast<uint32_t>(value));
  }
  Value *operand(unsigned i) { return call.getArgOperand(i); }
  /// An operand as a word.
  Value *word(unsigned i) {
    Value *value = operand(i);
    if (value->getType()->isIntegerTy() &&
        value->getType()->getIntegerBitWidth() < 32)
      return builder.CreateZExt(value, builder.getInt32Ty());
    return builder.CreateBitCast(value, builder.getInt32Ty());
  }
  /// As the emulator's functions take pointers.
  Value *pointer(unsigned i) {
    return builder.CreateAddrSpaceCast(operand(i), builder.getPtrTy());
  }
  Value *emit(StringRef name, Type *type, ArrayRef<Value *> arguments) {
    SmallVector<Value *> all = {emulator};
    all.append(arguments.begin(), arguments.end());
    return callEmulator(builder, name, type, all);
  }
  /// A word as a result of the call.
  Value *asResult(Value *value, Type *type) {
    if (type->isIntegerTy())
      return builder.CreateTrunc(value, type);
    return builder.CreateBitCast(value, type);
  }

  bool build(StringRef name, Value *&result) {
    if (name.consume_front("read.ptx.sreg."))
      return buildRegister(name, result);
    if (name.consume_front("barrier.cta."))
      return buildBarrier(name, result);
    if (name == "bar.warp.sync") {
      emit("warp", builder.getInt32Ty(),
           {number(WarpOperation::Synchronize), operand(0), builder.getInt32(0),
            place});
      return true;
    }
    if (name.consume_front("vote.") || name.consume_front("redux.sync.") ||
        name == "match.any.sync.i32")
      return buildWarp(name, result);
    if (name.consume_front("shfl.sync."))
      return buildShuffle(name, result);
    if (name.consume_front("mma."))
      return buildProduct(name, result);
    if (name.consume_front("ldmatrix.sync.aligned.m8n8."))
      return buildLoadMatrices(name, result);
    if (name.consume_front("cp.async."))
      return buildCopy(name);
    if (name == "membar.cta" || name == "membar.gl" || name == "membar.sys")
      return true;
    if (name == "f2tf32.rna") {
      result =
          callEmulator(builder, "to_tf32", builder.getInt32Ty(), {operand(0)});
      return true;
    }
    return buildMath(name, result);
  }

  bool buildRegister(StringRef name, Value *&result) {
    using R = SpecialRegister;
    if (name == "warpsize") {
      result = builder.getInt32(32);
      return true;
    }
    auto which = StringSwitch<std::optional<R>>(name)
                     .Case("tid.x", R::ThreadX)
                     .Case("tid.y", R::ThreadY)
                     .Case("tid.z", R::ThreadZ)
                     .Case("ctaid.x", R::BlockX)
                     .Case("ctaid.y", R::BlockY)
                     .Case("ctaid.z", R::BlockZ)
                     .Case("ntid.x", R::ThreadsX)
                     .Case("ntid.y", R::ThreadsY)
                     .Case("ntid.z", R::ThreadsZ)
                     .Case("nctaid.x", R::BlocksX)
                     .Case("nctaid.y", R::BlocksY)
                     .Case("nctaid.z", R::BlocksZ)
                     .Case("laneid", R::Lane)
                     .Case("warpid", R::Warp)
                     .Case("nwarpid", R::Warps)
                     .Default(std::nullopt);
    if (!which)
      return false;
    result = emit("register", builder.getInt32Ty(), {number(*which)});
    return true;
  }

  /// sync.[aligned.]all(id), sync.[aligned.]count(id, threads), and red.OP
  /// with a predicate behind these.
  bool buildBarrier(StringRef name, Value *&result) {
    auto reduction = BarrierReduction::None;
    if (name.consume_front("red.")) {
      auto [operation, rest] = name.split('.');
      auto found = StringSwitch<std::optional<BarrierReduction>>(operation)
                       .Case("popc", BarrierReduction::Count)
                       .Case("and", BarrierReduction::And)
                       .Case("or", BarrierReduction::Or)
                       .Default(std::nullopt);
      if (!found)
        return false;
      reduction = *found;
      name = rest;
    } else if (!name.consume_front("sync.")) {
      return false;
    }
    name.consume_front("aligned.");
    bool hasCount = name == "count";
    if (!hasCount && name != "all")
      return false;
    Value *zero = builder.getInt32(0);
    bool reduces = reduction != BarrierReduction::None;
    Value *got =
        emit("barrier", builder.getInt32Ty(),
             {operand(0), hasCount ? operand(1) : zero, number(reduction),
              reduces ? word(hasCount ? 2 : 1) : zero, place});
    if (reduces)
      result = asResult(got, call.getType());
    return true;
  }

  bool buildWarp(StringRef name, Value *&result) {
    using W = WarpOperation;
    auto operation = StringSwitch<std::optional<W>>(name)
                         .Case("all.sync", W::All)
                         .Case("any.sync", W::Any)
                         .Case("uni.sync", W::Uniform)
                         .Case("ballot.sync", W::Ballot)
                         .Case("match.any.sync.i32", W::MatchAny)
                         .Case("add", W::Add)
                         .Case("umin", W::UnsignedMin)
                         .Case("umax", W::UnsignedMax)
                         .Case("min", W::SignedMin)
                         .Case("max", W::SignedMax)
                         .Case("and", W::And)
                         .Case("or", W::Or)
                         .Case("xor", W::Xor)
                         .Default(std::nullopt);
    if (!operation)
      return false;
    // redux.sync has the mask behind.
    bool maskIsLast = *operation >= W::Add;
    result = asResult(emit("warp", builder.getInt32Ty(),
                           {number(*operation), operand(maskIsLast ? 1 : 0),
                            word(maskIsLast ? 0 : 1), place}),
                      call.getType());
    return true;
  }

  /// MODE.TYPE, with a p behind if there is a predicate.
  bool buildShuffle(StringRef name, Value *&result) {
    auto [modeName, type] = name.split('.');
    auto mode = StringSwitch<std::optional<ShuffleMode>>(modeName)
                    .Case("up", ShuffleMode::Up)
                    .Case("down", ShuffleMode::Down)
                    .Case("bfly", ShuffleMode::Butterfly)
                    .Case("idx", ShuffleMode::Index)
                    .Default(std::nullopt);
    if (!mode)
      return false;
    Value *both = emit(
        "shuffle", builder.getInt64Ty(),
        {number(*mode), operand(0), word(1), operand(2), operand(3), place});
    Value *value = builder.CreateBitCast(
        builder.CreateTrunc(both, builder.getInt32Ty()), operand(1)->getType());
    if (!type.ends_with("p")) {
      result = value;
      return true;
    }
    result = PoisonValue::get(call.getType());
    result = builder.CreateInsertValue(result, value, 0);
    result = builder.CreateInsertValue(
        result,
        builder.CreateTrunc(builder.CreateLShr(both, 32), builder.getInt1Ty()),
        1);
    return true;
  }

  /// mMnNkK.row.col.TYPES
  static std::optional<MatrixProduct> parseProduct(StringRef name) {
    MatrixProduct product;
    unsigned columns = 0;
    if (!name.consume_front("m") || name.consumeInteger(10, product.rows) ||
        !name.consume_front("n") || name.consumeInteger(10, columns) ||
        !name.consume_front("k") || name.consumeInteger(10, product.depth) ||
        columns != 8 || !name.consume_front(".row.col."))
      return std::nullopt;
    using E = MatrixElement;
    // Products of f16 name the types of D and C.
    auto element = StringSwitch<std::optional<E>>(name)
                       .Cases({"f16.f16", "f32.f32"}, E::F16)
                       .Case("bf16", E::BF16)
                       .Case("tf32", E::TF32)
                       .Case("f64", E::F64)
                       .Cases({"s8", "s8.u8"}, E::S8)
                       .Cases({"u8", "u8.s8"}, E::U8)
                       .Default(std::nullopt);
    if (!element)
      return std::nullopt;
    product.element = *element;
    product.isHalf = name == "f16.f16";
    if (name.contains("8."))
      product.right = name.ends_with("u8") ? E::U8 : E::S8;
    unsigned perWord = *element == E::TF32                         ? 1
                       : *element == E::F16 || *element == E::BF16 ? 2
                                                                   : 4;
    if (*element == E::F64)
      return product.rows == 8 && product.depth == 4 ? std::optional(product)
                                                     : std::nullopt;
    bool isSupported = product.rows == 16 && (product.depth == 4 * perWord ||
                                              product.depth == 8 * perWord);
    return isSupported ? std::optional(product) : std::nullopt;
  }

  /// An array of words on the stack of the function.
  AllocaInst *allocateWords(unsigned count) {
    IRBuilder<> entry(&call.getFunction()->getEntryBlock(),
                      call.getFunction()->getEntryBlock().begin());
    auto *array =
        entry.CreateAlloca(ArrayType::get(builder.getInt32Ty(), count));
    array->setAlignment(Align(8));
    return array;
  }

  Value *slot(Value *array, unsigned i) {
    return builder.CreateConstInBoundsGEP1_32(builder.getInt32Ty(), array, i);
  }

  /// The call's result, a struct of registers or one of them, from words.
  Value *loadResult(Value *words) {
    auto *type = dyn_cast<StructType>(call.getType());
    if (!type)
      return builder.CreateLoad(call.getType(), words);
    Value *result = PoisonValue::get(type);
    const DataLayout &layout = call.getModule()->getDataLayout();
    unsigned at = 0;
    for (unsigned i = 0; i < type->getNumElements(); ++i) {
      Type *element = type->getElementType(i);
      result = builder.CreateInsertValue(
          result, builder.CreateLoad(element, slot(words, at)), i);
      at += layout.getTypeStoreSize(element) / 4;
    }
    return result;
  }

  bool buildProduct(StringRef name, Value *&result) {
    std::optional<MatrixProduct> product = parseProduct(name);
    if (!product)
      return false;
    auto [inA, inB, inC] = product->words();
    Value *operands = allocateWords(inA + inB + inC);
    Value *words = allocateWords(inC);
    const DataLayout &layout = call.getModule()->getDataLayout();
    unsigned at = 0;
    for (Value *value : call.args()) {
      builder.CreateStore(value, slot(operands, at));
      at += layout.getTypeStoreSize(value->getType()) / 4;
    }
    assert(at == inA + inB + inC && "words and operands differ");
    emit("multiply", builder.getVoidTy(),
         {builder.getInt32(static_cast<uint32_t>(product->element) |
                           static_cast<uint32_t>(product->rightElement()) << 4 |
                           product->rows << 8 | product->depth << 16 |
                           uint32_t(product->isHalf) << 24),
          operands, words, place});
    result = loadResult(words);
    return true;
  }

  /// xN[.trans].b16
  bool buildLoadMatrices(StringRef name, Value *&result) {
    unsigned count = 0;
    if (!name.consume_front("x") || name.consumeInteger(10, count))
      return false;
    bool isTransposed = name.consume_front(".trans");
    if (!name.starts_with(".b16"))
      return false;
    Value *words = allocateWords(count);
    emit("load_matrices", builder.getVoidTy(),
         {pointer(0), builder.getInt32(count),
          builder.getInt32(isTransposed ? 1 : 0), words, place});
    result = loadResult(words);
    return true;
  }

  bool buildCopy(StringRef name) {
    if (name == "commit.group") {
      emit("commit", builder.getVoidTy(), {});
      return true;
    }
    if (name == "wait.group") {
      emit("wait", builder.getVoidTy(), {operand(0)});
      return true;
    }
    if (name == "wait.all") {
      emit("wait_all", builder.getVoidTy(), {});
      return true;
    }
    unsigned bytes = 0;
    if ((!name.consume_front("ca.shared.global.") &&
         !name.consume_front("cg.shared.global.")) ||
        name.consumeInteger(10, bytes) || (!name.empty() && name != ".s"))
      return false;
    granule = std::min<size_t>(granule, bytes);
    emit("copy", builder.getVoidTy(),
         {pointer(0), pointer(1), builder.getInt32(bytes),
          name.empty() ? builder.getInt32(bytes) : operand(2), place});
    return true;
  }

  /// Functions that a GPU approximates are exact here.
  bool buildMath(StringRef name, Value *&result) {
    SmallVector<Value *> operands(call.args());
    Intrinsic::ID id =
        StringSwitch<Intrinsic::ID>(name)
            .Cases({"fma.rn.f", "fma.rn.d"}, Intrinsic::fma)
            .Cases({"sqrt.approx.f", "sqrt.rn.f", "sqrt.rn.d"}, Intrinsic::sqrt)
            .Case("sin.approx.f", Intrinsic::sin)
            .Case("cos.approx.f", Intrinsic::cos)
            .Cases({"fmin.f", "fmin.d"}, Intrinsic::minnum)
            .Cases({"fmax.f", "fmax.d"}, Intrinsic::maxnum)
            .StartsWith("ex2.approx", Intrinsic::exp2)
            .StartsWith("lg2.approx", Intrinsic::log2)
            .Default(Intrinsic::not_intrinsic);
    if (id != Intrinsic::not_intrinsic) {
      result = builder.CreateIntrinsic(id, {call.getType()}, operands);
      return true;
    }
    bool isReciprocal = name.starts_with("rcp.");
    if (!isReciprocal && !name.starts_with("rsqrt.approx"))
      return false;
    Value *divisor =
        isReciprocal
            ? operands[0]
            : builder.CreateUnaryIntrinsic(Intrinsic::sqrt, operands[0]);
    result = builder.CreateFDiv(ConstantFP::get(call.getType(), 1), divisor);
    return true;
  }

  CallInst &call;
  IRBuilder<> builder;
  Constant *emulator;
  Value *place;
  size_t &granule;
};
} // namespace

bool baco::target::replaceIntrinsic(CallInst &call, Constant *emulator,
                                    unsigned place, size_t &granule) {
  return Replacement(call, emulator, place, granule).run();
}
