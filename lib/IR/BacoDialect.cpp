//===- BacoDialect.cpp - The baco dialect ---------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registration, and the rules for the discardable attributes: which exist, on
// which ops they may stand, and what they may hold.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/BacoDialect.h"
#include "baco/IR/BacoAttributes.h"
#include "baco/IR/Bindings.h"
#include "baco/IR/ConstantArgument.h"
#include "baco/IR/FpgaTarget.h"
#include "baco/IR/GpuTarget.h"
#include "baco/IR/OpenExtents.h"
#include "baco/IR/RecipeVerifier.h"
#include "baco/IR/SparsifierOptions.h"
#include "baco/IR/StepLocations.h"
#include "baco/IR/Structured.h"
#include "baco/IR/TargetOptions.h"
#include "baco/IR/TeamOptions.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "baco/IR/BacoDialect.cpp.inc"

using namespace mlir;
using namespace baco;

void BacoDialect::initialize() {
  registerAttributes();
  addInterfaces<StepLocations>();
}

static LogicalResult verifyRecipe(Operation *op, NamedAttribute attr) {
  Attribute value = attr.getValue();
  auto recipe = dyn_cast<RecipeAttr>(value);
  if (!recipe)
    return op->emitOpError()
           << "'baco.recipe' must be a #baco.recipe, but is " << value;
  const auto *verifier =
      op->getContext()
          ->getLoadedDialect<BacoDialect>()
          ->getRegisteredInterface<RecipeVerifierInterface>();
  return verifier ? verifier->verifyRecipe(op, recipe) : success();
}

static LogicalResult verifyConstraints(Operation *op, NamedAttribute attr) {
  Attribute value = attr.getValue();
  if (!isa<transform::NamedSequenceOp>(op))
    return op->emitOpError()
           << "'baco.constraints' belongs on a transform.named_sequence";
  auto array = dyn_cast<ArrayAttr>(value);
  if (!array)
    return op->emitOpError() << "'baco.constraints' must be an array of "
                                "#baco.constraint, but is "
                             << value;
  for (Attribute element : array)
    if (!isa<ConstraintAttr>(element))
      return op->emitOpError() << "'baco.constraints' holds " << element
                               << ", which is not a #baco.constraint";
  return success();
}

static LogicalResult verifyBind(Operation *op, NamedAttribute attr) {
  Attribute value = attr.getValue();
  if (!isa<transform::TransformOpInterface>(op))
    return op->emitOpError() << "'baco.bind' belongs on a transform op";
  auto dictionary = dyn_cast<DictionaryAttr>(value);
  if (!dictionary)
    return op->emitOpError() << "'baco.bind' must be a dictionary from names "
                                "of attributes to knobs, but is "
                             << value;
  std::optional<RegisteredOperationName> info = op->getRegisteredInfo();
  for (NamedAttribute entry : dictionary) {
    if (!isBinding(entry.getValue()))
      return op->emitOpError()
             << "'baco.bind' entry '" << entry.getName().getValue()
             << "' must be the name of a knob, a list of integers and such "
                "names, or a #baco.reorder, but is "
             << entry.getValue();
    if (!info || llvm::is_contained(info->getAttributeNames(), entry.getName()))
      continue;
    SmallVector<StringRef> names;
    for (StringAttr name : info->getAttributeNames())
      names.push_back(name.getValue());
    InFlightDiagnostic diag =
        op->emitOpError() << "'baco.bind' sets '" << entry.getName().getValue()
                          << "', which is not an attribute of the op";
    if (StringRef near = nearestName(entry.getName(), names); !near.empty())
      diag << "; did you mean '" << near << "'?";
    return diag;
  }
  return success();
}

/// The attribute's op as a knob; null after an error if it is none.
static transform::tune::KnobOp asKnob(Operation *op, NamedAttribute attr) {
  auto knob = dyn_cast<transform::tune::KnobOp>(op);
  if (!knob)
    op->emitOpError() << "'" << attr.getName().getValue()
                      << "' belongs on a transform.tune.knob";
  return knob;
}

static LogicalResult verifyDefault(Operation *op, NamedAttribute attr) {
  if (isa<transform::tune::AlternativesOp>(op)) {
    auto region = dyn_cast<IntegerAttr>(attr.getValue());
    if (region && region.getValue().ult(op->getNumRegions()))
      return success();
    return op->emitOpError() << "'baco.default' must be the number of one of "
                                "its regions, but is "
                             << attr.getValue();
  }
  auto knob = asKnob(op, attr);
  if (!knob)
    return failure();
  // Dictionaries of options have two spellings, which extraction knows.
  bool allowed = true;
  if (auto domain = dyn_cast<DomainAttrInterface>(knob.getOptions()))
    allowed = domain.contains(attr.getValue());
  else if (auto array = dyn_cast<ArrayAttr>(knob.getOptions()))
    allowed = llvm::is_contained(array, attr.getValue());
  if (allowed)
    return success();
  return op->emitOpError() << "'baco.default' of knob '"
                           << knob.getName().getValue() << "' is "
                           << attr.getValue()
                           << ", which is not one of its options";
}

