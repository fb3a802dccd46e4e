//===- LoopLegalityTest.cpp - Dependences as constraints ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the constraints of loop commands allow is compared with what happens to
// every configuration: the schedule applies, or it doesn't.
//
//===----------------------------------------------------------------------===//

#include "ScheduleTest.h"

#include "baco/Schedule/ExpandRecipes.h"
#include "baco/Target/Sparse/TunedModule.h"

#include "mlir/IR/Diagnostics.h"

using namespace baco;

namespace {
class LoopLegalityTest : public ScheduleTest {
protected:
  bool applies(mlir::ModuleOp payload, mlir::ModuleOp schedule,
               const Space &space, const Configuration &configuration) {
    schedule::Assignment assignment;
    for (size_t i = 0; i < configuration.size(); ++i)
      assignment.emplace_back(space.parameters()[i].name(), configuration[i]);
    auto resolved = mlir::OwningOpRef<mlir::ModuleOp>(schedule.clone());
    auto changed = mlir::OwningOpRef<mlir::ModuleOp>(payload.clone());
    return succeeded(schedule::concretize(*resolved, schedule::defaultSequence,
                                          assignment)) &&
           succeeded(target::applySchedule(*changed, *resolved));
  }

  /// Expects that exactly `numLegal` configurations apply, and that the space
  /// allows these and no others.
  void check(const std::string &payload, const std::string &knobs,
             const std::string &script, uint64_t numLegal) {
    checkSchedule(payload, scheduleText(knobs, script), numLegal);
  }

  void checkSchedule(const std::string &payload, const std::string &script,
                     uint64_t numLegal) {
    auto module = parse(payload), schedule = parse(script);
    ASSERT_TRUE(module && schedule);
    mlir::ScopedDiagnosticHandler quiet(
        &context, [](mlir::Diagnostic &) { return mlir::success(); });
    auto all = schedule::extractSpace(*schedule);
    ASSERT_TRUE(succeeded(all));
    schedule::ExtractOptions options;
    options.payload = *module;
    auto space =
        schedule::extractSpace(*schedule, schedule::defaultSequence, options);
    ASSERT_TRUE(succeeded(space));
    ASSERT_TRUE(all->countIfSmall());
    for (uint64_t k = 0; k < *all->countIfSmall(); ++k) {
      Configuration configuration = all->toConfiguration(all->at(k));
      bool isAllowed = space->check(configuration) ? true : false;
      EXPECT_EQ(applies(*module, *schedule, *all, configuration), isAllowed)
          << script << " with configuration " << k;
    }
    EXPECT_EQ(space->count(), std::to_string(numLegal)) << script;
  }
};
} // namespace

/// Each element needs the one above and to the right.
static const std::string sweep =
    nestText("%A: memref<40x40x8xf64>",
             {"%i = 1 to 40", "%j = 0 to 39", "%k = 0 to 8"}, R"(
    %a = affine.load %A[%i - 1, %j + 1, %k] : memref<40x40x8xf64>
    %b = affine.load %A[%i, %j, %k] : memref<40x40x8xf64>
    %s = arith.mulf %a, %b : f64
    affine.store %s, %A[%i, %j, %k] : memref<40x40x8xf64>)");

TEST_F(LoopLegalityTest, Orders) {
  // i before j, wherever k is.
  check(sweep, order(3), R"([#baco.loop_permute<order = "order">])", 3);
}

TEST_F(LoopLegalityTest, OrderAndTile) {
  // Tiles of k and, inside of k, of i may come first; of j only a single one
  // (0 or 64). i before j with size 1, which moves the loop, if j was before.
  check(sweep, order(3) + number("T", "0, 1, 4, 8, 64"),
        R"([#baco.loop_permute<order = "order">,
            #baco.loop_tile<statement = 0, loop = 2, size = "T">])",
        13);
}

TEST_F(LoopLegalityTest, UnrollAndJam) {
  // Two iterations of i that are jammed exchange an element.
  check(sweep, number("UI", "1, 2, 4") + number("UK", "0, 2, 8"),
        R"([#baco.loop_unroll<statement = 0, loop = 1, factor = "UI">,
            #baco.loop_unroll<statement = 0, loop = 3, factor = "UK">])",
        3);
}

TEST_F(LoopLegalityTest, SkewAndTile) {
  // Skewed by i, tiles of j may come first.
  std::string skews = R"(%s = transform.tune.knob<"S"> options =
      [[0, 1], [1, 1], [2, 1]] -> !transform.any_param
      )";
  check(sweep, skews + number("T", "0, 4"),
        R"([#baco.loop_skew<statement = 0, loop = 2, coefficients = "S">,
            #baco.loop_tile<statement = 0, loop = 2, size = "T">])",
        5);
}

TEST_F(LoopLegalityTest, JamBelowTheDistance) {
  // Element i needs element i - 3.
  check(nestText("%A: memref<64x16xf64>", {"%i = 3 to 63", "%j = 0 to 15"}, R"(
    %a = affine.load %A[%i - 3, %j + 1] : memref<64x16xf64>
    affine.store %a, %A[%i, %j] : memref<64x16xf64>)"),
        number("U", "1, 2, 3, 4, 5"),
        R"([#baco.loop_unroll<statement = 0, loop = 1, factor = "U">])", 3);
}

TEST_F(LoopLegalityTest, VectorsBelowTheDistance) {
  check(nestText("%A: memref<68xf64>", {"%i = 4 to 68"}, R"(
    %a = affine.load %A[%i - 4] : memref<68xf64>
    affine.store %a, %A[%i] : memref<68xf64>)"),
        number("W", "0, 2, 4, 8"),
        R"([#baco.loop_vectorize<statement = 0, loop = 1, width = "W">])", 3);
}

