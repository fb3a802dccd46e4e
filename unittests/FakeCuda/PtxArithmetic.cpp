//===- PtxArithmetic.cpp - From registers to registers --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers are computed in 64 bits, floats of 16 bits in double and rounded
// once. What a GPU approximates is exact here.
//
//===----------------------------------------------------------------------===//

#include "PtxModule.h"

#include "baco/Verification/Floats.h"

#include <bit>
#include <cmath>
#include <set>

using namespace baco;
using namespace baco::fake;
using namespace baco::runtime;

namespace {
uint64_t lowBits(uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((uint64_t(1) << bits) - 1);
}

int64_t signExtend(uint64_t value, unsigned bits) {
  return static_cast<int64_t>(value << (64 - bits)) >> (64 - bits);
}

/// To nearest, ties to even; NaN and infinities stay.
template <typename T>
uint64_t roundTo16(double value) {
  constexpr FloatFormat format = formatOf<T>;
  if (std::isfinite(value) && value != 0) {
    int exponent = std::max(std::ilogb(value), format.minExponent);
    int unit = exponent - format.digits + 1;
    value = std::ldexp(std::nearbyint(std::ldexp(value, -unit)), unit);
  }
  return makeFloat<T>(value).bits;
}

bool isFloat(PtxType type) {
  return type.kind == PtxType::Float || type.kind == PtxType::Brain;
}

double toDouble(PtxType type, uint64_t bits) {
  if (type.kind == PtxType::Brain)
    return BFloat16{static_cast<uint16_t>(bits)};
  if (type.bits == 16)
    return Float16{static_cast<uint16_t>(bits)};
  return type.bits == 32 ? std::bit_cast<float>(static_cast<uint32_t>(bits))
                         : std::bit_cast<double>(bits);
}

uint64_t fromDouble(PtxType type, double value) {
  if (type.kind == PtxType::Brain)
    return roundTo16<BFloat16>(value);
  if (type.bits == 16)
    return roundTo16<Float16>(value);
  return type.bits == 32 ? std::bit_cast<uint32_t>(static_cast<float>(value))
                         : std::bit_cast<uint64_t>(value);
}

/// Calls `action` with the operands as values of a C++ type: float, double,
/// int64_t or uint64_t.
template <typename Action>
uint64_t compute(PtxType type, Action action, uint64_t a, uint64_t b,
                 uint64_t c) {
  if (type.isPair) {
    PtxType half = type;
    half.isPair = false;
    return compute(half, action, lowBits(a, 16), lowBits(b, 16),
                   lowBits(c, 16)) |
           compute(half, action, a >> 16, b >> 16, c >> 16) << 16;
  }
  if (isFloat(type) && type.bits == 32) {
    auto value = [](uint64_t bits) {
      return std::bit_cast<float>(static_cast<uint32_t>(bits));
    };
    return std::bit_cast<uint32_t>(
        static_cast<float>(action(value(a), value(b), value(c))));
  }
  if (isFloat(type))
    return fromDouble(
        type, static_cast<double>(action(toDouble(type, a), toDouble(type, b),
                                         toDouble(type, c))));
  if (type.kind == PtxType::Signed)
    return lowBits(static_cast<uint64_t>(action(signExtend(a, type.bits),
                                                signExtend(b, type.bits),
                                                signExtend(c, type.bits))),
                   type.bits);
  return lowBits(
      static_cast<uint64_t>(action(lowBits(a, type.bits), lowBits(b, type.bits),
                                   lowBits(c, type.bits))),
      type.bits);
}

uint64_t operandOr0(PtxThread &thread, const PtxInstruction &in, size_t i) {
  return i < in.operands.size() ? thread.read(in, i) : 0;
}

/// What `sat` and `relu` leave of a float.
uint64_t limit(const PtxInstruction &in, PtxType type, uint64_t bits) {
  if (!in.isLimited || !isFloat(type))
    return bits;
  double value = toDouble(type, bits);
  if (in.has("sat"))
    return fromDouble(type, value > 0 ? std::fmin(value, 1) : 0);
  return value > 0 || std::isnan(value) ? bits : 0;
}

/// An operation of one type on up to three operands.
template <auto action>
void elementwise(PtxThread &thread, const PtxInstruction &in) {
  PtxType type = in.type();
  uint64_t result =
      compute(type, action, operandOr0(thread, in, 1),
              operandOr0(thread, in, 2), operandOr0(thread, in, 3));
  thread.write(in, limit(in, type, result));
}

template <typename T>
constexpr bool isInteger = std::is_integral_v<T>;

/// Integers wrap.
constexpr auto add = []<typename T>(T a, T b, T) -> T {
  if constexpr (isInteger<T>)
    return static_cast<T>(uint64_t(a) + uint64_t(b));
  else
    return a + b;
};
constexpr auto subtract = []<typename T>(T a, T b, T) -> T {
  if constexpr (isInteger<T>)
    return static_cast<T>(uint64_t(a) - uint64_t(b));
  else
    return a - b;
};
constexpr auto multiplyAdd = []<typename T>(T a, T b, T c) -> T {
  return std::fma(a, b, c);
};
constexpr auto divide = []<typename T>(T a, T b, T) -> T {
  if constexpr (isInteger<T>)
    // What a GPU's code makes of such quotients.
    return b == 0                              ? static_cast<T>(-1)
           : b == T(-1) && std::is_signed_v<T> ? static_cast<T>(-uint64_t(a))
                                               : a / b;
  else
    return a / b;
};
constexpr auto remainder = []<typename T>(T a, T b, T) -> T {
  if constexpr (isInteger<T>)
    return b == 0 ? a : b == T(-1) && std::is_signed_v<T> ? 0 : a % b;
  else
    return std::fmod(a, b);
};
constexpr auto least = []<typename T>(T a, T b, T) -> T {
  if constexpr (isInteger<T>)
    return std::min(a, b);
  else
    return std::fmin(a, b);
};
constexpr auto largest = []<typename T>(T a, T b, T) -> T {
  if constexpr (isInteger<T>)
    return std::max(a, b);
  else
    return std::fmax(a, b);
};
constexpr auto negate = []<typename T>(T a, T, T) -> T {
  if constexpr (isInteger<T>)
    return static_cast<T>(-uint64_t(a));
  else
    return -a;
};
constexpr auto magnitude = []<typename T>(T a, T, T) -> T {
  if constexpr (std::is_unsigned_v<T>)
    return a;
  else if constexpr (isInteger<T>)
    return a < 0 ? static_cast<T>(-uint64_t(a)) : a;
  else
    return std::fabs(a);
};
constexpr auto bitAnd = [](auto a, auto b, auto) {
  return uint64_t(a) & uint64_t(b);
};
constexpr auto bitOr = [](auto a, auto b, auto) {
  return uint64_t(a) | uint64_t(b);
};
constexpr auto bitXor = [](auto a, auto b, auto) {
  return uint64_t(a) ^ uint64_t(b);
};
constexpr auto bitNot = [](auto a, auto, auto) { return ~uint64_t(a); };
constexpr auto root = [](auto a, auto, auto) { return std::sqrt(a); };
constexpr auto reciprocalRoot = [](auto a, auto, auto) {
  return decltype(a)(1) / std::sqrt(a);
};
constexpr auto reciprocal = [](auto a, auto, auto) {
  return decltype(a)(1) / a;
};
constexpr auto exponential2 = [](auto a, auto, auto) { return std::exp2(a); };
constexpr auto logarithm2 = [](auto a, auto, auto) { return std::log2(a); };
constexpr auto sine = [](auto a, auto, auto) { return std::sin(a); };
constexpr auto cosine = [](auto a, auto, auto) { return std::cos(a); };
constexpr auto tangent = [](auto a, auto, auto) { return std::tanh(a); };
/// The sign of the first operand.
constexpr auto copySign = [](auto a, auto b, auto) {
  return std::copysign(b, a);
};

/// mul and mad of integers, and mul of floats.
void multiply(PtxThread &thread, const PtxInstruction &in) {
  PtxType type = in.type();
  uint64_t a = thread.read(in, 1), b = thread.read(in, 2),
           c = operandOr0(thread, in, 3);
  if (isFloat(type) || type.isPair) {
    auto product = [](auto x, auto y, auto) { return x * y; };
    thread.write(in, limit(in, type, compute(type, product, a, b, c)));
    return;
  }
  __int128 product = type.kind == PtxType::Signed
                         ? static_cast<__int128>(signExtend(a, type.bits)) *
                               signExtend(b, type.bits)
                         : static_cast<__int128>(static_cast<unsigned __int128>(
                                                     lowBits(a, type.bits)) *
                                                 lowBits(b, type.bits));
  if (in.has("hi"))
    product >>= type.bits;
  unsigned bits = in.has("wide") ? 2 * type.bits : type.bits;
  thread.write(in, lowBits(static_cast<uint64_t>(product) + c, bits));
}

void shiftLeft(PtxThread &thread, const PtxInstruction &in) {
  unsigned bits = in.type().bits;
  uint64_t by = lowBits(thread.read(in, 2), 32);
  thread.write(in, by >= bits ? 0 : lowBits(thread.read(in, 1) << by, bits));
}

void shiftRight(PtxThread &thread, const PtxInstruction &in) {
  PtxType type = in.type();
  uint64_t by = std::min<uint64_t>(lowBits(thread.read(in, 2), 32), type.bits);
  uint64_t value = lowBits(thread.read(in, 1), type.bits);
  bool isSigned = type.kind == PtxType::Signed;
  int64_t extended =
      isSigned ? signExtend(value, type.bits) : static_cast<int64_t>(value);
  if (by >= 64)
    thread.write(in, isSigned && extended < 0 ? ~uint64_t(0) : 0);
  else
    thread.write(in,
                 lowBits(isSigned ? extended >> by : value >> by, type.bits));
}

/// shf: of two words, the upper or lower one after a shift.
void shiftFunnel(PtxThread &thread, const PtxInstruction &in) {
  uint64_t both = thread.read(in, 2) << 32 | lowBits(thread.read(in, 1), 32);
  uint64_t by = lowBits(thread.read(in, 3), 32);
  by = in.has("wrap") ? by & 31 : std::min<uint64_t>(by, 32);
  thread.write(in, in.has("l") ? lowBits(both << by >> 32, 32)
                               : lowBits(both >> by, 32));
}

template <typename T>
std::optional<bool> compare(const std::string &how, T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    bool isUnordered = std::isnan(a) || std::isnan(b);
    if (how == "num" || how == "nan")
      return (how == "nan") == isUnordered;
    // Those that end in u are true for NaN, other ones false.
    if (isUnordered)
      return how.back() == 'u';
  }
  std::string order = how.substr(0, 2);
  if (order == "eq")
    return a == b;
  if (order == "ne")
    return a != b;
  if (order == "lt" || how == "lo")
    return a < b;
  if (order == "le" || how == "ls")
    return a <= b;
  if (order == "gt" || how == "hi")
    return a > b;
  if (order == "ge" || how == "hs")
    return a >= b;
  return std::nullopt;
}

