//===- PlantedCandidates.cpp - Kernels and wrong code for them ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that compute each element from one of each input.
//
//===----------------------------------------------------------------------===//

#include "PlantedCandidates.h"

#include "llvm/Support/FormatVariadic.h"

#include <regex>

using namespace baco::test;
using llvm::formatv;

namespace {
/// y[i] = r(x[i], z[i]), where `body` computes %r from %a and %b, and other
/// bodies do so in a wrong way, or in a right one.
struct Map {
  std::string name;
  const char *in, *out;
  std::string body;
  std::vector<PlantedCandidate> wrong = {}, right = {};
  int64_t size = 4096;
};
} // namespace

/// `body` on vectors.
static std::string onVectors(std::string body, int lanes) {
  std::string vector = formatv("vector<{0}x", lanes);
  body = std::regex_replace(body,
                            std::regex("arith.constant (\\S+) : ([if][0-9]+)"),
                            "arith.constant dense<$1> : $2");
  return std::regex_replace(body, std::regex("\\b([if](1|8|16|32|64))\\b"),
                            vector + "$1>");
}

static std::string textOf(const Map &map, const std::string &body,
                          int lanes = 1, bool isReversed = false) {
  bool isBinary = body.find("%b") != body.npos;
  auto access = [&](const char *type) -> std::string {
    std::string place =
        isReversed ? formatv("[{0} - %i]", map.size - lanes).str() : "[%i]";
    std::string memory = formatv("memref<{0}x{1}>", map.size, type);
    if (lanes > 1)
      memory += formatv(", vector<{0}x{1}>", lanes, type);
    return place + " : " + memory;
  };
  const char *kind = lanes > 1 ? "vector_" : "";
  std::string input = formatv("memref<{0}x{1}>, ", map.size, map.in),
              text = "func.func @f(%x: " + input;
  if (isBinary)
    text += "%z: " + input;
  text += formatv("%y: memref<{0}x{1}>) {{\n"
                  "affine.for %i = 0 to {0} step {2} {{\n"
                  "%a = affine.{3}load %x{4}\n",
                  map.size, map.out, lanes, kind, access(map.in))
              .str();
  if (isBinary)
    text += formatv("%b = affine.{0}load %z{1}\n", kind, access(map.in)).str();
  text += lanes > 1 ? onVectors(body, lanes) : body;
  return text + formatv("\naffine.{0}store %r, %y{1}\n}\nreturn\n}\n", kind,
                        access(map.out))
                    .str();
}

static PlantedKernel kernelOf(const Map &map) {
  PlantedKernel kernel{map.name, textOf(map, map.body), {}, {}};
  for (const PlantedCandidate &body : map.wrong)
    kernel.wrong.push_back({body.name, textOf(map, body.text)});
  for (const PlantedCandidate &body : map.right)
    kernel.right.push_back({body.name, textOf(map, body.text)});
  kernel.right.push_back({"reversed", textOf(map, map.body, 1, true)});
  for (int lanes : {2, 4, 8, 16})
    kernel.right.push_back(
        {formatv("{0} lanes", lanes), textOf(map, map.body, lanes)});
  return kernel;
}

static std::vector<PlantedKernel> kernelsOf(const std::vector<Map> &maps) {
  std::vector<PlantedKernel> kernels;
  for (const Map &map : maps)
    kernels.push_back(kernelOf(map));
  return kernels;
}

/// Computes %r from %a of i32 by an op on `type` with the constant `c`.
static std::string throughType(const char *op, int c, const char *type,
                               const char *own = "i32") {
  return formatv("%n = arith.trunci %a : {3} to {2}\n"
                 "%c = arith.constant {1} : {2}\n"
                 "%s = arith.{0} %n, %c : {2}\n"
                 "%r = arith.extsi %s : {2} to {3}",
                 op, c, type, own);
}

/// The same of %a and %b through f32.
static std::string throughFloat(const char *b) {
  return formatv("%p = arith.sitofp %a : i32 to f32\n{0}\n"
                 "%s = arith.divf %p, %q : f32\n"
                 "%r = arith.fptosi %s : f32 to i32",
                 b);
}