TEST_F(LoopLegalityTest, ParallelLoop) {
  // Only k is; each loop may be asked for.
  check(sweep, number("L", "1, 2, 3"),
        R"([#baco.loop_parallelize<statement = 0, loop = "L">])", 2);
}

/// The second statement reads what the first one writes in the next row.
static const char twoNests[] = R"(
  func.func @f(%A: memref<34xf64>, %B: memref<34xf64>) {
    %c = arith.constant 2.0 : f64
    affine.for %i = 0 to 32 {
      affine.store %c, %A[%i] : memref<34xf64>
    }
    affine.for %i = 0 to 31 {
      %a = affine.load %A[%i + 1] : memref<34xf64>
      affine.store %a, %B[%i] : memref<34xf64>
    }
    return
  })";

TEST_F(LoopLegalityTest, ShiftAndFuse) {
  // Fused, the second must run at least an iteration later.
  check(twoNests, number("S", "-1, 0, 1, 2") + number("F", "0, 1"),
        R"([#baco.loop_shift<statement = 1, loop = 1, amount = "S">,
            #baco.loop_fuse<statements = [0, 1], loop = "F">])",
        6);
}

TEST_F(LoopLegalityTest, SolveWithCopies) {
  const std::string solve =
      nestText("%A: memref<40x40xf64>, %B: memref<40x40xf64>",
               {"%j = 0 to 40", "%k = 0 to 40",
                "%i = affine_map<(d0) -> (d0 + 1)>(%k) to 40"},
               R"(
    %c = affine.load %B[%i, %j] : memref<40x40xf64>
    %b = affine.load %B[%k, %j] : memref<40x40xf64>
    %a = affine.load %A[%i, %k] : memref<40x40xf64>
    %p = arith.mulf %b, %a : f64
    %s = arith.subf %c, %p : f64
    affine.store %s, %B[%i, %j] : memref<40x40xf64>)");
  check(solve, number("TK", "8, 16") + number("TI", "0, 8"),
        "\"permute([1,3,2]) tile(0,3,TK) split(0,2,L3>=L1+TK) "
        "tile(0,3,TI,2) tile(0,3,8,2) datacopy(0,3,2) datacopy(0,4,3,1)\"",
        4);
  // By rows or by columns: all is legal.
  check(solve, order(3) + number("TK", "0, 8"),
        R"([#baco.loop_permute<order = "order">,
            #baco.loop_tile<statement = 0, loop = 3, size = "TK">])",
        12);
}

TEST_F(LoopLegalityTest, CommandsWithoutMeaning) {
  // There is no statement 1.
  check(sweep, number("S", "0, 1"),
        R"([#baco.loop_tile<statement = "S", loop = 3, size = 1>])", 1);
}

/// A schedule that does `first` to the loops `%l`, then vectorizes what is
/// there by "W".
static std::string afterChoice(const std::string &first) {
  return R"(module attributes {transform.with_named_sequence} {
    transform.named_sequence @__transform_main(%root: !transform.any_op) {
      %l = transform.structured.match ops{["affine.for"]} in %root
        : (!transform.any_op) -> !transform.any_op
      )" +
         first +
         R"(
      %f = transform.structured.match ops{["func.func"]} in %root
        : (!transform.any_op) -> !transform.any_op
      %W = transform.tune.knob<"W"> options = [0, 2, 4, 8]
        -> !transform.param<i64>
      %n = transform.baco.restructure %f
        [#baco.loop_vectorize<statement = 0, loop = 1, width = "W">]
        : (!transform.any_op) -> !transform.any_op
      transform.yield
    }
  })";
}

/// Element i needs element i - 6.
static const std::string distance =
    nestText("%A: memref<102xf64>", {"%i = 6 to 102"}, R"(
    %a = affine.load %A[%i - 6] : memref<102xf64>
    affine.store %a, %A[%i] : memref<102xf64>)");

TEST_F(LoopLegalityTest, NestsThatAKnobChanges) {
  // By itself up to 4; by steps of 2, 3 of them at most, so 2; by steps of 3,
  // where 2 are legal, too.
  checkSchedule(distance, afterChoice(R"(
      %U = transform.tune.knob<"U"> options = [1, 2, 3]
        -> !transform.param<i64>
      transform.loop.unroll %l {factor = 1, baco.bind = {factor = "U"}}
        : !transform.any_op)"),
                7);
}

TEST_F(LoopLegalityTest, NestsThatAnAlternativeChanges) {
  // The knob of the second region is active there only.
  checkSchedule(distance, afterChoice(R"(
      transform.tune.alternatives<"first"> {
      }, {
        %U = transform.tune.knob<"U"> options = [2, 6]
          -> !transform.param<i64>
        transform.loop.unroll %l {factor = 2, baco.bind = {factor = "U"}}
          : !transform.any_op
      })"),
                6);
}

TEST_F(LoopLegalityTest, ReasonsNamePlaces) {
  auto module = parse(sweep);
  auto schedule =
      parse(scheduleText(order(3), R"([#baco.loop_permute<order = "order">])"));
  schedule::ExtractOptions options;
  options.payload = *module;
  auto space =
      schedule::extractSpace(*schedule, schedule::defaultSequence, options);
  ASSERT_TRUE(succeeded(space));
  ASSERT_EQ(space->constraints().size(), 1u);
  const Constraint &constraint = space->constraints()[0];
  EXPECT_EQ(constraint.expression.text(),
            "in(order, {(0, 1, 2), (0, 2, 1), (2, 0, 1)})");
  EXPECT_NE(constraint.reason.find(
                "the order of loops breaks a dependence: S0 writes A0 and S0 "
                "reads it (S0 is at "),
            std::string::npos)
      << constraint.reason;
  EXPECT_FALSE(constraint.location.empty());
}