/// setp.COMPARISON[.BOOLEAN].TYPE
void setPredicate(PtxThread &thread, const PtxInstruction &in) {
  PtxType type = in.type();
  bool result = false;
  auto look = [&](auto a, auto b) {
    result = compare(in.words[1], a, b).value_or(false);
  };
  uint64_t a = thread.read(in, 1), b = thread.read(in, 2);
  if (isFloat(type))
    look(toDouble(type, a), toDouble(type, b));
  else if (type.kind == PtxType::Signed)
    look(signExtend(a, type.bits), signExtend(b, type.bits));
  else
    look(lowBits(a, type.bits), lowBits(b, type.bits));
  bool other = operandOr0(thread, in, 3) != 0;
  if (in.has("and"))
    result = result && other;
  if (in.has("or"))
    result = result || other;
  if (in.has("xor"))
    result = result != other;
  thread.write(in, result);
}

void select(PtxThread &thread, const PtxInstruction &in) {
  thread.write(in, thread.read(in, thread.read(in, 3) != 0 ? 1 : 2));
}

/// Between a register and several that have its parts, too.
void move(PtxThread &thread, const PtxInstruction &in) {
  size_t to = in.operands[0].parts.size(), from = in.operands[1].parts.size();
  unsigned bits = in.type().bits;
  uint64_t whole = 0;
  for (size_t i = 0; i < from; ++i)
    whole |= from == 1 ? thread.read(in, 1)
                       : lowBits(thread.read(in, 1, i), bits / from)
                             << i * (bits / from);
  for (size_t i = 0; i < to; ++i)
    thread.write(in,
                 to == 1 ? whole : lowBits(whole >> i * (bits / to), bits / to),
                 0, i);
}

