//===- EmulatorHost.cpp - Functions whose kernels are emulated ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulatorHost.h"

using namespace mlir;
using namespace baco::target;
using namespace baco::runtime;

FailureOr<std::unique_ptr<EmulatedFunction>>
EmulatedFunction::create(func::FuncOp function) {
  std::unique_ptr<EmulatedFunction> self(new EmulatedFunction());
  if (failed(self->compile(function)))
    return failure();
  return self;
}

llvm::Error EmulatedFunction::addCode(StringRef bitcode) {
  auto created = EmulatorCode::create(bitcode);
  if (!created)
    return created.takeError();
  code.push_back(std::move(*created));
  return llvm::Error::success();
}

void EmulatedFunction::run(const Launch &launch, const LaunchSizes &sizes,
                           ArrayRef<Passed> passed) {
  if (!firstFailure.empty())
    return;
  SmallVector<int64_t> values;
  std::vector<EmulatedBuffer> buffers;
  for (auto [operand, got] : llvm::zip_equal(launch.operands, passed)) {
    values.push_back(got.word);
    if (got.buffer)
      buffers.push_back({operand.name, got.buffer, operand.bytes});
  }
  SmallVector<void *> arguments;
  for (int64_t &value : values)
    arguments.push_back(&value);
  if (llvm::Error error = code[launch.binary]->launch(
          launch.kernel, sizes, arguments, buffers, order))
    firstFailure = llvm::toString(std::move(error));
}

llvm::Error EmulatedFunction::run(void **arguments,
                                  const EmulatedOrder &newOrder) {
  order = newOrder;
  firstFailure.clear();
  call(arguments);
  if (firstFailure.empty())
    return llvm::Error::success();
  return llvm::createStringError(firstFailure);
}
