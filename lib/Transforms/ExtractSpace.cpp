//===- ExtractSpace.cpp - Print the search space of a schedule ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Transforms/Passes.h"

#include "baco/Format/ChoiceText.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/Schedule/ExtractSpace.h"

#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/ToolOutputFile.h"

#define DEBUG_TYPE "baco-extract-space"

namespace baco {
#define GEN_PASS_DEF_EXTRACTSPACEPASS
#include "baco/Transforms/Passes.h.inc"
} // namespace baco

namespace {
struct ExtractSpacePass
    : public baco::impl::ExtractSpacePassBase<ExtractSpacePass> {
  using Base::Base;

protected:
  void runOnOperation() override {
    markAllAnalysesPreserved();
    mlir::FailureOr<baco::Space> space = baco::schedule::extractSpace(
        getOperation(), sequence, {getOperation(), ignoreAdvisory});
    if (failed(space))
      return signalPassFailure();
    LDBG() << "'@" << sequence << "' has " << space->parameters().size()
           << " knobs and " << space->constraints().size() << " constraints";
    baco::Result<std::string> text =
        explain.empty() ? baco::writeSpace(*space) : explainKnobs(*space);
    if (!text) {
      emitError(getOperation()->getLoc(), text.error().message);
      return signalPassFailure();
    }
    std::string message;
    auto file = mlir::openOutputFile(output, &message);
    if (!file) {
      emitError(getOperation()->getLoc(), message);
      return signalPassFailure();
    }
    file->os() << *text;
    file->os().flush();
    if (std::error_code error = file->os().error()) {
      // Otherwise it would end the program.
      file->os().clear_error();
      emitError(getOperation()->getLoc())
          << "cannot write '" << output << "': " << error.message();
      return signalPassFailure();
    }
    file->keep();
  }

  baco::Result<std::string> explainKnobs(const baco::Space &space) const {
    baco::Result<baco::ChosenValues> choice = baco::readChoice(space, explain);
    if (!choice)
      return baco::Error{choice.error().code,
                         "explain: " + choice.error().message};
    auto explanation = baco::explainChoice(space, *choice);
    if (!explanation)
      return explanation.error();
    return describeChoice(space, *choice, *explanation);
  }
};
} // namespace