double roundToInteger(const PtxInstruction &in, double value) {
  if (in.has("rzi"))
    return std::trunc(value);
  if (in.has("rmi"))
    return std::floor(value);
  if (in.has("rpi"))
    return std::ceil(value);
  return in.has("rni") ? std::nearbyint(value) : value;
}

/// A float, which may be beyond the integers, as one of them.
uint64_t toInteger(PtxType to, double value) {
  if (std::isnan(value))
    return 0;
  bool isSigned = to.kind == PtxType::Signed;
  int digits = static_cast<int>(to.bits) - (isSigned ? 1 : 0);
  double least = isSigned ? -std::ldexp(1, digits) : 0;
  if (value <= least)
    return lowBits(isSigned ? uint64_t(1) << digits : 0, to.bits);
  if (value >= std::ldexp(1, digits))
    return lowBits(~uint64_t(0), digits);
  return lowBits(isSigned ? static_cast<uint64_t>(static_cast<int64_t>(value))
                          : static_cast<uint64_t>(value),
                 to.bits);
}

/// A float in another format; by the mode of rounding.
uint64_t toFloat(const PtxInstruction &in, PtxType to, double value) {
  if (to.kind == PtxType::Tensor) {
    auto bits = std::bit_cast<uint32_t>(static_cast<float>(value));
    return std::isfinite(value) ? (bits + 0x1000) & 0xffffe000 : bits;
  }
  uint64_t bits = fromDouble(to, value);
  // Rounded away from zero by the default.
  if (in.has("rz") && std::fabs(toDouble(to, bits)) > std::fabs(value))
    --bits;
  return limit(in, to, bits);
}

