//===- FpgaCostTest.cpp - Tests of the estimates of designs ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expected values are schedules by hand, as the comments say. On arria10 an
// off-chip load takes 120 cycles, one on the chip 2, a store 1, a sum and a
// product of f32 3 each; a transfer has 64 bytes, and 2 start in a cycle. A
// loop takes 2 cycles to begin and to end.
//
//===----------------------------------------------------------------------===//

#include "baco/CostModel/FpgaCost.h"
#include "FpgaDesignFixture.h"

using namespace mlir;
using namespace baco;
using namespace baco::target;

namespace {
class FpgaCostTest : public FpgaDesignFixture {
protected:
  FpgaDesign estimate(StringRef text, StringRef device = "arria10") {
    FailureOr<FpgaDesign> design =
        estimateDesign(parse(text), *findFpgaDevice(device.str()));
    EXPECT_TRUE(succeeded(design));
    return succeeded(design) ? *design : FpgaDesign();
  }

  std::string errorOf(StringRef text) {
    func::FuncOp function = parse(text);
    DiagnosticRecorder recorder(&context);
    EXPECT_TRUE(failed(estimateDesign(function, *findFpgaDevice("arria10"))));
    return recorder.message("");
  }
};
} // namespace

// A square of each element: (n - 1) * 1 + depth, where the depth is a load, a
// product and a store.
TEST_F(FpgaCostTest, PipelineOfIndependentIterations) {
  FpgaDesign design = estimate(R"(
    func.func @f(%x: memref<100xf32>, %y: memref<100xf32>) {
      affine.for %i = 0 to 100 {
        %a = affine.load %x[%i] : memref<100xf32>
        %m = arith.mulf %a, %a : f32
        affine.store %m, %y[%i] : memref<100xf32>
      }
      return
    })");
  ASSERT_EQ(design.pipelines.size(), 1u);
  EXPECT_EQ(design.pipelines[0].depth, 120 + 3 + 1);
  EXPECT_EQ(design.pipelines[0].interval(), 1);
  EXPECT_EQ(design.cycles, 2 + 124 + 99);
  // One product; two units of 600 ALMs and 4 M20Ks, and the loop's counter.
  EXPECT_EQ(design.needs.dsps, 1);
  EXPECT_EQ(design.needs.logic, 2 * 600 + 64);
  EXPECT_EQ(design.needs.registers, 2 * 1600 + 32 + 3 * 32);
  EXPECT_EQ(design.needs.memories, 2 * 4);
}

// Loops around a pipeline fill it anew in each iteration.
TEST_F(FpgaCostTest, OuterLoopsRunOneAfterAnother) {
  FpgaDesign design = estimate(R"(
    func.func @f(%x: memref<10x100xf32>) {
      affine.for %i = 0 to 10 {
        affine.for %j = 0 to 100 {
          %a = affine.load %x[%i, %j] : memref<10x100xf32>
          %m = arith.mulf %a, %a : f32
          affine.store %m, %x[%i, %j] : memref<10x100xf32>
        }
      }
      return
    })");
  EXPECT_EQ(design.cycles, 2 + 10 * (2 + 124 + 99));
}

// A sum that the loop carries waits 3 cycles for the one before.
TEST_F(FpgaCostTest, CarriedSumLimitsInterval) {
  FpgaDesign design = estimate(R"(
    func.func @f(%x: memref<100xf32>, %y: memref<1xf32>) {
      %zero = arith.constant 0.0 : f32
      %sum = affine.for %i = 0 to 100 iter_args(%s = %zero) -> f32 {
        %a = affine.load %x[%i] : memref<100xf32>
        %t = arith.addf %s, %a : f32
        affine.yield %t : f32
      }
      affine.store %sum, %y[0] : memref<1xf32>
      return
    })");
  EXPECT_EQ(design.pipelines[0].byRecurrence, 3);
  // The store behind the loop takes a cycle.
  EXPECT_EQ(design.cycles, 2 + (120 + 3) + 3 * 99 + 1);
}

// Two values change places: a chain of two sums in two iterations.
TEST_F(FpgaCostTest, CarriedValuesMayChangePlaces) {
  FpgaDesign design = estimate(R"(
    func.func @f(%x: memref<100xf32>) {
      %zero = arith.constant 0.0 : f32
      %sum:2 = affine.for %i = 0 to 100
          iter_args(%s = %zero, %t = %zero) -> (f32, f32) {
        %a = arith.addf %t, %t : f32
        %b = math.sqrt %a : f32
        affine.yield %b, %s : f32, f32
      }
      affine.store %sum#0, %x[0] : memref<100xf32>
      return
    })");
  // A sum and a root, 3 + 20 cycles, for two iterations: 11.5.
  EXPECT_EQ(design.pipelines[0].byRecurrence, 12);
}

