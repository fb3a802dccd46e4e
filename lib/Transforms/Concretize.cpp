//===- Concretize.cpp - Resolve the choices of a schedule -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Transforms/Passes.h"

#include "baco/Format/SpaceFormat.h"
#include "baco/Schedule/ExpandRecipes.h"
#include "baco/Schedule/ExtractSpace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-concretize"

namespace baco {
#define GEN_PASS_DEF_CONCRETIZEPASS
#include "baco/Transforms/Passes.h.inc"
} // namespace baco

namespace {
struct ConcretizePass : public baco::impl::ConcretizePassBase<ConcretizePass> {
  using Base::Base;

protected:
  void runOnOperation() override {
    mlir::ModuleOp module = getOperation();
    mlir::FailureOr<baco::Space> space =
        baco::schedule::extractSpace(module, sequence);
    if (failed(space))
      return signalPassFailure();
    baco::schedule::Assignment assignment;
    if (!configuration.empty()) {
      // The parser of pass options takes the braces off.
      llvm::StringRef text = llvm::StringRef(configuration).trim();
      auto given = baco::readAssignment(
          text.starts_with("{") ? text.str() : "{" + text.str() + "}");
      if (!given) {
        emitError(module->getLoc())
            << "configuration: " << given.error().message;
        return signalPassFailure();
      }
      assignment = std::move(*given);
    }
    addDefaults(*space, assignment);
    if (auto met = checkConstraints(*space, assignment); !met) {
      module.lookupSymbol(sequence)->emitError()
          << "configuration: " << met.error().message;
      return signalPassFailure();
    }
    for (const auto &[name, value] : assignment)
      LDBG() << name << " = " << baco::toString(value);
    if (failed(baco::schedule::concretize(module, sequence, assignment)))
      signalPassFailure();
  }

  static void addDefaults(const baco::Space &space,
                          baco::schedule::Assignment &assignment) {
    baco::Configuration defaults = space.toConfiguration(space.defaultPoint());
    for (auto [parameter, value] :
         llvm::zip_equal(space.parameters(), defaults))
      if (llvm::none_of(assignment, [&, &parameter = parameter](auto &given) {
            return given.first == parameter.name();
          }))
        assignment.emplace_back(parameter.name(), value);
  }

  /// Whether the values meet all constraints that aren't advisory: those are
  /// for the search.
  static baco::Result<void>
  checkConstraints(const baco::Space &space,
                   const baco::schedule::Assignment &assignment) {
    baco::Configuration values;
    for (const baco::Parameter &parameter : space.parameters()) {
      auto given = llvm::find_if(assignment, [&](const auto &one) {
        return one.first == parameter.name();
      });
      // concretize says that, at the knob.
      if (!parameter.contains(given->second))
        return {};
      values.push_back(given->second);
    }
    for (size_t violated : space.violated(values))
      if (!space.constraints()[violated].advisory)
        return baco::Error{baco::ErrorCode::InvalidArgument,
                           space.explain(values, violated)};
    return {};
  }
};
} // namespace
