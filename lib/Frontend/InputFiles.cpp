//===- InputFiles.cpp - Arguments with given contents ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of dense ones only headers and hashes are read here; the worker reads the
// elements. How many entries a sparse tensor has decides what is legal.
//
//===----------------------------------------------------------------------===//

#include "InputFiles.h"

#include "baco/Frontend/SetInputs.h"
#include "baco/IR/ArgumentInput.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/NoTune.h"
#include "baco/IR/SparseEncoding.h"
#include "baco/Sparse/TensorSource.h"
#include "baco/Support/NpyFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <unistd.h>

using namespace mlir;
using namespace baco;
using namespace baco::frontend;

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// The error says why an argument of `type` can't have the elements of a file.
static llvm::Error checkSuited(ShapedType type, const NpyHeader &header) {
  std::string element = print(type.getElementType());
  std::optional<std::string_view> numpy = npyTypeFor(element);
  if (!numpy)
    return llvm::createStringError("no file has elements of type " + element);
  if (!isNpyType(header, element))
    return llvm::createStringError("it holds elements of type '" + header.type +
                                   "', but the argument's are " + element +
                                   "; save it as " + StringRef(*numpy));
  auto memref = dyn_cast<MemRefType>(type);
  if (memref && memref.hasStaticShape() && !memref.getLayout().isIdentity())
    return llvm::createStringError(
        "the argument has strides or an offset; only contiguous memory can "
        "have the contents of a file");
  if (!type.hasRank())
    return llvm::createStringError("the argument has no rank");
  bool fits = type.getRank() == static_cast<int64_t>(header.shape.size()) &&
              llvm::all_of(llvm::zip_equal(type.getShape(), header.shape),
                           [](auto pair) {
                             auto [own, its] = pair;
                             return ShapedType::isDynamic(own) || own == its;
                           });
  if (fits)
    return llvm::Error::success();
  return llvm::createStringError("its shape is " + describeShape(header.shape) +
                                 ", but the argument's type is " + print(type) +
                                 "; save an array of this shape");
}

/// The header of `file`, whose contents an argument of `type` can have.
static llvm::Expected<NpyHeader> readHeader(ShapedType type,
                                            const std::string &file) {
  Result<NpyHeader> read = readNpyHeader(file);
  if (!read)
    return llvm::createStringError(read.error().message);
  const NpyHeader &header = *read;
  if (llvm::Error why = checkSuited(type, header))
    return llvm::createStringError("'" + file +
                                   "': " + llvm::toString(std::move(why)));
  // Without this, reading it might take hours.
  double bytes = static_cast<double>(header.numElements()) *
                 static_cast<double>(header.elementSize);
  if (bytes > static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
                  static_cast<double>(sysconf(_SC_PAGESIZE)))
    return llvm::createStringError(
        "'" + file + "' has " + describeShape(header.shape) +
        " elements, more than this machine's memory holds; take a smaller "
        "one");
  return std::move(*read);
}

/// The name of `file`, which is relative to `folder` if it isn't absolute.
static std::string nameIn(StringRef folder, StringRef file) {
  llvm::SmallString<128> path(folder);
  if (llvm::sys::path::is_absolute(file))
    path = file;
  else
    llvm::sys::path::append(path, file);
  return path.str().str();
}

static llvm::Expected<std::string> makeAbsolute(const std::string &file) {
  llvm::SmallString<128> path(file);
  if (std::error_code error = llvm::sys::fs::make_absolute(path))
    return llvm::createStringError("'" + file + "': " + error.message());
  return path.str().str();
}

/// The error says why a tensor of `type` can't have the entries of one with
/// `extents`.
static llvm::Error checkSuited(RankedTensorType type,
                               ArrayRef<int64_t> extents) {
  if (static_cast<size_t>(type.getRank()) != extents.size())
    return llvm::createStringError("it has " + Twine(extents.size()) +
                                   " dimensions, but the argument has " +
                                   Twine(type.getRank()));
  for (auto [d, own, its] : llvm::enumerate(type.getShape(), extents))
    if (!ShapedType::isDynamic(own) && own != its)
      return llvm::createStringError(
          "its extent in dimension " + Twine(d) + " is " + Twine(its) +
          ", but that of the argument's type is " + Twine(own) +
          "; write ? there, or take another tensor");
  return llvm::Error::success();
}

/// Reads the tensor that `text` says, for an argument of `type`.
static llvm::Expected<ArgumentInput>
readInputTensor(RankedTensorType type, StringRef text, StringRef folder) {
  ArgumentInput input;
  input.kind = ArgumentInput::Kind::Tensor;
  input.file = text.str();
  if (std::string_view file = sparse::fileOfSource(input.file); !file.empty()) {
    llvm::Expected<std::string> absolute =
        makeAbsolute(nameIn(folder, StringRef(file)));
    if (!absolute)
      return absolute.takeError();
    input.file.replace(file.data() - input.file.data(), file.size(), *absolute);
  }
  Result<sparse::CoordinateTensor> tensor = sparse::readTensor(input.file);
  if (!tensor)
    return llvm::createStringError(tensor.error().message);
  if (llvm::Error why = checkSuited(type, tensor->extents()))
    return llvm::createStringError("'" + input.file +
                                   "': " + llvm::toString(std::move(why)));
  input.hash = sparse::hashTensor(*tensor);
  input.numEntries = static_cast<int64_t>(tensor->numEntries());
  llvm::append_range(input.extents, tensor->extents());
  return std::move(input);
}

