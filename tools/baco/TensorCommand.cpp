//===- TensorCommand.cpp - baco tensor ------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Answers about sparse tensors, and makes them.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "CommandGroup.h"

#include "baco/Sparse/Storage.h"
#include "baco/Sparse/TensorSource.h"
#include "baco/Support/NpyFile.h"

#include <algorithm>

using namespace baco;
using namespace baco::sparse;
using namespace baco::tool;

static constexpr const char *usage = R"(usage: baco tensor COMMAND TENSOR ...

Answers about sparse tensors. TENSOR is a file in the formats of Matrix Market (.mtx) or
FROSTT (.tns), compressed by gzip (.gz) or not; or a generator:

  rmat(scale=16, degree=16)           a graph of 2^scale vertices, about degree edges for
                                      each; few vertices have most of them
  banded(rows=N, width=W, fill=1)     a diagonal, and places at most W beside it
  stencil(points=7, side=N)           points of a grid and their neighbors: 5 or 9 in
                                      N^2, 7 or 27 in N^3
  blocks(side=N, size=3)              dense blocks for points of a grid of N^2 and their 8
                                      neighbors
  uniform(extents=AxBxC, entries=E)   places drawn uniformly
  skewed(extents=AxBxC, entries=E)    the same, more of them at small coordinates

All generators take seed=1.

  show TENSOR [--formats=LIST]
        prints extents and entries, and the bytes that the tensor takes in these formats,
        of coo, csf, csr, csc, dcsr, dcsc and dense (all but dense that there are for its
        rank), with positions and coordinates of 64 and of the fewest bits, and values f64
  write TENSOR FILE
        writes the tensor to FILE, whose name ends in .mtx, .tns, .mtx.gz or .tns.gz

Exit codes: 0 done, 1 the input is wrong, 2 the environment fails.
)";

/// How the entries are spread over the coordinates of a dimension.
static std::string describeDimension(const CoordinateTensor &tensor, size_t d) {
  std::vector<int64_t> places;
  for (size_t entry = 0; entry < tensor.numEntries(); ++entry)
    places.push_back(tensor.coordinates(entry)[d]);
  std::ranges::sort(places);
  size_t used = 0;
  size_t most = 0;
  for (size_t begin = 0; begin < places.size(); ++used) {
    size_t end = begin;
    while (end < places.size() && places[end] == places[begin])
      ++end;
    most = std::max(most, end - begin);
    begin = end;
  }
  return "dimension " + std::to_string(d) + "  " + std::to_string(used) +
         " of " + std::to_string(tensor.extents()[d]) +
         " coordinates have entries, at most " + std::to_string(most) +
         " each\n";
}

/// Sets the least widths that hold all positions and coordinates.
static void narrow(StorageFormat &format, const CoordinateTensor &tensor) {
  auto minWidth = [](uint64_t largest) {
    unsigned width = 8;
    while (width < 64 && largest >> width != 0)
      width *= 2;
    return width;
  };
  format.positionWidth = minWidth(tensor.numEntries());
  format.coordinateWidth =
      minWidth(static_cast<uint64_t>(std::ranges::max(tensor.extents()) - 1));
}

static std::string describeFormat(const CoordinateTensor &tensor,
                                  const std::string &name,
                                  StorageFormat format) {
  std::string line = "format " + name + std::string(8 - name.size(), ' ');
  Result<PackedTensor> wide = pack(tensor, format);
  narrow(format, tensor);
  Result<PackedTensor> narrow = wide ? pack(tensor, format) : wide.error();
  if (!narrow)
    return line + narrow.error().message + "\n";
  return line + std::to_string(wide->byteSize()) + " bytes, " +
         std::to_string(narrow->byteSize()) + " with positions of " +
         std::to_string(format.positionWidth) + " and coordinates of " +
         std::to_string(format.coordinateWidth) + " bits\n";
}

static int show(const Arguments &arguments) {
  CoordinateTensor tensor = need(readTensor(arguments.positional()[0]));
  bool isMatrix = tensor.rank() == 2;
  std::string names = arguments.has("formats")
                          ? arguments.get("formats")
                          : (isMatrix ? "csr,csc,dcsr,dcsc,coo" : "csf,coo");
  std::string text = "extents      " + describeShape(tensor.extents()) +
                     "\nentries      " + std::to_string(tensor.numEntries()) +
                     "\n";
  for (size_t d = 0; d < tensor.rank(); ++d)
    text += describeDimension(tensor, d);
  for (size_t at = 0; at <= names.size();) {
    size_t end = std::min(names.find(',', at), names.size());
    std::string name = names.substr(at, end - at);
    text +=
        describeFormat(tensor, name, need(namedFormat(name, tensor.rank())));
    at = end + 1;
  }
  print(text);
  return allDone;
}

static int write(const Arguments &arguments) {
  const std::string &file = arguments.positional()[1];
  // Before minutes pass.
  need(formatOfFile(file));
  CoordinateTensor tensor = need(readTensor(arguments.positional()[0]));
  need(writeTensorFile(tensor, file));
  return allDone;
}

int tool::runTensorCommand(std::span<const std::string_view> words) {
  const Command commands[] = {
      {"show", show, "formats=", 1, "a file or a generator"},
      {"write", write, "", 2, "a file or a generator, and the file to write"}};
  return runCommand({"tensor", usage, commands}, words);
}
