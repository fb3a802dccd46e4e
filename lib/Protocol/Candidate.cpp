//===- Candidate.cpp - Candidates for the worker --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Protocol/Candidate.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace baco;
using namespace baco::runtime;

namespace {
struct TypeFacts {
  std::string_view name;
  size_t size;
  bool isFloat;
};
} // namespace

/// Facts in the order of ElementType.
static constexpr TypeFacts facts[] = {
    {"f16", 2, true},    {"bf16", 2, true},         {"f32", 4, true},
    {"f64", 8, true},    {"i1", 1, false},          {"i8", 1, false},
    {"i16", 2, false},   {"i32", 4, false},         {"i64", 8, false},
    {"index", 8, false}, {"complex<f32>", 8, true}, {"complex<f64>", 16, true}};

size_t runtime::elementSize(ElementType type) {
  return facts[static_cast<int>(type)].size;
}

std::string_view runtime::elementTypeName(ElementType type) {
  return facts[static_cast<int>(type)].name;
}

std::optional<ElementType> runtime::parseElementType(std::string_view name) {
  for (size_t i = 0; i < std::size(facts); ++i)
    if (facts[i].name == name)
      return static_cast<ElementType>(i);
  return std::nullopt;
}

bool runtime::isFloat(ElementType type) {
  return facts[static_cast<int>(type)].isFloat;
}

bool runtime::isComplex(ElementType type) { return partType(type) != type; }

ElementType runtime::partType(ElementType type) {
  if (type == ElementType::ComplexF32)
    return ElementType::F32;
  return type == ElementType::ComplexF64 ? ElementType::F64 : type;
}

/// The size in bytes of an entry's coordinates.
static size_t placeSize(const Argument &argument) {
  return argument.shape.size() * sizeof(int64_t);
}

