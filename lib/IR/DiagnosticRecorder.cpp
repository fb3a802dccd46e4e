//===- DiagnosticRecorder.cpp - First error as one line -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only the first error is kept, because later ones mostly follow from it.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/DiagnosticRecorder.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using baco::DiagnosticRecorder;

/// The file, line and column that `location` leads to, with a colon and a
/// space after it; empty if it leads to none.
static std::string describePlace(Location location) {
  auto place = location->findInstanceOf<FileLineColLoc>();
  if (!place)
    return "";
  return llvm::formatv("{0}:{1}:{2}: ", place.getFilename().getValue(),
                       place.getLine(), place.getColumn())
      .str();
}

/// Joins the lines of `text` by spaces: a printed operation can have many.
static std::string onOneLine(const std::string &text) {
  SmallVector<StringRef> lines;
  StringRef(text).split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef &line : lines)
    line = line.trim();
  return llvm::join(lines, " ");
}

DiagnosticRecorder::DiagnosticRecorder(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        record(diagnostic);
        return success();
      }) {}

void DiagnosticRecorder::record(const Diagnostic &diagnostic) {
  if (!first.empty() || diagnostic.getSeverity() != DiagnosticSeverity::Error)
    return;
  first = describePlace(diagnostic.getLocation()) + diagnostic.str();
  // The first note often names the op of the payload that the error is about.
  auto notes = diagnostic.getNotes();
  if (notes.begin() != notes.end())
    first += "; " + describePlace(notes.begin()->getLocation()) +
             notes.begin()->str();
  first = onOneLine(first);
}

std::string DiagnosticRecorder::message(StringRef fallback) const {
  return first.empty() ? fallback.str() : first;
}