static LogicalResult verifyKnobWeights(Operation *op, NamedAttribute attr) {
  auto knob = asKnob(op, attr);
  if (!knob)
    return failure();
  auto weights = dyn_cast<DenseF64ArrayAttr>(attr.getValue());
  if (!weights)
    return op->emitOpError() << "'baco.weights' must be an array<f64: ...>, "
                                "but is "
                             << attr.getValue();
  std::optional<uint64_t> size;
  if (auto domain = dyn_cast<DomainAttrInterface>(knob.getOptions()))
    size = domain.getSize();
  else if (auto array = dyn_cast<ArrayAttr>(knob.getOptions()))
    size = array.size();
  return verifyWeights([&] { return op->emitOpError(); },
                       knob.getName().getValue(), weights, size);
}

static LogicalResult verifyExtent(Operation *op, NamedAttribute attr) {
  if (!asKnob(op, attr))
    return failure();
  auto extent = dyn_cast<IntegerAttr>(attr.getValue());
  if (extent && extent.getType().isInteger(64) && extent.getInt() > 0)
    return success();
  return op->emitOpError() << "'baco.extent' must be a positive i64, but is "
                           << attr.getValue();
}

static LogicalResult verifyTargetOptions(Operation *op, NamedAttribute attr) {
  Attribute value = attr.getValue();
  if (!isa<FunctionOpInterface>(op))
    return op->emitOpError() << "'baco.target_options' belongs on a function "
                                "or a transform.named_sequence";
  auto dictionary = dyn_cast<DictionaryAttr>(value);
  if (!dictionary)
    return op->emitOpError()
           << "'baco.target_options' must be a dictionary from options to "
              "values, but is "
           << value;
  llvm::Expected<TargetOptions> options = TargetOptions::read(dictionary);
  if (!options)
    return op->emitOpError()
           << "'baco.target_options': " << llvm::toString(options.takeError());
  return success();
}

static LogicalResult verifyNoTune(Operation *op, NamedAttribute attr) {
  if (isa<FunctionOpInterface>(op) && isa<UnitAttr>(attr.getValue()))
    return success();
  return op->emitOpError() << "'" << attr.getName().getValue()
                           << "' must be a unit attribute of a function";
}

static LogicalResult verifyTF32(Operation *op, NamedAttribute attr) {
  Attribute value = attr.getValue();
  if (isStructured(op) && isa<UnitAttr>(value))
    return success();
  return op->emitOpError()
         << "'baco.tf32' must be a unit attribute of a linalg op";
}

static LogicalResult verifyFingerprint(Operation *op, NamedAttribute attr) {
  Attribute value = attr.getValue();
  if (isa<FunctionOpInterface>(op) && isa<StringAttr>(value))
    return success();
  return op->emitOpError()
         << "'baco.fingerprint' must be a string on a function; "
            "--baco-fingerprint sets it";
}

static LogicalResult verifyEntry(Operation *op, NamedAttribute attr) {
  Attribute value = attr.getValue();
  if (isa<transform::NamedSequenceOp>(op) && isa<DictionaryAttr>(value))
    return success();
  return op->emitOpError()
         << "'baco.entry' must be a dictionary on a transform.named_sequence";
}

static LogicalResult verifyStages(Operation *op, NamedAttribute attr) {
  auto stages = dyn_cast<IntegerAttr>(attr.getValue());
  if (isa<linalg::CopyOp>(op) && stages && stages.getType().isInteger(64) &&
      stages.getInt() > 0)
    return success();
  return op->emitOpError() << "'baco.stages' must be a positive i64 on a "
                              "linalg.copy; transform.baco.gpu_promote sets it";
}

static LogicalResult verifyMark(Operation *op, NamedAttribute attr) {
  if (isa<UnitAttr, IntegerAttr>(attr.getValue()))
    return success();
  return op->emitOpError() << "'baco.mark' must be a unit or a number, but is "
                           << attr.getValue();
}

static LogicalResult verifyCopy(Operation *op, NamedAttribute attr) {
  if (isa<memref::AllocOp>(op) && isa<UnitAttr>(attr.getValue()))
    return success();
  return op->emitOpError() << "'baco.copy' is a unit on a 'memref.alloc'";
}

static llvm::Error checkConstant(Type type, Attribute value) {
  if (isa<MemRefType, RankedTensorType>(type) && isa<UnitAttr>(value))
    return llvm::Error::success();
  return llvm::createStringError("it is a unit on a memref or a tensor");
}

