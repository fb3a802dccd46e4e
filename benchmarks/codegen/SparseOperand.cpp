//===- SparseOperand.cpp - A sparse operand in any format -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Packing by lib/Sparse, and memory as the worker has it.
//
//===----------------------------------------------------------------------===//

#include "SparseOperand.h"

#include "baco/Verification/Placement.h"

#include <cstring>

using namespace baco;
using namespace baco::benchmarks;

llvm::Error PackedBuffers::add(const std::byte *bytes, size_t count,
                               size_t elementSize) {
  // An empty buffer has a place, too.
  size_t size = std::max<size_t>(count, 1) * elementSize;
  auto buffer = runtime::GuardedBuffer::create(
      size, runtime::usualStagger(buffers.size()),
      runtime::patternOf(runtime::ElementType::I64));
  if (!buffer)
    return llvm::createStringError("there is not enough memory");
  if (count > 0)
    std::memcpy(buffer->data(), bytes, count * elementSize);
  int64_t address = reinterpret_cast<int64_t>(buffer->data());
  words.push_back({address, address, 0, static_cast<int64_t>(count), 1});
  buffers.push_back(std::move(*buffer));
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<PackedBuffers>>
PackedBuffers::create(const sparse::CoordinateTensor &tensor,
                      const sparse::StorageFormat &format, bool isSingle) {
  auto packed = sparse::pack(tensor, format);
  if (!packed)
    return llvm::createStringError(packed.error().message);
  std::unique_ptr<PackedBuffers> result(new PackedBuffers);
  auto addIndices = [&](const sparse::IndexArray &indices, unsigned width) {
    return result->add(indices.data().data(), indices.size(), width / 8);
  };
  for (size_t i = 0; i < format.levels.size(); ++i) {
    sparse::LevelKind kind = format.levels[i].kind;
    const sparse::PackedLevel &level = packed->levels[i];
    if (kind == sparse::LevelKind::Compressed)
      if (llvm::Error error = addIndices(level.positions, format.positionWidth))
        return error;
    if (kind != sparse::LevelKind::Dense)
      if (llvm::Error error =
              addIndices(level.coordinates, format.coordinateWidth))
        return error;
  }
  auto addValues = [&](const auto &values) {
    return result->add(reinterpret_cast<const std::byte *>(values.data()),
                       values.size(), sizeof values[0]);
  };
  llvm::Error error = isSingle
                          ? addValues(std::vector<float>(packed->values.begin(),
                                                         packed->values.end()))
                          : addValues(packed->values);
  if (error)
    return error;
  return result;
}

std::vector<void *> PackedBuffers::data() const {
  std::vector<void *> result;
  for (const runtime::GuardedBuffer &buffer : buffers)
    result.push_back(buffer.data());
  return result;
}

std::vector<void *> PackedBuffers::descriptors() {
  std::vector<void *> result;
  for (auto &each : words)
    result.push_back(each.data());
  return result;
}
