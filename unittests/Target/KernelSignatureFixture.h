//===- KernelSignatureFixture.h - Signatures of kernels ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_TARGET_KERNELSIGNATUREFIXTURE_H
#define BACO_UNITTESTS_TARGET_KERNELSIGNATUREFIXTURE_H

#include "TestHelpers.h"
#include "baco/KernelAnalysis/KernelSignature.h"

namespace baco::target {

/// Reads the signatures of functions `@f`.
class KernelSignatureTest : public ModuleTest {
protected:
  /// The signature of the function `@f` in `text`.
  runtime::Signature read(mlir::StringRef text) {
    auto module = parse(text);
    auto signature =
        kernelSignature(module->lookupSymbol<mlir::func::FuncOp>("f"));
    if (signature)
      return *signature;
    ADD_FAILURE() << llvm::toString(signature.takeError());
    return {};
  }
  /// Of a function with these arguments and, but for its return, this body.
  runtime::Signature readBody(mlir::StringRef arguments, mlir::StringRef body) {
    return read(
        ("func.func @f(" + arguments + ") {" + body + "\nreturn\n}").str());
  }
  /// Of a product of matrices of 4 x 7 and 7 x 5 elements of these types.
  runtime::Signature readMatmul(mlir::StringRef inputs,
                                mlir::StringRef output) {
    std::string a = ("memref<4x7x" + inputs + ">").str();
    std::string b = ("memref<7x5x" + inputs + ">").str();
    std::string c = ("memref<4x5x" + output + ">").str();
    return readBody("%a: " + a + ", %b: " + b + ", %c: " + c,
                    "linalg.matmul ins(%a, %b : " + a + ", " + b +
                        ") outs(%c : " + c + ")");
  }
  std::string error(mlir::StringRef text) {
    auto module = parse(text);
    auto signature =
        kernelSignature(module->lookupSymbol<mlir::func::FuncOp>("f"));
    return signature ? "" : llvm::toString(signature.takeError());
  }
  /// One letter per argument: r if it may be read.
  static std::string reads(const runtime::Signature &signature) {
    std::string result;
    for (const runtime::Argument &argument : signature.arguments)
      result += argument.isRead ? 'r' : '-';
    return result;
  }
  /// One letter per argument: o for an output.
  static std::string outputs(const runtime::Signature &signature) {
    std::string result;
    for (const runtime::Argument &argument : signature.arguments)
      result += argument.isOutput ? 'o' : 'i';
    return result;
  }
};

} // namespace baco::target

#endif // BACO_UNITTESTS_TARGET_KERNELSIGNATUREFIXTURE_H
