//===- ConstantCopies.cpp - Copies of constant arguments ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/Constants/ConstantCopies.h"

#include "baco/Analysis/MemoryRoots.h"
#include "baco/IR/ConstantArgument.h"
#include "baco/IR/Walk.h"
#include "baco/LoopNest/FunctionMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "baco-pack-constants"

using namespace mlir;
using namespace baco;
using namespace baco::target;
using func::FuncOp;
using memref::AllocOp;

/// Copies take no more than this times the memory of the arguments, and a
/// little.
static constexpr int64_t maxGrowth = 2, smallBytes = 64 << 10;

static int64_t sizeInBytes(MemRefType type, Operation *where) {
  return type.getNumElements() *
         static_cast<int64_t>(
             DataLayout::closest(where).getTypeSize(type.getElementType()));
}

int64_t BufferFill::bytes() const {
  int64_t product = pitch;
  for (int64_t count : counts)
    if (llvm::MulOverflow(product, count, product))
      return std::numeric_limits<int64_t>::max();
  return product;
}

//===----------------------------------------------------------------------===//
// Fills and reads of a buffer
//===----------------------------------------------------------------------===//

namespace {
/// What an op and those in it do with a buffer.
struct Touch {
  bool writes = false, reads = false;
};
} // namespace

/// Nothing if `op` does something else with the buffer.
static std::optional<Touch> touchOf(Operation *op, Value buffer) {
  // baco-tile-products takes addresses to read from.
  if (isa<memref::PrefetchOp, memref::ExtractAlignedPointerAsIndexOp>(op))
    return Touch{.writes = false, .reads = true};
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface || op->getNumRegions() > 0 ||
      llvm::is_contained(op->getResultTypes(), buffer.getType()))
    return std::nullopt;
  // A view, or a call, could reach the buffer in ways that nothing here sees;
  // both have been left out above.
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffectsOnValue(buffer, effects);
  Touch touch;
  for (const MemoryEffects::EffectInstance &effect : effects) {
    if (isa<MemoryEffects::Write>(effect.getEffect()))
      touch.writes = true;
    else if (isa<MemoryEffects::Read>(effect.getEffect()))
      touch.reads = true;
    else
      return std::nullopt;
  }
  if (effects.empty() || (touch.writes && touch.reads))
    return std::nullopt;
  return touch;
}

