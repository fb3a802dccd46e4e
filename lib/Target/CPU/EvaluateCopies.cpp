//===- EvaluateCopies.cpp - Copies that the compiler makes ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each value has a place among the registers, which are words: a scalar one, a
// vector one for each element, a memref three. Ops are decoded once, since a
// network has tens of millions of weights: interpreting its attributes takes
// longer than most ops.
//
//===----------------------------------------------------------------------===//

#include "EvaluateCopies.h"

#include "baco/Analysis/ConstantData.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cstring>

using namespace mlir;
using namespace baco::target;
using func::FuncOp;

namespace {
using Word = uint64_t;

/// The place of a value: the first of its registers, and their number.
struct Place {
  unsigned first = 0, count = 0;
};

/// The registers of a memref: the number of its memory, the byte at which it
/// begins, and the offset of its first element from there.
enum MemRefRegister : uint8_t { Memory, Start, Offset, numMemRefRegisters };

struct Instruction;
using Program = std::vector<Instruction>;

/// An op, decoded.
struct Instruction {
  enum Kind : uint8_t {
    Constant,
    Integer,
    Compare,
    Select,
    Shuffle,
    Mask,
    View,
    Recast,
    Load,
    Store,
    For,
    If,
  };
  Kind kind;
  Operation *op;
  Place result;
  SmallVector<Place, 4> operands;
  /// Constant: the registers. Shuffle: for each element of the result the
  /// register of the operand. Load, Store, View: a stride for each subscript in
  /// elements.
  SmallVector<int64_t, 4> numbers;
  /// Load, Store: the bytes of an element, and the place of a mask.
  int64_t bytes = 0;
  std::optional<Place> mask;
  /// Integer: computes an element of the result.
  int64_t (*compute)(int64_t, int64_t) = nullptr;
  arith::CmpIPredicate predicate = arith::CmpIPredicate::eq;
  std::vector<Program> bodies;
};

/// A piece of memory; that of a source is not written.
struct MemoryBlock {
  const char *bytes;
  char *writable;
  int64_t size;
};

class Decoder {
public:
  llvm::Error decode(Block &block, Program &program);
  Place place(mlir::Value value);
  unsigned numRegisters = 0;

private:
  /// Fills the instruction for `op`; false if it isn't known.
  bool decode(Operation *op, Instruction &made);
  bool decodeVector(Operation *op, Instruction &made);
  bool decodeAccess(Operation *op, Instruction &made);
  bool decodeView(Operation *op, Instruction &made);

  llvm::DenseMap<mlir::Value, Place> places;
};

class Interpreter {
public:
  Interpreter(unsigned numRegisters, ArrayRef<MemoryBlock> memories)
      : registers(numRegisters), memories(memories) {}
  bool run(const Program &program);
  std::vector<Word> registers;
  /// The op at which a run has ended.
  Operation *failed = nullptr;

private:
  bool run(const Instruction &instruction);
  bool runLoop(const Instruction &instruction);
  bool access(const Instruction &instruction);
  int64_t number(Place place) const {
    return static_cast<int64_t>(registers[place.first]);
  }

  ArrayRef<MemoryBlock> memories;
};
} // namespace

