//===- ShapeVersions.cpp - Versions of a function and dispatch ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Casts to the static types are where a function begins, so that upstream's
// folders carry them into its ops.
//
//===----------------------------------------------------------------------===//

#include "ShapeVersions.h"
#include "LowerForms.h"

#include "baco/IR/BacoDialect.h"
#include "baco/IR/NoTune.h"
#include "baco/IR/SparseEncoding.h"
#include "baco/KernelAnalysis/KernelSignature.h"
#include "baco/Schedule/Annotate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace baco::frontend;

/// `value` as one of `type`.
static Value castTo(OpBuilder &builder, Location loc, Type type, Value value) {
  if (value.getType() == type)
    return value;
  if (isa<TensorType>(type))
    return tensor::CastOp::create(builder, loc, type, value);
  return memref::CastOp::create(builder, loc, type, value);
}

//===----------------------------------------------------------------------===//
// Versions
//===----------------------------------------------------------------------===//

/// The name of a version: `f_512x64_64xn`.
static std::string versionName(func::FuncOp function, const Extents &extents) {
  std::string name = function.getName().str();
  constexpr size_t longest = 80;
  for (auto [type, its] :
       llvm::zip_equal(function.getArgumentTypes(), extents)) {
    if (!its.empty() && !cast<ShapedType>(type).hasStaticShape() &&
        name.size() < longest)
      name += "_" +
              llvm::join(llvm::map_range(its,
                                         [](int64_t extent) {
                                           return isOpenExtent(extent)
                                                      ? "n"
                                                      : std::to_string(extent);
                                         }),
                         "x");
  }
  return name == function.getName() ? name + "_noalias" : name;
}

/// Gives the arguments of `version` their static types.
static void setArguments(func::FuncOp version, const Extents &extents) {
  Block &entry = version.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  for (auto [argument, its] : llvm::zip_equal(entry.getArguments(), extents)) {
    Type dynamic = argument.getType();
    Type type = its.empty() ? dynamic : withExtents(dynamic, its);
    if (type == dynamic)
      continue;
    argument.setType(type);
    Value cast = castTo(builder, argument.getLoc(), dynamic, argument);
    argument.replaceAllUsesExcept(cast, cast.getDefiningOp());
  }
  version.setType(FunctionType::get(version.getContext(),
                                    entry.getArgumentTypes(),
                                    version.getResultTypes()));
}

void baco::frontend::foldMemoryCasts(func::FuncOp function) {
  function.walk([](linalg::LinalgOp op) {
    for (OpOperand &operand : op->getOpOperands())
      if (auto cast = operand.get().getDefiningOp<memref::CastOp>();
          cast && memref::CastOp::canFoldIntoConsumerOp(cast))
        operand.set(cast.getSource());
  });
}

LogicalResult baco::frontend::foldShapes(func::FuncOp function) {
  PassManager manager(function.getContext(), func::FuncOp::getOperationName());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(memref::createResolveShapedTypeResultDimsPass());
  manager.addPass(createSCCPPass());
  manager.addPass(createCSEPass());
  manager.addPass(createCanonicalizerPass());
  if (failed(manager.run(function)))
    return failure();
  foldMemoryCasts(function);
  separateResults(function);
  return success();
}

/// Gives the results of `version` the static types that all returns cast from.
static void setResults(func::FuncOp version) {
  SmallVector<func::ReturnOp> returns;
  for (Block &block : version.getBody())
    if (auto end = dyn_cast<func::ReturnOp>(block.getTerminator()))
      returns.push_back(end);
  SmallVector<Type> types(version.getResultTypes());
  auto sourceOf = [](Value value) {
    Operation *op = value.getDefiningOp();
    return isa_and_nonnull<memref::CastOp, tensor::CastOp>(op)
               ? op->getOperand(0)
               : value;
  };
  for (auto [i, type] : llvm::enumerate(types)) {
    auto source = [&](func::ReturnOp end) {
      return sourceOf(end.getOperand(i));
    };
    if (returns.empty())
      break;
    Type better = source(returns.front()).getType();
    auto shaped = dyn_cast<ShapedType>(better);
    if (!shaped || !shaped.hasRank() || !shaped.hasStaticShape() ||
        !llvm::all_of(returns, [&](func::ReturnOp end) {
          return source(end).getType() == better;
        }))
      continue;
    for (func::ReturnOp end : returns) {
      Operation *cast = end.getOperand(i).getDefiningOp();
      end.setOperand(i, source(end));
      if (cast && isOpTriviallyDead(cast))
        cast->erase();
    }
    type = better;
  }
  version.setType(FunctionType::get(version.getContext(),
                                    version.getArgumentTypes(), types));
}