int64_t Argument::numElements() const {
  if (isSparse)
    return source && source->contents
               ? static_cast<int64_t>(source->contents->size() /
                                      placeSize(*this))
               : 0;
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

size_t Argument::byteSize() const {
  return numElements() *
         (elementSize(type) + (isSparse ? placeSize(*this) : 0));
}

size_t Argument::minAlignment() const {
  return std::max<size_t>(alignment, elementSize(partType(type)));
}

IntegerRange runtime::rangeOf(ElementType type) {
  if (type == ElementType::I1)
    return {0, 1};
  int bits = 8 * static_cast<int>(elementSize(type)) - 1;
  int64_t greatest = static_cast<int64_t>((uint64_t(1) << bits) - 1);
  return {-greatest - 1, greatest};
}

/// The error in the description of a sparse argument, if there is one.
static std::optional<std::string> findBadSparse(const Argument &argument) {
  const std::optional<Source> &source = argument.source;
  bool hasTensor = source && source->kind == Source::Kind::Tensor;
  if (!argument.isSparse)
    return hasTensor ? std::optional("has a sparse tensor as its source, but "
                                     "isn't sparse")
                     : std::nullopt;
  if (!argument.isMemRef || argument.isOutput)
    return "is sparse, but not a memref that is only read";
  if (argument.shape.empty() ||
      argument.shape.size() > sparse::CoordinateTensor::maxRank ||
      std::ranges::any_of(argument.shape,
                          [](int64_t extent) { return extent < 1; }))
    return "is sparse: it must have 1 to " +
           std::to_string(sparse::CoordinateTensor::maxRank) +
           " dimensions, with extents of at least 1";
  if (!hasTensor || source->file.empty())
    return "is sparse, but has no file or generator as its source";
  if (source->contents && source->contents->size() % placeSize(argument) != 0)
    return "has a source with a part of an entry";
  return std::nullopt;
}

/// The error in the source of an argument, if there is one.
static std::optional<std::string> findBadSource(const Argument &argument) {
  if (std::optional<std::string> why = findBadSparse(argument))
    return why;
  const std::optional<Source> &source = argument.source;
  if (!source)
    return std::nullopt;
  bool isFile = source->kind == Source::Kind::File;
  if (!argument.isMemRef && (isFile || !isFloat(argument.type)))
    return "is a scalar, which can't have this source";
  if (isFile && source->contents &&
      source->contents->size() != argument.byteSize())
    return "has a source of " + std::to_string(source->contents->size()) +
           " bytes";
  bool isUniform = source->kind == Source::Kind::Uniform;
  if (!std::isfinite(source->first) || !std::isfinite(source->second) ||
      source->second < (isUniform ? source->first : 0))
    return "has a source with numbers that no distribution has";
  return std::nullopt;
}

/// The error in the values of an argument, if there is one.
static std::optional<std::string> findBadValue(const Argument &argument) {
  if (isFloat(argument.type)) {
    if (argument.range || !argument.values.empty() || argument.isStructural)
      return "is a floating-point argument, for which 'values', 'range' and "
             "'isStructural' can't be set";
    return std::nullopt;
  }
  if (argument.isGiven && argument.values.empty())
    return "has no value, which should be given";
  if (argument.range && argument.range->least > argument.range->greatest)
    return "has an empty range of values";
  if (argument.isMemRef && (!argument.values.empty() || argument.isStructural))
    return "is a memref, for which 'values' and 'isStructural' can't be set";
  IntegerRange all = rangeOf(argument.type);
  for (int64_t value : argument.values)
    if (value < all.least || value > all.greatest)
      return "can't have the value " + std::to_string(value);
  return std::nullopt;
}

Result<void> Signature::validate() const {
  // Far above any machine's memory, far below overflow.
  constexpr double maxBytes = 0x1p46;
  double total = 0;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument &argument = arguments[i];
    std::string name = "argument " + std::to_string(i);
    if (!argument.isMemRef && !argument.shape.empty())
      return {ErrorCode::InvalidArgument, name + " is a scalar with a shape"};
    if (!argument.isMemRef && argument.isOutput)
      return {ErrorCode::InvalidArgument,
              name + " is a scalar, which cannot be an output"};
    if (std::optional<std::string> why = findBadValue(argument))
      return {ErrorCode::InvalidArgument, name + " " + *why};
    if (std::optional<std::string> why = findBadSource(argument))
      return {ErrorCode::InvalidArgument, name + " " + *why};
    if (!argument.isOutput && !argument.isRead)
      return {ErrorCode::InvalidArgument,
              name + " is neither read nor an output"};
    constexpr int64_t largestAlignment = 1 << 21;
    if (argument.alignment < 1 || argument.alignment > largestAlignment ||
        !std::has_single_bit(static_cast<uint64_t>(argument.alignment)))
      return {ErrorCode::InvalidArgument,
              name + " is aligned to " + std::to_string(argument.alignment) +
                  " bytes, but an alignment must be a power of two up to 2^21"};
    // Ignoring empty dimensions bounds every partial product, too.
    double bytes = elementSize(argument.type);
    if (argument.isSparse)
      bytes = static_cast<double>(argument.byteSize());
    for (int64_t extent : argument.shape) {
      if (extent < 0)
        return {ErrorCode::InvalidArgument,
                name + " has the extent " + std::to_string(extent) +
                    ": only static shapes can be measured"};
      if (extent > 0 && !argument.isSparse)
        bytes *= extent;
    }
    total += bytes;
    if (!(total < maxBytes))
      return {ErrorCode::InvalidArgument, "the arguments up to number " +
                                              std::to_string(i) +
                                              " do not fit into memory"};
  }
  if (reductionLength < 1)
    return {ErrorCode::InvalidArgument, "the reduction length is " +
                                            std::to_string(reductionLength) +
                                            ", but must be at least 1"};
  if (!isFloat(roundedTo) || isComplex(roundedTo))
    return {ErrorCode::InvalidArgument,
            "results are rounded to " +
                std::string(elementTypeName(roundedTo)) +
                ", but must be rounded to a real floating-point type"};
  if (!(productBytes >= 0) || std::isinf(productBytes))
    return {ErrorCode::InvalidArgument,
            "the multiply-adds take " + std::to_string(productBytes) +
                " bytes, but must take a finite number, at least 0"};
  if (productOutput != -1 &&
      (productOutput < 0 || productOutput >= std::ssize(arguments) ||
       !arguments[productOutput].isOutput))
    return {ErrorCode::InvalidArgument, "the multiply-adds are for argument " +
                                            std::to_string(productOutput) +
                                            ", which is no output"};
  return {};
}

CandidateCompiler::~CandidateCompiler() = default;

std::variant<CompiledKernel, CompileFailure>
CandidateCompiler::compileReference() {
  return compilePlain();
}

bool CandidateCompiler::isStatic() const { return false; }

std::optional<DeviceOptions> CandidateCompiler::device() const {
  return std::nullopt;
}

Result<void> CandidateCompiler::enterChild() { return {}; }

bool CandidateCompiler::needsErrorBound() const { return false; }

std::variant<CompiledKernel, CompileFailure>
CandidateCompiler::compileErrorBound() {
  return CompileFailure{
      Status::CompileFailed,
      "this compiler can't compile a kernel for error bounds"};
}

std::variant<CompiledKernel, CompileFailure>
CandidateCompiler::compileChecked() {
  return CompileFailure{
      Status::CompileFailed,
      "this compiler can't compile a kernel that checks accesses"};
}

bool CandidateCompiler::needsPerturbed() const { return false; }

std::variant<CompiledKernel, CompileFailure>
CandidateCompiler::compilePerturbed() {
  return CompileFailure{
      Status::CompileFailed,
      "this compiler can't compile a kernel with perturbed roundings"};
}

std::variant<CompiledKernel, CompileFailure>
CandidateCompiler::load(const std::string &, std::optional<size_t>) {
  return CompileFailure{Status::CompileFailed,
                        "this compiler can't load object code"};
}

CodeListing CandidateCompiler::list(const std::string &,
                                    std::span<const int64_t>) const {
  return {};
}