// x[i + 4] = 2 * x[i] on the chip: load, sum and store, 2 + 3 + 1 cycles, in
// four iterations: 1.5, rounded up.
TEST_F(FpgaCostTest, DistanceDividesLatencyOfRecurrence) {
  auto text = [](int distance) {
    return R"(
    func.func @f() {
      %x = memref.alloc() : memref<100xf32>
      affine.for %i = 0 to 90 {
        %a = affine.load %x[%i] : memref<100xf32>
        %t = arith.addf %a, %a : f32
        affine.store %t, %x[%i + )" +
           std::to_string(distance) + R"(] : memref<100xf32>
      }
      return
    })";
  };
  EXPECT_EQ(estimate(text(1)).pipelines[0].byRecurrence, 6);
  EXPECT_EQ(estimate(text(2)).pipelines[0].byRecurrence, 3);
  EXPECT_EQ(estimate(text(4)).pipelines[0].byRecurrence, 2);
  EXPECT_EQ(estimate(text(6)).pipelines[0].byRecurrence, 1);
  // No iteration reads what another one has written.
  EXPECT_EQ(estimate(text(0)).pipelines[0].byRecurrence, 1);
}

// Two sums in memory, one behind the other, are a chain through both stores:
// 2 * (2 + 3 + 1).
TEST_F(FpgaCostTest, RecurrenceGoesThroughSeveralStores) {
  FpgaDesign design = estimate(R"(
    func.func @f(%x: memref<64xf32>) {
      %y = memref.alloc() : memref<8xf32>
      affine.for %i = 0 to 64 step 2 {
        %a = affine.load %x[%i] : memref<64xf32>
        %b = affine.load %y[3] : memref<8xf32>
        %s = arith.addf %a, %b : f32
        affine.store %s, %y[3] : memref<8xf32>
        %c = affine.load %x[%i + 1] : memref<64xf32>
        %d = affine.load %y[3] : memref<8xf32>
        %t = arith.addf %c, %d : f32
        affine.store %t, %y[3] : memref<8xf32>
      }
      return
    })");
  EXPECT_EQ(design.pipelines[0].byRecurrence, 12);
}

// Subscripts from memory may be any: the next iteration may need the element.
TEST_F(FpgaCostTest, UnknownSubscriptsDepend) {
  FpgaDesign design = estimate(R"(
    func.func @f(%p: memref<64xi32>) {
      %y = memref.alloc() : memref<32xf32>
      affine.for %i = 0 to 64 {
        %a = affine.load %p[%i] : memref<64xi32>
        %j = arith.index_cast %a : i32 to index
        %b = memref.load %y[%j] : memref<32xf32>
        %s = arith.addf %b, %b : f32
        memref.store %s, %y[%j] : memref<32xf32>
      }
      return
    })");
  EXPECT_EQ(design.pipelines[0].byRecurrence, 2 + 3 + 1);
}

// Eight loads of neighbors from a memory whose banks have two ports each.
TEST_F(FpgaCostTest, PortsLimitIntervalAndBanksHelp) {
  auto text = [](int extent) {
    std::string type = "memref<" + std::to_string(extent) + "xf32>", loads;
    for (int i = 0; i < 8; ++i) {
      std::string n = std::to_string(i);
      loads += "%a" + n + " = affine.load %x[%i + " + n + "] : " + type + "\n";
    }
    return "func.func @f(%y: memref<64xf32>) {\n%x = memref.alloc() : " + type +
           "\naffine.for %i = 0 to 56 step 8 {\n" + loads +
           "affine.store %a0, %y[%i] : memref<64xf32>\n}\nreturn\n}";
  };
  // Two loads of each of four banks, of which each is a block.
  FpgaDesign design = estimate(text(64));
  EXPECT_EQ(design.pipelines[0].byPorts, 1);
  EXPECT_EQ(design.needs.memories, 4 + /*unit of y*/ 4);
}

TEST_F(FpgaCostTest, UnknownSubscriptsMayBeInAnyBank) {
  // Three loads by two ports, in whatever banks.
  FpgaDesign design = estimate(R"(
    func.func @f(%p: memref<64xi32>, %z: memref<64xf32>) {
      %y = memref.alloc() : memref<32xf32>
      affine.for %i = 0 to 64 {
        %a = affine.load %p[%i] : memref<64xi32>
        %j = arith.index_cast %a : i32 to index
        %b = memref.load %y[%j] : memref<32xf32>
        %c = affine.load %y[%i mod 32] : memref<32xf32>
        %d = affine.load %y[%i floordiv 2] : memref<32xf32>
        %s = arith.addf %b, %c : f32
        %t = arith.addf %s, %d : f32
        affine.store %t, %z[%i] : memref<64xf32>
      }
      return
    })");
  EXPECT_EQ(design.pipelines[0].byPorts, 2);
}