static llvm::Error describe(Operation *op, const Twine &what) {
  return llvm::createStringError("'" + op->getName().getStringRef() + "' " +
                                 what);
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

Place Decoder::place(mlir::Value value) {
  auto [known, isNew] = places.try_emplace(value);
  if (!isNew)
    return known->second;
  unsigned count = 1;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    count = vector.getNumElements();
  else if (isa<MemRefType>(value.getType()))
    count = numMemRefRegisters;
  known->second = {numRegisters, count};
  numRegisters += count;
  return known->second;
}

/// The bits of a constant, a word for each element; nothing if it has others.
static std::optional<SmallVector<int64_t, 4>> wordsOf(Attribute value) {
  auto bits = [](const APInt &number) {
    return static_cast<int64_t>(number.getZExtValue());
  };
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return SmallVector<int64_t, 4>{integer.getType().isInteger(1)
                                       ? bits(integer.getValue())
                                       : integer.getValue().getSExtValue()};
  if (auto real = dyn_cast<FloatAttr>(value);
      real && real.getType().getIntOrFloatBitWidth() <= 64)
    return SmallVector<int64_t, 4>{bits(real.getValue().bitcastToAPInt())};
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense)
    return std::nullopt;
  SmallVector<int64_t, 4> words;
  Type element = dense.getElementType();
  if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() <= 64)
    for (const APFloat &number : dense.getValues<APFloat>())
      words.push_back(bits(number.bitcastToAPInt()));
  else if (element.isIntOrIndex())
    for (const APInt &number : dense.getValues<APInt>())
      words.push_back(element.isInteger(1) ? bits(number)
                                           : number.getSExtValue());
  return words;
}

/// Divisions round as the names say; one by zero gives 0.
static int64_t (*arithmeticOf(Operation *op))(int64_t, int64_t) {
  using Function = int64_t (*)(int64_t, int64_t);
  return llvm::TypeSwitch<Operation *, Function>(op)
      .Case<arith::AddIOp>([](auto) -> Function {
        return [](int64_t a, int64_t b) { return a + b; };
      })
      .Case<arith::SubIOp>([](auto) -> Function {
        return [](int64_t a, int64_t b) { return a - b; };
      })
      .Case<arith::MulIOp>([](auto) -> Function {
        return [](int64_t a, int64_t b) { return a * b; };
      })
      .Case<arith::DivSIOp>([](auto) -> Function {
        return [](int64_t a, int64_t b) { return b == 0 ? 0 : a / b; };
      })
      .Case<arith::DivUIOp>([](auto) -> Function {
        return [](int64_t a, int64_t b) {
          return b == 0 ? 0 : static_cast<int64_t>(Word(a) / Word(b));
        };
      })
      .Case<arith::FloorDivSIOp>([](auto) -> Function {
        return [](int64_t a, int64_t b) {
          return b == 0 ? 0 : llvm::divideFloorSigned(a, b);
        };
      })
      .Case<arith::CeilDivSIOp>([](auto) -> Function {
        return [](int64_t a, int64_t b) {
          return b == 0 ? 0 : llvm::divideCeilSigned(a, b);
        };
      })
      .Case<arith::RemSIOp>([](auto) -> Function {
        return [](int64_t a, int64_t b) { return b == 0 ? 0 : a % b; };
      })
      .Case<arith::RemUIOp>([](auto) -> Function {
        return [](int64_t a, int64_t b) {
          return b == 0 ? 0 : static_cast<int64_t>(Word(a) % Word(b));
        };
      })
      .Case<arith::MinSIOp>([](auto) -> Function {
        return [](int64_t a, int64_t b) { return std::min(a, b); };
      })
      .Case<arith::MaxSIOp>([](auto) -> Function {
        return [](int64_t a, int64_t b) { return std::max(a, b); };
      })
      .Case<arith::AndIOp>([](auto) -> Function {
        return [](int64_t a, int64_t b) { return a & b; };
      })
      .Case<arith::OrIOp>([](auto) -> Function {
        return [](int64_t a, int64_t b) { return a | b; };
      })
      .Case<arith::XOrIOp>([](auto) -> Function {
        return [](int64_t a, int64_t b) { return a ^ b; };
      })
      .Default([](auto) -> Function { return nullptr; });
}

/// Whether words hold the numbers of these ops as they are.
static bool isIndexLike(Type type) {
  return type.isIndex() || type.isInteger(64) || type.isInteger(1);
}

