//===- PtxWarp.cpp - Operations of the lanes of a warp --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxModule.h"

#include <cstdio>

using namespace baco;
using namespace baco::fake;
using namespace baco::runtime;

namespace {
uint32_t word(PtxThread &thread, const PtxInstruction &in, size_t operand,
              size_t part = 0) {
  return static_cast<uint32_t>(thread.read(in, operand, part));
}

/// shfl.sync.MODE.b32 d[|p], a, lane, clamp, mask
void shuffle(PtxThread &thread, const PtxInstruction &in) {
  ShuffleMode mode = in.has("up")     ? ShuffleMode::Up
                     : in.has("down") ? ShuffleMode::Down
                     : in.has("bfly") ? ShuffleMode::Butterfly
                                      : ShuffleMode::Index;
  auto [value, isValid] = thread.emulator.shuffle(
      mode, word(thread, in, 4), word(thread, in, 1), word(thread, in, 2),
      word(thread, in, 3), thread.placeOf(in));
  thread.write(in, value);
  if (in.operands[0].parts.size() > 1)
    thread.write(in, isValid, 0, 1);
}

std::optional<WarpOperation> operationOf(const PtxInstruction &in) {
  using W = WarpOperation;
  bool isSigned = in.type().kind == PtxType::Signed;
  const std::pair<const char *, W> all[] = {
      {"all", W::All},
      {"any", in.words[0] == "match" ? W::MatchAny : W::Any},
      {"uni", W::Uniform},
      {"ballot", W::Ballot},
      {"add", W::Add},
      {"min", isSigned ? W::SignedMin : W::UnsignedMin},
      {"max", isSigned ? W::SignedMax : W::UnsignedMax},
      {"and", W::And},
      {"or", W::Or},
      {"xor", W::Xor}};
  for (auto [name, operation] : all)
    if (in.has(name))
      return operation;
  return std::nullopt;
}

/// vote.sync, match.any.sync and redux.sync: d, a, mask
void reduceWarp(PtxThread &thread, const PtxInstruction &in) {
  thread.write(in,
               thread.emulator.warp(*operationOf(in), word(thread, in, 2),
                                    word(thread, in, 1), thread.placeOf(in)));
}

/// mma.sync.aligned.mMnNkK.row.col.D.A.B.C; nullopt if there is no such one
/// here.
std::optional<MatrixProduct> productOf(const PtxInstruction &in) {
  if (in.words.size() != 10 || in.types.size() != 4)
    return std::nullopt;
  unsigned columns = 0;
  MatrixProduct product;
  if (std::sscanf(in.words[3].c_str(), "m%un%uk%u", &product.rows, &columns,
                  &product.depth) != 3 ||
      columns != 8 || in.words[4] != "row" || in.words[5] != "col")
    return std::nullopt;
  const std::map<std::string, MatrixElement> elements = {
      {"f16", MatrixElement::F16},   {"bf16", MatrixElement::BF16},
      {"tf32", MatrixElement::TF32}, {"f64", MatrixElement::F64},
      {"s8", MatrixElement::S8},     {"u8", MatrixElement::U8}};
  auto left = elements.find(in.words[7]), right = elements.find(in.words[8]);
  bool areBytes = in.words[7].ends_with("8") && in.words[8].ends_with("8");
  if (left == elements.end() || right == elements.end() ||
      (left != right && !areBytes))
    return std::nullopt;
  product.element = left->second;
  product.right = right->second;
  product.isHalf = in.words[6] == "f16";
  return product;
}

void multiplyMatrices(PtxThread &thread, const PtxInstruction &in) {
  std::optional<MatrixProduct> product = productOf(in);
  // At most 4 + 4 + 4 registers, which may have two words.
  uint32_t operands[32], result[16];
  bool isWide = product->element == MatrixElement::F64;
  size_t count = 0;
  for (size_t operand : {1, 2, 3})
    for (size_t i = 0; i < in.operands[operand].parts.size(); ++i) {
      uint64_t bits = thread.read(in, operand, i);
      operands[count++] = static_cast<uint32_t>(bits);
      if (isWide)
        operands[count++] = static_cast<uint32_t>(bits >> 32);
    }
  thread.emulator.multiply(*product, operands, result, thread.placeOf(in));
  for (size_t i = 0; i < in.operands[0].parts.size(); ++i)
    thread.write(in,
                 isWide ? uint64_t(result[2 * i + 1]) << 32 | result[2 * i]
                        : result[i],
                 0, i);
}

/// ldmatrix.sync.aligned.m8n8.xN[.trans].shared.b16 {d}, [row]
void loadMatrices(PtxThread &thread, const PtxInstruction &in) {
  uint32_t result[4];
  size_t count = in.operands[0].parts.size();
  thread.emulator.loadMatrices(thread.address(in, 1),
                               static_cast<unsigned>(count), in.has("trans"),
                               result, thread.placeOf(in));
  for (size_t i = 0; i < count; ++i)
    thread.write(in, result[i], 0, i);
}
} // namespace

PtxHandler fake::findWarpHandler(const PtxInstruction &in) {
  const std::string &name = in.words[0];
  if (name == "shfl" && in.operands.size() == 5)
    return shuffle;
  bool isMatchAll = name == "match" && in.has("all");
  if ((name == "vote" || name == "match" || name == "redux") && !isMatchAll &&
      in.operands.size() == 3 && operationOf(in))
    return reduceWarp;
  if (name == "mma" && productOf(in) && in.operands.size() == 4)
    return multiplyMatrices;
  if (name == "ldmatrix" && in.has("b16") && in.has("m8n8"))
    return loadMatrices;
  return nullptr;
}