llvm::Expected<func::FuncOp>
baco::frontend::makeVersion(func::FuncOp function, const Extents &extents,
                            func::FuncOp previous) {
  func::FuncOp version = function.clone();
  version.setName(versionName(function, extents));
  version.setPrivate();
  // External callers use the C interface of the original function.
  version->removeDiscardableAttr("llvm.emit_c_interface");
  auto module = function->getParentOfType<ModuleOp>();
  SymbolTable(module).insert(version, std::next(previous->getIterator()));
  std::string why;
  ScopedDiagnosticHandler handler(
      function.getContext(), [&](Diagnostic &diagnostic) {
        if (why.empty() &&
            diagnostic.getSeverity() == DiagnosticSeverity::Error)
          why = diagnostic.str();
        return success();
      });
  setArguments(version, extents);
  inlineDynamicResults(version);
  LogicalResult folded = foldShapes(version);
  if (succeeded(folded) && countOpenExtents(extents) > 0) {
    if (llvm::Error error = openVersion(version, extents)) {
      version.erase();
      return std::move(error);
    }
    folded = foldShapes(version);
  }
  if (succeeded(folded)) {
    setResults(version);
    if (succeeded(verify(version)))
      return version;
  }
  version.erase();
  return llvm::createStringError(why);
}

/// The error says why `version` of `function` can't be a kernel.
static llvm::Error checkKernel(func::FuncOp function, func::FuncOp version) {
  for (BlockArgument argument : function.getArguments())
    if (auto encoding = baco::encodingOf(argument.getType());
        encoding && encoding.isAllDense() && isDynamic(argument))
      return llvm::createStringError(
          "argument " + Twine(argument.getArgNumber()) +
          " is sparse, and all of its levels are dense, of which upstream "
          "makes no tensor of static shape; write its extents in its type");
  for (auto [i, type] : llvm::enumerate(version.getArgumentTypes())) {
    auto memref = dyn_cast<MemRefType>(type);
    if (memref && !memref.getLayout().isIdentity())
      return llvm::createStringError("argument " + Twine(i) +
                                     " isn't contiguous");
    if (isa<UnrankedMemRefType, UnrankedTensorType>(type))
      return llvm::createStringError("argument " + Twine(i) + " has no rank");
  }
  for (auto [i, type] : llvm::enumerate(version.getResultTypes()))
    if (auto shaped = dyn_cast<ShapedType>(type);
        shaped && !(shaped.hasRank() && shaped.hasStaticShape()))
      return llvm::createStringError(
          "the shape of result " + Twine(i) +
          " doesn't follow from those of the arguments");
  if (!baco::schedule::hasOpsToTune(version))
    return llvm::createStringError("its ops take about a microsecond");
  return llvm::Error::success();
}

llvm::Expected<func::FuncOp> baco::frontend::makeKernel(func::FuncOp function,
                                                        const Extents &extents,
                                                        func::FuncOp previous) {
  auto version = makeVersion(function, extents, previous);
  if (!version)
    return version;
  if (llvm::Error error = checkKernel(function, *version)) {
    version->erase();
    return std::move(error);
  }
  return version;
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

namespace {
/// Writes the conditions of versions, with each extent read once.
class ConditionWriter {
public:
  ConditionWriter(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc) {}

  /// Whether `value` has `type`, which its own may be cast to.
  void require(Value value, Type type);
  /// The memory of different arguments of a version, which `values` are passed
  /// to, isn't the same where one of them is written.
  void requireApart(ValueRange values, func::FuncOp version);
  /// Extents that `version`, which `values` are passed to, takes for one are
  /// equal.
  void requireEqualExtents(ValueRange values, func::FuncOp version);
  /// Whether all that was required since the last call holds; null if nothing
  /// was.
  Value take();

private:
  Value constant(int64_t number);
  Value extent(Value shaped, int64_t dim);
  memref::ExtractStridedMetadataOp metadata(Value memory);
  void requireLayout(Value memory, MemRefType type);
  void requireEqual(Value actual, Value expected);
  void require(Value condition);
  Value begin(Value memory);

  OpBuilder &builder;
  Location loc;
  Value all;
  llvm::DenseMap<int64_t, Value> constants;
  llvm::DenseMap<std::pair<Value, int64_t>, Value> extents;
  llvm::DenseMap<Value, memref::ExtractStridedMetadataOp> layouts;
  llvm::DenseMap<Value, Value> begins;
};
} // namespace

Value ConditionWriter::constant(int64_t number) {
  Value &known = constants[number];
  if (!known)
    known = arith::ConstantIndexOp::create(builder, loc, number);
  return known;
}

Value ConditionWriter::extent(Value shaped, int64_t dim) {
  Value index = constant(dim);
  Value &known = extents[{shaped, dim}];
  if (!known)
    known = isa<TensorType>(shaped.getType())
                ? Value(tensor::DimOp::create(builder, loc, shaped, index))
                : Value(memref::DimOp::create(builder, loc, shaped, index));
  return known;
}

memref::ExtractStridedMetadataOp ConditionWriter::metadata(Value memory) {
  memref::ExtractStridedMetadataOp &known = layouts[memory];
  if (!known)
    known = memref::ExtractStridedMetadataOp::create(builder, loc, memory);
  return known;
}

void ConditionWriter::requireEqual(Value actual, Value expected) {
  require(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, actual,
                                expected));
}