// Loads of five arrays by columns take a transfer each: 5 / 2, rounded up. By
// rows, 16 iterations share one.
TEST_F(FpgaCostTest, StridesTakeTransfers) {
  auto text = [](bool byRows) {
    std::string loads, arguments, where = byRows ? "%i, %j" : "%j, %i";
    for (int i = 0; i < 5; ++i) {
      std::string n = std::to_string(i);
      arguments += (i ? ", %x" : "%x") + n + ": memref<32x32xf32>";
      loads += "%a" + n + " = affine.load %x" + n + "[" + where +
               "] : memref<32x32xf32>\n";
    }
    return "func.func @f(" + arguments +
           ") {\naffine.for %i = 0 to 32 {\naffine.for %j = 0 to 32 {\n" +
           loads + "}\n}\nreturn\n}";
  };
  EXPECT_EQ(estimate(text(false)).pipelines[0].byTransfers, 3);
  EXPECT_EQ(estimate(text(true)).pipelines[0].byTransfers, 1);
}

// An element of 4 bytes is a whole transfer. The next iteration has three of
// the four already; a gap of one element makes two such windows.
TEST_F(FpgaCostTest, WindowsOfWholeTransfers) {
  auto text = [](const std::string &last) {
    return "func.func @f(%x: memref<40xf32>) {\n"
           "affine.for %i = 0 to 32 {\n"
           "%a = affine.load %x[%i] : memref<40xf32>\n"
           "%b = affine.load %x[%i + 1] : memref<40xf32>\n"
           "%c = affine.load %x[%i + 2] : memref<40xf32>\n"
           "%d = affine.load %x[%i + " +
           last + "] : memref<40xf32>\n}\nreturn\n}";
  };
  EXPECT_EQ(estimate(text("3"), "ice40").pipelines[0].byTransfers, 1);
  EXPECT_EQ(estimate(text("4"), "ice40").pipelines[0].byTransfers, 2);
}

TEST_F(FpgaCostTest, DesignMayNotFit) {
  const FpgaDevice &small = *findFpgaDevice("ice40");
  EXPECT_EQ(small.whyNotFits({8, 4224, 4224, 30}), "");
  EXPECT_EQ(
      small.whyNotFits({9, 0, 0, 0}),
      "doesn't fit Lattice iCE40 UP5K: needs at least 9 DSPs, but 8 is the "
      "most");
  EXPECT_EQ(small.whyNotFits({8, 4225, 0, 0}),
            "doesn't fit Lattice iCE40 UP5K: needs at least 4225 LUTs, but "
            "4224 is the most");
  EXPECT_EQ(small.usage({4, 8448, 0, 30}), (std::vector<double>{0.5, 2, 0, 1}));
  EXPECT_EQ(findFpgaDevice("stratix"), nullptr);
  EXPECT_EQ(listFpgaDevices(), "arria10, cyclone5 or ice40");
}

/// A design that is a little too large has cycles, as a search learns from
/// them; one that is far too large doesn't.
TEST_F(FpgaCostTest, CyclesBeyondTheDevice) {
  auto text = [](int number) {
    std::string products;
    for (int i = 0; i < number; ++i) {
      std::string n = std::to_string(i);
      products += "%b" + n + " = arith.mulf %a, %a : f32\n";
    }
    return "func.func @f(%x: memref<64xf32>) {\naffine.for %i = 0 to 64 {\n"
           "%a = affine.load %x[%i] : memref<64xf32>\n" +
           products + "affine.store %b0, %x[%i] : memref<64xf32>\n}\nreturn\n}";
  };
  // A product takes four of the eight DSPs.
  const FpgaDevice &small = *findFpgaDevice("ice40");
  FpgaDesign near = estimate(text(8), "ice40"),
             far = estimate(text(9), "ice40");
  EXPECT_EQ(small.usage(near.needs)[0], 4);
  EXPECT_EQ(near.cycles, estimate(text(1), "ice40").cycles);
  EXPECT_EQ(small.usage(far.needs)[0], 4.5);
  EXPECT_FALSE(far.cycles);
}

TEST_F(FpgaCostTest, RefusesWhatIsNoAffineNest) {
  EXPECT_EQ(
      errorOf(R"(func.func @f(%x: memref<?xf32>, %n: index) {
      affine.for %i = 0 to %n {
        %a = affine.load %x[%i] : memref<?xf32>
      }
      return
    })")
          .substr(0, 78),
      "-:2:7: an FPGA design can't have it: its number of iterations must "
      "be constant");
  EXPECT_NE(errorOf(R"(func.func @f(%n: index) {
      %c = arith.constant 0 : index
      scf.for %i = %c to %n step %n { }
      return
    })")
                .find("only loops of affine.for"),
            std::string::npos);
  EXPECT_NE(errorOf(R"(func.func @f(%x: memref<4x4xf32>) {
      %y = memref.subview %x[0, 0] [1, 4] [1, 1]
        : memref<4x4xf32> to memref<1x4xf32, strided<[4, 1]>>
      return
    })")
                .find("only loops of affine.for"),
            std::string::npos);
}
