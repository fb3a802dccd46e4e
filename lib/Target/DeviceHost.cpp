//===- DeviceHost.cpp - Functions whose kernels run on a device -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/DeviceHost.h"

using namespace mlir;
using namespace baco::target;
using namespace baco::runtime;

FailureOr<std::unique_ptr<DeviceFunction>>
DeviceFunction::create(func::FuncOp function, gpu::CompilationTarget format,
                       const DeviceImageMaker &make, const Signature &signature,
                       const DeviceCode *known) {
  std::unique_ptr<DeviceFunction> self(new DeviceFunction(format, signature));
  self->make = &make;
  self->known = known;
  if (failed(self->compile(function)))
    return failure();
  // Only compiling uses these, and they belong to the caller.
  self->make = nullptr;
  self->known = nullptr;
  return self;
}

/// The first line of DeviceCode::encode's text, which is no name of a function.
static constexpr StringLiteral codeMark = "\nkernels of a device\n";

std::string DeviceCode::encode() const {
  // As a program without launches, the first image of which isn't one.
  DeviceProgram program;
  program.images = images;
  program.images.insert(program.images.begin(), configuration);
  if (resources)
    for (int64_t number : {resources->registers, resources->spillBytes,
                           resources->sharedBytes, resources->stackBytes})
      program.temporaries.push_back(number);
  return codeMark.str() + program.encode();
}

std::optional<DeviceCode> DeviceCode::decode(StringRef object) {
  if (!object.consume_front(codeMark))
    return std::nullopt;
  auto program = DeviceProgram::decode(object);
  if (!program || program->images.empty())
    return std::nullopt;
  DeviceCode code;
  code.configuration = program->images.front();
  code.images.assign(program->images.begin() + 1, program->images.end());
  if (program->temporaries.size() == 4) {
    auto number = [&](size_t i) {
      return static_cast<int64_t>(program->temporaries[i]);
    };
    code.resources =
        KernelResources{number(0), number(1), number(2), number(3)};
  }
  return code;
}

llvm::Error DeviceFunction::addCode(StringRef object) {
  if (known) {
    // Binaries come in the same order each time, so the next image is that of
    // this binary.
    if (made.images.size() >= known->images.size())
      return llvm::createStringError("the kernels have changed");
    made.images.push_back(known->images[made.images.size()]);
    made.resources = known->resources;
    return llvm::Error::success();
  }
  llvm::Expected<DeviceImage> image = (*make)(object);
  if (!image)
    return image.takeError();
  if (image->resources) {
    if (!made.resources)
      made.resources.emplace();
    made.resources->include(*image->resources);
  }
  made.images.push_back(std::move(image->code));
  return llvm::Error::success();
}

/// The place on the device of an operand that the host passes.
DeviceOperand DeviceFunction::place(const Operand &operand,
                                    const Passed &passed) {
  auto word = static_cast<uint64_t>(passed.word);
  if (!passed.buffer)
    return {DeviceOperand::Word, 0, word};
  // A view may begin anywhere in its buffer.
  uint64_t offset = word - reinterpret_cast<uint64_t>(passed.buffer);
  // The second word of a descriptor is the aligned pointer.
  for (auto [index, argument] : llvm::enumerate(signature.arguments))
    if (argument.isMemRef && static_cast<const std::byte *const *>(
                                 arguments[index])[1] == passed.buffer)
      return {DeviceOperand::Argument, static_cast<uint32_t>(index), offset};
  size_t index = llvm::find(temporaries, passed.buffer) - temporaries.begin();
  if (index == temporaries.size()) {
    temporaries.push_back(passed.buffer);
    program.temporaries.push_back(0);
  }
  // Freed memory may be allocated again.
  uint64_t &bytes = program.temporaries[index];
  bytes = std::max<uint64_t>(bytes, operand.bytes);
  return {DeviceOperand::Temporary, static_cast<uint32_t>(index), offset};
}

void DeviceFunction::run(const Launch &launch, const LaunchSizes &sizes,
                         ArrayRef<Passed> passed) {
  DeviceLaunch &recorded = program.launches.emplace_back();
  recorded.image = static_cast<uint32_t>(launch.binary);
  recorded.kernel = launch.kernel;
  recorded.sizes = sizes;
  for (auto [operand, got] : llvm::zip_equal(launch.operands, passed))
    recorded.operands.push_back(place(operand, got));
}

baco::Result<DeviceProgram> DeviceFunction::record(void **newArguments) {
  arguments = newArguments;
  program = {};
  temporaries.clear();
  program.images = made.images;
  call(arguments);
  if (program.launches.empty())
    return Error{ErrorCode::Unsupported, "it launches no kernel"};
  return std::move(program);
}