bool Decoder::decode(Operation *op, Instruction &made) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    made.kind = Instruction::Constant;
    auto words = wordsOf(constant.getValue());
    if (words)
      made.numbers = std::move(*words);
    return words.has_value();
  }
  if (auto compute = arithmeticOf(op)) {
    made.kind = Instruction::Integer;
    made.compute = compute;
    return isIndexLike(op->getResult(0).getType());
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    made.kind = Instruction::Compare;
    made.predicate = compare.getPredicate();
    return isIndexLike(compare.getLhs().getType());
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    made.kind = Instruction::Select;
    return select.getCondition().getType().isInteger(1);
  }
  // A register holds an index and an integer of 64 bits alike.
  if (auto cast = dyn_cast<arith::IndexCastOp>(op)) {
    made.kind = Instruction::Shuffle;
    made.numbers = {0};
    return isIndexLike(cast.getIn().getType()) && isIndexLike(cast.getType());
  }
  // Copies carry nothing from one iteration to the next.
  if (isa<scf::ForOp, scf::IfOp>(op)) {
    made.kind = isa<scf::ForOp>(op) ? Instruction::For : Instruction::If;
    if (auto loop = dyn_cast<scf::ForOp>(op))
      made.result = place(loop.getInductionVar());
    return op->getNumResults() == 0;
  }
  return decodeVector(op, made) || decodeAccess(op, made) ||
         decodeView(op, made);
}

/// The place of element `position` of a vector, in row-major order.
static int64_t elementAt(VectorType type, ArrayRef<int64_t> position) {
  int64_t number = 0;
  for (auto [extent, index] : llvm::zip(type.getShape(), position))
    number = number * extent + index;
  for (int64_t extent : type.getShape().drop_front(position.size()))
    number *= extent;
  return number;
}