void ConditionWriter::require(Value condition) {
  all = all ? arith::AndIOp::create(builder, loc, all, condition).getResult()
            : condition;
}

/// The address of the contiguous memory of an argument: versions have no
/// offset.
Value ConditionWriter::begin(Value memory) {
  Value &known = begins[memory];
  if (!known)
    known =
        memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memory);
  return known;
}

void ConditionWriter::requireApart(ValueRange values, func::FuncOp version) {
  DataLayout layout = DataLayout::closest(version);
  auto end = [&](unsigned number) -> Value {
    auto type = cast<MemRefType>(version.getArgumentTypes()[number]);
    int64_t knownBytes =
        layout.getTypeSize(type.getElementType()).getFixedValue();
    for (int64_t its : type.getShape())
      if (!ShapedType::isDynamic(its))
        knownBytes *= its;
    Value bytes = constant(knownBytes);
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        bytes = arith::MulIOp::create(builder, loc, bytes,
                                      extent(values[number], dim));
    return arith::AddIOp::create(builder, loc, begin(values[number]), bytes);
  };
  auto isBehind = [&](unsigned number, unsigned other) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge,
                                 begin(values[number]), end(other));
  };
  SmallVector<unsigned> memories;
  for (auto [number, type] : llvm::enumerate(version.getArgumentTypes()))
    if (isa<MemRefType>(type))
      memories.push_back(number);
  for (auto [i, first] : llvm::enumerate(memories))
    for (unsigned second : ArrayRef(memories).drop_front(i + 1))
      if (baco::target::mayWrite(version.getArgument(first)) ||
          baco::target::mayWrite(version.getArgument(second)))
        require(arith::OrIOp::create(builder, loc, isBehind(first, second),
                                     isBehind(second, first)));
}

void ConditionWriter::requireLayout(Value memory, MemRefType type) {
  auto dynamic = cast<MemRefType>(memory.getType());
  SmallVector<int64_t> strides, ownStrides;
  int64_t offset, ownOffset;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      failed(dynamic.getStridesAndOffset(ownStrides, ownOffset)) ||
      dynamic.getLayout().isIdentity())
    return;
  if (ShapedType::isDynamic(ownOffset) && !ShapedType::isDynamic(offset))
    requireEqual(metadata(memory).getOffset(), constant(offset));
  for (auto [i, stride] : llvm::enumerate(strides)) {
    if (!ShapedType::isDynamic(ownStrides[i]))
      continue;
    ValueRange actual = metadata(memory).getStrides();
    if (!ShapedType::isDynamic(stride))
      requireEqual(actual[i], constant(stride));
    else if (i + 1 < strides.size())
      requireEqual(actual[i], arith::MulIOp::create(builder, loc, actual[i + 1],
                                                    extent(memory, i + 1)));
  }
}

void ConditionWriter::requireEqualExtents(ValueRange values,
                                          func::FuncOp version) {
  llvm::DenseMap<int64_t, Value> first;
  forEachOpenExtent(version,
                    [&](unsigned number, unsigned dim, int64_t measured) {
                      Value its = extent(values[number], dim);
                      auto [known, isNew] = first.insert({measured, its});
                      if (!isNew)
                        requireEqual(its, known->second);
                    });
}

