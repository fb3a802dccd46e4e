//===- OpenClPrinter.cpp - Kernels as OpenCL C ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions and control flow. A kernel takes a memref as a buffer and a
// distance in bytes from its beginning, which OpenCL can't pass as one, and a
// scalar as the word that has its bits.
//
//===----------------------------------------------------------------------===//

#include "OpenClPrinter.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace baco;
using namespace baco::target;

LogicalResult OpenClPrinter::refuse(Operation *op, const Twine &why) {
  return emitError(op->getLoc())
         << "'" << op->getName()
         << "' in a kernel can't be written in OpenCL C: " << why;
}

LogicalResult OpenClPrinter::checkType(Operation *op, Type type) {
  if (auto memref = dyn_cast<MemRefType>(type)) {
    // Vectors in memory would need an alignment that vloads don't have.
    // Their elements are scalars after the schedule.
    if (memref.getElementType().isIntOrIndexOrFloat())
      return checkType(op, memref.getElementType());
    return refuse(op, "it has memory with elements that aren't scalars");
  }
  std::optional<PieceLayout> layout = layoutOf(type);
  if (!layout) {
    InFlightDiagnostic diag = emitError(op->getLoc());
    return diag << "'" << op->getName()
                << "' in a kernel can't be written in OpenCL C, which has no "
                   "type for "
                << type;
  }
  // A type that a program uses needs its extension's pragma, and a device
  // that has it.
  for (auto [isOne, has, flag, name] :
       {std::tuple(layout->element.isF16(), device.getHalf(), &usesHalf,
                   "f16 (cl_khr_fp16)"),
        std::tuple(layout->element.isF64(), device.getDoubles(), &usesDouble,
                   "f64 (cl_khr_fp64)")})
    if (isOne) {
      *flag = true;
      if (!has)
        return refuse(op,
                      "the device '" + device.getName() + "' has no " + name);
    }
  return success();
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

llvm::raw_ostream &OpenClPrinter::line() { return os.indent(2 * indent); }

std::string OpenClPrinter::bind(Type element, int64_t width,
                                const Twine &text) {
  std::string name = fresh();
  line() << "const " << nameType(element, width) << " " << name << " = " << text
         << ";\n";
  return name;
}

LogicalResult
OpenClPrinter::define(Operation *op,
                      function_ref<std::string(size_t, int64_t)> write) {
  PieceLayout layout = *layoutOf(op->getResult(0).getType());
  ClValue value;
  for (auto [place, width] : llvm::enumerate(layout.widths))
    value.pieces.push_back(bind(layout.element, width, write(place, width)));
  values[op->getResult(0)] = std::move(value);
  return success();
}

ClValue OpenClPrinter::declare(Type type, const ClValue *from) {
  ClValue value;
  auto memref = dyn_cast<MemRefType>(type);
  PieceLayout layout =
      memref ? PieceLayout{memref.getElementType(), {1}} : *layoutOf(type);
  if (from)
    value.space = from->space;
  // Each piece is a variable. That of a result has no value before a branch
  // assigns it.
  for (auto [place, width] : llvm::enumerate(layout.widths)) {
    std::string name = fresh();
    line() << (memref ? pointerTo(value.space, layout.element)
                      : nameType(layout.element, width) + " ")
           << name;
    if (from)
      os << " = " << from->pieces[place];
    os << ";\n";
    value.pieces.push_back(std::move(name));
  }
  return value;
}

void OpenClPrinter::assign(ArrayRef<ClValue> to, ValueRange from) {
  struct Move {
    std::string type, name, text;
  };
  SmallVector<Move> moves;
  for (auto [target, source] : llvm::zip_equal(to, from)) {
    auto memref = dyn_cast<MemRefType>(source.getType());
    PieceLayout layout = memref ? PieceLayout{memref.getElementType(), {1}}
                                : *layoutOf(source.getType());
    for (auto [place, width] : llvm::enumerate(layout.widths))
      // A value that stays as it is needs no code.
      if (piece(source, place) != target.pieces[place])
        moves.push_back({memref ? pointerTo(target.space, layout.element)
                                : nameType(layout.element, width) + " ",
                         target.pieces[place], piece(source, place)});
  }
  // All are read before one is written: an iteration may exchange them. A name
  // may be a part of another, which only costs a copy.
  for (Move &move : moves) {
    // Only what another move overwrites has to be kept.
    bool isRead = llvm::any_of(moves, [&](const Move &other) {
      return &other != &move && StringRef(move.text).contains(other.name);
    });
    if (!isRead)
      continue;
    std::string copy = fresh();
    line() << move.type << copy << " = " << move.text << ";\n";
    move.text = copy;
  }
  for (const Move &move : moves)
    line() << move.name << " = " << move.text << ";\n";
}

SmallVector<Lane> OpenClPrinter::lanes(Value value) {
  return lanesOf(valueOf(value), *layoutOf(value.getType()));
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Whether OpenCL C takes `name` for a function of the program.
static bool isName(StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

FailureOr<std::string> OpenClPrinter::print(gpu::GPUModuleOp kernels) {
  // Constants are in the order of the module, which is before their use:
  // they are in the head, whichever comes first.
  for (Operation &op : kernels.getBodyRegion().front())
    if (auto kernel = dyn_cast<gpu::GPUFuncOp>(op)) {
      if (failed(printKernel(kernel)))
        return failure();
    } else if (auto global = dyn_cast<memref::GlobalOp>(op)) {
      if (failed(printConstant(global)))
        return failure();
    } else {
      return refuse(&op, "only kernels and constants can be");
    }
  std::string text;
  if (usesDouble)
    text += "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
  if (usesHalf)
    text += "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
  // As on other targets.
  text += "#pragma OPENCL FP_CONTRACT ON\n";
  return text + head + body;
}

LogicalResult OpenClPrinter::printKernel(gpu::GPUFuncOp kernel) {
  if (!isName(kernel.getName()))
    return refuse(kernel, "the name '" + kernel.getName() +
                              "' has other characters than letters, digits "
                              "and _; rename the function");
  if (kernel.getNumResults() > 0 || !kernel.isKernel())
    return refuse(kernel, "it isn't a kernel");
  if (!kernel.getBody().hasOneBlock())
    return refuse(kernel, "it has several blocks; use loops and branches of "
                          "the scf dialect");
  // The size of a group is known where the launch's is constant, and lets
  // the device's compiler unroll loops over work-items.
  os << "\n__kernel ";
  if (std::optional<ArrayRef<int32_t>> size = kernel.getKnownBlockSize())
    os << "__attribute__((reqd_work_group_size(" << (*size)[0] << ", "
       << (*size)[1] << ", " << (*size)[2] << ")))\n";
  os << "void " << kernel.getName() << "(";
  indent = 1;
  std::string before;
  // Parameters come first, and then what is made of them.
  // The stream writes to the same string.
  std::swap(before, body);
  std::string parameters;
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
    if (failed(printArgument(kernel, i, parameters)))
      return failure();
  for (BlockArgument array : kernel.getWorkgroupAttributions())
    if (failed(declareArray(kernel, array, "__local ")))
      return failure();
  for (BlockArgument array : kernel.getPrivateAttributions())
    if (failed(declareArray(kernel, array, "")))
      return failure();
  // Local memory can only be declared in the outermost block.
  if (failed(declareDynamicMemory(kernel)))
    return failure();
  body = before + parameters + ") {\n" + body;
  if (failed(printBlock(kernel.getBody().front())))
    return failure();
  os << "}\n";
  return success();
}

/// The memory that launches give a block is an array of the kernel here.
LogicalResult OpenClPrinter::declareDynamicMemory(gpu::GPUFuncOp kernel) {
  SmallVector<gpu::DynamicSharedMemoryOp> uses;
  kernel.walk([&](gpu::DynamicSharedMemoryOp op) { uses.push_back(op); });
  if (uses.empty())
    return success();
  int64_t bytes = 0;
  auto module = kernel->getParentOfType<ModuleOp>();
  // A kernel may be launched several times, with the memory that the
  // largest launch has.
  WalkResult result = module.walk([&](gpu::LaunchFuncOp launch) {
    if (launch.getKernelName() != kernel.getName() ||
        launch.getKernelModuleName() !=
            kernel->getParentOfType<gpu::GPUModuleOp>().getName())
      return WalkResult::advance();
    Value size = launch.getDynamicSharedMemorySize();
    std::optional<int64_t> known =
        size ? getConstantIntValue(size) : std::optional<int64_t>(0);
    if (!known)
      return WalkResult::interrupt();
    bytes = std::max(bytes, *known);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return refuse(uses.front(), "its size isn't constant at the launch");
  std::string name = fresh();
  line() << "__local uchar " << name << "[" << std::max<int64_t>(1, bytes)
         << "] __attribute__((aligned(16)));\n";
  for (gpu::DynamicSharedMemoryOp use : uses)
    values[use] = {{name}, "__local "};
  return success();
}

/// The offset of a memref from its aligned pointer; nothing if it isn't known.
static std::optional<int64_t> offsetOf(MemRefType type) {
  int64_t offset = 0;
  SmallVector<int64_t> strides;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(offset))
    return std::nullopt;
  return offset;
}

LogicalResult OpenClPrinter::printArgument(gpu::GPUFuncOp kernel,
                                           unsigned index,
                                           std::string &parameters) {
  Value argument = kernel.getArgument(index);
  Type type = argument.getType();
  std::string name = "arg" + std::to_string(index);
  if (index > 0)
    parameters += ", ";
  if (failed(checkType(kernel, type)))
    return failure();
  if (auto memref = dyn_cast<MemRefType>(type)) {
    // The host passes the address of the memory, not of the first element.
    std::optional<int64_t> offset = offsetOf(memref);
    if (!offset)
      return refuse(kernel, "argument " + Twine(index) +
                                " begins at an offset that isn't known");
    // Buffers that may overlap, as two views of one memory, have no
    // qualifier.
    bool isDistinct =
        kernel.getArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName()) !=
        nullptr;
    parameters += "__global uchar *" +
                  std::string(isDistinct ? "restrict " : "") + name +
                  "_buffer, ulong " + name + "_bytes";
    std::string pointer = pointerTo("__global ", memref.getElementType());
    line() << pointer << "const " << name << " = (" << pointer << ")(" << name
           << "_buffer + " << name << "_bytes)";
    if (*offset != 0)
      os << " + " << *offset;
    os << ";\n";
    values[argument] = {{name}, "__global "};
    return success();
  }
  if (isa<VectorType>(type))
    return refuse(kernel, "argument " + Twine(index) + " is a vector");
  parameters += "ulong " + name + "_word";
  line() << "const " << nameType(type) << " " << name << " = ";
  unsigned bits = widthOf(type);
  // A word has the bits in its lowest ones; OpenCL C has no kernels that
  // take truth values.
  if (bits == 1)
    os << "(int)(" << name << "_word & 1)";
  else if (isa<FloatType>(type))
    os << "as_" << nameType(type) << "((u"
       << (bits == 64   ? "long"
           : bits == 32 ? "int"
                        : "short")
       << ")" << name << "_word)";
  else
    os << "(" << nameType(type) << ")" << name << "_word";
  os << ";\n";
  values[argument] = {{name}, ""};
  return success();
}

LogicalResult OpenClPrinter::declareArray(Operation *op, Value memref,
                                          StringRef space) {
  auto type = cast<MemRefType>(memref.getType());
  if (failed(checkType(op, type)))
    return failure();
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return refuse(op, "an array has no static shape");
  // An array of no elements isn't allowed. Vectors are accessed at multiples
  // of their size often, which the alignment makes fast.
  std::string name = fresh();
  line() << space << nameInMemory(type.getElementType()) << " " << name << "["
         << std::max<int64_t>(1, type.getNumElements())
         << "] __attribute__((aligned(16)));\n";
  values[memref] = {{name}, space};
  return success();
}

LogicalResult OpenClPrinter::printConstant(memref::GlobalOp global) {
  auto type = global.getType();
  // Data that isn't in the module would have no text.
  auto data = dyn_cast_or_null<DenseElementsAttr>(
      global.getInitialValue().value_or(nullptr));
  if (failed(checkType(global, type)))
    return failure();
  if (!data || !global.getConstant() || !type.getLayout().isIdentity())
    return refuse(global, "only constants with elements can be global");
  if (!isName(global.getName()))
    return refuse(global, "the name '" + global.getName() +
                              "' has other characters than letters, digits "
                              "and _; rename it");
  Type element = type.getElementType();
  llvm::raw_string_ostream out(head);
  out << "__constant " << nameInMemory(element) << " global_"
      << global.getName() << "[" << type.getNumElements() << "] = {";
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    out << (i > 0 ? ", " : "");
    if (isa<FloatType>(element))
      out << writeFloat(data.getValues<APFloat>()[i], element);
    else
      out << writeInteger(data.getValues<APInt>()[i], element);
  }
  out << "};\n";
  return success();
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

LogicalResult OpenClPrinter::printBlock(Block &block) {
  for (Operation &op : block)
    if (failed(printOp(&op)))
      return failure();
  return success();
}

LogicalResult OpenClPrinter::printOp(Operation *op) {
  for (Type type : op->getOperandTypes())
    if (failed(checkType(op, type)))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(checkType(op, type)))
      return failure();
  StringRef dialect = op->getName().getDialectNamespace();
  // A dialect has a function that refuses what it doesn't know.
  if (dialect == "arith")
    return printArith(op);
  if (dialect == "math")
    return printMath(op);
  if (dialect == "vector")
    return printVector(op);
  if (dialect == "memref")
    return printMemRef(op);
  if (dialect == "gpu")
    return printGpu(op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](scf::ForOp loop) { return printFor(loop); })
      .Case([&](scf::WhileOp loop) { return printWhile(loop); })
      .Case([&](scf::IfOp branch) { return printIf(branch); })
      // Vectors at any element are shifted by it.
      .Case([&](LLVM::FshrOp shift) -> LogicalResult {
        if (!shift.getType().isInteger(32))
          return refuse(op, "only 32 bits are shifted so");
        return define(op, [&](size_t, int64_t) {
          return "as_int((uint)(((((ulong)as_uint(" + piece(shift.getA()) +
                 ")) << 32) | as_uint(" + piece(shift.getB()) + ")) >> (" +
                 piece(shift.getC()) + " & 31)))";
        });
      })
      // The op around it assigns what it passes.
      .Case<scf::YieldOp, scf::ConditionOp>([](auto) { return success(); })
      .Default([&](Operation *) {
        return refuse(op, "replace it by loops, arithmetic, loads and stores");
      });
}

LogicalResult OpenClPrinter::printFor(scf::ForOp loop) {
  SmallVector<ClValue> carried;
  // A carried value is one variable from the first iteration to the last,
  // and then the loop's result.
  for (auto [initial, argument, result] : llvm::zip_equal(
           loop.getInitArgs(), loop.getRegionIterArgs(), loop.getResults())) {
    carried.push_back(declare(initial.getType(), &valueOf(initial)));
    values[argument] = carried.back();
    values[result] = carried.back();
  }
  std::string i = fresh();
  values[loop.getInductionVar()] = {{i}, ""};
  Type type = loop.getInductionVar().getType();
  // The sign only matters for the comparison: steps are positive.
  std::string cast = loop.getUnsignedCmp() ? "(u" + nameType(type) + ")" : "";
  line() << "for (" << nameType(type) << " " << i << " = "
         << piece(loop.getLowerBound()) << "; " << cast << i << " < " << cast
         << piece(loop.getUpperBound()) << "; " << i
         << " += " << piece(loop.getStep()) << ") {\n";
  ++indent;
  if (failed(printBlock(*loop.getBody())))
    return failure();
  // The terminator's operands are those of the next iteration.
  assign(carried, loop.getBody()->getTerminator()->getOperands());
  --indent;
  line() << "}\n";
  return success();
}

LogicalResult OpenClPrinter::printWhile(scf::WhileOp loop) {
  SmallVector<ClValue> carried, results;
  for (auto [initial, argument] :
       llvm::zip_equal(loop.getInits(), loop.getBeforeArguments())) {
    carried.push_back(declare(initial.getType(), &valueOf(initial)));
    values[argument] = carried.back();
  }
  scf::ConditionOp condition = loop.getConditionOp();
  for (auto [result, argument] :
       llvm::zip_equal(loop.getResults(), loop.getAfterArguments())) {
    if (isa<MemRefType>(result.getType()))
      return refuse(loop, "it carries memory");
    results.push_back(declare(result.getType(), nullptr));
    values[result] = results.back();
    values[argument] = results.back();
  }
  // The condition is in the middle: what is before it runs once more than
  // what is behind it.
  line() << "for (;;) {\n";
  ++indent;
  if (failed(printBlock(*loop.getBeforeBody())))
    return failure();
  // The region behind the condition reads these, and so does the code
  // behind the loop.
  assign(results, condition.getArgs());
  line() << "if (!" << piece(condition.getCondition()) << ")\n";
  os.indent(2 * indent + 2) << "break;\n";
  if (failed(printBlock(*loop.getAfterBody())))
    return failure();
  assign(carried, loop.getYieldOp().getOperands());
  --indent;
  line() << "}\n";
  return success();
}

LogicalResult OpenClPrinter::printIf(scf::IfOp op) {
  SmallVector<ClValue> results;
  for (Value result : op.getResults()) {
    if (isa<MemRefType>(result.getType()))
      return refuse(op, "it chooses between memory");
    results.push_back(declare(result.getType(), nullptr));
    values[result] = results.back();
  }
  line() << "if (" << piece(op.getCondition()) << ") {\n";
  // An op without results may have no other branch.
  for (Block *block : {op.thenBlock(), op.elseBlock()}) {
    if (!block)
      continue;
    if (block != op.thenBlock())
      line() << "} else {\n";
    ++indent;
    if (failed(printBlock(*block)))
      return failure();
    assign(results, block->getTerminator()->getOperands());
    --indent;
  }
  line() << "}\n";
  return success();
}

LogicalResult OpenClPrinter::printGpu(Operation *op) {
  // Blocks are groups, and threads are work-items.
  auto number = [&](StringRef function, gpu::Dimension dimension) {
    return define(op, [&](size_t, int64_t) {
      return (function + "(" + Twine(static_cast<int>(dimension)) + ")").str();
    });
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](gpu::ThreadIdOp id) {
        return number("get_local_id", id.getDimension());
      })
      .Case([&](gpu::BlockIdOp id) {
        return number("get_group_id", id.getDimension());
      })
      .Case([&](gpu::BlockDimOp size) {
        return number("get_local_size", size.getDimension());
      })
      .Case([&](gpu::GridDimOp size) {
        return number("get_num_groups", size.getDimension());
      })
      .Case([&](gpu::GlobalIdOp id) {
        return number("get_global_id", id.getDimension());
      })
      .Case([&](gpu::BarrierOp) {
        // The op orders accesses to all memory of the block's threads.
        line() << "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n";
        return success();
      })
      .Case([](gpu::ReturnOp) { return success(); })
      // The kernel's head declares it.
      .Case([](gpu::DynamicSharedMemoryOp) { return success(); })
      .Case<gpu::ShuffleOp, gpu::SubgroupReduceOp, gpu::LaneIdOp,
            gpu::SubgroupIdOp, gpu::SubgroupSizeOp, gpu::NumSubgroupsOp>(
          [&](auto) {
            return refuse(op, "OpenCL C 1.2 has no operations of a warp; use "
                              "shared memory and barriers");
          })
      .Default([&](Operation *) {
        return refuse(op, "replace it by loops, arithmetic, loads and stores");
      });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

FailureOr<std::string> OpenClPrinter::place(Operation *op, Value memref,
                                            ValueRange indices, int64_t more) {
  int64_t offset = 0;
  SmallVector<int64_t> strides;
  // The pointer is that of the first element.
  if (failed(cast<MemRefType>(memref.getType())
                 .getStridesAndOffset(strides, offset)) ||
      llvm::is_contained(strides, ShapedType::kDynamic))
    return refuse(op, "the distances between elements aren't constant");
  // Constants are added up here, so that the text is what a person would
  // write.
  int64_t constant = more;
  std::string text;
  for (auto [index, stride] : llvm::zip_equal(indices, strides)) {
    if (std::optional<int64_t> known = getConstantIntValue(index)) {
      constant += *known * stride;
      continue;
    }
    if (stride == 0)
      continue;
    text += (text.empty() ? "" : " + ") + piece(index) +
            (stride == 1 ? "" : " * " + std::to_string(stride));
  }
  if (text.empty())
    return std::to_string(constant);
  if (constant != 0)
    text += " + " + std::to_string(constant);
  return text;
}

LogicalResult OpenClPrinter::printMemRef(Operation *op) {
  auto view = [&](Value source, const std::string &offset) {
    // A view of the same element is the same pointer. Its strides are in
    // the type, so they need no code.
    ClValue from = valueOf(source);
    if (offset != "0") {
      Type element =
          cast<MemRefType>(op->getResult(0).getType()).getElementType();
      std::string name = fresh(), pointer = pointerTo(from.space, element);
      line() << pointer << "const " << name << " = " << from.pieces[0] << " + "
             << offset << ";\n";
      from.pieces[0] = name;
    }
    values[op->getResult(0)] = std::move(from);
    return success();
  };
  /// Offsets, as constants and values, times strides.
  auto addUp = [&](ArrayRef<OpFoldResult> numbers, ArrayRef<int64_t> factors) {
    // As for elements: constants are one number behind the others.
    int64_t constant = 0;
    std::string text;
    for (auto [number, factor] : llvm::zip_equal(numbers, factors)) {
      if (std::optional<int64_t> known = getConstantIntValue(number))
        constant += *known * factor;
      else
        text += (text.empty() ? "" : " + ") + piece(cast<Value>(number)) +
                (factor == 1 ? "" : " * " + std::to_string(factor));
    }
    // Nothing but zero is the same pointer.
    if (text.empty() || constant != 0)
      text += (text.empty() ? "" : " + ") + std::to_string(constant);
    return text;
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](memref::LoadOp load) -> LogicalResult {
        auto at = place(op, load.getMemRef(), load.getIndices());
        if (failed(at))
          return failure();
        return define(op, [&](size_t, int64_t) {
          return piece(load.getMemRef()) + "[" + *at + "]";
        });
      })
      .Case([&](memref::StoreOp store) -> LogicalResult {
        auto at = place(op, store.getMemRef(), store.getIndices());
        if (failed(at))
          return failure();
        line() << piece(store.getMemRef()) << "[" << *at
               << "] = " << piece(store.getValueToStore()) << ";\n";
        return success();
      })
      .Case([&](memref::AtomicRMWOp atomic) { return printAtomic(atomic); })
      .Case([&](memref::SubViewOp part) -> LogicalResult {
        int64_t offset = 0;
        SmallVector<int64_t> strides;
        if (failed(part.getSourceType().getStridesAndOffset(strides, offset)) ||
            llvm::is_contained(strides, ShapedType::kDynamic))
          return refuse(op, "the distances between elements aren't constant");
        return view(part.getSource(), addUp(part.getMixedOffsets(), strides));
      })
      .Case([&](memref::ViewOp part) {
        // Bytes of a group's memory, which are aligned as the launch's are.
        ClValue from = valueOf(part.getSource());
        std::string name = fresh(),
                    pointer =
                        pointerTo(from.space, part.getType().getElementType());
        line() << pointer << "const " << name << " = (" << pointer << ")("
               << from.pieces[0] << " + " << piece(part.getByteShift())
               << ");\n";
        values[op->getResult(0)] = {{name}, from.space};
        return success();
      })
      .Case([&](memref::ReinterpretCastOp cast) -> LogicalResult {
        // Offsets count from the memory's beginning.
        std::optional<int64_t> before =
            offsetOf(mlir::cast<MemRefType>(cast.getSource().getType()));
        if (!before)
          return refuse(op, "its source begins at an offset that isn't known");
        // The pointer is that of the source's first element.
        std::string text = addUp(cast.getMixedOffsets(), {1});
        if (*before != 0)
          text += " - " + std::to_string(*before);
        return view(cast.getSource(), text);
      })
      .Case<memref::CastOp, memref::ExpandShapeOp, memref::CollapseShapeOp,
            memref::TransposeOp>(
          [&](auto) { return view(op->getOperand(0), "0"); })
      .Case([&](memref::AllocaOp array) { return declareArray(op, array, ""); })
      .Case([&](memref::GetGlobalOp global) {
        values[global] = {{("global_" + global.getName()).str()},
                          "__constant "};
        return success();
      })
      .Case([](memref::AssumeAlignmentOp) { return success(); })
      .Case<memref::AllocOp, memref::DeallocOp>([&](auto) {
        return refuse(op, "a kernel allocates memory; allocate it before the "
                          "launch");
      })
      .Default([&](Operation *) {
        return refuse(op, "replace it by loops, arithmetic, loads and stores");
      });
}

