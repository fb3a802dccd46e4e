//===- CrashNotes.cpp - Why a plain kernel may have died ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses that are out of bounds have no recipe (lib/Schedule/AccessBounds.h).
//
//===----------------------------------------------------------------------===//

#include "KernelNotes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace baco;

using Note = std::pair<Location, std::string>;

/// Integer divisions, unless the divisor is a constant other than 0.
static SmallVector<Note> findDivisions(Operation *function) {
  SmallVector<Note> notes;
  function->walk([&](Operation *op) {
    if (isa<arith::ArithDialect>(op->getDialect()) && !isSpeculatable(op))
      notes.emplace_back(
          op->getLoc(), "this divisor may be 0, or the quotient too large; say "
                        "what the arguments are with --arg, and check what the "
                        "kernel itself writes and then divides by");
  });
  return notes;
}

void driver::noteCauseOfCrash(InFlightDiagnostic &error, StringRef message,
                              Operation *function) {
  constexpr size_t most = 3;
  SmallVector<Note> notes;
  if (message.contains("SIGFPE"))
    notes = findDivisions(function);
  for (const auto &[location, text] : ArrayRef(notes).take_front(most))
    error.attachNote(location) << text;
}