bool Decoder::decodeVector(Operation *op, Instruction &made) {
  made.kind = Instruction::Shuffle;
  auto number = [&](int64_t first, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      made.numbers.push_back(first + i);
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<vector::BroadcastOp>([&](auto broadcast) {
        if (isa<VectorType>(broadcast.getSource().getType()))
          return false;
        made.numbers.assign(made.result.count, 0);
        return true;
      })
      .Case<vector::ShuffleOp>([&](auto shuffle) {
        // The operands are rows of one vector.
        made.numbers.assign(shuffle.getMask().begin(), shuffle.getMask().end());
        return shuffle.getV1VectorType().getRank() == 1 &&
               llvm::none_of(made.numbers, [](int64_t i) { return i < 0; });
      })
      .Case<vector::FromElementsOp>([&](auto) {
        number(0, made.result.count);
        return true;
      })
      .Case<vector::ExtractOp>([&](auto extract) {
        if (extract.hasDynamicPosition())
          return false;
        number(elementAt(extract.getSourceVectorType(),
                         extract.getStaticPosition()),
               made.result.count);
        return true;
      })
      .Case<vector::InsertOp>([&](auto insert) {
        if (insert.hasDynamicPosition())
          return false;
        // The operands are what is inserted, then the vector.
        int64_t count = made.operands.front().count,
                at = elementAt(insert.getDestVectorType(),
                               insert.getStaticPosition());
        number(count, made.result.count);
        for (int64_t i = 0; i < count; ++i)
          made.numbers[at + i] = i;
        return true;
      })
      .Case<vector::ShapeCastOp>([&](auto) {
        number(0, made.result.count);
        return true;
      })
      .Case<vector::TransposeOp>([&](auto transpose) {
        VectorType from = transpose.getSourceVectorType(),
                   to = transpose.getResultVectorType();
        SmallVector<int64_t> strides = computeStrides(from.getShape());
        SmallVector<int64_t> own = computeStrides(to.getShape());
        for (int64_t i = 0; i < to.getNumElements(); ++i) {
          SmallVector<int64_t> index = delinearize(i, own);
          int64_t at = 0;
          for (auto [position, dim] :
               llvm::zip_equal(index, transpose.getPermutation()))
            at += position * strides[dim];
          made.numbers.push_back(at);
        }
        return true;
      })
      .Case<vector::CreateMaskOp>([&](auto mask) {
        made.kind = Instruction::Mask;
        return mask.getVectorType().getRank() == 1;
      })
      .Case<vector::ConstantMaskOp>([&](auto mask) {
        made.kind = Instruction::Constant;
        if (mask.getVectorType().getRank() != 1)
          return false;
        for (unsigned i = 0; i < made.result.count; ++i)
          made.numbers.push_back(i < mask.getMaskDimSizes()[0]);
        return true;
      })
      .Default([](Operation *) { return false; });
}

/// Loads and stores have the memref behind what they store, if anything, and
/// then the subscripts.
bool Decoder::decodeAccess(Operation *op, Instruction &made) {
  mlir::Value memref, mask;
  bool isStore =
      isa<memref::StoreOp, vector::StoreOp, vector::MaskedStoreOp>(op);
  made.kind = isStore ? Instruction::Store : Instruction::Load;
  SmallVector<mlir::Value> operands;
  auto add = [&](auto access, mlir::Value stored) {
    if (stored)
      operands.push_back(stored);
    memref = access.getMemRef();
    operands.push_back(memref);
    llvm::append_range(operands, access.getIndices());
  };
  if (auto load = dyn_cast<memref::LoadOp>(op))
    add(load, {});
  else if (auto store = dyn_cast<memref::StoreOp>(op))
    add(store, store.getValueToStore());
  else if (auto load = dyn_cast<vector::LoadOp>(op)) {
    operands.push_back(memref = load.getBase());
    llvm::append_range(operands, load.getIndices());
  } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
    operands = {store.getValueToStore(), memref = store.getBase()};
    llvm::append_range(operands, store.getIndices());
  } else if (auto load = dyn_cast<vector::MaskedLoadOp>(op)) {
    operands.push_back(memref = load.getBase());
    llvm::append_range(operands, load.getIndices());
    operands.push_back(load.getPassThru());
    mask = load.getMask();
  } else if (auto store = dyn_cast<vector::MaskedStoreOp>(op)) {
    operands = {store.getValueToStore(), memref = store.getBase()};
    llvm::append_range(operands, store.getIndices());
    mask = store.getMask();
  } else {
    return false;
  }
  // The offset of a view is in its register, whether it is constant or not;
  // strides that change would need registers, too, and copies have none.
  auto type = cast<MemRefType>(memref.getType());
  int64_t offset = 0;
  SmallVector<int64_t> strides;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      llvm::is_contained(strides, ShapedType::kDynamic))
    return false;
  made.numbers.assign(strides.begin(), strides.end());
  made.bytes = baco::bytesOf(type.getElementType());
  made.operands.clear();
  for (mlir::Value operand : operands)
    made.operands.push_back(place(operand));
  if (mask)
    made.mask = place(mask);
  // Vectors lie along a row, whose elements follow each other.
  bool isRow = true;
  for (mlir::Value operand : operands)
    if (auto vector = dyn_cast<VectorType>(operand.getType()))
      isRow &= vector.getRank() == 1;
  if (!isStore)
    if (auto vector = dyn_cast<VectorType>(op->getResult(0).getType()))
      isRow &= vector.getRank() == 1;
  bool isUnit = strides.empty() || strides.back() == 1 ||
                isa<memref::LoadOp, memref::StoreOp>(op);
  return isRow && isUnit && made.bytes >= 1 && made.bytes <= 8;
}

bool Decoder::decodeView(Operation *op, Instruction &made) {
  if (isa<memref::ViewOp>(op)) {
    made.kind = Instruction::View;
    return true;
  }
  auto recast = dyn_cast<memref::ReinterpretCastOp>(op);
  if (!recast)
    return false;
  // The offset counts from where the memory begins, not from the operand's own
  // first element. Sizes and strides are in the type.
  made.kind = Instruction::Recast;
  made.operands.resize(1);
  OpFoldResult offset = recast.getMixedOffsets().front();
  if (auto value = dyn_cast<mlir::Value>(offset))
    made.operands.push_back(place(value));
  else
    made.numbers = {*getConstantIntValue(offset)};
  return true;
}

