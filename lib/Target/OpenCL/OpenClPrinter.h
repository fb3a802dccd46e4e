//===- OpenClPrinter.h - Kernels as OpenCL C --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints each op as statements. A value is a variable that isn't changed,
// unless a loop carries it or branches define it.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_OPENCL_OPENCLPRINTER_H
#define BACO_LIB_TARGET_OPENCL_OPENCLPRINTER_H

#include "OpenClValues.h"
#include "baco/IR/OpenClDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

namespace baco::target {

class OpenClPrinter {
public:
  explicit OpenClPrinter(OpenClTargetAttr device) : device(device) {}

  /// The program of `kernels`. Fails, with an error at the op, for one that
  /// OpenCL C or the device has no word for.
  mlir::FailureOr<std::string> print(mlir::gpu::GPUModuleOp kernels);

private:
  using Result = llvm::LogicalResult;

  // Functions, memory and control flow.
  Result printKernel(mlir::gpu::GPUFuncOp kernel);
  Result printArgument(mlir::gpu::GPUFuncOp kernel, unsigned index,
                       std::string &parameters);
  Result declareDynamicMemory(mlir::gpu::GPUFuncOp kernel);
  Result printConstant(mlir::memref::GlobalOp global);
  Result printBlock(mlir::Block &block);
  Result printOp(mlir::Operation *op);
  Result printGpu(mlir::Operation *op);
  Result printMemRef(mlir::Operation *op);
  Result printAtomic(mlir::memref::AtomicRMWOp op);
  Result printFor(mlir::scf::ForOp loop);
  Result printWhile(mlir::scf::WhileOp loop);
  Result printIf(mlir::scf::IfOp op);
  /// An array of a block or a thread.
  Result declareArray(mlir::Operation *op, mlir::Value memref,
                      llvm::StringRef space);

  // Arithmetic.
  Result printArith(mlir::Operation *op);
  Result printConstant(mlir::arith::ConstantOp op);
  Result printInteger(mlir::Operation *op);
  Result printCast(mlir::Operation *op);
  Result printCompare(mlir::Operation *op);
  Result printSelect(mlir::arith::SelectOp op);
  Result printMath(mlir::Operation *op);

  // Vectors.
  Result printVector(mlir::Operation *op);
  Result printVectorAccess(mlir::Operation *op, mlir::Value memref,
                           mlir::ValueRange indices, mlir::VectorType type,
                           mlir::Value stored);
  Result printMasked(mlir::Operation *op, mlir::Value memref,
                     mlir::ValueRange indices, mlir::Value mask,
                     mlir::Value other, bool isStore);
  Result printReduction(mlir::vector::ReductionOp op);
  Result printBitCast(mlir::vector::BitCastOp op);
  /// The elements of the result are `lanes`.
  Result move(mlir::Operation *op, llvm::ArrayRef<Lane> lanes);

  Result refuse(mlir::Operation *op, const llvm::Twine &why);
  /// Whether OpenCL C and the device have `type`, or its elements.
  Result checkType(mlir::Operation *op, mlir::Type type);

  // Text.
  llvm::raw_ostream &line();
  std::string fresh() { return "v" + std::to_string(numNames++); }
  /// A variable with the value of `text`.
  std::string bind(mlir::Type element, int64_t width, const llvm::Twine &text);
  /// Gives the result of `op` the pieces that `write` returns for each place
  /// and width.
  Result define(mlir::Operation *op,
                llvm::function_ref<std::string(size_t, int64_t)> write);
  /// Variables that are assigned later, with the pieces of `from` if it isn't
  /// null.
  ClValue declare(mlir::Type type, const ClValue *from);
  void assign(llvm::ArrayRef<ClValue> to, mlir::ValueRange from);
  /// Valid until a value is added.
  const ClValue &valueOf(mlir::Value value) const { return values.at(value); }
  const std::string &piece(mlir::Value value, size_t place = 0) const {
    return valueOf(value).pieces[place];
  }
  llvm::SmallVector<Lane> lanes(mlir::Value value);
  /// The number of an element behind the pointer of `memref`; fails where its
  /// strides aren't known.
  mlir::FailureOr<std::string> place(mlir::Operation *op, mlir::Value memref,
                                     mlir::ValueRange indices,
                                     int64_t more = 0);
  /// The type of pointers to elements.
  std::string pointerTo(llvm::StringRef space, mlir::Type element) const {
    return space.str() + nameInMemory(element) + " *";
  }

  OpenClTargetAttr device;
  llvm::DenseMap<mlir::Value, ClValue> values;
  /// What comes before kernels.
  std::string head;
  llvm::StringSet<> helpers;
  std::string body;
  llvm::raw_string_ostream os{body};
  unsigned indent = 0, numNames = 0;
  bool usesHalf = false, usesDouble = false;
};

} // namespace baco::target

#endif // BACO_LIB_TARGET_OPENCL_OPENCLPRINTER_H
