//===- RecipeExpander.h - Writes the schedule of a recipe ------*- C++ -*--===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the transform ops of one recipe. It owns the state that steps share:
// handles to the op, to its function, to loops and copies.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RECIPE_RECIPEEXPANDER_H
#define BACO_RECIPE_RECIPEEXPANDER_H

#include "baco/Recipe/RecipeAnalysis.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"

#include <functional>

namespace mlir::transform {
class ForeachOp;
} // namespace mlir::transform

namespace baco {

class RecipeExpander {
public:
  /// Writes at the insertion point of `builder`. `function` and `target` are
  /// handles to the function and to `op`, the one op of the recipe in it; `tag`
  /// is an identifier that no other recipe of the function has.
  RecipeExpander(mlir::OpBuilder &builder, mlir::Operation *op,
                 RecipeAttr recipe, llvm::StringRef tag, mlir::Value function,
                 mlir::Value target);

  /// Declares the knobs and writes all steps. Fails with a diagnostic at the
  /// op if the recipe isn't suitable for it.
  mlir::LogicalResult run();

  /// The constraints that `run` derived, including `where`.
  llvm::ArrayRef<ConstraintAttr> getConstraints() const {
    return state.getConstraints();
  }

  //===--- For steps ------------------------------------------------------===//

  mlir::OpBuilder &builder;
  mlir::Location loc;
  /// The type of all handles.
  mlir::Type anyOp;
  /// A prefix for marks in the payload.
  std::string tag;
  /// The state of the op before the step.
  RecipeAnalysis state;

  /// Handle to the function; a step that consumes it puts the new one here.
  mlir::Value function;
  /// Handle to the op; null when it is no more.
  mlir::Value target;

  /// The innermost loop around the op; null if there is none.
  mlir::Value innermostLoop;
  /// The op is in new loops from now on, inside those that there are.
  void enterLoops(mlir::Value outer, mlir::Value inner);
  /// A handle to what has all of the op: its outermost loop or, where that has
  /// no handle at the insertion point, the function.
  mlir::Value nest();

  /// An op that promotes, or chooses whether to; the innermost loop around the
  /// copies it makes; and one of the operands.
  struct Promotion {
    mlir::Operation *op;
    mlir::Value loop;
    int64_t operand;
  };
  llvm::SmallVector<Promotion> promotions;

  /// A function that `gpu_threads` calls to distribute the copies to shared
  /// memory over threads; null if there are none.
  std::function<void()> writeSharedCopies;

  /// A function that `gpu_threads` calls where all loops are mapped to blocks
  /// and threads, before there is a launch; null if there is nothing to do.
  std::function<void()> writeInBlock;

  /// Whether the function was put into memory before the recipe is followed.
  bool startsOnMemRefs() const { return recipe.startsOnMemRefs(); }

  /// A constant field as an attribute, a knob or a product as its param.
  mlir::OpFoldResult mixed(mlir::Attribute field);
  /// A field that upstream takes only as an attribute: the constant; for a
  /// knob its default, and `binding` (by default the name of the knob) is added
  /// to `bindings` under `attribute`.
  mlir::Attribute bound(llvm::StringRef attribute, mlir::Attribute field,
                        mlir::NamedAttrList &bindings,
                        mlir::Attribute binding = {});
  /// The same for a list of constants and knobs.
  llvm::SmallVector<int64_t> boundList(llvm::StringRef attribute,
                                       llvm::ArrayRef<mlir::Attribute> fields,
                                       mlir::NamedAttrList &bindings);
  /// Attaches `bindings` to `op`, if there are any.
  static void setBindings(mlir::Operation *op,
                          const mlir::NamedAttrList &bindings);

  /// A handle to all ops called `name` in `scope`; with `mark`, to those that
  /// have this unit attribute.
  mlir::Value match(mlir::Value scope, llvm::StringRef name,
                    llvm::StringRef mark = {});
  /// An empty handle.
  mlir::Value noOps();
  using Write = llvm::function_ref<llvm::SmallVector<mlir::Value>()>;
  /// Chooses what `on` writes if `enabled` says so (see `verifySwitch`), else
  /// what `off` writes.
  llvm::SmallVector<mlir::Value>
  ifEnabled(mlir::Attribute enabled, size_t numHandles, Write off, Write on);
  /// The same for one handle that is `handle` if the step is not done.
  mlir::Value ifEnabled(mlir::Attribute enabled, mlir::Value handle,
                        llvm::function_ref<mlir::Value()> on);
  /// A param that `write` computes, by operations of SMT, from integers that
  /// have the values of `quantities`.
  mlir::Value compute(llvm::ArrayRef<Quantity> quantities,
                      llvm::function_ref<mlir::Value(mlir::ValueRange)> write);
  /// The param of a tile size: where the knob `size` is 0, all of `extent`.
  mlir::Value sizeOrAll(KnobAttr size, Quantity extent);
  /// Applies pattern sets to the function, greedily and together.
  void applyPatterns(
      llvm::function_ref<void(mlir::OpBuilder &, mlir::Location)> patterns);
  /// Cuts the op along `iterator` in at most two parts, each of which tiles of
  /// one size fill. Later steps are written for one part, which is the new
  /// target. Returns the param of its tile size. What a split leaves has tiles
  /// of at most `rest`, if that isn't 0.
  mlir::Value cutInParts(int64_t iterator, mlir::Attribute size,
                         Remainder remainder, int64_t rest = 0);
  /// Writes the following steps for all parts together again. The handles made
  /// since `cutInParts` are gone.
  void joinParts();
  /// A loop over the payload of `targets`, of which its body, where the
  /// insertion point goes, sees one each; the shortest decides.
  mlir::transform::ForeachOp startForeach(mlir::ValueRange targets);
  /// Lets the types of promoted operands tell their extents.
  void makeBuffersStatic();
  /// Has `write` called after the last step; the first given comes last.
  void atEnd(std::function<void(RecipeExpander &)> write) {
    lastWrites.push_back(std::move(write));
  }

private:
  void declareKnob(KnobAttr knob);
  /// Loop commands become one op, which checks them when it runs.
  mlir::LogicalResult runOnLoops();
  /// Parts of an op, and the tile sizes that fill them.
  struct Parts {
    mlir::Value ops, sizes;
  };
  Parts split(int64_t iterator, mlir::Attribute size, int64_t rest);
  Parts balance(mlir::Value op, int64_t iterator, mlir::Attribute size);
  Parts cutAt(mlir::Value op, int64_t iterator, mlir::Value point,
              mlir::ValueRange sizes);
  std::pair<mlir::Value, mlir::Value> splitPoint(Quantity size, Quantity count);

  RecipeAttr recipe;
  /// The outermost loop around the op; null if there is none.
  mlir::Value outermostLoop;
  /// The loop over the parts of the first cut; null if there is none, or they
  /// have been joined.
  mlir::Operation *outermostParts = nullptr;
  /// How many of `promotions` have been made static.
  size_t numStaticPromotions = 0;
  llvm::StringMap<mlir::Value> params;
  llvm::SmallVector<std::function<void(RecipeExpander &)>> lastWrites;
};

} // namespace baco

#endif // BACO_RECIPE_RECIPEEXPANDER_H
