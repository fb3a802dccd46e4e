//===- FingerprintTest.cpp - Tests of telling kernels apart ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Analysis/Fingerprint.h"
#include "../Target/TestHelpers.h"

using namespace mlir;
using namespace baco;

namespace {
class CanonicalTextTest : public target::ModuleTest {
protected:
  KernelText kernel(llvm::StringRef name, llvm::StringRef payload,
                    llvm::StringRef schedule) {
    return canonicalText(*parse(payload), name, *parse(schedule));
  }

  /// A schedule that matches the function `name` and includes `sequence`.
  static std::string scheduleOf(const std::string &name,
                                const std::string &sequence = "step") {
    return R"(module attributes {transform.with_named_sequence} {
      transform.named_sequence @)" +
           sequence + R"((%x: !transform.any_op {transform.readonly}) {
        %f = transform.structured.match ops{["func.func"]} attributes
          {sym_name = ")" +
           name + R"("} in %x : (!transform.any_op) -> !transform.any_op
        transform.yield
      }
      transform.named_sequence @__transform_main(
          %root: !transform.any_op {transform.readonly}) {
        transform.include @)" +
           sequence +
           R"( failures(propagate) (%root) : (!transform.any_op) -> ()
        transform.yield
      }
    })";
  }
};
} // namespace

static const char *const calling = R"(
  func.func private @helper(%x: f32) -> f32 {
    %y = arith.addf %x, %x : f32
    return %y : f32
  }
  func.func @one(%x: f32) -> f32 {
    %y = call @helper(%x) : (f32) -> f32
    return %y : f32
  })";

TEST_F(CanonicalTextTest, NamesDoNotCount) {
  // Symbols, values, their order, and the schedule's sequences.
  const char *const renamed = R"(
    func.func @two(%arg: f32) -> f32 {
      %sum = call @one(%arg) : (f32) -> f32
      return %sum : f32
    }
    func.func private @one(%a: f32) -> f32 {
      %s = arith.addf %a, %a : f32
      return %s : f32
    })";
  EXPECT_EQ(kernel("one", calling, scheduleOf("one")),
            kernel("two", renamed, scheduleOf("two", "other")));
}

TEST_F(CanonicalTextTest, WhatIsMatchedCounts) {
  EXPECT_NE(kernel("one", calling, scheduleOf("one")),
            kernel("one", calling, scheduleOf("helper")));
}

TEST_F(CanonicalTextTest, WhatRunsCounts) {
  EXPECT_NE(kernel("one", calling, scheduleOf("one")),
            kernel("helper", calling, scheduleOf("one")));
}

TEST_F(CanonicalTextTest, BodiesOfCalleesCount) {
  std::string other = calling;
  other.replace(other.find("addf"), 4, "mulf");
  EXPECT_NE(kernel("one", calling, scheduleOf("one")),
            kernel("one", other, scheduleOf("one")));
}

/// A function may be called like the sequence that the interpreter starts with.
TEST_F(CanonicalTextTest, TheEntryOfTheScheduleKeepsItsPlace) {
  const char *const odd = R"(
    func.func @__transform_main(%x: f32) -> f32 { return %x : f32 })";
  const char *const plain =
      R"(func.func @f(%x: f32) -> f32 { return %x : f32 })";
  EXPECT_EQ(kernel("__transform_main", odd, scheduleOf("__transform_main")),
            kernel("f", plain, scheduleOf("f")));
}

/// Marks are named after the function; what else is annotated has a meaning.
TEST_F(CanonicalTextTest, MarksOfTheFunctionDoNotCount) {
  auto textOf = [&](const std::string &name, const std::string &mark) {
    std::string code = "func.func @" + name + "() { return }";
    return kernel(name, code,
                  R"(
      module attributes {transform.with_named_sequence} {
        transform.named_sequence @__transform_main(
            %root: !transform.any_op {transform.readonly}) {
          transform.annotate %root ")" +
                      mark + R"(" : !transform.any_op
          %op = transform.structured.match attributes {)" +
                      mark + R"(} in %root
            : (!transform.any_op) -> !transform.any_op
          transform.yield
        }
      })");
  };
  EXPECT_EQ(textOf("f", "schedule_f_op"), textOf("g", "schedule_g_op"));
  EXPECT_NE(textOf("f", "schedule_f_op"), textOf("f", "schedule_f_last_op"));
  EXPECT_NE(textOf("f", "llvm.unroll"), textOf("g", "llvm.vectorize"));
}

//===----------------------------------------------------------------------===//
// Fingerprints
//===----------------------------------------------------------------------===//