void ConditionWriter::require(Value value, Type type) {
  if (value.getType() == type)
    return;
  auto dynamic = cast<ShapedType>(value.getType());
  for (auto [dim, its] : llvm::enumerate(cast<ShapedType>(type).getShape()))
    if (dynamic.isDynamicDim(dim) && !ShapedType::isDynamic(its))
      requireEqual(extent(value, dim), constant(its));
  if (auto memref = dyn_cast<MemRefType>(type))
    requireLayout(value, memref);
}

Value ConditionWriter::take() { return std::exchange(all, Value()); }

/// Moves the body of `function` to a private function of its own, so that
/// `function` has one block.
static void moveBody(func::FuncOp function) {
  func::FuncOp other = function.clone();
  other.setName((function.getName() + "_other").str());
  other.setPrivate();
  other->removeDiscardableAttr("llvm.emit_c_interface");
  SymbolTable(function->getParentOfType<ModuleOp>())
      .insert(other, std::next(function->getIterator()));
  baco::markNoTune(other);
  SmallVector<Location> places = llvm::map_to_vector(
      function.getArguments(), [](BlockArgument one) { return one.getLoc(); });
  function.getBody().dropAllReferences();
  function.getBody().getBlocks().clear();
  auto *entry = new Block;
  entry->addArguments(function.getArgumentTypes(), places);
  function.getBody().push_back(entry);
  OpBuilder builder = OpBuilder::atBlockEnd(entry);
  auto call = func::CallOp::create(builder, function.getLoc(), other,
                                   entry->getArguments());
  func::ReturnOp::create(builder, function.getLoc(), call.getResults());
}

/// Calls `version` in `builder`'s block, and yields the results of the
/// function.
static void callVersion(OpBuilder &builder, func::FuncOp function,
                        func::FuncOp version) {
  Location loc = function.getLoc();
  SmallVector<Value> operands, results;
  for (auto [argument, type] :
       llvm::zip_equal(function.getArguments(), version.getArgumentTypes()))
    operands.push_back(castTo(builder, loc, type, argument));
  auto call = func::CallOp::create(builder, loc, version, operands);
  for (auto [result, type] :
       llvm::zip_equal(call.getResults(), function.getResultTypes()))
    results.push_back(castTo(builder, loc, type, result));
  scf::YieldOp::create(builder, loc, results);
}

void baco::frontend::dispatch(func::FuncOp function,
                              ArrayRef<func::FuncOp> versions) {
  if (!function.getBody().hasOneBlock())
    moveBody(function);
  // Its ops are for shapes that aren't tuned.
  function.walk([](Operation *op) {
    op->removeDiscardableAttr(baco::BacoDialect::kRecipe);
  });
  Block &entry = function.getBody().front();
  Location loc = function.getLoc();
  Operation *end = entry.getTerminator();
  Operation *firstOwn = &entry.front();
  OpBuilder builder(function.getContext());
  builder.setInsertionPoint(firstOwn);
  ConditionWriter writer(builder, loc);
  SmallVector<mlir::Value> conditions;
  for (func::FuncOp version : versions) {
    for (auto [argument, type] :
         llvm::zip_equal(function.getArguments(), version.getArgumentTypes()))
      writer.require(argument, type);
    writer.requireEqualExtents(function.getArguments(), version);
    writer.requireApart(function.getArguments(), version);
    conditions.push_back(writer.take());
  }
  Block *otherwise = nullptr;
  scf::IfOp first;
  for (auto [condition, version] : llvm::zip_equal(conditions, versions)) {
    auto branch = scf::IfOp::create(builder, loc, function.getResultTypes(),
                                    condition, /*addThenBlock=*/true,
                                    /*addElseBlock=*/true);
    if (otherwise)
      scf::YieldOp::create(builder, loc, branch.getResults());
    else
      first = branch;
    builder.setInsertionPointToEnd(branch.thenBlock());
    callVersion(builder, function, version);
    otherwise = branch.elseBlock();
    builder.setInsertionPointToEnd(otherwise);
  }
  otherwise->getOperations().splice(otherwise->end(), entry.getOperations(),
                                    firstOwn->getIterator(),
                                    end->getIterator());
  scf::YieldOp::create(builder, loc, end->getOperands());
  end->setOperands(first.getResults());
}
