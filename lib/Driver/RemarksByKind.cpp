//===- RemarksByKind.cpp - One remark for ops of a kind -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RemarksByKind.h"

#include "mlir/IR/MLIRContext.h"

using namespace mlir;
using namespace baco::driver;

RemarksByKind::RemarksByKind(MLIRContext *context) : context(context) {
  handler.emplace(context, [this](Diagnostic &remark) {
    if (remark.getSeverity() != DiagnosticSeverity::Remark)
      return failure();
    auto [known, isNew] = places.try_emplace(remark.str(), kinds.size());
    if (isNew)
      kinds.push_back({std::move(remark)});
    else
      ++kinds[known->second].count;
    return success();
  });
}

RemarksByKind::~RemarksByKind() {
  handler.reset();
  for (Kind &kind : kinds) {
    if (size_t others = kind.count - 1)
      kind.first << "; " << others
                 << (others == 1 ? " more op is" : " more ops are")
                 << " like that, which --verbose lists";
    context->getDiagEngine().emit(std::move(kind.first));
  }
}
