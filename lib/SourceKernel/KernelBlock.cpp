//===- KernelBlock.cpp - Contents that processes share --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBlock.h"

#include "KernelContents.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

using namespace baco;
using namespace baco::kernels;

Result<void> KernelBlock::fill(const KernelTask &task,
                               const LaunchPlanner &planner,
                               const KernelOptions &options) {
  constexpr size_t alignment = 64;
  size_t total = alignment;
  struct Place {
    size_t initial, right, bytes;
    bool isBuffer, isChecked;
  };
  std::vector<Place> places;
  bool hasReference = options.reference || task.reference;
  for (size_t i = 0; i < task.arguments.size(); ++i) {
    const KernelArgument &argument = task.arguments[i];
    Place place = {};
    if (argument.kind == KernelArgument::Kind::Buffer) {
      Result<uint64_t> elements = planner.sizeOfBuffer(argument);
      if (!elements)
        return Error{elements.error().code, describeArgument(task, i) + ": " +
                                                elements.error().message};
      constexpr uint64_t mostBytes = uint64_t{1} << 40;
      if (*elements > mostBytes / sizeOf(argument.type))
        return Error{ErrorCode::InvalidArgument,
                     describeArgument(task, i) + " has more than 2^40 bytes"};
      place.isBuffer = true;
      place.isChecked =
          argument.isOutput && (hasReference || !argument.expected.empty());
      place.bytes = *elements * sizeOf(argument.type);
      size_t whole = (place.bytes + alignment - 1) / alignment * alignment;
      place.initial = total;
      total += whole;
      place.right = total;
      total += place.isChecked ? whole : 0;
    }
    places.push_back(place);
  }
  if (!memory.allocate(total))
    return Error{ErrorCode::IOError,
                 "cannot allocate " + std::to_string(total) +
                     " bytes for the buffers: " + std::strerror(errno)};
  for (const Place &place : places) {
    auto part = [&](size_t offset, bool isThere) {
      return isThere ? std::span(memory.data() + offset, place.bytes)
                     : std::span<std::byte>();
    };
    spans.emplace_back(part(place.initial, place.isBuffer),
                       part(place.right, place.isChecked));
  }
  for (size_t i = 0; i < task.arguments.size(); ++i) {
    const KernelArgument &argument = task.arguments[i];
    if (argument.kind != KernelArgument::Kind::Buffer)
      continue;
    if (argument.file.empty())
      fillRandomly(argument, options.seed, i, initial(i));
    else if (Result<void> read =
                 readContents(argument.file, argument.type, initial(i));
             !read)
      return read;
  }
  return fillRight(task, options);
}

Result<void> KernelBlock::fillRight(const KernelTask &task,
                                    const KernelOptions &options) {
  std::vector<std::vector<std::byte>> copies;
  if (options.reference) {
    std::vector<std::span<std::byte>> buffers;
    for (size_t i = 0; i < task.arguments.size(); ++i)
      if (task.arguments[i].kind == KernelArgument::Kind::Buffer)
        copies.emplace_back(initial(i).begin(), initial(i).end());
    for (std::vector<std::byte> &copy : copies)
      buffers.emplace_back(copy);
    options.reference(buffers);
  }
  size_t buffer = 0;
  for (size_t i = 0; i < task.arguments.size(); ++i) {
    const KernelArgument &argument = task.arguments[i];
    if (argument.kind != KernelArgument::Kind::Buffer)
      continue;
    if (options.reference && !right(i).empty())
      std::ranges::copy(copies[buffer], right(i).begin());
    ++buffer;
    if (argument.expected.empty())
      continue;
    if (Result<void> read =
            readContents(argument.expected, argument.type, right(i));
        !read)
      return read;
  }
  bool isKnown = options.reference || !task.reference;
  state() = isKnown ? 0 : 1;
  return {};
}

bool KernelBlock::hasRight() const {
  return std::ranges::any_of(
      spans, [](const auto &pair) { return !pair.second.empty(); });
}
