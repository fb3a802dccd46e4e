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
#include "baco/Target/KernelSignature.h"

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
