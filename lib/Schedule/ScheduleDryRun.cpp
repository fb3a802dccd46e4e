//===- ScheduleDryRun.cpp - A schedule that is tried out ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduleDryRun.h"

#include "baco/IR/BacoDialect.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;

Assignment schedule::defaultsOf(const Space &space) {
  Assignment assignment;
  for (auto [parameter, value] : llvm::zip_equal(
           space.parameters(), space.toConfiguration(space.defaultPoint())))
    assignment.emplace_back(parameter.name(), value);
  return assignment;
}

std::optional<Assignment>
ScheduleDryRun::choose(Operation *op, std::vector<Constraint> constraints,
                       ArrayRef<Expression> further) const {
  std::vector<Parameter> parameters;
  for (const Choice &choice : choices.all())
    parameters.push_back(choice.parameter);
  // A case beyond what is advised is one, too.
  if (!further.empty())
    llvm::erase_if(constraints,
                   [](const Constraint &one) { return one.advisory; });
  SmallVector<Expression> holding = conditions.of(op);
  conjoin(holding, further);
  for (const Expression &one : holding)
    constraints.push_back({one, "", "", false});
  Result<Space> space =
      Space::create(std::move(parameters), std::move(constraints), active);
  if (!space)
    return std::nullopt;
  return defaultsOf(*space);
}

std::optional<size_t> ScheduleDryRun::numberOf(Operation *copy) {
  auto number = copy->getAttrOfType<IntegerAttr>(BacoDialect::kMark);
  return number ? std::optional<size_t>(number.getInt()) : std::nullopt;
}

OwningOpRef<ModuleOp> ScheduleDryRun::run(
    const Assignment &assignment, ArrayRef<Operation *> numbered,
    function_ref<LogicalResult(transform::NamedSequenceOp)> prepare,
    function_ref<void(transform::TransformState &)> extend) const {
  ModuleOp original = payload, unresolved = schedule;
  ScopedDiagnosticHandler silence(original.getContext(),
                                  [](Diagnostic &) { return success(); });
  for (auto [number, op] : llvm::enumerate(numbered))
    op->setAttr(BacoDialect::kMark,
                Builder(op->getContext()).getIndexAttr(number));
  OwningOpRef<ModuleOp> resolved = unresolved.clone();
  for (Operation *op : numbered)
    op->removeAttr(BacoDialect::kMark);
  StringRef name = choices.entry().getSymName();
  if (failed(concretize(*resolved, name, assignment)))
    return {};
  auto sequence = dyn_cast_or_null<transform::NamedSequenceOp>(
      SymbolTable::lookupSymbolIn(*resolved, name));
  if (!sequence || failed(prepare(sequence)))
    return {};
  OwningOpRef<ModuleOp> changed = original.clone();
  (void)transform::applyTransforms(
      *changed, cast<transform::TransformOpInterface>(*sequence), {},
      transform::TransformOptions(), /*enforceToplevelTransformOp=*/false,
      extend);
  return changed;
}