/// What a function for atomic operations on floats, which OpenCL C 1.2 has
/// none of, makes of the element `a` and the value `b`; empty for others.
static StringRef floatUpdate(arith::AtomicRMWKind kind) {
  switch (kind) {
  case arith::AtomicRMWKind::addf:
    return "a + b";
  case arith::AtomicRMWKind::mulf:
    return "a * b";
  case arith::AtomicRMWKind::maxnumf:
    return "fmax(a, b)";
  case arith::AtomicRMWKind::minnumf:
    return "fmin(a, b)";
  case arith::AtomicRMWKind::maximumf:
    return "a > b || isnan(a) ? a : b";
  case arith::AtomicRMWKind::minimumf:
    return "a < b || isnan(a) ? a : b";
  default:
    return "";
  }
}

/// The function for integers of 32 bits, and whether they are unsigned there.
static std::pair<StringRef, bool> integerUpdate(arith::AtomicRMWKind kind) {
  switch (kind) {
  case arith::AtomicRMWKind::addi:
    return {"atomic_add", false};
  case arith::AtomicRMWKind::maxs:
    return {"atomic_max", false};
  case arith::AtomicRMWKind::mins:
    return {"atomic_min", false};
  case arith::AtomicRMWKind::maxu:
    return {"atomic_max", true};
  case arith::AtomicRMWKind::minu:
    return {"atomic_min", true};
  case arith::AtomicRMWKind::ori:
    return {"atomic_or", false};
  case arith::AtomicRMWKind::andi:
    return {"atomic_and", false};
  case arith::AtomicRMWKind::xori:
    return {"atomic_xor", false};
  case arith::AtomicRMWKind::assign:
    return {"atomic_xchg", false};
  default:
    return {};
  }
}

