//===- TunedFormatsTest.cpp - Tests of functions for callers' formats -----===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/Sparse/TunedFormats.h"
#include "TestHelpers.h"

#include "baco/Target/Sparse/TunedModule.h"

#include "mlir/Dialect/SparseTensor/Pipelines/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

#include <array>

using namespace mlir;
using namespace baco::target;
using baco::DiagnosticRecorder;

namespace {
class TunedFormatsTest : public ModuleTest {
protected:
  /// Rows of a matrix times a vector.
  static std::string spmv(const std::string &name,
                          const std::string &encoding) {
    std::string type =
        "tensor<8x6xf64, #sparse_tensor.encoding<{" + encoding + "}>>";
    return "func.func @" + name + "(%b: " + type +
           R"(, %x: tensor<6xf64>, %y: tensor<8xf64>) -> tensor<8xf64> {
      %r = linalg.generic {
          indexing_maps = [affine_map<(i, k) -> (i, k)>,
                           affine_map<(i, k) -> (k)>,
                           affine_map<(i, k) -> (i)>],
          iterator_types = ["parallel", "reduction"]}
          ins(%b, %x : )" +
           type + R"(, tensor<6xf64>) outs(%y : tensor<8xf64>) {
      ^bb(%v: f64, %w: f64, %a: f64):
        %p = arith.mulf %v, %w : f64
        %s = arith.addf %a, %p : f64
        linalg.yield %s : f64
      } -> tensor<8xf64>
      return %r : tensor<8xf64>
    })";
  }

  /// A module whose function `@f` got another format.
  OwningOpRef<ModuleOp> restore(const std::string &before,
                                const std::string &after,
                                const std::string &others = "") {
    auto original = parse(spmv("f", before));
    auto tuned = parse(spmv("f", after) + others);
    OwningOpRef<func::FuncOp> copy =
        original->lookupSymbol<func::FuncOp>("f").clone();
    EXPECT_TRUE(succeeded(restoreFormats(tuned->lookupSymbol<func::FuncOp>("f"),
                                         std::move(copy))));
    EXPECT_TRUE(succeeded(verify(*tuned)));
    return tuned;
  }

  static size_t count(Operation *root, StringRef name) {
    size_t found = 0;
    root->walk(
        [&](Operation *op) { found += op->getName().getStringRef() == name; });
    return found;
  }

  /// Whether stock passes lower it, with the run-time library and without.
  static bool isLowered(ModuleOp module) {
    return llvm::all_of(std::array{true, false}, [&](bool hasLibrary) {
      OwningOpRef<ModuleOp> copy = module.clone();
      PassManager manager(module.getContext());
      sparse_tensor::SparsifierOptions options;
      options.enableRuntimeLibrary = hasLibrary;
      sparse_tensor::buildSparsifier(manager, options);
      return succeeded(manager.run(*copy));
    });
  }
};

const std::string csr = "map = (i, k) -> (i : dense, k : compressed)";
const std::string dcsr = "map = (i, k) -> (i : compressed, k : compressed)";
const std::string dense = "map = (i, k) -> (i : compressed, k : dense)";
} // namespace

TEST_F(TunedFormatsTest, ConvertsAndFallsBack) {
  auto module = restore(csr, dcsr + ", posWidth = 16, crdWidth = 8");
  auto function = module->lookupSymbol<func::FuncOp>("f");
  EXPECT_TRUE(function.isPublic());
  EXPECT_TRUE(module->lookupSymbol<func::FuncOp>("f_tuned").isPublic());
  EXPECT_TRUE(module->lookupSymbol<func::FuncOp>("f_original").isPrivate());
  EXPECT_EQ(
      function.getArgumentTypes(),
      module->lookupSymbol<func::FuncOp>("f_original").getArgumentTypes());
  EXPECT_EQ(count(*module, "scf.if"), 1U);
  // In @f, and in @f_prepare.
  EXPECT_EQ(count(*module, "sparse_tensor.number_of_entries"), 2U);
  EXPECT_EQ(count(*module, "sparse_tensor.convert"), 2U);
  EXPECT_TRUE(isLowered(*module));
}

TEST_F(TunedFormatsTest, NarrowerPositionsAreNeverGuardedWithoutNeed) {
  // As wide as before: what the caller has fits.
  auto module = restore(csr + ", posWidth = 16", dcsr + ", posWidth = 16");
  EXPECT_EQ(count(*module, "scf.if"), 0U);
  EXPECT_FALSE(module->lookupSymbol("f_original"));
  EXPECT_EQ(count(*module, "cf.assert"), 0U);
  EXPECT_EQ(count(*module, "sparse_tensor.convert"), 2U);
  EXPECT_TRUE(isLowered(*module));
}

// Of blocks and rows, a position has several entries.
TEST_F(TunedFormatsTest, DenseInnerLevelsHaveMoreEntriesThanPositions) {
  auto module = restore(dense + ", posWidth = 8", csr + ", posWidth = 8");
  EXPECT_EQ(count(*module, "scf.if"), 1U);
  EXPECT_TRUE(module->lookupSymbol("f_original"));
  EXPECT_EQ(count(module->lookupSymbol("f_prepare"), "cf.assert"), 1U);
  EXPECT_TRUE(isLowered(*module));
}

