//===- DeviceProgram.cpp - Programs of candidates for a device ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Device/DeviceProgram.h"

#include <cstring>
#include <type_traits>

using namespace baco;
using namespace baco::runtime;

namespace {
/// Walks over all fields in one order, to write or to read them.
class Writer {
public:
  template <typename T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
  bool field(const T &value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
    return true;
  }
  bool field(const std::string &text) {
    field(uint64_t(text.size()));
    bytes += text;
    return true;
  }
  /// The size of `list`.
  template <typename T>
  bool size(const std::vector<T> &list) {
    return field(uint64_t(list.size()));
  }

  std::string bytes;
};

class Reader {
public:
  explicit Reader(std::string_view bytes) : rest(bytes) {}

  template <typename T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
  bool field(T &value) {
    if (rest.size() < sizeof value)
      return false;
    std::memcpy(&value, rest.data(), sizeof value);
    rest.remove_prefix(sizeof value);
    return true;
  }
  bool field(std::string &text) {
    uint64_t size = 0;
    if (!field(size) || size > rest.size())
      return false;
    text = rest.substr(0, size);
    rest.remove_prefix(size);
    return true;
  }
  template <typename T>
  bool size(std::vector<T> &list) {
    uint64_t count = 0;
    // Each element takes a byte at least.
    if (!field(count) || count > rest.size())
      return false;
    list.resize(count);
    return true;
  }

  std::string_view rest;
};

/// All fields of `program`; false if a reader has no more bytes.
template <typename Stream, typename Program>
bool walk(Stream &stream, Program &program) {
  if (!stream.size(program.images))
    return false;
  for (auto &image : program.images)
    if (!stream.field(image))
      return false;
  if (!stream.size(program.temporaries))
    return false;
  for (auto &bytes : program.temporaries)
    if (!stream.field(bytes))
      return false;
  if (!stream.size(program.launches))
    return false;
  for (auto &launch : program.launches) {
    bool isRead = stream.field(launch.image) && stream.field(launch.kernel);
    for (int i = 0; i < 3 && isRead; ++i)
      isRead = stream.field(launch.sizes.grid[i]) &&
               stream.field(launch.sizes.block[i]);
    if (!isRead || !stream.field(launch.sizes.dynamicSharedBytes) ||
        !stream.size(launch.operands))
      return false;
    for (auto &operand : launch.operands)
      if (!stream.field(operand.kind) || !stream.field(operand.index) ||
          !stream.field(operand.value))
        return false;
  }
  return true;
}
} // namespace

std::string DeviceProgram::encode() const {
  Writer writer;
  walk(writer, *this);
  return std::move(writer.bytes);
}

/// Whether all that launches refer to is there.
static bool isConsistent(const DeviceProgram &program) {
  for (const DeviceLaunch &launch : program.launches) {
    if (launch.image >= program.images.size())
      return false;
    for (const DeviceOperand &operand : launch.operands)
      if (operand.kind > DeviceOperand::Word ||
          (operand.kind == DeviceOperand::Temporary &&
           operand.index >= program.temporaries.size()))
        return false;
  }
  return true;
}

Result<DeviceProgram> DeviceProgram::decode(std::string_view bytes) {
  Reader reader(bytes);
  DeviceProgram program;
  if (!walk(reader, program) || !reader.rest.empty() || !isConsistent(program))
    return Error{ErrorCode::Corrupt, "not a program for a device"};
  return program;
}
