//===- SparseBuffers.cpp - Sparse tensors as buffers ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The work of upstream's pass `sparse-assembler`, but in one function, so that
// sizes fold, for all formats that lib/Sparse packs, for dynamic shapes, and
// for calls.
//
//===----------------------------------------------------------------------===//

#include "SparseBuffers.h"
#include "IndexCode.h"
#include "SparseConversion.h"

#include "baco/IR/SparseEncoding.h"
#include "baco/IR/Walk.h"
#include "baco/Target/Sparse/TunedFormats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::sparse_tensor;
using namespace baco::target;
using baco::encodingOf;
using baco::isSparse;

SmallVector<Type> baco::target::elementTypes(RankedTensorType type) {
  SmallVector<Type> types;
  if (SparseTensorEncodingAttr encoding = encodingOf(type))
    for (LevelType level : encoding.getLvlTypes()) {
      if (level.isWithPosLT())
        types.push_back(encoding.getPosElemType());
      if (level.isWithCrdLT())
        types.push_back(encoding.getCrdElemType());
    }
  types.push_back(type.getElementType());
  return types;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// The first dimension that blocks of `format` don't divide: code accesses
/// whole blocks, of dense operands, too.
static std::optional<size_t>
findRemainder(RankedTensorType type,
              const baco::sparse::StorageFormat &format) {
  for (const baco::sparse::Level &level : format.levels)
    if (level.divisor > 1 || level.modulus > 0)
      if (type.isDynamicDim(level.dimension) ||
          type.getDimSize(level.dimension) %
                  (level.divisor * std::max<int64_t>(level.modulus, 1)) !=
              0)
        return level.dimension;
  return std::nullopt;
}

/// Fails if code can't take a tensor of that type; `what` names the tensor.
static LogicalResult
checkType(Type type, const Twine &what,
          llvm::function_ref<InFlightDiagnostic()> emitError) {
  SparseTensorEncodingAttr encoding = encodingOf(type);
  if (!encoding)
    return success();
  auto format = baco::storageFormat(encoding);
  if (!format)
    return emitError() << "the format of " << what << " isn't supported: "
                       << llvm::toString(format.takeError());
  auto tensor = cast<RankedTensorType>(type);
  if (!tensor.getElementType().isIntOrIndexOrFloat())
    return emitError() << what << " is sparse, and its elements are neither "
                       << "integers nor floating-point numbers, which isn't "
                       << "supported";
  std::optional<size_t> dimension = findRemainder(tensor, *format);
  if (!dimension)
    return success();
  InFlightDiagnostic error =
      emitError() << what << " is sparse, and the blocks of its format don't "
                  << "divide dimension " << *dimension << ", whose extent is ";
  if (tensor.isDynamicDim(*dimension))
    return error << "dynamic; make it static, or change the format";
  return error << tensor.getDimSize(*dimension)
               << "; pad it, or change the format";
}

static LogicalResult checkFunction(func::FuncOp function) {
  auto emitError = [&] { return function.emitError(); };
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes()))
    if (failed(checkType(type, "argument " + Twine(number), emitError)))
      return failure();
  for (auto [number, type] : llvm::enumerate(function.getResultTypes()))
    if (failed(checkType(type, "result " + Twine(number), emitError)))
      return failure();
  if (llvm::any_of(function.getResultTypes(), isSparse) &&
      !SymbolTable::symbolKnownUseEmpty(function, function->getParentOp()))
    return function.emitError()
           << "returns a sparse tensor, and is called, which isn't supported; "
              "inline it";
  if (llvm::any_of(function.getResultTypes(), isSparse) &&
      llvm::any_of(function.getArgumentTypes(), [](Type type) {
        return isa<TensorType>(type) && !isSparse(type);
      }))
    return function.emitError() << "returns a sparse tensor, and takes a dense "
                                   "one, which isn't supported";
  return baco::visitAll<ConvertOp>(function, [](ConvertOp op) -> LogicalResult {
    auto emitError = [&] { return op.emitOpError(); };
    if (failed(checkType(op.getSource().getType(), "the operand", emitError)))
      return failure();
    return checkType(op.getType(), "the result", emitError);
  });
}

//===----------------------------------------------------------------------===//
// Before
//===----------------------------------------------------------------------===//

