//===- DeviceLink.cpp - Between candidates and the device -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Device/DeviceLink.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <unistd.h>

using namespace baco;
using namespace baco::runtime;

static constexpr size_t alignment = 256;

static size_t align(size_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

size_t DeviceLayout::programOffset() { return align(sizeof(DeviceState)); }

DeviceLayout::DeviceLayout(const Signature &signature)
    : bytes(programOffset() + align(maxProgramBytes)) {
  for (const Argument &argument : signature.arguments) {
    offsets.push_back(bytes);
    bytes += argument.isMemRef ? align(argument.byteSize()) : 0;
  }
}

DeviceClient::DeviceClient(const Signature &signature, int socket,
                           std::byte *block)
    : signature(signature), layout(signature), socket(socket), block(block),
      client(getpid()) {}

const DeviceState &DeviceClient::state() const {
  return *reinterpret_cast<const DeviceState *>(block);
}

/// A failure that isn't the candidate's.
static DeviceFailure lose(const std::string &message) {
  return {Status::Lost, message, true};
}

std::optional<DeviceFailure> DeviceClient::ask(DeviceRequest request) {
  request.client = client;
  request.number = ++number;
  if (send(socket, &request, sizeof request, MSG_NOSIGNAL) != sizeof request)
    return lose("the process with the device can't be asked");
  for (;;) {
    // There may be answers to candidates that were killed.
    DeviceAnswer answer;
    ssize_t n = recv(socket, &answer, sizeof answer, 0);
    if (n < 0 && errno == EINTR)
      continue;
    if (n != sizeof answer)
      return lose("the process with the device doesn't answer");
    if (answer.client == client && answer.number == number)
      break;
  }
  const DeviceState &got = state();
  if (!got.hasFailed)
    return std::nullopt;
  return DeviceFailure{
      got.status,
      std::string(got.message, strnlen(got.message, sizeof got.message)),
      got.isBroken != 0};
}

std::optional<DeviceFailure> DeviceClient::load(const DeviceProgram &program) {
  std::string bytes = program.encode();
  if (bytes == loaded && generation == state().generation)
    return std::nullopt;
  loaded.clear();
  if (bytes.size() > DeviceLayout::maxProgramBytes)
    return DeviceFailure{Status::CompileFailed,
                         "its code takes " + std::to_string(bytes.size()) +
                             " bytes, but at most " +
                             std::to_string(DeviceLayout::maxProgramBytes) +
                             " can be passed to the device"};
  std::ranges::copy(std::as_bytes(std::span(bytes)),
                    block + DeviceLayout::programOffset());
  DeviceRequest request;
  request.kind = DeviceRequest::Load;
  request.count = bytes.size();
  auto failure = ask(request);
  generation = state().generation;
  if (!failure)
    loaded = std::move(bytes);
  return failure;
}

/// The elements of argument `i`, whose memref descriptor begins with two
/// pointers.
static std::byte *dataOf(void **pointers, size_t i) {
  return static_cast<std::byte **>(pointers[i])[1];
}

std::optional<DeviceFailure> DeviceClient::upload(void **pointers,
                                                  bool outputsOnly) {
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    const Argument &argument = signature.arguments[i];
    if (argument.isMemRef && (argument.isOutput || !outputsOnly))
      std::copy_n(dataOf(pointers, i), argument.byteSize(),
                  block + layout.argumentOffset(i));
  }
  DeviceRequest request;
  request.kind = DeviceRequest::Upload;
  request.outputsOnly = outputsOnly;
  return ask(request);
}

std::optional<DeviceFailure> DeviceClient::poke(void **pointers,
                                                std::span<std::byte> at) {
  DeviceRequest request;
  request.kind = DeviceRequest::Poke;
  assert(at.size() <= sizeof request.bits && "no element is larger");
  std::memcpy(&request.bits, at.data(), at.size());
  request.size = at.size();
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    const Argument &argument = signature.arguments[i];
    if (!argument.isMemRef)
      continue;
    std::byte *begin = dataOf(pointers, i);
    if (at.data() < begin ||
        at.data() + at.size() > begin + argument.byteSize())
      continue;
    request.argument = i;
    request.offset = at.data() - begin;
    // Download compares with what is here.
    std::ranges::copy(at, block + layout.argumentOffset(i) + request.offset);
    return ask(request);
  }
  return std::nullopt;
}

std::optional<DeviceFailure>
DeviceClient::execute(uint64_t count, double &elapsedNs, bool isFlushed) {
  DeviceRequest request;
  request.kind = DeviceRequest::Execute;
  request.count = count;
  request.isFlushed = isFlushed;
  auto failure = ask(request);
  elapsedNs = state().elapsedNs;
  return failure;
}

std::optional<DeviceFailure> DeviceClient::download(void **pointers) {
  DeviceRequest request;
  request.kind = DeviceRequest::Download;
  if (auto failure = ask(request))
    return failure;
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    const Argument &argument = signature.arguments[i];
    if (argument.isMemRef && argument.isOutput)
      std::copy_n(block + layout.argumentOffset(i), argument.byteSize(),
                  dataOf(pointers, i));
  }
  return std::nullopt;
}