/// A kernel that uses a global, an external function and a helper.
static const char *const product = R"(
  memref.global "private" constant @weights : memref<4x4xf32> =
    dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0],
           [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0]]>
  func.func private @expf(f32) -> f32
  func.func private @grow(%x: f32) -> f32 {
    %y = call @expf(%x) : (f32) -> f32
    return %y : f32
  }
  func.func @kernel(%A: memref<4x4xf32>, %C: memref<4x4xf32>) {
    %W = memref.get_global @weights : memref<4x4xf32>
    linalg.matmul ins(%A, %W : memref<4x4xf32>, memref<4x4xf32>)
                  outs(%C : memref<4x4xf32>)
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    affine.for %i = 0 to 4 {
      %x = affine.load %C[%i, 0] : memref<4x4xf32>
      %y = func.call @grow(%x) : (f32) -> f32
      %z = arith.addf %x, %y : f32
      %s = arith.mulf %z, %one : f32
      %t = arith.divf %s, %two : f32
      affine.store %t, %C[%i, 0] {first = 1 : i64, second = 2 : i64}
        : memref<4x4xf32>
    }
    return
  })";

namespace {
struct Edit {
  const char *what;
  /// What is replaced, wherever it is, and by what.
  std::vector<std::pair<std::string, std::string>> replacements;
};

class FingerprintTest : public target::ModuleTest {
protected:
  static std::string apply(const Edit &edit) {
    std::string text = product;
    for (const auto &[from, to] : edit.replacements) {
      EXPECT_NE(text.find(from), std::string::npos) << edit.what;
      for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
           at += to.size())
        text.replace(at, from.size(), to);
    }
    return text;
  }
  std::string fingerprintOf(llvm::StringRef text,
                            llvm::StringRef entry = "kernel") {
    return fingerprint(*parse(text), entry);
  }
};
} // namespace

TEST_F(FingerprintTest, ImmaterialEditsKeepIt) {
  std::string known = fingerprintOf(product);
  EXPECT_EQ(known.size(), 32u);
  const Edit edits[] = {
      {"values", {{"%A", "%left"}, {"%i", "%row"}, {"%y", "%0"}}},
      {"helpers", {{"@grow", "@other"}}},
      {"globals", {{"@weights", "@w0"}}},
      {"locations",
       {{"%z = arith.addf %x, %y : f32",
         "%z = arith.addf %x, %y : f32 loc(\"a.mlir\":7:8)"}}},
      {"spaces", {{"\n", "\n\n  "}}},
      {"the order of attributes",
       {{"first = 1 : i64, second = 2 : i64",
         "second = 2 : i64, first = 1 : i64"}}},
      {"the order of functions",
       {{"func.func private @expf(f32) -> f32\n", "\n"},
        {"    return\n  }",
         "    return\n  }\n  func.func private @expf(f32) -> f32"}}},
      {"unused functions",
       {{"func.func @kernel", "func.func @unused() { return }\n"
                              "  func.func @kernel"}}},
      {"visibility", {{"func.func @kernel", "func.func private @kernel"}}},
      {"recipes and inputs",
       {{"%A: memref<4x4xf32>",
         "%A: memref<4x4xf32> {baco.input = {uniform = [0.0, 1.0]}}"},
        {"outs(%C : memref<4x4xf32>)", "outs(%C : memref<4x4xf32>)"},
        {"linalg.matmul ins",
         "linalg.matmul {baco.recipe = #baco.recipe<[#baco.vectorize<>]>} "
         "ins"}}},
      {"attributes for readers",
       {{"%A: memref<4x4xf32>, %C: memref<4x4xf32>)",
         "%A: memref<4x4xf32> {my.name = \"left\"}, %C: memref<4x4xf32>) "
         "attributes {llvm.emit_c_interface, my.owner = 1 : i64}"}}},
      {"attributes of the module",
       {{"\n  memref.global",
         "module attributes {transform.with_named_sequence, my.version = 2 : "
         "i64} {\n  memref.global"},
        {"    return\n  }", "    return\n  }}"}}},
      {"unused constants",
       {{"    %W = ", "    %u = arith.constant 5 : i32\n    %W = "}}},
      {"the order of constants",
       {{"    %one = arith.constant 1.0 : f32\n", ""},
        {"    %two = arith.constant 2.0 : f32\n",
         "    %two = arith.constant 2.0 : f32\n"
         "    %one = arith.constant 1.0 : f32\n"}}},
      {"callers",
       {{"func.func @kernel",
         "func.func @main(%A: memref<4x4xf32>) {\n"
         "    call @kernel(%A, %A) : (memref<4x4xf32>, memref<4x4xf32>) -> ()\n"
         "    return\n  }\n  func.func @kernel"}}},
  };
  for (const Edit &edit : edits)
    EXPECT_EQ(fingerprintOf(apply(edit)), known) << edit.what;
  EXPECT_EQ(
      fingerprintOf(apply({"the kernel", {{"@kernel", "@gemm"}}}), "gemm"),
      known);
}