/// Removes the branches for upstream's run-time library from `function`.
static void dropLibraryBranches(func::FuncOp function) {
  SmallVector<HasRuntimeLibraryOp> questions;
  function.walk([&](HasRuntimeLibraryOp op) { questions.push_back(op); });
  IRRewriter rewriter(function.getContext());
  for (HasRuntimeLibraryOp question : questions) {
    for (Operation *user : llvm::make_early_inc_range(question->getUsers())) {
      auto branch = dyn_cast<scf::IfOp>(user);
      if (!branch)
        continue;
      rewriter.setInsertionPoint(branch);
      // Code that is made here never uses that library.
      if (Block *block = branch.elseBlock()) {
        Operation *yield = block->getTerminator();
        SmallVector<Value> results(yield->getOperands());
        rewriter.eraseOp(yield);
        rewriter.inlineBlockBefore(block, branch);
        rewriter.replaceOp(branch, results);
      } else {
        rewriter.eraseOp(branch);
      }
    }
    rewriter.setInsertionPoint(question);
    rewriter.replaceOpWithNewOp<arith::ConstantIntOp>(question, 0, 1);
  }
}

/// Whether the function frees `tensor`; with `op`, maybe before that.
static bool isDeallocated(Value tensor, Operation *op = nullptr) {
  return llvm::any_of(tensor.getUsers(), [&](Operation *user) {
    // A cast has the same memory.
    if (auto cast = dyn_cast<tensor::CastOp>(user))
      return isDeallocated(cast, op);
    return isa<bufferization::DeallocTensorOp>(user) &&
           !(op && op->getBlock() == user->getBlock() &&
             op->isBeforeInBlock(user));
  });
}

