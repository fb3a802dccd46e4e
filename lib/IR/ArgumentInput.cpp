//===- ArgumentInput.cpp - Inputs of arguments ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/IR/ArgumentInput.h"

#include "baco/IR/BacoAttributes.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/SparseEncoding.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace baco;

static constexpr StringLiteral kUniform = "uniform", kNormal = "normal",
                               kBelow = "below", kFile = "file", kSeed = "seed",
                               kHash = "hash", kTensor = "tensor",
                               kEntries = "entries", kTensorExtents = "extents";

DictionaryAttr ArgumentInput::write(MLIRContext *context) const {
  assert((kind == Kind::File || kind == Kind::Tensor) && "has contents");
  Builder builder(context);
  NamedAttrList entries;
  bool isTensor = kind == Kind::Tensor;
  entries.set(isTensor ? kTensor : kFile, builder.getStringAttr(file));
  if (!hash.empty())
    entries.set(kHash, builder.getStringAttr(hash));
  if (isTensor && !hash.empty()) {
    entries.set(kEntries, builder.getI64IntegerAttr(numEntries));
    entries.set(kTensorExtents, builder.getDenseI64ArrayAttr(extents));
  }
  return entries.getDictionary(context);
}

namespace {
/// Reads an attribute for an argument of one type. Errors say why it
/// doesn't suit.
class InputReader {
public:
  InputReader(Type type, ArgumentInput &input)
      : input(input), type(type), isShaped(isa<ShapedType>(type)),
        isSparse(static_cast<bool>(encodingOf(type))),
        element(getElementTypeOrSelf(type)) {}

  llvm::Error read(Attribute attribute);

private:
  llvm::Error readValue(Attribute attribute);
  llvm::Error readRange(IntegerRangeAttr range);
  llvm::Error readDictionary(DictionaryAttr entries);
  llvm::Error readUniform(Attribute attribute);
  llvm::Error readNormal(Attribute attribute);
  llvm::Error readBelow(Attribute attribute);
  llvm::Error readFile(DictionaryAttr entries);
  llvm::Error readTensor(DictionaryAttr entries);
  llvm::Error readHash(DictionaryAttr entries);
  llvm::Error setRange(int64_t least, int64_t greatest);

  bool isInteger() const { return element.isIntOrIndex(); }
  unsigned width() const {
    return element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  }
  bool fits(int64_t value) const {
    return width() == 1 ? value == 0 || value == 1
                        : width() >= 64 || llvm::isIntN(width(), value);
  }
  bool fits(double value) const;
  /// ` does not fit into 'i8'`.
  std::string misfit() const {
    std::string text;
    llvm::raw_string_ostream(text) << " does not fit into '" << type << "'";
    return text;
  }

  ArgumentInput &input;
  Type type;
  bool isShaped, isSparse;
  Type element;
};
} // namespace

/// A number of an attribute, if it is one.
static std::optional<double> numberOf(Attribute attribute) {
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return number.getValueAsDouble();
  if (auto number = dyn_cast<mlir::IntegerAttr>(attribute);
      number && number.getValue().getSignificantBits() <= 64)
    return static_cast<double>(number.getValue().getSExtValue());
  return std::nullopt;
}

/// The integer of an attribute, if it is one of at most 64 bits. An i1 is 0 or
/// 1.
static std::optional<int64_t> integerOf(Attribute attribute) {
  auto number = dyn_cast<mlir::IntegerAttr>(attribute);
  if (!number || number.getValue().getSignificantBits() > 64)
    return std::nullopt;
  return number.getType().isInteger(1)
             ? int64_t(number.getValue().getZExtValue())
             : number.getValue().getSExtValue();
}

/// Two elements of an array, as `read` reads them.
template <typename Read>
static auto readPair(Attribute attribute, Read read) -> std::optional<
    std::pair<typename decltype(read(attribute))::value_type,
              typename decltype(read(attribute))::value_type>> {
  auto pair = dyn_cast<ArrayAttr>(attribute);
  if (!pair || pair.size() != 2)
    return std::nullopt;
  auto first = read(pair[0]), second = read(pair[1]);
  if (!first || !second)
    return std::nullopt;
  return std::pair(*first, *second);
}

