//===- LoopRunner.h - Runs loops before and after a change ------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles a function as it is and changed, runs both on the same random data
// and compares all that they wrote, bit by bit. Data are small integers, also
// as floating-point numbers: sums are exact in any order.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_LOOPNEST_LOOPRUNNER_H
#define BACO_UNITTESTS_LOOPNEST_LOOPRUNNER_H

#include "baco/Target/CompileModule.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"

#include "../Target/TestHelpers.h"

#include <cstring>
#include <random>

namespace baco::loopnest {

class LoopTest : public target::ModuleTest {
protected:
  LoopTest() {
    // What the changes make: a context loads what a file names.
    context.loadDialect<mlir::affine::AffineDialect, mlir::arith::ArithDialect,
                        mlir::ub::UBDialect, mlir::vector::VectorDialect>();
  }

  /// Rows and columns of the arrays.
  static constexpr int64_t side = 80;

  using Change = llvm::function_ref<void(mlir::ModuleOp)>;

  /// `body` works on %A, %B and %C, memref<80x80x`type`>, and on the index
  /// values of `sizes`, %n; it runs once for each of these. `type` is f32, f64,
  /// i32 or i64.
  void expectSame(const std::string &body, llvm::StringRef type, Change change,
                  std::vector<int64_t> sizes = {0}) {
    std::string array = "memref<80x80x" + type.str() + ">";
    std::string text = "func.func @kernel(%A: " + array + ", %B: " + array +
                       ", %C: " + array + ", %n: index) {\n" + body +
                       "\nreturn\n}\n";
    SCOPED_TRACE(text.substr(0, 2000));
    auto before = parse(text), after = parse(text);
    ASSERT_TRUE(before && after);
    change(*after);
    ASSERT_TRUE(succeeded(mlir::verify(*after)));
    if (text != plainText) {
      auto compiled = target::compileModule(*before, "kernel");
      ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
      plain = std::move(*compiled);
      plainText = text;
    }
    auto changed = target::compileModule(*after, "kernel");
    ASSERT_TRUE(bool(changed)) << llvm::toString(changed.takeError());
    for (int64_t size : sizes) {
      if (type == "f32")
        compare<float>(plain, *changed, size);
      else if (type == "f64")
        compare<double>(plain, *changed, size);
      else if (type == "i32")
        compare<int32_t>(plain, *changed, size);
      else
        compare<int64_t>(plain, *changed, size);
    }
  }

  /// Calls `change` for every affine loop with the attribute `mark`.
  static void
  forMarked(mlir::ModuleOp module, llvm::StringRef mark,
            llvm::function_ref<void(mlir::affine::AffineForOp)> change) {
    llvm::SmallVector<mlir::affine::AffineForOp> loops;
    module.walk([&](mlir::affine::AffineForOp loop) {
      if (loop->hasAttr(mark))
        loops.push_back(loop);
    });
    ASSERT_FALSE(loops.empty());
    for (mlir::affine::AffineForOp loop : loops)
      change(loop);
  }

  /// `text` for numbers of iterations from 0 to 70, which replace "ROW" in it;
  /// the next number replaces "NEXT".
  static std::string forManyTrips(const std::string &text) {
    std::string result;
    for (int trips :
         {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
          17, 18, 23, 24, 25, 31, 32, 33, 40, 47, 48, 63, 64, 65, 69, 70}) {
      std::string copy = text;
      for (auto [name, value] :
           {std::pair("ROW", trips), std::pair("NEXT", trips + 1)})
        for (size_t at; (at = copy.find(name)) != std::string::npos;)
          copy.replace(at, strlen(name), std::to_string(value));
      result += copy;
    }
    return result;
  }

private:
  /// The code of the last text, which most tests change in several ways.
  std::string plainText;
  runtime::CompiledKernel plain;

  template <typename T>
  static std::vector<T> run(const runtime::CompiledKernel &kernel,
                            int64_t size) {
    std::mt19937 random(12345);
    std::vector<T> data(3 * side * side);
    for (T &value : data)
      value = T(int(random() % 9) - 4);
    int64_t words[3][7];
    void *arguments[4];
    for (int i = 0; i < 3; ++i) {
      int64_t address =
          reinterpret_cast<int64_t>(data.data() + i * side * side);
      int64_t descriptor[7] = {address, address, 0, side, side, side, 1};
      std::copy(descriptor, descriptor + 7, words[i]);
      arguments[i] = words[i];
    }
    arguments[3] = &size;
    kernel.entry(arguments);
    return data;
  }

  template <typename T>
  static void compare(const runtime::CompiledKernel &plain,
                      const runtime::CompiledKernel &changed, int64_t size) {
    std::vector<T> expected = run<T>(plain, size), got = run<T>(changed, size);
    int shown = 0;
    for (size_t i = 0; i < expected.size() && shown < 3; ++i)
      if (std::memcmp(&expected[i], &got[i], sizeof(T)) != 0) {
        ADD_FAILURE() << "size " << size << ", array " << i / (side * side)
                      << ", element " << i / side % side << ", " << i % side
                      << ": " << expected[i] << " became " << got[i];
        ++shown;
      }
  }
};

} // namespace baco::loopnest

#endif // BACO_UNITTESTS_LOOPNEST_LOOPRUNNER_H