/// Appends the fills in `block`, which has all of `users`. False if some reader
/// has none before it in its block.
static bool findFills(Block &block,
                      ArrayRef<std::pair<Operation *, Touch>> users,
                      std::vector<BufferFill> &fills) {
  // Ops of this block stand for what is in them: a loop that only writes is a
  // part of a fill, whatever its body looks like.
  llvm::SmallSetVector<Operation *, 8> ancestors;
  llvm::DenseMap<Operation *, Touch> touches;
  for (auto [user, touch] : users) {
    Operation *ancestor = block.findAncestorOpInBlock(*user);
    ancestors.insert(ancestor);
    touches[ancestor].writes |= touch.writes;
    touches[ancestor].reads |= touch.reads;
  }
  SmallVector<Operation *> ordered(ancestors.begin(), ancestors.end());
  llvm::sort(ordered,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  BufferFill *current = nullptr;
  for (Operation *op : ordered) {
    Touch touch = touches[op];
    if (touch.writes && !touch.reads) {
      // A fill may take several loops, such as one for the remainder.
      if (!current || !current->readers.empty())
        current = &fills.emplace_back();
      current->writers.push_back(op);
    } else if (!touch.writes) {
      // What an iteration before has left there is another buffer's contents
      // once each iteration has its own.
      if (!current)
        return false;
      current->readers.push_back(op);
    } else {
      // What was filled before may be read in it.
      if (current && current->readers.empty())
        return false;
      // It has fills of its own, and what follows may not see their last one.
      current = nullptr;
      for (Region &region : op->getRegions())
        for (Block &inner : region) {
          SmallVector<std::pair<Operation *, Touch>> inside;
          llvm::copy_if(users, std::back_inserter(inside), [&](auto &user) {
            return inner.findAncestorOpInBlock(*user.first) != nullptr;
          });
          if (!inside.empty() && !findFills(inner, inside, fills))
            return false;
        }
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// What the contents depend on
//===----------------------------------------------------------------------===//

namespace {
/// Follows values to induction variables and constant memory.
class Dependences {
public:
  Dependences(FuncOp function, const BufferFill &fill,
              ConstantCopies::From from)
      : function(function), fill(fill), from(from) {}

  /// False if the fill depends on anything else.
  bool run();

  llvm::SmallSetVector<Value, 4> iterators;
  llvm::SmallSetVector<Value, 4> sources;

private:
  bool isInFill(Operation *op) const {
    return llvm::any_of(fill.writers, [&](Operation *writer) {
      return writer->isAncestor(op);
    });
  }
  bool follow(Value value);
  bool followSource(Value memory, ConstantCopies::From kind);
  bool followOp(Operation *op);
  bool isAllowed(Operation *op);

  FuncOp function;
  const BufferFill &fill;
  ConstantCopies::From from;
  llvm::DenseSet<Value> known;
};
} // namespace

bool baco::target::isOnlyRead(Value memory) {
  return llvm::all_of(memory.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    // Views of constants are common: a filter is often collapsed to a matrix.
    if (isa<ViewLikeOpInterface>(user))
      return isOnlyRead(user->getResult(0));
    if (isMemoryEffectFree(user) || isa<memref::PrefetchOp>(user))
      return true;
    auto interface = dyn_cast<MemoryEffectOpInterface>(user);
    if (!interface)
      return false;
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffectsOnValue(use.get(), effects);
    return llvm::all_of(effects, [](const auto &effect) {
      return isa<MemoryEffects::Read>(effect.getEffect());
    });
  });
}

bool Dependences::followSource(Value memory, ConstantCopies::From kind) {
  if (kind != from || !isa<MemRefType>(memory.getType()) ||
      !isConstantMemory(memory) || !isOnlyRead(memory))
    return false;
  sources.insert(memory);
  return true;
}

bool Dependences::follow(Value value) {
  if (!known.insert(value).second || value == fill.buffer)
    return true;
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument) {
    Operation *op = value.getDefiningOp();
    if (isa<memref::GetGlobalOp>(op))
      return followSource(value, ConstantCopies::From::Globals);
    return isInFill(op) || (isAllowed(op) && op->getNumRegions() == 0 &&
                            llvm::all_of(op->getOperands(), [&](Value operand) {
                              return follow(operand);
                            }));
  }
  if (argument.getOwner() == &function.front())
    return followSource(value, ConstantCopies::From::Arguments);
  Operation *parent = argument.getOwner()->getParentOp();
  // The iterators of the loops that fill the buffer move along with them.
  if (isInFill(parent))
    return true;
  // Values that a loop carries depend on what it has computed.
  auto loop = dyn_cast<LoopLikeOpInterface>(parent);
  auto variables = loop ? loop.getLoopInductionVars() : std::nullopt;
  if (!variables || !llvm::is_contained(*variables, value))
    return false;
  iterators.insert(value);
  return true;
}

/// Whether `op` itself has no effects but those of a fill.
bool Dependences::isAllowed(Operation *op) {
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
      isMemoryEffectFree(op))
    return true;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return false;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::all_of(effects, [&](const auto &effect) {
    Value memory = effect.getValue();
    // A fill that wrote elsewhere, too, would have to stay for that.
    if (isa<MemoryEffects::Write>(effect.getEffect()))
      return memory == fill.buffer;
    return isa<MemoryEffects::Read>(effect.getEffect()) && memory &&
           isConstantMemory(memory);
  });
}

bool Dependences::followOp(Operation *op) {
  WalkResult result = op->walk([&](Operation *inner) {
    if (!isAllowed(inner) || !llvm::all_of(inner->getOperands(), [&](Value v) {
          return follow(v);
        })) {
      LDBG() << "not a copy of constants: " << *inner;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return !result.wasInterrupted();
}

bool Dependences::run() {
  if (!llvm::all_of(fill.writers, [&](Operation *op) { return followOp(op); }))
    return false;
  // From the innermost one outwards, since bounds of loops may depend on loops
  // around them.
  for (Operation *op : llvm::reverse(fill.around)) {
    // A branch may keep accesses in bounds, so that copies are under it, too.
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      if (!follow(branch.getCondition()))
        return false;
      continue;
    }
    auto loop = dyn_cast<LoopLikeOpInterface>(op);
    auto variables = loop ? loop.getLoopInductionVars() : std::nullopt;
    auto lower = loop ? loop.getLoopLowerBounds() : std::nullopt;
    auto upper = loop ? loop.getLoopUpperBounds() : std::nullopt;
    auto steps = loop ? loop.getLoopSteps() : std::nullopt;
    if (!isa<scf::ForOp, scf::ParallelOp>(op) || !variables || !lower ||
        !upper || !steps)
      return false;
    for (auto [variable, from, to, step] :
         llvm::zip_equal(*variables, *lower, *upper, *steps)) {
      if (iterators.contains(variable)) {
        if (!follow(cast<Value>(from)) || !follow(cast<Value>(to)) ||
            !follow(cast<Value>(step)))
          return false;
        continue;
      }
      // Copies that are never made might read what isn't there.
      std::optional<int64_t> first = getConstantIntValue(from),
                             last = getConstantIntValue(to);
      if (!first || !last || *first >= *last)
        return false;
    }
  }
  return true;
}

/// The lower bound, the upper bound and the step of the loop of `iterator`.
static std::array<Value, 3> boundsOf(Value iterator) {
  auto argument = cast<BlockArgument>(iterator);
  auto loop = cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
  for (auto [variable, from, to, step] :
       llvm::zip_equal(*loop.getLoopInductionVars(), *loop.getLoopLowerBounds(),
                       *loop.getLoopUpperBounds(), *loop.getLoopSteps()))
    if (variable == iterator)
      return {cast<Value>(from), cast<Value>(to), cast<Value>(step)};
  llvm_unreachable("not an induction variable");
}

/// How many values `iterator` takes at most; nothing if no bound is known.
static std::optional<int64_t> maxCount(Value iterator) {
  auto [from, to, step] = boundsOf(iterator);
  // The bounds of a loop over parts of a tile are values, whose distance is at
  // most the tile's size.
  std::optional<int64_t> by = getConstantIntValue(step);
  if (!by || *by < 1)
    return std::nullopt;
  FailureOr<int64_t> extent = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB,
      ValueBoundsConstraintSet::Variable(
          AffineMap::get(2, 0,
                         getAffineDimExpr(0, iterator.getContext()) -
                             getAffineDimExpr(1, iterator.getContext())),
          ValueRange{to, from}),
      /*stopCondition=*/nullptr, /*closedUB=*/true);
  if (failed(extent))
    return std::nullopt;
  return std::max<int64_t>(llvm::divideCeil(*extent, *by), 1);
}

//===----------------------------------------------------------------------===//
// ConstantCopies
//===----------------------------------------------------------------------===//

bool ConstantCopies::add(AllocOp buffer) {
  SmallVector<std::pair<Operation *, Touch>> users;
  for (Operation *user : buffer->getUsers()) {
    if (isa<memref::DeallocOp>(user))
      continue;
    std::optional<Touch> touch = touchOf(user, buffer);
    if (!touch)
      return false;
    users.emplace_back(user, *touch);
  }
  std::vector<BufferFill> found;
  if (users.empty() || !findFills(*buffer->getBlock(), users, found))
    return false;
  llvm::SmallSetVector<Value, 4> sources;
  int64_t sum = 0;
  for (BufferFill &fill : found) {
    fill.buffer = buffer.getMemref();
    for (Operation *op = fill.writers.front()->getParentOp(); op != function;
         op = op->getParentOp())
      fill.around.insert(fill.around.begin(), op);
    Dependences dependences(function, fill, from);
    if (!dependences.run() || dependences.sources.empty())
      return false;
    sources.insert(dependences.sources.begin(), dependences.sources.end());
    // Vectors that the kernel loads from the buffer stay aligned in each copy.
    fill.pitch = llvm::alignTo(sizeInBytes(buffer.getType(), buffer),
                               loopnest::bufferAlignment);
    for (Operation *op : fill.around)
      if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
        SmallVector<Value> variables = *loop.getLoopInductionVars();
        for (Value iterator : variables)
          if (dependences.iterators.contains(iterator)) {
            std::optional<int64_t> count = maxCount(iterator);
            if (!count)
              return false;
            fill.iterators.push_back(iterator);
            fill.counts.push_back(*count);
          }
      }
    // Fills of the same buffer in several places, such as full tiles and the
    // rest, have different contents.
    fill.offset = size + sum;
    if (llvm::AddOverflow(sum, fill.bytes(), sum))
      return false;
  }
  // An element that many iterations copy, as windows of an image do, would make
  // the copies many times as large as the data.
  int64_t source = 0;
  for (Value memory : sources) {
    auto type = cast<MemRefType>(memory.getType());
    if (!type.hasStaticShape() || !type.getLayout().isIdentity())
      return false;
    source += sizeInBytes(type, function);
  }
  if (sum > maxGrowth * source + smallBytes)
    return false;
  for (Value memory : sources)
    if (!llvm::is_contained(allSources, memory))
      allSources.push_back(memory);
  size += sum;
  llvm::append_range(fills, found);
  return true;
}

ConstantCopies::ConstantCopies(FuncOp function, From from)
    : function(function), from(from) {
  if (function.isExternal())
    return;
  function.walk([&](AllocOp buffer) {
    if (!buffer->hasAttr(kCopyBuffer) || !buffer.getType().hasStaticShape() ||
        !buffer.getType().getLayout().isIdentity() ||
        !buffer.getType().getElementType().isIntOrFloat())
      return;
    if (!add(buffer))
      LDBG() << "is filled in each call: " << buffer;
  });
  if (from == From::Arguments)
    llvm::sort(allSources, [](Value a, Value b) {
      return cast<BlockArgument>(a).getArgNumber() <
             cast<BlockArgument>(b).getArgNumber();
    });
}

SmallVector<unsigned> ConstantCopies::argumentNumbers() const {
  SmallVector<unsigned> numbers;
  for (Value source : allSources)
    if (auto argument = dyn_cast<BlockArgument>(source))
      numbers.push_back(argument.getArgNumber());
  return numbers;
}

/// The buffer of the present iteration in `memory`. `valueOf` gives a value at
/// the insertion point for one of the function.
static Value bufferAt(OpBuilder &builder, const BufferFill &fill, Value memory,
                      llvm::function_ref<Value(Value)> valueOf) {
  Location loc = fill.buffer.getLoc();
  auto constant = [&](int64_t value) {
    return builder.createOrFold<arith::ConstantIndexOp>(loc, value);
  };
  // Iterations are numbered as those of a loop nest with all of these loops at
  // their largest extents. Folding leaves no code for constants.
  Value number = constant(0);
  for (auto [iterator, count] : llvm::zip_equal(fill.iterators, fill.counts)) {
    auto [from, to, step] = boundsOf(iterator);
    Value distance = builder.createOrFold<arith::SubIOp>(loc, valueOf(iterator),
                                                         valueOf(from));
    Value steps =
        builder.createOrFold<arith::DivUIOp>(loc, distance, valueOf(step));
    Value before =
        builder.createOrFold<arith::MulIOp>(loc, number, constant(count));
    number = builder.createOrFold<arith::AddIOp>(loc, before, steps);
  }
  Value bytes =
      builder.createOrFold<arith::MulIOp>(loc, number, constant(fill.pitch));
  Value start =
      builder.createOrFold<arith::AddIOp>(loc, bytes, constant(fill.offset));
  return memref::ViewOp::create(builder, loc, fill.buffer.getType(), memory,
                                start, /*sizes=*/ValueRange());
}

namespace {
/// Writes the loops around a fill again.
class FillWriter {
public:
  FillWriter(OpBuilder &builder, const BufferFill &fill)
      : builder(builder), fill(fill) {}

  void write(Value memory);

  IRMapping mapping;

private:
  Value valueOf(Value value);
  void enter(Operation *op, Operation *inner);
  void enterLoop(Value iterator);

  OpBuilder &builder;
  const BufferFill &fill;
};
} // namespace

/// The copy of `value`, of whose definition a copy is made where it is used
/// first: that is outside of all loops that are entered later.
Value FillWriter::valueOf(Value value) {
  if (Value copy = mapping.lookupOrNull(value))
    return copy;
  Operation *op = value.getDefiningOp();
  for (Operation *writer : fill.writers)
    if (writer->isProperAncestor(op))
      return value;
  for (Value operand : op->getOperands())
    (void)valueOf(operand);
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

void FillWriter::enterLoop(Value iterator) {
  auto [from, to, step] = boundsOf(iterator);
  auto loop = scf::ForOp::create(builder, fill.buffer.getLoc(), valueOf(from),
                                 valueOf(to), valueOf(step));
  mapping.map(iterator, loop.getInductionVar());
  builder.setInsertionPointToStart(loop.getBody());
}

/// Enters the part of `op` that has `inner`.
void FillWriter::enter(Operation *op, Operation *inner) {
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    bool isElse = branch.getElseRegion().isAncestor(inner->getParentRegion());
    auto copy =
        scf::IfOp::create(builder, op->getLoc(), valueOf(branch.getCondition()),
                          /*withElseRegion=*/isElse);
    builder.setInsertionPointToStart(isElse ? copy.elseBlock()
                                            : copy.thenBlock());
    return;
  }
  SmallVector<Value> variables =
      *cast<LoopLikeOpInterface>(op).getLoopInductionVars();
  for (Value iterator : variables)
    if (llvm::is_contained(fill.iterators, iterator))
      enterLoop(iterator);
}

void FillWriter::write(Value memory) {
  OpBuilder::InsertionGuard guard(builder);
  for (auto [index, op] : llvm::enumerate(fill.around))
    enter(op, index + 1 < fill.around.size() ? fill.around[index + 1]
                                             : fill.writers.front());
  mapping.map(fill.buffer, bufferAt(builder, fill, memory, [&](Value value) {
                return valueOf(value);
              }));
  for (Operation *writer : fill.writers) {
    writer->walk([&](Operation *op) {
      for (Value operand : op->getOperands())
        if (!isa<BlockArgument>(operand))
          (void)valueOf(operand);
    });
    builder.clone(*writer, mapping);
  }
}

void ConstantCopies::writeCopies(OpBuilder &builder, Value memory,
                                 ValueRange values) const {
  for (const BufferFill &fill : fills) {
    FillWriter writer(builder, fill);
    for (auto [source, value] : llvm::zip_equal(allSources, values))
      writer.mapping.map(source, value);
    writer.write(memory);
  }
}

void ConstantCopies::useCopies(Value memory) {
  for (BufferFill &fill : fills) {
    // The fill is in front of what reads the buffer, so the view is, too.
    OpBuilder builder(fill.writers.front());
    Value buffer =
        bufferAt(builder, fill, memory, [](Value value) { return value; });
    for (Operation *reader : fill.readers)
      reader->walk(
          [&](Operation *op) { op->replaceUsesOfWith(fill.buffer, buffer); });
    for (Operation *writer : fill.writers)
      eraseWithOperands(writer);
  }
  // Several fills may share a buffer, whose uses are all gone by now but for
  // what frees it.
  llvm::SmallSetVector<Operation *, 4> buffers;
  for (BufferFill &fill : fills)
    buffers.insert(fill.buffer.getDefiningOp());
  for (Operation *buffer : buffers)
    loopnest::eraseWithUsers(buffer);
  fills.clear();
}