uint64_t convertValue(const PtxInstruction &in, PtxType to, PtxType from,
                      uint64_t bits) {
  bool toNumber = isFloat(to) || to.kind == PtxType::Tensor;
  if (isFloat(from)) {
    double value = roundToInteger(in, toDouble(from, bits));
    return toNumber ? toFloat(in, to, value) : toInteger(to, value);
  }
  bool isSigned = from.kind == PtxType::Signed;
  uint64_t extended = isSigned
                          ? static_cast<uint64_t>(signExtend(bits, from.bits))
                          : lowBits(bits, from.bits);
  if (!toNumber)
    return lowBits(extended, to.bits);
  if (to.kind == PtxType::Float && to.bits == 32)
    return std::bit_cast<uint32_t>(
        isSigned ? static_cast<float>(static_cast<int64_t>(extended))
                 : static_cast<float>(extended));
  return fromDouble(
      to, isSigned ? static_cast<double>(static_cast<int64_t>(extended))
                   : static_cast<double>(extended));
}

/// cvt.TO.FROM; of two operands the first one is the upper half of a pair.
void convert(PtxThread &thread, const PtxInstruction &in) {
  PtxType to = in.types[0], from = in.types[1];
  if (!to.isPair) {
    thread.write(in, convertValue(in, to, from, thread.read(in, 1)));
    return;
  }
  to.isPair = false;
  thread.write(in, convertValue(in, to, from, thread.read(in, 1)) << 16 |
                       convertValue(in, to, from, thread.read(in, 2)));
}

void countBits(PtxThread &thread, const PtxInstruction &in) {
  unsigned bits = in.type().bits;
  uint64_t value = lowBits(thread.read(in, 1), bits);
  thread.write(in, in.words[0] == "popc"
                       ? std::popcount(value)
                       : std::countl_zero(value) - (64 - bits));
}

void reverseBits(PtxThread &thread, const PtxInstruction &in) {
  unsigned bits = in.type().bits;
  uint64_t value = thread.read(in, 1), result = 0;
  for (unsigned i = 0; i < bits; ++i)
    result |= (value >> i & 1) << (bits - 1 - i);
  thread.write(in, result);
}

void extractBits(PtxThread &thread, const PtxInstruction &in) {
  PtxType type = in.type();
  auto from = static_cast<unsigned>(thread.read(in, 2) & 255);
  auto count = static_cast<unsigned>(thread.read(in, 3) & 255);
  uint64_t value = lowBits(thread.read(in, 1), type.bits);
  count = from >= type.bits ? 0 : std::min(count, type.bits - from);
  uint64_t result = count == 0 ? 0 : lowBits(value >> from, count);
  if (type.kind == PtxType::Signed && count > 0)
    result =
        lowBits(static_cast<uint64_t>(signExtend(result, count)), type.bits);
  thread.write(in, result);
}