LogicalResult OpenClPrinter::printAtomic(memref::AtomicRMWOp op) {
  Type type = op.getValue().getType();
  // The extensions for 64 bits are rare, and private memory needs no atomic
  // operations.
  StringRef space = valueOf(op.getMemref()).space;
  auto at = place(op, op.getMemref(), op.getIndices());
  if (failed(at))
    return failure();
  if (widthOf(type) != 32 || (space != "__global " && space != "__local "))
    return refuse(op, "OpenCL C 1.2 has atomic operations on 32 bits of "
                      "global and local memory only");
  std::string address = piece(op.getMemref()) + " + " + *at;
  StringRef kind = arith::stringifyAtomicRMWKind(op.getKind());
  if (StringRef update = floatUpdate(op.getKind()); !update.empty()) {
    std::string name =
        "atomic_" + kind.str() + (space == "__local " ? "_local" : "_global");
    // A function for each update and kind of memory, written once.
    if (helpers.insert(name).second)
      head += llvm::formatv("\nfloat {0}(volatile {1}float *p, float b) {{\n"
                            "  uint seen = as_uint(*p);\n"
                            "  for (;;) {{\n"
                            "    const float a = as_float(seen);\n"
                            "    const uint was = atomic_cmpxchg((volatile "
                            "{1}uint *)p, seen, as_uint({2}));\n"
                            "    if (was == seen)\n"
                            "      return a;\n"
                            "    seen = was;\n"
                            "  }\n"
                            "}\n",
                            name, space, update)
                  .str();
    return define(op, [&](size_t, int64_t) {
      return name + "(" + address + ", " + piece(op.getValue()) + ")";
    });
  }
  auto [name, isUnsigned] = integerUpdate(op.getKind());
  if (name.empty() ||
      (!type.isInteger(32) && op.getKind() != arith::AtomicRMWKind::assign))
    return refuse(op, "OpenCL C 1.2 has no atomic '" + kind + "'");
  return define(op, [&](size_t, int64_t) {
    // The functions are overloaded by the sign of the element.
    std::string pointer =
        isUnsigned ? "(volatile " + space.str() + "uint *)(" + address + ")"
                   : address;
    std::string value = isUnsigned ? "as_uint(" + piece(op.getValue()) + ")"
                                   : piece(op.getValue());
    return (name + "(" + pointer + ", " + value + ")").str();
  });
}