/// `Options` are those that have the attribute.
template <typename Options>
static LogicalResult verifyOption(Operation *op, NamedAttribute attr) {
  if (!isa<FunctionOpInterface>(op))
    return op->emitOpError()
           << "'" << attr.getName().getValue() << "' belongs on a function";
  llvm::Expected<Options> options = Options::read(op);
  if (options)
    return success();
  return op->emitOpError() << llvm::toString(options.takeError());
}

namespace {
/// A discardable attribute of ops.
struct OpAttribute {
  StringRef name;
  LogicalResult (*verify)(Operation *op, NamedAttribute attr);
};

/// A discardable attribute of arguments.
struct ArgumentAttribute {
  StringRef name;
  /// The error says why `value` isn't one for an argument of `type`.
  llvm::Error (*check)(Type type, Attribute value);
};
} // namespace

static constexpr auto verifySparsifier = verifyOption<SparsifierOptions>;
static constexpr auto verifyTeam = verifyOption<TeamOptions>;

static constexpr OpAttribute opAttributes[] = {
    {BacoDialect::kRecipe, verifyRecipe},
    {BacoDialect::kConstraints, verifyConstraints},
    {BacoDialect::kBind, verifyBind},
    {BacoDialect::kDefault, verifyDefault},
    {BacoDialect::kWeights, verifyKnobWeights},
    {BacoDialect::kExtent, verifyExtent},
    {BacoDialect::kTargetOptions, verifyTargetOptions},
    {BacoDialect::kNoTune, verifyNoTune},
    {BacoDialect::kTF32, verifyTF32},
    {BacoDialect::kEntry, verifyEntry},
    {BacoDialect::kFingerprint, verifyFingerprint},
    {BacoDialect::kStages, verifyStages},
    {BacoDialect::kMark, verifyMark},
    {kCopyBuffer, verifyCopy},
    {kGpuTarget,
     [](Operation *op, NamedAttribute attr) {
       return verifyGpuTarget(op, attr.getValue());
     }},
    {kFpgaTarget,
     [](Operation *op, NamedAttribute attr) {
       return verifyFpgaTarget(op, attr.getValue());
     }},
    {kSparseVectorLength, verifySparsifier},
    {kSparseSimd32, verifySparsifier},
    {kSparsePeel, verifySparsifier},
    {kSparseFactor, verifySparsifier},
    {kSparseParallel, verifySparsifier},
    {kSparseUnroll, verifySparsifier},
    {kTeamThreads, verifyTeam},
    {kTeamSchedule, verifyTeam},
    {kTeamChunk, verifyTeam}};

static constexpr ArgumentAttribute argumentAttributes[] = {
    {BacoDialect::kInput, checkInput},
    {kConstantArgument, checkConstant},
    {kExtents, checkExtents},
    // Callers' alignments are set and removed again while a kernel is compiled.
    {BacoDialect::kAlignment,
     [](Type, Attribute) -> llvm::Error { return llvm::Error::success(); }}};

/// Reports an attribute that `rules` doesn't have, on `what`.
template <typename Rule>
static LogicalResult refuseUnknown(Operation *op, const Twine &what,
                                   StringRef name, ArrayRef<Rule> rules) {
  InFlightDiagnostic diag = op->emitOpError()
                            << what << "has unknown attribute '" << name << "'";
  auto names = llvm::map_to_vector(rules, [](const Rule &r) { return r.name; });
  if (StringRef near = nearestName(name, names); !near.empty())
    diag << "; did you mean '" << near << "'?";
  return diag;
}

LogicalResult BacoDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attr) {
  ArrayRef<OpAttribute> rules = opAttributes;
  StringRef name = attr.getName();
  if (name == kKeep)
    name = kNoTune;
  const auto *rule = llvm::find_if(
      rules, [&](const OpAttribute &rule) { return rule.name == name; });
  if (rule == rules.end())
    return refuseUnknown(op, "", name, rules);
  return rule->verify(op, attr);
}

LogicalResult BacoDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                    unsigned argument,
                                                    NamedAttribute attr) {
  ArrayRef<ArgumentAttribute> rules = argumentAttributes;
  const auto *rule = llvm::find_if(rules, [&](const ArgumentAttribute &rule) {
    return rule.name == attr.getName();
  });
  if (rule == rules.end())
    return refuseUnknown(op, "argument " + Twine(argument) + " ",
                         attr.getName(), rules);
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return success();
  llvm::Error error =
      rule->check(function.getArgumentTypes()[argument], attr.getValue());
  if (!error)
    return success();
  return op->emitOpError() << "'" << attr.getName().getValue()
                           << "' of argument " << argument << " is "
                           << attr.getValue() << ": "
                           << llvm::toString(std::move(error));
}

LogicalResult BacoDialect::verifyRegionResultAttribute(Operation *op, unsigned,
                                                       unsigned result,
                                                       NamedAttribute attr) {
  return op->emitOpError() << "result " << result << " has attribute '"
                           << attr.getName().getValue()
                           << "', but results have none of baco's";
}