llvm::Error Decoder::decode(Block &block, Program &program) {
  for (Operation &op : block) {
    // These do nothing that shows.
    if (isa<memref::PrefetchOp, scf::YieldOp, func::ReturnOp>(op))
      continue;
    // Places come in the order of the text, so that each value has one before
    // it is used, and what a loop repeats uses the same one.
    Instruction made = {};
    made.op = &op;
    for (mlir::Value operand : op.getOperands())
      made.operands.push_back(place(operand));
    if (op.getNumResults() == 1)
      made.result = place(op.getResult(0));
    if (!decode(&op, made))
      return describe(&op, "isn't known to the compiler's copies");
    for (Region &region : op.getRegions()) {
      made.bodies.emplace_back();
      if (!region.empty())
        if (llvm::Error error = decode(region.front(), made.bodies.back()))
          return error;
    }
    program.push_back(std::move(made));
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

bool Interpreter::run(const Program &program) {
  return llvm::all_of(program, [&](const Instruction &instruction) {
    if (run(instruction))
      return true;
    if (!failed)
      failed = instruction.op;
    return false;
  });
}

bool Interpreter::runLoop(const Instruction &loop) {
  int64_t from = number(loop.operands[0]), to = number(loop.operands[1]),
          step = number(loop.operands[2]);
  if (step < 1)
    return false;
  for (int64_t i = from; i < to; i += step) {
    registers[loop.result.first] = i;
    if (!run(loop.bodies.front()))
      return false;
  }
  return true;
}

/// The word with the element of `bytes` bytes at `at`; a float in its bits.
static Word load(const char *at, int64_t bytes) {
  Word word = 0;
  std::memcpy(&word, at, bytes);
  return word;
}

bool Interpreter::access(const Instruction &op) {
  bool isStore = op.kind == Instruction::Store;
  const Place *next = op.operands.begin();
  Place value = isStore ? *next++ : op.result;
  Place memref = *next++;
  int64_t element = registers[memref.first + Offset];
  for (int64_t stride : op.numbers)
    element += stride * number(*next++);
  const MemoryBlock &memory = memories[registers[memref.first + Memory]];
  int64_t first = static_cast<int64_t>(registers[memref.first + Start]) +
                  element * op.bytes;
  // Of a masked load, what lanes that are off hold.
  const Place *other = next == op.operands.end() ? nullptr : next;
  for (unsigned i = 0; i < value.count; ++i) {
    if (op.mask && !registers[op.mask->first + i]) {
      if (other)
        registers[value.first + i] = registers[other->first + i];
      continue;
    }
    // The schedule is trusted nowhere else, and a wrong one must not end the
    // compiler.
    int64_t at = first + i * op.bytes;
    if (at < 0 || at > memory.size - op.bytes || (isStore && !memory.writable))
      return false;
    Word &word = registers[value.first + i];
    if (isStore)
      std::memcpy(memory.writable + at, &word, op.bytes);
    else
      word = load(memory.bytes + at, op.bytes);
  }
  return true;
}

bool Interpreter::run(const Instruction &op) {
  Word *result = registers.data() + op.result.first;
  auto operand = [&](unsigned i) {
    return registers.data() + op.operands[i].first;
  };
  switch (op.kind) {
  case Instruction::Constant:
    for (auto [i, word] : llvm::enumerate(op.numbers))
      result[i] = word;
    return true;
  case Instruction::Integer:
    *result = op.compute(number(op.operands[0]), number(op.operands[1]));
    return true;
  case Instruction::Compare:
    *result = arith::applyCmpPredicate(op.predicate, APInt(64, *operand(0)),
                                       APInt(64, *operand(1)));
    return true;
  case Instruction::Select:
    std::copy_n(operand(*operand(0) ? 1 : 2), op.result.count, result);
    return true;
  case Instruction::Shuffle: {
    // Operands count as one vector. The result may be one of them, so that the
    // words are copied first.
    SmallVector<Word, 64> words;
    for (const Place &place : op.operands)
      words.append(registers.begin() + place.first,
                   registers.begin() + place.first + place.count);
    for (auto [i, from] : llvm::enumerate(op.numbers))
      result[i] = words[from];
    return true;
  }
  case Instruction::Mask:
    for (unsigned i = 0; i < op.result.count; ++i)
      result[i] = static_cast<int64_t>(i) < number(op.operands[0]);
    return true;
  case Instruction::View:
    result[Memory] = operand(0)[Memory];
    result[Start] = operand(0)[Start] + operand(0)[Offset] + *operand(1);
    result[Offset] = 0;
    return true;
  case Instruction::Recast:
    result[Memory] = operand(0)[Memory];
    result[Start] = operand(0)[Start];
    result[Offset] = op.numbers.empty() ? *operand(1) : op.numbers.front();
    return true;
  case Instruction::Load:
  case Instruction::Store:
    return access(op);
  case Instruction::For:
    return runLoop(op);
  case Instruction::If:
    // The body of an else that isn't there is empty.
    return run(op.bodies[*operand(0) ? 0 : 1]);
  }
  llvm_unreachable("unknown kind of instruction");
}

//===----------------------------------------------------------------------===//
// evaluateCopies
//===----------------------------------------------------------------------===//

/// The bytes of `data`, of all elements.
static std::vector<char> expand(ElementsAttr data) {
  ArrayRef<char> bytes = baco::bytesOf(data);
  size_t element = baco::bytesOf(data.getElementType()),
         size = element * data.getNumElements();
  std::vector<char> all(size);
  if (bytes.size() == size)
    llvm::copy(bytes, all.begin());
  else if (bytes.size() == element)
    for (size_t i = 0; i < size; ++i)
      all[i] = bytes[i % element];
  else
    all.clear();
  return all;
}

llvm::Expected<DenseResourceElementsAttr>
baco::target::evaluateCopies(FuncOp fill, ArrayRef<ElementsAttr> sources) {
  Decoder decoder;
  SmallVector<Place> places;
  for (BlockArgument argument : fill.getArguments())
    places.push_back(decoder.place(argument));
  Program program;
  if (llvm::Error error = decoder.decode(fill.front(), program))
    return std::move(error);
  auto type = cast<MemRefType>(fill.getArgumentTypes().back());
  // A resource isn't made unique in the context, which would hash all of it.
  AsmResourceBlob blob =
      HeapAsmResourceBlob::allocate(type.getNumElements(), /*align=*/64);
  llvm::fill(blob.getMutableData(), 0);
  std::vector<std::vector<char>> contents;
  SmallVector<MemoryBlock> memories;
  for (ElementsAttr data : sources) {
    contents.push_back(expand(data));
    const std::vector<char> &all = contents.back();
    if (all.empty())
      return llvm::createStringError("the data of a constant are missing");
    memories.push_back({all.data(), nullptr, static_cast<int64_t>(all.size())});
  }
  memories.push_back({blob.getData().data(), blob.getMutableData().data(),
                      type.getNumElements()});
  Interpreter interpreter(decoder.numRegisters, memories);
  // Each argument is the beginning of its own memory: the other registers of a
  // memref are zero.
  for (auto [i, place] : llvm::enumerate(places))
    interpreter.registers[place.first + Memory] = i;
  if (!interpreter.run(program))
    return describe(interpreter.failed,
                    "accesses memory outside of a constant, or loops forever");
  return DenseResourceElementsAttr::get(
      RankedTensorType::get(type.getShape(), type.getElementType()),
      fill.getName(), std::move(blob));
}
