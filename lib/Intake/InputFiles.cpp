//===- InputFiles.cpp - Arguments with the contents of files --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only headers and hashes are read here: the worker reads the elements.
//
//===----------------------------------------------------------------------===//

#include "InputFiles.h"
#include "ArgumentText.h"

#include "baco/IR/ArgumentInput.h"
#include "baco/IR/BacoDialect.h"
#include "baco/Intake/SetInputs.h"
#include "baco/Support/NpyFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <unistd.h>

using namespace mlir;
using namespace baco;
using namespace baco::intake;

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Why an argument of `type` can't have the elements of a file; empty if it
/// can.
static std::string whyNotSuited(ShapedType type, const NpyHeader &header) {
  std::string element = print(type.getElementType());
  std::optional<std::string_view> numpy = npyTypeFor(element);
  if (!numpy)
    return "no file has elements of type " + element;
  if (!isNpyType(header, element))
    return "it holds elements of type '" + header.type +
           "', but the argument's are " + element + "; save it as " +
           std::string(*numpy);
  auto memref = dyn_cast<MemRefType>(type);
  if (memref && memref.hasStaticShape() && !memref.getLayout().isIdentity())
    return "the argument has strides or an offset; only contiguous memory can "
           "have the contents of a file";
  if (!type.hasRank())
    return "the argument has no rank";
  bool fits = type.getRank() == static_cast<int64_t>(header.shape.size()) &&
              llvm::all_of(llvm::zip_equal(type.getShape(), header.shape),
                           [](auto pair) {
                             auto [own, its] = pair;
                             return ShapedType::isDynamic(own) || own == its;
                           });
  if (fits)
    return "";
  return "its shape is " + describeShape(header.shape) +
         ", but the argument's type is " + print(type) +
         "; save an array of this shape";
}

llvm::Expected<DictionaryAttr>
baco::intake::readInputFile(Type type, StringRef file, StringRef folder) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return llvm::createStringError(
        "a file is for memrefs and tensors; write a value");
  llvm::SmallString<128> path(folder);
  // Drops the folder if the file's name is absolute.
  if (llvm::sys::path::is_absolute(file))
    path = file;
  else
    llvm::sys::path::append(path, file);
  std::string name(path);
  Result<NpyHeader> header = readNpyHeader(name);
  if (!header)
    return llvm::createStringError(header.error().message);
  if (std::string why = whyNotSuited(shaped, *header); !why.empty())
    return llvm::createStringError("'" + name + "': " + why);
  // Without this, reading it might take hours.
  double bytes = static_cast<double>(header->numElements()) *
                 static_cast<double>(header->elementSize);
  if (bytes > static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
                  static_cast<double>(sysconf(_SC_PAGESIZE)))
    return llvm::createStringError(
        "'" + name + "' has " + describeShape(header->shape) +
        " elements, more than this machine's memory holds; take a smaller one");
  Result<std::string> hash = hashNpyFile(name, *header);
  if (!hash)
    return llvm::createStringError(hash.error().message);
  if (std::error_code error = llvm::sys::fs::make_absolute(path))
    return llvm::createStringError("'" + name + "': " + error.message());
  return makeFileInput(type.getContext(), path, *hash);
}

void baco::intake::forgetHashes(ModuleOp module) {
  replaceReadFiles(module, [&](const ArgumentInput &input) {
    return makeFileInput(module.getContext(), input.file, /*hash=*/"");
  });
}

/// The folder of the file that `location` is in; empty if there is none.
static std::string folderOf(Location location) {
  auto place = location->findInstanceOf<FileLineColLoc>();
  return place ? llvm::sys::path::parent_path(place.getFilename().getValue())
                     .str()
               : "";
}

/// Calls `action` with each argument that has the contents of a file, and what
/// its attribute says. Stops at a failure.
static LogicalResult forEachFile(
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
    if (input->kind == ArgumentInput::Kind::File && failed(action(i, *input)))
      return failure();
  }
  return success();
}

LogicalResult baco::intake::readInputFiles(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    auto read = [&](unsigned number, const ArgumentInput &input) {
      if (!input.hash.empty())
        return LogicalResult::success();
      llvm::Expected<DictionaryAttr> known =
          readInputFile(function.getArgumentTypes()[number], input.file,
                        folderOf(function.getLoc()));
      if (!known)
        return LogicalResult(function.emitError()
                             << "'baco.input' of argument " << number << ": "
                             << llvm::toString(known.takeError()));
      function.setArgAttr(number, BacoDialect::kInput, *known);
      return LogicalResult::success();
    };
    if (failed(forEachFile(function, read)))
      return failure();
  }
  return success();
}

LogicalResult baco::intake::takeFileExtents(func::FuncOp function,
                                            Extents &extents) {
  return forEachFile(function, [&](unsigned number,
                                   const ArgumentInput &input) {
    Result<NpyHeader> header = readNpyHeader(input.file);
    if (!header)
      return LogicalResult(function.emitError() << header.error().message);
    // It may be another file by now; the worker finds out.
    if (header->shape.size() == extents[number].size())
      for (auto [extent, its] : llvm::zip_equal(extents[number], header->shape))
        if (ShapedType::isDynamic(extent))
          extent = its;
    return LogicalResult::success();
  });
}

FailureOr<std::string> baco::intake::addFileShapes(ModuleOp module,
                                                   StringRef shapes) {
  std::string all = shapes.str();
  auto groups = readArgumentTexts(module, shapes, "");
  // specializeShapes says what is wrong.
  if (!groups) {
    llvm::consumeError(groups.takeError());
    return all;
  }
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() || function->hasAttr(BacoDialect::kKeep) ||
        llvm::any_of(*groups, [&](const ArgumentTexts &group) {
          return group.function == function;
        }))
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
    if (!areKnown(extents))
      continue;
    std::string option = writeOption(function, extents);
    all +=
        (all.empty() ? "" : ";") + option.substr(StringRef("--shape=").size());
  }
  return all;
}
