//===- ScalarReplacementTest.cpp - Tests of scalar replacement ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/LoopTransforms/LoopTransforms.h"

#include "LoopRunner.h"

using namespace baco::loopnest;

namespace {

class ScalarReplacementTest : public LoopTest {};

/// In the bodies of all functions.
static void replaceInFunctions(mlir::ModuleOp module) {
  module.walk([](mlir::func::FuncOp function) {
    mlir::Block &body = function.getBody().front();
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockBegin(&body);
    replaceWithScalars(
        mlir::arith::ConstantIndexOp::create(builder, function.getLoc(), 0),
        body.getTerminator());
  });
}

/// Writes random loads and stores of %A, %B and %C: all nearby, so that many of
/// them overlap. `iv` is a third index value, beside `i` and `j`.
class RandomAccesses {
public:
  explicit RandomAccesses(unsigned seed) : random(seed) {}

  std::string make(int count, const std::string &iv) {
    std::string result;
    for (int i = 0; i < count; ++i)
      result += random() % 2 ? load(place(iv)) : store(place(iv));
    return result;
  }

  /// Values that later accesses can use.
  std::vector<std::string> visible = {"%one"};
  /// The indices of loops around, as far as there are some.
  std::string i = "2", j = "3";

private:
  std::string pick(const std::vector<std::string> &of) {
    return of[random() % of.size()];
  }
  std::string place(const std::string &iv) {
    return pick({"%A", "%B", "%C"}) + "[" + pick({i, j, "0", "1", j + " + 1"}) +
           ", " + pick({j, j + " + 2", iv, iv + " + 1", "3", "4"}) + "]";
  }
  std::string newName() { return "%v" + std::to_string(made++); }

  std::string load(const std::string &place) {
    std::string name = newName();
    visible.push_back(name);
    if (random() % 3)
      return name + " = affine.load " + place + " : " + type + "\n";
    return name + "v = affine.vector_load " + place + " : " + type +
           ", vector<4xi32>\n" + name + " = vector.reduction <add>, " + name +
           "v : vector<4xi32> into i32\n";
  }

  std::string store(const std::string &place) {
    std::string name = newName();
    std::string result = name + " = arith.addi " + visible.back() + ", " +
                         pick(visible) + " : i32\n";
    visible.push_back(name);
    if (random() % 3)
      return result + "affine.store " + name + ", " + place + " : " + type +
             "\n";
    return result + name + "v = vector.broadcast " + name +
           " : i32 to vector<4xi32>\n" + "affine.vector_store " + name + "v, " +
           place + " : " + type + ", vector<4xi32>\n";
  }

  const std::string type = "memref<80x80xi32>";
  std::mt19937 random;
  int made = 0;
};

TEST_F(ScalarReplacementTest, RandomAccesses) {
  for (unsigned seed = 0; seed < 60 && !HasFailure(); ++seed) {
    RandomAccesses accesses(seed);
    // Every other inner loop has no iteration at first.
    std::string text =
        "%one = arith.constant 1 : i32\n" + accesses.make(4, "5");
    std::vector<std::string> outermost = accesses.visible;
    accesses.i = "%i", accesses.j = "%j";
    text += "affine.for %i = 0 to 5 {\n"
            "affine.for %j = 0 to 4 {\n" +
            accesses.make(3, "%i") +
            "affine.for %k = 0 to affine_map<(d0) -> (d0)>(" +
            (seed % 2 ? "%j" : "%n") + ") {\n";
    std::vector<std::string> outside = accesses.visible;
    text += accesses.make(6, "%k") + "}\n";
    accesses.visible = outside;
    text += accesses.make(2, "%i") + "}\n}\n";
    accesses.visible = outermost;
    accesses.i = "2", accesses.j = "3";
    text += accesses.make(4, "5");
    expectSame(text, "i32", replaceInFunctions, {0, 1, 6});
  }
}

TEST_F(ScalarReplacementTest, TiledMatmul) {
  std::string text = R"(
    affine.for %k0 = 0 to 71 step 16 {
      affine.for %j0 = 0 to 71 step 32 {
        affine.for %i0 = 0 to 72 step 4 {
          affine.for %k = affine_map<(d0) -> (d0)>(%k0)
              to min affine_map<(d0) -> (d0 + 16, 71)>(%k0) {
            affine.for %i = affine_map<(d0) -> (d0)>(%i0)
                to affine_map<(d0) -> (d0 + 4)>(%i0) {
              affine.for %j = affine_map<(d0) -> (d0)>(%j0)
                  to min affine_map<(d0) -> (d0 + 32, 71)>(%j0) {
                %a = affine.load %A[%i, %k] : memref<80x80xf32>
                %b = affine.load %B[%k, %j] : memref<80x80xf32>
                %c = affine.load %C[%i, %j] : memref<80x80xf32>
                %p = arith.mulf %a, %b : f32
                %s = arith.addf %c, %p : f32
                affine.store %s, %C[%i, %j] : memref<80x80xf32>
              } {vector}
            } {unroll}
          }
        }
      }
    })";
  expectSame(text, "f32", [](mlir::ModuleOp module) {
    forMarked(module, "vector", [&](mlir::affine::AffineForOp loop) {
      EXPECT_TRUE(succeeded(vectorizeLoop(loop, 32)));
    });
    forMarked(module, "unroll", [&](mlir::affine::AffineForOp loop) {
      EXPECT_TRUE(succeeded(unrollFully(loop)));
    });
    replaceInFunctions(module);
  });
}

} // namespace