void insertBits(PtxThread &thread, const PtxInstruction &in) {
  unsigned bits = in.type().bits;
  uint64_t value = thread.read(in, 1), into = thread.read(in, 2);
  auto from = static_cast<unsigned>(thread.read(in, 3) & 255);
  auto count = static_cast<unsigned>(thread.read(in, 4) & 255);
  uint64_t mask = from >= bits ? 0 : lowBits(~uint64_t(0), count) << from;
  thread.write(in,
               lowBits((into & ~mask) | (value << (from & 63) & mask), bits));
}

/// prmt without a mode: bytes of two words by the digits of a selector.
void permuteBytes(PtxThread &thread, const PtxInstruction &in) {
  uint64_t both = thread.read(in, 2) << 32 | lowBits(thread.read(in, 1), 32);
  uint64_t selector = thread.read(in, 3), result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    uint64_t digit = selector >> 4 * i & 15;
    uint64_t byte = both >> 8 * (digit & 7) & 255;
    if (digit & 8)
      byte = byte & 128 ? 255 : 0;
    result |= byte << 8 * i;
  }
  thread.write(in, result);
}

void testNumber(PtxThread &thread, const PtxInstruction &in) {
  double value = toDouble(in.type(), thread.read(in, 1));
  thread.write(in, in.has("finite")       ? std::isfinite(value)
                   : in.has("infinite")   ? std::isinf(value)
                   : in.has("number")     ? !std::isnan(value)
                   : in.has("notanumber") ? std::isnan(value)
                                          : false);
}

const std::map<std::string, PtxHandler> arithmetic = {
    {"add", elementwise<add>},
    {"sub", elementwise<subtract>},
    {"mul", multiply},
    {"mad", multiply},
    {"fma", elementwise<multiplyAdd>},
    {"div", elementwise<divide>},
    {"rem", elementwise<remainder>},
    {"min", elementwise<least>},
    {"max", elementwise<largest>},
    {"neg", elementwise<negate>},
    {"abs", elementwise<magnitude>},
    {"and", elementwise<bitAnd>},
    {"or", elementwise<bitOr>},
    {"xor", elementwise<bitXor>},
    {"not", elementwise<bitNot>},
    {"shl", shiftLeft},
    {"shr", shiftRight},
    {"shf", shiftFunnel},
    {"setp", setPredicate},
    {"selp", select},
    {"mov", move},
    {"cvta", move},
    {"cvt", convert},
    {"popc", countBits},
    {"clz", countBits},
    {"brev", reverseBits},
    {"bfe", extractBits},
    {"bfi", insertBits},
    {"prmt", permuteBytes},
    {"testp", testNumber},
    {"copysign", elementwise<copySign>},
    {"sqrt", elementwise<root>},
    {"rsqrt", elementwise<reciprocalRoot>},
    {"rcp", elementwise<reciprocal>},
    {"ex2", elementwise<exponential2>},
    {"lg2", elementwise<logarithm2>},
    {"sin", elementwise<sine>},
    {"cos", elementwise<cosine>},
    {"tanh", elementwise<tangent>}};
} // namespace

PtxHandler fake::findArithmetic(const PtxInstruction &instruction) {
  auto found = arithmetic.find(instruction.words[0]);
  if (found == arithmetic.end())
    return nullptr;
  const std::string &name = instruction.words[0];
  // An order that isn't known, and modes that aren't.
  if (name == "setp" && !compare(instruction.words[1], 1.0, 2.0))
    return nullptr;
  if (name == "prmt" && instruction.words.size() != 2)
    return nullptr;
  if (name == "cvt" && instruction.types.size() != 2)
    return nullptr;
  // Limits of pairs and of integers aren't here.
  if (instruction.isLimited &&
      (instruction.types.front().isPair || !isFloat(instruction.types.front())))
    return nullptr;
  // Integers have no fused operations, roots and the like.
  static const std::set<std::string> ofFloats = {
      "fma", "sqrt", "rsqrt", "rcp",      "ex2",  "lg2",
      "sin", "cos",  "tanh",  "copysign", "testp"};
  if (ofFloats.contains(name) && !isFloat(instruction.type()))
    return nullptr;
  return found->second;
}