TEST_F(FingerprintTest, MaterialEditsChangeIt) {
  std::string known = fingerprintOf(product);
  const Edit edits[] = {
      {"an op", {{"arith.addf", "arith.mulf"}}},
      {"the order of operands", {{"arith.addf %x, %y", "arith.addf %y, %x"}}},
      {"flags", {{"addf %x, %y", "addf %x, %y fastmath<fast>"}}},
      {"a bound", {{"0 to 4", "0 to 3"}}},
      {"a subscript", {{"%C[%i, 0]", "%C[%i, 1]"}}},
      {"the element type of all", {{"f32", "f64"}}},
      {"a shape",
       {{"4x4xf32>, %C: memref<4x4xf32>",
         "4x4xf32>, %C: memref<4x4xf32>, %D: memref<4xf32>"}}},
      {"an element of a constant", {{"16.0", "17.0"}}},
      {"a helper",
       {{"%y = call @expf(%x) : (f32) -> f32", "%y = arith.negf %x : f32"}}},
      // Its name is all that tells what it does.
      {"an external function", {{"@expf", "@sinf"}}},
      {"attributes of an op", {{"first = 1", "first = 3"}}},
      {"attributes of an argument",
       {{"%A: memref<4x4xf32>", "%A: memref<4x4xf32> {llvm.noalias}"}}},
      {"what bufferization may do",
       {{"%A: memref<4x4xf32>",
         "%A: memref<4x4xf32> {bufferization.writable = false}"}}},
      {"the interface of what is called",
       {{"@expf(f32) -> f32\n",
         "@expf(f32) -> f32 attributes {llvm.emit_c_interface}\n"}}},
      {"features of the function",
       {{"%C: memref<4x4xf32>)",
         "%C: memref<4x4xf32>) attributes {target_features = "
         "#llvm.target_features<[\"+avx2\"]>}"}}},
      {"how sparse loops are made",
       {{"%C: memref<4x4xf32>)",
         "%C: memref<4x4xf32>) attributes {baco.sparse_vl = 8 : i64}"}}},
      {"how threads share loops",
       {{"%C: memref<4x4xf32>)",
         "%C: memref<4x4xf32>) attributes {baco.team_chunk = 4 : i64}"}}},
      {"constants that are exchanged",
       {{"mulf %z, %one", "mulf %z, %two"},
        {"divf %s, %two", "divf %s, %one"}}},
      {"a constant", {{"constant 2.0", "constant 3.0"}}},
      {"the data layout",
       {{"\n  memref.global",
         "module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i64>} "
         "{\n  memref.global"},
        {"    return\n  }", "    return\n  }}"}}},
  };
  for (const Edit &edit : edits)
    EXPECT_NE(fingerprintOf(apply(edit)), known) << edit.what;
}

/// Of each part there is a hash, so that a message can name what has changed.
TEST_F(FingerprintTest, ChangesHaveNames) {
  const std::pair<Edit, const char *> edits[] = {
      {{"", {{"constant 2.0", "constant 3.0"}}}, "its constants"},
      {{"", {{"arith.addf", "arith.subf"}}}, "its ops"},
      {{"", {{"0 to 4", "0 to 3"}}}, "attributes of its ops"},
      {{"", {{"arith.addf %x, %y", "arith.addf %y, %x"}}},
       "operands of its ops"},
      {{"", {{"%A: memref<4x4xf32>", "%A: memref<4x4xf32> {llvm.noalias}"}}},
       "its signature"},
      {{"", {{"16.0", "17.0"}}}, "the code of 'weights', which it uses"},
  };
  auto take = [&](const std::string &text) {
    return takeFingerprint(*parse(text), "kernel");
  };
  Fingerprint known = take(product);
  EXPECT_EQ(describeChange(known.parts, known.parts, known.used), "");
  EXPECT_EQ(describeChange("", known.parts, known.used), "");
  for (const auto &[edit, name] : edits) {
    Fingerprint now = take(apply(edit));
    EXPECT_EQ(describeChange(known.parts, now.parts, now.used), name);
  }
  Fingerprint helper = take(apply(
      {"",
       {{"%y = call @expf(%x) : (f32) -> f32", "%y = arith.negf %x : f32"},
        {"func.func private @expf(f32) -> f32\n", "\n"}}}));
  // What it uses are others.
  EXPECT_EQ(describeChange(known.parts, helper.parts, helper.used),
            "what it uses");
}

TEST_F(FingerprintTest, ManyChangesAreCounted) {
  const std::string parts = "0 0 0 0 0 0 0";
  std::vector<std::string> used;
  std::string before = parts, now = parts;
  for (int i = 0; i < 5; ++i) {
    used.push_back("f" + std::to_string(i));
    before += " 1";
    now += " 2";
    if (i == 2)
      EXPECT_EQ(describeChange(before, now, used),
                "the code of 'f0', 'f1', 'f2', which it uses");
  }
  EXPECT_EQ(describeChange(before, now, used),
            "the code of 'f0', 'f1', 'f2' and 2 others, which it uses");
}