/// Whether it is a number of the type of an element, or of a complex one's
/// parts.
bool InputReader::fits(double value) const {
  auto complex = dyn_cast<ComplexType>(element);
  auto part = cast<FloatType>(complex ? complex.getElementType() : element);
  APFloat number(value);
  bool losesInfo;
  number.convert(part.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.isFinite();
}

llvm::Error InputReader::readValue(Attribute attribute) {
  input.kind = ArgumentInput::Kind::Value;
  if (isShaped)
    return llvm::createStringError(
        isInteger() ? "one value is for a scalar; write the range of the "
                      "elements"
                    : "one value is for a scalar; write a distribution of "
                      "the elements");
  if (isInteger()) {
    std::optional<int64_t> value = integerOf(attribute);
    if (isa<mlir::IntegerAttr>(attribute) && !(value && fits(*value)))
      return llvm::createStringError("the value" + misfit());
    if (!value)
      return llvm::createStringError("the value must be an integer");
    input.least = input.greatest = *value;
    return llvm::Error::success();
  }
  if (isa<ComplexType>(element))
    return llvm::createStringError(
        "one value isn't a complex number; write a distribution of its "
        "parts");
  std::optional<double> value = numberOf(attribute);
  if (!value || !fits(*value))
    return llvm::createStringError("the value" + misfit());
  input.first = input.second = *value;
  return llvm::Error::success();
}

llvm::Error InputReader::setRange(int64_t least, int64_t greatest) {
  if (width() == 1)
    return llvm::createStringError("a range needs more than one bit");
  if (least > greatest)
    return llvm::createStringError("the range is empty");
  if (!fits(least) || !fits(greatest))
    return llvm::createStringError("the range" + misfit());
  input.least = least;
  input.greatest = greatest;
  return llvm::Error::success();
}

llvm::Error InputReader::readRange(IntegerRangeAttr range) {
  input.kind = ArgumentInput::Kind::Range;
  if (!isInteger())
    return llvm::createStringError(
        "a range of integers is for integers; write {uniform = [LEAST, "
        "GREATEST]}");
  if (range.getStep() != 1 || range.getLog())
    return llvm::createStringError(
        "the range has a step or 'log', which values of arguments don't "
        "have");
  return setRange(range.getLower(), range.getUpper());
}

llvm::Error InputReader::readUniform(Attribute attribute) {
  input.kind = ArgumentInput::Kind::Uniform;
  if (isInteger()) {
    auto pair = readPair(attribute, integerOf);
    if (!pair)
      return llvm::createStringError(
          "'uniform' must be [LEAST, GREATEST], two integers of 64 bits");
    return setRange(pair->first, pair->second);
  }
  auto pair = readPair(attribute, numberOf);
  if (!pair)
    return llvm::createStringError(
        "'uniform' must be [LEAST, GREATEST], two numbers");
  std::tie(input.first, input.second) = *pair;
  if (!fits(input.first) || !fits(input.second))
    return llvm::createStringError("the range" + misfit());
  if (input.first > input.second)
    return llvm::createStringError("the range is empty");
  return llvm::Error::success();
}

llvm::Error InputReader::readNormal(Attribute attribute) {
  input.kind = ArgumentInput::Kind::Normal;
  auto pair = readPair(attribute, numberOf);
  if (!pair || !std::isfinite(pair->first) || !std::isfinite(pair->second) ||
      pair->second < 0)
    return llvm::createStringError(
        "'normal' must be [MEAN, DEVIATION], two finite numbers, the second "
        "one at least 0");
  std::tie(input.first, input.second) = *pair;
  if (isInteger() && width() == 1)
    return llvm::createStringError("a distribution needs more than one bit");
  return llvm::Error::success();
}

llvm::Error InputReader::readBelow(Attribute attribute) {
  input.kind = ArgumentInput::Kind::Uniform;
  std::optional<int64_t> extent = integerOf(attribute);
  if (!isInteger())
    return llvm::createStringError(
        "'below' is for integers; write {uniform = [LEAST, GREATEST]}");
  if (!extent || *extent < 1)
    return llvm::createStringError("'below' must be an extent, at least 1");
  return setRange(0, *extent - 1);
}

llvm::Error InputReader::readHash(DictionaryAttr entries) {
  auto hash = entries.getAs<StringAttr>(kHash);
  if (entries.contains(kHash) && (!hash || hash.empty()))
    return llvm::createStringError(
        "'hash' must be what baco writes; leave it out");
  input.hash = hash ? hash.str() : "";
  return llvm::Error::success();
}

llvm::Error InputReader::readFile(DictionaryAttr entries) {
  input.kind = ArgumentInput::Kind::File;
  auto file = entries.getAs<StringAttr>(kFile);
  if (!isShaped)
    return llvm::createStringError(
        "a file is for memrefs and tensors; write a value");
  if (!file || file.empty())
    return llvm::createStringError(
        "'file' must be the name of a file that numpy.save has written");
  input.file = file.str();
  return readHash(entries);
}

llvm::Error InputReader::readTensor(DictionaryAttr entries) {
  input.kind = ArgumentInput::Kind::Tensor;
  auto tensor = entries.getAs<StringAttr>(kTensor);
  if (!tensor || tensor.empty())
    return llvm::createStringError(
        "'tensor' must be the name of a .mtx or .tns file, or a generator "
        "such as \"rmat(scale=12, degree=8)\"");
  input.file = tensor.str();
  size_t known = entries.contains(kHash) + entries.contains(kEntries) +
                 entries.contains(kTensorExtents);
  if (entries.size() != known + 1)
    return llvm::createStringError("a 'tensor' has nothing else beside it");
  if (known == 0)
    return llvm::Error::success();
  std::optional<int64_t> count = integerOf(entries.get(kEntries));
  auto extents = entries.getAs<DenseI64ArrayAttr>(kTensorExtents);
  if (known != 3 || !count || *count < 0 || !extents ||
      extents.size() != cast<RankedTensorType>(type).getRank())
    return llvm::createStringError(
        "'hash', 'entries' and 'extents' must be what baco writes; leave "
        "them out");
  input.numEntries = *count;
  llvm::append_range(input.extents, extents.asArrayRef());
  return readHash(entries);
}

llvm::Error InputReader::readDictionary(DictionaryAttr entries) {
  size_t kinds = 0;
  for (StringRef kind : {kUniform, kNormal, kBelow, kFile})
    kinds += entries.contains(kind);
  bool isFile = entries.contains(kFile);
  size_t options = entries.contains(isFile ? kHash : kSeed);
  if (kinds != 1 || entries.size() != kinds + options)
    return llvm::createStringError(
        "the dictionary must have one of 'uniform', 'normal', 'below' and "
        "'file', and may have a 'seed', which a file doesn't");
  if (isFile)
    return readFile(entries);
  if (!isShaped && isInteger())
    return llvm::createStringError(
        "an integer that is passed by value has a value or a range");
  if (Attribute seed = entries.get(kSeed)) {
    std::optional<int64_t> number = integerOf(seed);
    if (!number || *number < 0)
      return llvm::createStringError(
          "'seed' must be an integer of 63 bits, at least 0");
    input.seed = static_cast<uint64_t>(*number);
  }
  if (Attribute range = entries.get(kUniform))
    return readUniform(range);
  if (Attribute moments = entries.get(kNormal))
    return readNormal(moments);
  return readBelow(entries.get(kBelow));
}

llvm::Error InputReader::read(Attribute attribute) {
  if (!isInteger() && !isa<FloatType, ComplexType>(element))
    return llvm::createStringError("only numbers can be given");
  auto dictionary = dyn_cast<DictionaryAttr>(attribute);
  bool isTensor = dictionary && dictionary.contains(kTensor);
  if (isSparse && isa<ComplexType>(element))
    return llvm::createStringError(
        "sparse tensors of complex numbers can't be given");
  if (isSparse && !isTensor)
    return llvm::createStringError(
        "a sparse tensor has the entries of a file or of a generator; write "
        "{tensor = \"x.mtx\"} or {tensor = \"rmat(scale=12, degree=8)\"}");
  if (isTensor && !isSparse)
    return llvm::createStringError(
        "'tensor' is for sparse tensors, whose type has a "
        "#sparse_tensor.encoding");
  if (isTensor)
    return readTensor(dictionary);
  if (isa<mlir::IntegerAttr, FloatAttr>(attribute))
    return readValue(attribute);
  if (auto range = dyn_cast<IntegerRangeAttr>(attribute))
    return readRange(range);
  if (dictionary)
    return readDictionary(dictionary);
  return llvm::createStringError(
      "it must be a number, #baco.integer<LEAST to GREATEST>, or a "
      "dictionary with 'uniform', 'normal', 'below' or 'file'");
}

llvm::Expected<ArgumentInput> ArgumentInput::read(Type type,
                                                  Attribute attribute) {
  ArgumentInput input;
  if (llvm::Error error = InputReader(type, input).read(attribute))
    return error;
  return input;
}

llvm::Error baco::checkInput(Type type, Attribute input) {
  return ArgumentInput::read(type, input).takeError();
}

std::optional<ArgumentInput> baco::inputOf(BlockArgument argument) {
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  Attribute attribute =
      function && argument.getOwner()->isEntryBlock()
          ? function.getArgAttr(argument.getArgNumber(), BacoDialect::kInput)
          : Attribute();
  if (!attribute)
    return std::nullopt;
  auto input = ArgumentInput::read(argument.getType(), attribute);
  if (input)
    return std::move(*input);
  llvm::consumeError(input.takeError());
  return std::nullopt;
}

void baco::changeReadInputs(ModuleOp module,
                            function_ref<void(ArgumentInput &)> change) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    for (BlockArgument argument : function.getArguments()) {
      std::optional<ArgumentInput> input = inputOf(argument);
      if (!input || input->hash.empty())
        continue;
      change(*input);
      function.setArgAttr(argument.getArgNumber(), BacoDialect::kInput,
                          input->write(module.getContext()));
    }
  }
}
