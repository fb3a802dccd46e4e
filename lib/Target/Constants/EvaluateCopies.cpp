//===- EvaluateCopies.cpp - Copies that the compiler makes ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An interpreter runs the instructions that CopyDecoder makes of a function. It
// checks each access, and says which op has failed.
//
//===----------------------------------------------------------------------===//

#include "EvaluateCopies.h"
#include "CopyDecoder.h"

#include "baco/Analysis/ConstantData.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include <cstring>
#include <type_traits>

using namespace mlir;
using namespace baco::target;
using namespace baco::target::copies;
using func::FuncOp;

namespace {
/// A piece of memory; that of a source is not written.
struct MemoryBlock {
  const char *bytes;
  char *writable;
  int64_t size;
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

/// Calls `body` with `bytes`, as a constant of the compiler where it is the
/// width of a usual type: a call of memcpy for each element takes most of the
/// time of a large weight.
template <typename Body>
static void withWidth(int64_t bytes, Body body) {
  if (bytes == 4)
    body(std::integral_constant<int64_t, 4>());
  else if (bytes == 1)
    body(std::integral_constant<int64_t, 1>());
  else
    body(bytes);
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
  const Word *mask = op.mask ? &registers[op.mask->first] : nullptr;
  // Of a masked load, what lanes that are off hold.
  const Word *other =
      next == op.operands.end() ? nullptr : &registers[next->first];
  // The schedule is trusted nowhere else, and a wrong one must not end the
  // compiler.
  for (unsigned i = 0; i < value.count; ++i)
    if (int64_t at = first + i * op.bytes;
        (!mask || mask[i]) && (at < 0 || at > memory.size - op.bytes ||
                               (isStore && !memory.writable)))
      return false;
  // A word is wider than an element, and of a little-endian machine, so that
  // its first bytes are the element.
  Word *words = &registers[value.first];
  withWidth(op.bytes, [&](auto bytes) {
    for (unsigned i = 0; i < value.count; ++i) {
      int64_t at = first + i * bytes;
      if (mask && !mask[i]) {
        if (other)
          words[i] = other[i];
      } else if (isStore) {
        std::memcpy(memory.writable + at, &words[i], bytes);
      } else {
        words[i] = 0;
        std::memcpy(&words[i], memory.bytes + at, bytes);
      }
    }
  });
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

/// The bytes of all elements of `data`, in `splat` if it has one for all; none
/// if they are missing.
static ArrayRef<char> expand(ElementsAttr data, std::vector<char> &splat) {
  ArrayRef<char> bytes = baco::bytesOf(data);
  size_t element = baco::bytesOf(data.getElementType()),
         size = element * data.getNumElements();
  if (bytes.size() == size)
    return bytes;
  if (bytes.size() != element)
    return {};
  splat.resize(size);
  for (size_t i = 0; i < size; ++i)
    splat[i] = bytes[i % element];
  return splat;
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
  std::vector<std::vector<char>> splats(sources.size());
  SmallVector<MemoryBlock> memories;
  for (auto [data, splat] : llvm::zip_equal(sources, splats)) {
    ArrayRef<char> all = expand(data, splat);
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
