//===- AccessReports.cpp - Lines of failed access checks ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's own messages have four lines, no values, and stay in the buffer of
// the standard output when the process aborts. dprintf has no buffer.
//
//===----------------------------------------------------------------------===//

#include "AccessReports.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace {
/// The memory and the indices of a load or a store.
struct Access {
  Operation *op;
  MemRefType type;
  ValueRange indices;
};
} // namespace

/// The access that `check`, which comes before it, is for.
static std::optional<Access> accessOf(cf::AssertOp check) {
  for (Operation *op = check->getNextNode(); op; op = op->getNextNode()) {
    if (op->getLoc() != check.getLoc())
      return std::nullopt;
    if (auto load = dyn_cast<memref::LoadOp>(op))
      return Access{op, load.getMemRefType(), load.getIndices()};
    if (auto store = dyn_cast<memref::StoreOp>(op))
      return Access{op, store.getMemRefType(), store.getIndices()};
  }
  return std::nullopt;
}

/// The format of the line that a failed check prints.
static std::string formatOf(cf::AssertOp check, std::optional<Access> access) {
  std::string line;
  llvm::raw_string_ostream out(line);
  if (auto place = check->getLoc()->findInstanceOf<FileLineColLoc>())
    out << place.getFilename().getValue() << ':' << place.getLine() << ':'
        << place.getColumn() << ": ";
  if (access)
    out << '\'' << access->op->getName() << "' in " << access->type << " at [";
  else
    out << "an access";
  // Names of files may contain percent signs.
  std::string format;
  for (char c : line)
    format += c == '%' ? "%%" : std::string(1, c);
  if (access)
    format += llvm::join(SmallVector<StringRef>(access->indices.size(), "%lld"),
                         ", ") +
              "]";
  return format + '\n' + '\0';
}

void baco::target::reportFailedChecks(ModuleOp module) {
  MLIRContext *context = module.getContext();
  SmallVector<cf::AssertOp> checks;
  module.walk([&](cf::AssertOp check) { checks.push_back(check); });
  if (checks.empty())
    return;
  context
      ->loadDialect<LLVM::LLVMDialect, arith::ArithDialect, scf::SCFDialect>();
  auto i32 = IntegerType::get(context, 32), i64 = IntegerType::get(context, 64);
  auto type = LLVM::LLVMFunctionType::get(
      i32, {i32, LLVM::LLVMPointerType::get(context)}, /*isVarArg=*/true);
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  StringRef function = "dprintf";
  if (!module.lookupSymbol(function))
    LLVM::LLVMFuncOp::create(builder, module.getLoc(), function, type);
  for (auto [i, check] : llvm::enumerate(checks)) {
    Location loc = check.getLoc();
    std::optional<Access> access = accessOf(check);
    std::string name = "baco_failed_check_" + std::to_string(i);
    builder.setInsertionPoint(check);
    Value one = arith::ConstantIntOp::create(builder, loc, 1, 1);
    Value fails =
        arith::XOrIOp::create(builder, loc, check.getArg(), one).getResult();
    auto branch = scf::IfOp::create(builder, loc, fails, /*withElse=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
    SmallVector<Value> operands = {
        arith::ConstantIntOp::create(builder, loc, /*stdout=*/1, 32),
        LLVM::createGlobalString(loc, builder, name, formatOf(check, access),
                                 LLVM::Linkage::Internal)};
    if (access)
      for (Value index : access->indices)
        operands.push_back(
            arith::IndexCastOp::create(builder, loc, i64, index));
    LLVM::CallOp::create(builder, loc, type, function, operands);
  }
}
