//===- RequestedShapes.h - Shapes to make versions for ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shapes that an option, a file or an entry of a library asks versions of a
// function for. Their text is for people, and for entries in files.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_FRONTEND_REQUESTEDSHAPES_H
#define BACO_FRONTEND_REQUESTEDSHAPES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace baco::frontend {

/// An extent that stays dynamic in a version, and is `measured` in trials. It
/// equals no other extent but those that are open and measured alike.
constexpr int64_t openExtent(int64_t measured) { return -measured; }

/// Whether `extent` stays dynamic.
bool isOpenExtent(int64_t extent);

/// The extent in trials: `extent` itself unless it is open.
int64_t measuredExtent(int64_t extent);

/// The extents of an argument, at least 1: ShapedType::kDynamic for those that
/// nothing is said of, and openExtent(N) for those that stay dynamic.
struct ArgumentExtents {
  unsigned argument;
  std::vector<int64_t> extents;

  bool operator==(const ArgumentExtents &) const = default;
};

/// A shape to make a version for. The extents of arguments without an element
/// follow from those with one.
using RequestedShape = std::vector<ArgumentExtents>;

/// The shapes of functions, by their names.
using RequestedShapes = std::map<std::string, std::vector<RequestedShape>>;

/// Reads `512x64?x?`: an extent, one that stays open, and one of which nothing
/// is said. The error names the part that is wrong.
llvm::Expected<std::vector<int64_t>> readExtents(llvm::StringRef text);

/// The reverse.
std::string writeExtents(llvm::ArrayRef<int64_t> extents);

/// Reads the shapes of one function, `0=512x64,1=64x64;0=32x?`; empty text has
/// none. The error names the part that is wrong.
llvm::Expected<std::vector<RequestedShape>> readShapes(llvm::StringRef text);

/// The reverse.
std::string writeShapes(llvm::ArrayRef<RequestedShape> shapes);

/// The text of the option that requests `shapes`: `f:0=512x64;0=32x64;g:0=8`.
std::string writeShapes(const RequestedShapes &shapes);

} // namespace baco::frontend

#endif // BACO_FRONTEND_REQUESTEDSHAPES_H