// A program converts once, calls many times, and frees what it got.
TEST_F(TunedFormatsTest, AddsFunctionsForProgramsThatKeepTensors) {
  auto module = restore(csr, dcsr + ", posWidth = 16");
  auto prepare = module->lookupSymbol<func::FuncOp>("f_prepare"),
       tuned = module->lookupSymbol<func::FuncOp>("f_tuned"),
       release = module->lookupSymbol<func::FuncOp>("f_release");
  ASSERT_TRUE(prepare && tuned && release);
  Type before = module->lookupSymbol<func::FuncOp>("f").getArgumentTypes()[0],
       after = tuned.getArgumentTypes()[0];
  EXPECT_EQ(prepare.getArgumentTypes(), ArrayRef<Type>(before));
  EXPECT_EQ(prepare.getResultTypes(), ArrayRef<Type>(after));
  EXPECT_EQ(release.getArgumentTypes(), ArrayRef<Type>(after));
  EXPECT_EQ(count(prepare, "cf.assert"), 1U);
  EXPECT_EQ(count(release, "bufferization.dealloc_tensor"), 1U);
}

// Upstream's run-time library has no conversion between widths alone.
TEST_F(TunedFormatsTest, OtherWidthsGoThroughOtherLevels) {
  for (const std::string &format :
       {csr, dcsr,
        std::string("map = (i, k) -> (i : compressed(nonunique), "
                    "k : singleton)"),
        std::string("map = (i, k) -> (i : compressed, k : dense)")}) {
    SCOPED_TRACE(format);
    auto module = restore(format, format + ", posWidth = 16, crdWidth = 8");
    EXPECT_EQ(count(*module, "sparse_tensor.convert"), 4U);
    EXPECT_EQ(count(*module, "bufferization.dealloc_tensor"), 4U);
    EXPECT_TRUE(isLowered(*module));
  }
}

TEST_F(TunedFormatsTest, SameFormatsStay) {
  auto module = restore(csr, csr);
  EXPECT_EQ(count(*module, "func.func"), 1U);
}

TEST_F(TunedFormatsTest, NamesThatAreTakenStay) {
  auto module =
      restore(csr, dcsr + ", posWidth = 8", "func.func private @f_tuned()");
  EXPECT_EQ(count(*module, "func.func"), 6U);
  EXPECT_TRUE(module->lookupSymbol<func::FuncOp>("f_tuned").isExternal());
}

// Whatever schedules choose, blocks included.
TEST_F(TunedFormatsTest, CallersInTheModuleKeepTheirFormats) {
  for (const char *choice :
       {R"(format = "dcsr", order = array<i64: 0, 1>, positions = 16)",
        R"(format = "dense-dense-csf", order = array<i64: 1, 0, 3, 2>,
           tiles = array<i64: 4, 2>, positions = 16)",
        R"(format = "csr", order = array<i64: 0, 2, 1>,
           tiles = array<i64: 4, 0>, positions = 64)"}) {
    SCOPED_TRACE(choice);
    std::string type =
        "tensor<8x6xf64, #sparse_tensor.encoding<{" + csr + "}>>";
    std::string call = "call @f(%b, %x, %y) : (" + type +
                       ", tensor<6xf64>, tensor<8xf64>) -> tensor<8xf64>\n";
    auto module = parse(spmv("f", csr) + "func.func @g(%b: " + type +
                        ", %x: tensor<6xf64>, %y: tensor<8xf64>) -> "
                        "(tensor<8xf64>, tensor<8xf64>) {\n%r = " +
                        call + "%s = " + call +
                        "return %r, %s : tensor<8xf64>, tensor<8xf64>\n}");
    auto schedule = parse(
        R"(module attributes {transform.with_named_sequence} {
          transform.named_sequence @__transform_main(
              %m: !transform.any_op {transform.readonly}) {
            %op = transform.structured.match ops{["linalg.generic"]} in %m
              : (!transform.any_op) -> !transform.any_op
            %loops = transform.baco.sparsify %op {)" +
        std::string(choice) + R"(} : (!transform.any_op) -> !transform.any_op
            transform.yield
          }
        })");
    EXPECT_TRUE(changesFormats(*module, "f", *schedule));
    EXPECT_FALSE(changesFormats(*module, "h", *schedule));
    auto f = module->lookupSymbol<func::FuncOp>("f");
    FunctionType before = f.getFunctionType();
    OwningOpRef<func::FuncOp> original = f.clone();
    ASSERT_TRUE(
        succeeded(applySchedule(*module, *schedule, "__transform_main", "f")));
    ASSERT_TRUE(succeeded(restoreFormats(
        module->lookupSymbol<func::FuncOp>("f"), std::move(original))));
    ASSERT_TRUE(succeeded(verify(*module)));
    EXPECT_EQ(module->lookupSymbol<func::FuncOp>("f").getFunctionType(),
              before);
    // In @f and @f_prepare only.
    EXPECT_EQ(count(*module, "sparse_tensor.convert"), 2U);
    Operation *caller = module->lookupSymbol("g");
    EXPECT_EQ(count(caller, "sparse_tensor.convert"), 0U);
    EXPECT_EQ(count(caller, "func.call"), 2U);
    EXPECT_TRUE(isLowered(*module));
  }
}

TEST_F(TunedFormatsTest, RefusesOtherTypes) {
  auto original = parse("func.func @f(%x: tensor<4xf64>) { return }");
  auto tuned = parse("func.func @f(%x: tensor<5xf64>) { return }");
  DiagnosticRecorder recorder(&context);
  OwningOpRef<func::FuncOp> copy =
      original->lookupSymbol<func::FuncOp>("f").clone();
  EXPECT_TRUE(failed(
      restoreFormats(tuned->lookupSymbol<func::FuncOp>("f"), std::move(copy))));
  EXPECT_NE(recorder.message("").find("has changed the type of the function"),
            std::string::npos);
}
