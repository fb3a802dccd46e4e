//===- MessagesFuzzer.cpp - Reads what anybody may have sent --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A message is refused, or what it says can be sent on. libFuzzer gives texts,
// or changes to messages that are right.
//
//===----------------------------------------------------------------------===//

#include "ExampleMessages.h"

#include "baco/Command/CommandEvaluator.h"

#include <cstdlib>

using namespace baco;
using namespace baco::cluster;
using namespace baco::cluster::test;

/// The message that the first byte names, with the changes that the others
/// give; or the other bytes themselves.
static std::string messageOf(std::string_view input) {
  static const std::string examples[] = {
      encode(makeTrial()),
      encode(makeFinals()),
      encode(makeResult()),
      encode(makeMachine()),
      encode(Payload{Payload::Kind::Table, "{}", "x,cost\n1,2\n"}),
      command::writeCommandOptions({})};
  if (input.empty())
    return {};
  size_t kind = static_cast<unsigned char>(input[0]);
  input.remove_prefix(1);
  if (kind % (std::size(examples) + 1) == std::size(examples))
    return std::string(input);
  std::string text = examples[kind % (std::size(examples) + 1)];
  for (; input.size() >= 4; input.remove_prefix(4)) {
    auto byte = [&](size_t i) {
      return static_cast<size_t>(static_cast<unsigned char>(input[i]));
    };
    size_t at = (byte(0) | byte(1) << 8) % (text.size() + 1);
    if (byte(2) < 128)
      text.erase(at, byte(2) / 8);
    if (byte(2) % 2 == 0)
      text.insert(at, 1, input[3]);
    else if (byte(2) % 4 == 1)
      text.insert(at, std::to_string(byte(3) << (byte(2) % 56)));
  }
  return text;
}

template <typename Message>
static void check(Result<Message> (*decode)(std::string_view),
                  const std::string &text) {
  if (Result<Message> read = decode(text); read && !decode(encode(*read)))
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text = messageOf({reinterpret_cast<const char *>(data), size});
  check<Task>(decodeTask, text);
  check<TaskResult>(decodeResult, text);
  check<Machine>(decodeMachine, text);
  check<Payload>(decodePayload, text);
  if (auto read = command::readCommandOptions(text);
      read && !command::readCommandOptions(command::writeCommandOptions(*read)))
    std::abort();
  return 0;
}