std::vector<PlantedKernel> baco::test::plantedIntegers() {
  return kernelsOf(
      {{"x / 7",
        "i32",
        "i32",
        "%c = arith.constant 7 : i32\n%r = arith.divsi %a, %c : i32",
        {{"through i8", throughType("divsi", 7, "i8")},
         {"through i16", throughType("divsi", 7, "i16")},
         {"through f32", throughFloat("%q = arith.constant 7.0 : f32")},
         {"unsigned through i16", throughType("divui", 7, "i16")}}},
       {"x >> 3",
        "i32",
        "i32",
        "%c = arith.constant 3 : i32\n%r = arith.shrsi %a, %c : i32",
        {{"through i8", throughType("shrsi", 3, "i8")},
         {"through i16", throughType("shrsi", 3, "i16")},
         {"unsigned through i16", throughType("shrui", 3, "i16")}}},
       {"x % 10",
        "i32",
        "i32",
        "%c = arith.constant 10 : i32\n%r = arith.remsi %a, %c : i32",
        {{"through i8", throughType("remsi", 10, "i8")},
         {"through i16", throughType("remsi", 10, "i16")}}},
       {"long x / 7",
        "i64",
        "i64",
        "%c = arith.constant 7 : i64\n%r = arith.divsi %a, %c : i64",
        {{"through i16", throughType("divsi", 7, "i16", "i64")},
         {"through i32", throughType("divsi", 7, "i32", "i64")}}},
       {"3 x",
        "i32",
        "i32",
        "%c = arith.constant 3 : i32\n%r = arith.muli %a, %c : i32",
        {{"through i8", throughType("muli", 3, "i8")},
         {"through i16", throughType("muli", 3, "i16")}}},
       {"x y",
        "i32",
        "i32",
        "%r = arith.muli %a, %b : i32",
        {{"through i16", "%n = arith.trunci %a : i32 to i16\n"
                         "%m = arith.trunci %b : i32 to i16\n"
                         "%s = arith.muli %n, %m : i16\n"
                         "%r = arith.extsi %s : i16 to i32"}}},
       {"x / y",
        "i32",
        "i32",
        "%r = arith.divsi %a, %b : i32",
        {{"through f32", throughFloat("%q = arith.sitofp %b : i32 to f32")}}}});
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

/// Clamps %a to [low, high].
static std::string clamp(const char *low, const char *high,
                         const char *result = "%r") {
  return formatv("%lo = arith.constant {0} : f32\n"
                 "%hi = arith.constant {1} : f32\n"
                 "%p = arith.maximumf %a, %lo : f32\n"
                 "{2} = arith.minimumf %p, %hi : f32\n",
                 low, high, result);
}

/// The same, as an integer.
static std::string quantize(const char *low, const char *high) {
  return formatv("%lo = arith.constant {0} : f32\n"
                 "%hi = arith.constant {1} : f32\n"
                 "%p = arith.maximumf %a, %lo : f32\n"
                 "%q = arith.minimumf %p, %hi : f32\n"
                 "%s = math.roundeven %q : f32\n"
                 "%w = arith.fptosi %s : f32 to i32\n"
                 "%r = arith.trunci %w : i32 to i8",
                 low, high);
}

/// %a if it, or its size, compares with `limit`, or else what `other` computes.
static std::string choose(bool isSize, const char *predicate, const char *limit,
                          const char *other) {
  return formatv("%m = math.absf %a : f32\n{3}\n"
                 "%l = arith.constant {2} : f32\n"
                 "%p = arith.cmpf {1}, {0}, %l : f32\n"
                 "%r = arith.select %p, %a, %o : i1, f32",
                 isSize ? "%m" : "%a", predicate, limit, other);
}

std::vector<PlantedKernel> baco::test::plantedRanges() {
  auto leaky = [](const char *predicate, const char *limit) {
    return choose(/*isSize=*/false, predicate, limit,
                  "%f = arith.constant 0.25 : f32\n"
                  "%o = arith.mulf %a, %f : f32");
  };
  auto shrink = [](const char *predicate, const char *limit) {
    return choose(/*isSize=*/true, predicate, limit,
                  "%o = arith.constant 0.0 : f32");
  };
  return kernelsOf(
      {{"f32 to i8",
        "f32",
        "i8",
        quantize("-128.0", "127.0"),
        {{"without saturation", quantize("-1.0e9", "1.0e9")},
         {"without saturation above", quantize("-128.0", "1.0e9")},
         {"without saturation below", quantize("-1.0e9", "127.0")},
         {"saturating at 100", quantize("-100.0", "100.0")},
         {"saturating at -127", quantize("-127.0", "127.0")}}},
       {"relu6",
        "f32",
        "f32",
        clamp("0.0", "6.0"),
        {{"to 5", clamp("0.0", "5.0")},
         {"to 100", clamp("0.0", "100.0")},
         {"to 6.5", clamp("0.0", "6.5")},
         {"from -0.01", clamp("-0.01", "6.0")},
         {"without end", clamp("0.0", "3.0e38")},
         {"not from 100 on", clamp("0.0", "6.0", "%v") +
                                 "%g = arith.constant 100.0 : f32\n"
                                 "%t = arith.cmpf oge, %a, %g : f32\n"
                                 "%r = arith.select %t, %a, %v : i1, f32"}}},
       {"x >= 1.3",
        "f32",
        "f32",
        leaky("oge", "1.3"),
        {{"100", leaky("oge", "100.0")},
         {"1e30", leaky("oge", "1.0e30")},
         {"1.25", leaky("oge", "1.25")},
         {">", leaky("ogt", "1.3")},
         {"two units more", leaky("oge", "1.3000002")},
         {"1.31", leaky("oge", "1.31")}}},
       {"|x| >= 0.3",
        "f32",
        "f32",
        shrink("oge", "0.3"),
        {{"0.26", shrink("oge", "0.26")},
         {">", shrink("ogt", "0.3")},
         {"0.35", shrink("oge", "0.35")},
         {"1", shrink("oge", "1.0")}}}});
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// A function that is 0 where low <= |x| < high.
static std::string withHole(const char *function, const char *low,
                            const char *high) {
  return formatv("%v = math.{0} %a : f32\n%m = math.absf %a : f32\n"
                 "%lo = arith.constant {1} : f32\n"
                 "%hi = arith.constant {2} : f32\n"
                 "%zero = arith.constant 0.0 : f32\n"
                 "%p = arith.cmpf oge, %m, %lo : f32\n"
                 "%q = arith.cmpf olt, %m, %hi : f32\n"
                 "%s = arith.andi %p, %q : i1\n"
                 "%r = arith.select %s, %zero, %v : i1, f32",
                 function, low, high);
}

/// The kernel that is one function.
static Map mapOf(const char *function, int64_t size) {
  Map map{function, "f32", "f32", formatv("%r = math.{0} %a : f32", function)};
  map.size = size;
  return map;
}

std::vector<PlantedKernel> baco::test::plantedFunctions() {
  std::vector<Map> maps;
  for (const char *function : {"exp", "tanh", "log", "erf", "sin"}) {
    Map map = mapOf(function, 4096);
    bool isExp = map.name == "exp";
    const char *decades[][2] = {
        {"1.0e-5", "1.0e-1"},
        {"1.0e-2", "1.0e-1"},
        {"5.0", "20.0"},
        {isExp ? "20.0" : "1.0e2", isExp ? "80.0" : "1.0e4"}};
    for (auto [low, high] : decades)
      map.wrong.push_back({formatv("0 from {0} to {1}", low, high),
                           withHole(function, low, high)});
    maps.push_back(std::move(map));
  }
  return kernelsOf(maps);
}

std::vector<PlantedKernel> baco::test::rightKernels() {
  std::vector<Map> maps;
  for (const char *function :
       {"acos", "asin", "atan", "cbrt", "ceil", "cos", "cosh", "erfc", "exp2",
        "expm1", "floor", "log10", "log1p", "log2", "rsqrt", "sinh", "sqrt"})
    maps.push_back(mapOf(function, 2048));
  const char *one = "%one = arith.constant 1.0 : f32\n";
  auto add = [&](const char *name, std::string body) -> Map & {
    Map &map =
        maps.emplace_back(Map{name, "f32", "f32", one + std::move(body)});
    map.size = 1024;
    return map;
  };
  add("sigmoid", "%n = arith.negf %a : f32\n%e = math.exp %n : f32\n"
                 "%s = arith.addf %e, %one : f32\n"
                 "%r = arith.divf %one, %s : f32");
  add("gelu", "%h = arith.constant 0.5 : f32\n"
              "%c = arith.constant 0.70710678 : f32\n"
              "%s = arith.mulf %a, %c : f32\n%e = math.erf %s : f32\n"
              "%t = arith.addf %e, %one : f32\n"
              "%u = arith.mulf %a, %h : f32\n"
              "%r = arith.mulf %u, %t : f32");
  add("elu", "%zero = arith.constant 0.0 : f32\n"
             "%e = math.exp %a : f32\n%s = arith.subf %e, %one : f32\n"
             "%p = arith.cmpf ogt, %a, %zero : f32\n"
             "%r = arith.select %p, %a, %s : i1, f32");
  add("softplus", "%l = arith.constant 20.0 : f32\n"
                  "%e = math.exp %a : f32\n"
                  "%s = arith.addf %e, %one : f32\n"
                  "%g = math.log %s : f32\n"
                  "%p = arith.cmpf ogt, %a, %l : f32\n"
                  "%r = arith.select %p, %a, %g : i1, f32");
  add("pow", "%r = math.powf %a, %b : f32");
  add("unsaturated", "%r = arith.fptosi %a : f32 to i8").out = "i8";
  add("scaled", "%c = arith.constant 0.3 : f32\n"
                "%s = arith.mulf %a, %b : f32\n"
                "%t = arith.addf %s, %c : f32\n"
                "%p = arith.cmpf ogt, %t, %c : f32\n"
                "%r = arith.select %p, %t, %a : i1, f32");
  // Schedules fuse products with sums, and multiply by reciprocals.
  const char *scale = "%c = arith.constant 9.7 : f32\n"
                      "%d = arith.constant 0.3 : f32\n",
             *floor = "%r = math.floor %t : f32";
  add("floor(c x + z)", scale +
                            std::string("%s = arith.mulf %a, %c : f32\n"
                                        "%t = arith.addf %s, %d : f32\n") +
                            floor)
      .right = {
      {"fused",
       scale + std::string("%t = math.fma %a, %c, %d : f32\n") + floor}};
  add("floor(x / 9.7)",
      scale + std::string("%t = arith.divf %a, %c : f32\n") + floor)
      .right = {{"by the reciprocal", "%one = arith.constant 1.0 : f32\n" +
                                          std::string(scale) +
                                          "%q = arith.divf %one, %c : f32\n"
                                          "%t = arith.mulf %a, %q : f32\n" +
                                          floor}};
  return kernelsOf(maps);
}