/// Converts at once instead of by way of another format, as upstream's library
/// needs it.
static void joinConversions(func::FuncOp function) {
  SmallVector<ConvertOp> conversions;
  function.walk([&](ConvertOp op) { conversions.push_back(op); });
  for (ConvertOp op : conversions)
    while (auto before = op.getSource().getDefiningOp<ConvertOp>()) {
      if (!isSparse(op.getType()) || !isSparse(before.getType()) ||
          isDeallocated(before.getSource(), op))
        break;
      // The source still lives where the second op converts.
      op.getSourceMutable().assign(before.getSource());
      // Only its deallocation is left of the other format, and goes with it.
      if (llvm::all_of(before->getUsers(),
                       llvm::IsaPred<bufferization::DeallocTensorOp>)) {
        for (Operation *user : llvm::make_early_inc_range(before->getUsers()))
          user->erase();
        before->erase();
      }
    }
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

namespace {
/// Lowers the sparse tensors at the boundaries of one function, and the ops
/// that move them there.
class Flattener {
public:
  explicit Flattener(func::FuncOp function)
      : function(function), builder(function.getLoc(), function.getContext()),
        // The passes that free memory don't get functions that return sparse
        // tensors.
        freesMemory(llvm::any_of(function.getResultTypes(), isSparse)),
        code(builder, freesMemory) {}

  LogicalResult run();

private:
  void takeArguments();
  LogicalResult lower(Operation *op);
  void lowerConvert(ConvertOp op);
  void lowerCall(func::CallOp op);
  LogicalResult lowerReturn(func::ReturnOp op);
  void lowerDealloc(bufferization::DeallocTensorOp op);

  /// The buffers of `tensor`; reads them where they aren't known.
  SparseBuffers buffersOf(Value tensor);
  /// A tensor of `buffers`.
  Value assemble(const SparseBuffers &buffers);
  /// The same for all uses of `old`.
  Value replace(Value old, const SparseBuffers &buffers) {
    Value tensor = assemble(buffers);
    known[tensor] = buffers;
    old.replaceAllUsesWith(tensor);
    return tensor;
  }
  Value storageSpecifier(const SparseBuffers &buffers);
  /// A buffer of rank 1 as a tensor.
  Value asTensor(Value buffer);
  Value asBuffer(Value tensor);
  /// One that the caller frees, which isn't in `returned`; it is added.
  Value ownBuffer(Value buffer, llvm::SmallDenseSet<Value> &returned);
  /// Sets the buffers that the function frees with `tensor`.
  void setOwned(Value tensor, SmallVector<Value> buffers);

  func::FuncOp function;
  ImplicitLocOpBuilder builder;
  /// Whether the code frees memory itself: passes free no buffer of a function
  /// that returns some.
  bool freesMemory;
  IndexCode code;
  llvm::DenseMap<Value, SparseBuffers> known;
  /// The buffers that are freed with a tensor.
  llvm::DenseMap<Value, SmallVector<Value>> owned;
  /// The buffers that the code of conversions has allocated.
  llvm::SmallDenseSet<Value> allocated;
  /// The buffers that the function frees somewhere.
  llvm::SmallDenseSet<Value> freed;
  SmallVector<Operation *> assembled;
};
} // namespace

/// Appends the types of the values that replace one of `type`.
static void appendTypes(Type type, SmallVectorImpl<Type> &types) {
  if (!isSparse(type)) {
    types.push_back(type);
    return;
  }
  auto tensor = cast<RankedTensorType>(type);
  for (Type element : elementTypes(tensor))
    types.push_back(MemRefType::get({ShapedType::kDynamic}, element));
  types.append(static_cast<size_t>(tensor.getNumDynamicDims()),
               IndexType::get(type.getContext()));
}

static SmallVector<Type> flatTypes(TypeRange types) {
  SmallVector<Type> flat;
  for (Type type : types)
    appendTypes(type, flat);
  return flat;
}

/// The extents of `type`, of which `dynamic` has the dynamic ones.
static SmallVector<OpFoldResult> extentsOf(RankedTensorType type,
                                           ValueRange dynamic) {
  SmallVector<OpFoldResult> extents;
  Builder builder(type.getContext());
  for (int64_t extent : type.getShape())
    if (ShapedType::isDynamic(extent)) {
      extents.push_back(dynamic.front());
      dynamic = dynamic.drop_front();
    } else {
      extents.push_back(builder.getIndexAttr(extent));
    }
  return extents;
}

Value Flattener::asTensor(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  // Nothing writes to it.
  return bufferization::ToTensorOp::create(
      builder, RankedTensorType::get(type.getShape(), type.getElementType()),
      buffer, /*restrict=*/true);
}

Value Flattener::asBuffer(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  auto dynamic = MemRefType::get({ShapedType::kDynamic}, type.getElementType());
  auto view = tensor.getDefiningOp<bufferization::ToTensorOp>();
  Value buffer =
      view ? view.getBuffer()
           : bufferization::ToBufferOp::create(
                 builder,
                 MemRefType::get(type.getShape(), type.getElementType()),
                 tensor, /*read_only=*/true)
                 .getResult();
  if (buffer.getType() == dynamic)
    return buffer;
  return memref::CastOp::create(builder, dynamic, buffer);
}

Value Flattener::storageSpecifier(const SparseBuffers &buffers) {
  SparseTensorEncodingAttr encoding = encodingOf(buffers.type);
  auto type = StorageSpecifierType::get(encoding);
  Value specifier = StorageSpecifierInitOp::create(builder, type);
  auto set = [&](StorageSpecifierKind kind, IntegerAttr level, Value value) {
    specifier =
        SetStorageSpecifierOp::create(builder, specifier, kind, level, value);
  };
  size_t next = 0;
  auto setLength = [&](StorageSpecifierKind kind, IntegerAttr level) {
    set(kind, level, code.length(buffers.buffers[next++]));
  };
  for (auto [l, level] : llvm::enumerate(encoding.getLvlTypes())) {
    IntegerAttr number = builder.getIndexAttr(static_cast<int64_t>(l));
    // Blocks have static extents.
    auto dimension =
        dyn_cast<AffineDimExpr>(encoding.getDimToLvl().getResult(l));
    if (dimension)
      set(StorageSpecifierKind::LvlSize, number,
          code.valueOf(buffers.extents[dimension.getPosition()]));
    if (level.isWithPosLT())
      setLength(StorageSpecifierKind::PosMemSize, number);
    if (level.isWithCrdLT())
      setLength(StorageSpecifierKind::CrdMemSize, number);
  }
  setLength(StorageSpecifierKind::ValMemSize, {});
  return specifier;
}

Value Flattener::assemble(const SparseBuffers &its) {
  Value tensor;
  Block *block = builder.getInsertionBlock();
  Operation *before = builder.getInsertionPoint() == block->begin()
                          ? nullptr
                          : &*std::prev(builder.getInsertionPoint());
  if (its.type.hasStaticShape()) {
    SmallVector<Value> levels;
    for (Value buffer : ArrayRef<Value>(its.buffers).drop_back())
      levels.push_back(asTensor(buffer));
    tensor =
        AssembleOp::create(builder, its.type, levels, asTensor(its.values()));
  } else {
    // Upstream assembles no tensors of dynamic shape.
    SmallVector<Value> parts(its.buffers);
    parts.push_back(storageSpecifier(its));
    tensor = UnrealizedConversionCastOp::create(builder, its.type, parts)
                 .getResult(0);
  }
  for (auto at = before ? std::next(before->getIterator()) : block->begin();
       at != builder.getInsertionPoint(); ++at)
    assembled.push_back(&*at);
  return tensor;
}

SparseBuffers Flattener::buffersOf(Value tensor) {
  if (auto found = known.find(tensor); found != known.end())
    return found->second;
  auto type = cast<RankedTensorType>(tensor.getType());
  SparseBuffers its = {type, {}, {}};
  auto encoding = encodingOf(type);
  for (auto [l, level] : llvm::enumerate(encoding.getLvlTypes())) {
    if (level.isWithPosLT())
      its.buffers.push_back(ToPositionsOp::create(builder, tensor, l));
    if (level.isWithCrdLT())
      its.buffers.push_back(ToCoordinatesOp::create(builder, tensor, l));
  }
  its.buffers.push_back(ToValuesOp::create(builder, tensor));
  for (auto [d, extent] : llvm::enumerate(type.getShape()))
    its.extents.push_back(
        ShapedType::isDynamic(extent)
            ? OpFoldResult(tensor::DimOp::create(builder, tensor,
                                                 static_cast<int64_t>(d))
                               .getResult())
            : OpFoldResult(builder.getIndexAttr(extent)));
  return its;
}

void Flattener::takeArguments() {
  builder.setInsertionPointToStart(&function.getBody().front());
  for (unsigned number = 0; number < function.getNumArguments();) {
    BlockArgument argument = function.getArgument(number);
    SmallVector<Type> types;
    appendTypes(argument.getType(), types);
    if (!isSparse(argument.getType())) {
      ++number;
      continue;
    }
    auto type = cast<RankedTensorType>(argument.getType());
    SmallVector<Value> parts;
    for (auto [i, part] : llvm::enumerate(types)) {
      unsigned at = number + 1 + static_cast<unsigned>(i);
      // It can't fail: functions of the dialect `func` take any type.
      (void)function.insertArgument(at, part, DictionaryAttr(),
                                    argument.getLoc());
      parts.push_back(function.getArgument(at));
    }
    size_t count = elementTypes(type).size();
    SparseBuffers its = {type,
                         SmallVector<Value>(ArrayRef(parts).take_front(count)),
                         extentsOf(type, ArrayRef(parts).drop_front(count))};
    setOwned(replace(argument, its), its.buffers);
    (void)function.eraseArgument(number);
    number += static_cast<unsigned>(types.size());
  }
}

void Flattener::lowerConvert(ConvertOp op) {
  Value source = op.getSource();
  auto type = cast<RankedTensorType>(op.getType());
  if (!isSparse(type))
    return;
  SparseBuffers before;
  if (isSparse(source.getType())) {
    before = buffersOf(source);
  } else {
    before.type = cast<RankedTensorType>(source.getType());
    auto buffer =
        MemRefType::get(before.type.getShape(), before.type.getElementType());
    Value elements = bufferization::ToBufferOp::create(builder, buffer, source,
                                                       /*read_only=*/true);
    for (auto [d, extent] : llvm::enumerate(buffer.getShape()))
      before.extents.push_back(
          ShapedType::isDynamic(extent)
              ? OpFoldResult(memref::DimOp::create(builder, elements,
                                                   static_cast<int64_t>(d))
                                 .getResult())
              : OpFoldResult(builder.getIndexAttr(extent)));
    if (buffer.getRank() > 1) {
      ReassociationIndices all =
          llvm::to_vector(llvm::seq<int64_t>(0, buffer.getRank()));
      elements = memref::CollapseShapeOp::create(
          builder, elements, ArrayRef<ReassociationIndices>(all));
    }
    before.buffers.push_back(elements);
  }
  SparseBuffers after = convertBuffers(
      code, before, type, [&](Value buffer) { return freed.contains(buffer); });
  SmallVector<Value> made;
  // Shared buffers belong to the source.
  for (Value buffer : after.buffers)
    if (!llvm::is_contained(before.buffers, buffer)) {
      made.push_back(buffer);
      allocated.insert(buffer);
    }
  Value tensor = replace(op, after);
  // Passes that follow free it otherwise.
  if (freesMemory)
    setOwned(tensor, std::move(made));
  op.erase();
}

void Flattener::lowerCall(func::CallOp op) {
  if (llvm::none_of(op.getOperandTypes(), isSparse))
    return;
  SmallVector<Value> operands;
  for (Value operand : op.getOperands()) {
    if (!isSparse(operand.getType())) {
      operands.push_back(operand);
      continue;
    }
    SparseBuffers its = buffersOf(operand);
    llvm::append_range(operands, its.buffers);
    for (auto [extent, size] :
         llvm::zip_equal(its.extents, its.type.getShape()))
      if (ShapedType::isDynamic(size))
        operands.push_back(cast<Value>(extent));
  }
  op->setOperands(operands);
}

void Flattener::setOwned(Value tensor, SmallVector<Value> buffers) {
  if (isDeallocated(tensor))
    freed.insert(buffers.begin(), buffers.end());
  owned[tensor] = std::move(buffers);
}

Value Flattener::ownBuffer(Value buffer, llvm::SmallDenseSet<Value> &returned) {
  // The caller frees each result by itself, so a result must be neither a
  // buffer of an argument nor one that is returned already.
  bool isOwn =
      allocated.contains(buffer) || buffer.getDefiningOp<memref::AllocOp>();
  if (isOwn && returned.insert(buffer).second)
    return buffer;
  Value copy = code.allocate(
      cast<MemRefType>(buffer.getType()).getElementType(), code.length(buffer));
  code.copy(buffer, copy);
  return copy;
}

LogicalResult Flattener::lowerReturn(func::ReturnOp op) {
  if (llvm::none_of(op.getOperandTypes(), isSparse))
    return success();
  SmallVector<Value> results;
  llvm::SmallDenseSet<Value> returned;
  for (Value result : op.getOperands()) {
    if (!isSparse(result.getType())) {
      results.push_back(result);
      continue;
    }
    if (!known.contains(result))
      return op.emitError()
             << "returns a sparse tensor that an op computes, which isn't "
                "supported; return a dense one, as of the entries' values";
    SparseBuffers its = known.lookup(result);
    for (Value buffer : its.buffers)
      results.push_back(ownBuffer(buffer, returned));
    for (auto [extent, size] :
         llvm::zip_equal(its.extents, its.type.getShape()))
      if (ShapedType::isDynamic(size))
        results.push_back(cast<Value>(extent));
  }
  op->setOperands(results);
  return success();
}

void Flattener::lowerDealloc(bufferization::DeallocTensorOp op) {
  if (!isSparse(op.getTensor().getType()))
    return;
  for (Value buffer : owned.lookup(op.getTensor()))
    memref::DeallocOp::create(builder, buffer)
        // Upstream's deallocation pass rejects ops without this attribute.
        ->setDiscardableAttr(
            bufferization::BufferizationDialect::kManualDeallocation,
            builder.getUnitAttr());
  op.erase();
}

LogicalResult Flattener::lower(Operation *op) {
  builder.setInsertionPoint(op);
  builder.setLoc(op->getLoc());
  auto replaceBy = [&](Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  };
  auto readBuffer = [&](Value tensor, Value buffer) {
    if (known.contains(tensor) &&
        buffer.getType() == op->getResult(0).getType())
      replaceBy(buffer);
  };
  /// The buffers of level `l` begin there.
  auto beginOf = [&](Value tensor, Level l) {
    size_t begin = 0;
    for (LevelType level :
         encodingOf(tensor.getType()).getLvlTypes().take_front(l))
      begin += size_t(level.isWithPosLT()) + size_t(level.isWithCrdLT());
    return begin;
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](AssembleOp op) {
        auto type = cast<RankedTensorType>(op.getType());
        SparseBuffers its = {type, {}, extentsOf(type, {})};
        for (Value operand : op->getOperands())
          its.buffers.push_back(asBuffer(operand));
        replace(op, its);
        op->erase();
        return success();
      })
      .Case([&](tensor::CastOp op) {
        auto type = dyn_cast<RankedTensorType>(op.getType());
        if (!type || !isSparse(type) || !isSparse(op.getSource().getType()))
          return success();
        SparseBuffers its = buffersOf(op.getSource());
        its.type = type;
        for (auto [extent, size] :
             llvm::zip_equal(its.extents, type.getShape()))
          if (!ShapedType::isDynamic(size))
            extent = builder.getIndexAttr(size);
          else
            extent = code.valueOf(extent);
        // A cast has the same memory, which is freed by either name.
        SmallVector<Value> buffers = owned.lookup(op.getSource());
        owned[replace(op, its)] = std::move(buffers);
        op.erase();
        return success();
      })
      .Case([&](ConvertOp op) { return lowerConvert(op), success(); })
      .Case([&](ToPositionsOp op) {
        Value tensor = op.getTensor();
        if (known.contains(tensor))
          readBuffer(
              tensor,
              known.lookup(tensor).buffers[beginOf(tensor, op.getLevel())]);
        return success();
      })
      .Case([&](ToCoordinatesOp op) {
        Value tensor = op.getTensor();
        if (!known.contains(tensor))
          return success();
        Level l = op.getLevel();
        // Positions come before the coordinates of the same level.
        bool hasPositions =
            encodingOf(tensor.getType()).getLvlTypes()[l].isWithPosLT();
        readBuffer(
            tensor,
            known.lookup(tensor).buffers[beginOf(tensor, l) + hasPositions]);
        return success();
      })
      .Case([&](ToValuesOp op) {
        Value tensor = op.getTensor();
        if (known.contains(tensor))
          readBuffer(tensor, known.lookup(tensor).values());
        return success();
      })
      .Case([&](NumberOfEntriesOp op) {
        if (known.contains(op.getTensor()))
          replaceBy(code.length(known.lookup(op.getTensor()).values()));
        return success();
      })
      .Case([&](tensor::DimOp op) {
        std::optional<int64_t> d = op.getConstantIndex();
        if (d && known.contains(op.getSource()))
          replaceBy(code.valueOf(known.lookup(op.getSource()).extents[*d]));
        return success();
      })
      .Case([&](bufferization::DeallocTensorOp op) {
        return lowerDealloc(op), success();
      })
      .Case([&](func::CallOp op) { return lowerCall(op), success(); })
      .Case([&](func::ReturnOp op) { return lowerReturn(op); })
      .Default([](Operation *) { return success(); });
}

LogicalResult Flattener::run() {
  // Code that is added has no sparse tensors.
  SmallVector<Operation *> ops;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  takeArguments();
  for (Operation *op : ops)
    if (failed(lower(op)))
      return failure();
  // There has to be one dictionary for each result, and there are more results
  // now.
  if (llvm::any_of(function.getResultTypes(), isSparse))
    function.removeResAttrsAttr();
  function.setFunctionType(
      FunctionType::get(function.getContext(), function.getArgumentTypes(),
                        flatTypes(function.getResultTypes())));
  // Users come behind what they use, so they go first.
  for (Operation *op : llvm::reverse(assembled))
    if (op->use_empty())
      op->erase();
  return success();
}

LogicalResult baco::target::flattenSparseTensors(ModuleOp module) {
  SmallVector<func::FuncOp> functions =
      llvm::filter_to_vector(module.getOps<func::FuncOp>(), hasSparseTensors);
  for (func::FuncOp function : functions) {
    dropLibraryBranches(function);
    joinConversions(function);
  }
  for (func::FuncOp function : functions)
    if (failed(checkFunction(function)))
      return failure();
  for (func::FuncOp function : functions)
    if (failed(Flattener(function).run()))
      return failure();
  return success();
}