llvm::Expected<DictionaryAttr>
baco::frontend::readContents(Type type, StringRef text, StringRef folder) {
  if (encodingOf(type)) {
    auto input = readInputTensor(cast<RankedTensorType>(type), text, folder);
    if (!input)
      return input.takeError();
    return input->write(type.getContext());
  }
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return llvm::createStringError(
        "a file is for memrefs and tensors; write a value");
  std::string name = nameIn(folder, text);
  llvm::Expected<NpyHeader> header = readHeader(shaped, name);
  if (!header)
    return header.takeError();
  Result<std::string> hash = hashNpyFile(name, *header);
  if (!hash)
    return llvm::createStringError(hash.error().message);
  llvm::Expected<std::string> absolute = makeAbsolute(name);
  if (!absolute)
    return absolute.takeError();
  ArgumentInput input;
  input.kind = ArgumentInput::Kind::File;
  input.file = std::move(*absolute);
  input.hash = std::move(*hash);
  return input.write(type.getContext());
}

void baco::frontend::forgetHashes(ModuleOp module) {
  changeReadInputs(module, [](ArgumentInput &input) { input.hash.clear(); });
}

/// The folder of the file that `location` is in; empty if there is none.
static std::string folderOf(Location location) {
  auto place = location->findInstanceOf<FileLineColLoc>();
  return place ? llvm::sys::path::parent_path(place.getFilename().getValue())
                     .str()
               : "";
}

/// Calls `action` with each argument that has the contents of a file or of a
/// generator, and what its attribute says. Stops at a failure.
static LogicalResult forEachContents(
    func::FuncOp function,
    llvm::function_ref<LogicalResult(unsigned, const ArgumentInput &)> action) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    Attribute attribute = function.getArgAttr(i, BacoDialect::kInput);
    if (!attribute)
      continue;
    auto input = ArgumentInput::read(function.getArgumentTypes()[i], attribute);
    if (!input)
      return function.emitError() << "'baco.input' of argument " << i << ": "
                                  << llvm::toString(input.takeError());
    using Kind = ArgumentInput::Kind;
    bool hasContents = input->kind == Kind::File || input->kind == Kind::Tensor;
    if (hasContents && failed(action(i, *input)))
      return failure();
  }
  return success();
}

LogicalResult baco::frontend::readInputFiles(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    auto read = [&](unsigned number, const ArgumentInput &input) {
      if (!input.hash.empty())
        return LogicalResult::success();
      llvm::Expected<DictionaryAttr> known =
          readContents(function.getArgumentTypes()[number], input.file,
                       folderOf(function.getLoc()));
      if (!known)
        return LogicalResult(function.emitError()
                             << "'baco.input' of argument " << number << ": "
                             << llvm::toString(known.takeError()));
      function.setArgAttr(number, BacoDialect::kInput, *known);
      return LogicalResult::success();
    };
    if (failed(forEachContents(function, read)))
      return failure();
  }
  return success();
}

/// The extents of a file or a tensor.
static Result<std::vector<int64_t>>
extentsOfContents(const ArgumentInput &input) {
  if (input.kind == ArgumentInput::Kind::Tensor) {
    if (!input.hash.empty())
      return std::vector<int64_t>(input.extents.begin(), input.extents.end());
    Result<sparse::CoordinateTensor> tensor = sparse::readTensor(input.file);
    if (!tensor)
      return tensor.error();
    return tensor->extents();
  }
  Result<NpyHeader> header = readNpyHeader(input.file);
  if (!header)
    return header.error();
  return header->shape;
}

LogicalResult baco::frontend::takeFileExtents(func::FuncOp function,
                                              Extents &extents) {
  return forEachContents(
      function, [&](unsigned number, const ArgumentInput &input) {
        Result<std::vector<int64_t>> shape = extentsOfContents(input);
        if (!shape)
          return LogicalResult(function.emitError() << shape.error().message);
        // It may be another file by now; the worker finds out.
        if (shape->size() == extents[number].size())
          for (auto [extent, its] : llvm::zip_equal(extents[number], *shape))
            if (ShapedType::isDynamic(extent))
              extent = its;
        return LogicalResult::success();
      });
}

LogicalResult baco::frontend::addFileShapes(ModuleOp module,
                                            RequestedShapes &shapes) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() || isNoTune(function) ||
        shapes.contains(function.getName().str()))
      continue;
    Extents extents = extentsOf(function), before = extents;
    if (failed(takeFileExtents(function, extents)))
      return failure();
    if (extents == before)
      continue;
    if (llvm::Error error = deduceExtents(function, extents))
      return function.emitError()
             << "the files of arguments have shapes that don't fit: "
             << llvm::toString(std::move(error));
    if (areKnown(extents))
      shapes[function.getName().str()] = {shapeOf(function, extents)};
  }
  return success();
}
