//===- OldSyntax.cpp - Current names of renamed ops -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parser only says that an op is unknown. Public files of earlier years are
// full of such ops, which have other names now.
//
//===----------------------------------------------------------------------===//

#include "baco/Frontend/UnknownSyntax.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

using namespace baco;
using llvm::StringLiteral;
using llvm::StringRef;

namespace {
/// The year in which upstream renamed an op, and its name since.
struct Rename {
  unsigned year = 0;
  std::string name;
};
} // namespace

/// The ops of the former standard dialect have no dialect in their names.
static Rename renameOfStandardOp(StringRef op) {
  StringRef dialect =
      llvm::StringSwitch<StringRef>(op)
          .Cases({"alloc", "alloca", "dealloc", "load", "store", "dim",
                  "subview", "memref_cast", "tensor_load", "tensor_store"},
                 "memref")
          .Cases({"addf",   "addi", "subf",       "subi",   "mulf",   "muli",
                  "divf",   "negf", "cmpf",       "cmpi",   "andi",   "or",
                  "ori",    "and",  "index_cast", "select", "sitofp", "fptosi",
                  "uitofp", "remf", "trunci",     "truncf", "extf"},
                 "arith")
          .Cases({"br", "cond_br", "switch"}, "cf")
          .Cases({"func", "call", "call_indirect"}, "func")
          .Default("");
  if (dialect.empty())
    return {};
  StringRef name = llvm::StringSwitch<StringRef>(op)
                       .Case("or", "ori")
                       .Case("and", "andi")
                       .Case("memref_cast", "cast")
                       .Default(op);
  bool isMemory = dialect == "memref";
  if (op.starts_with("tensor_"))
    return {2021, op == "tensor_load"
                      ? "bufferization.to_tensor"
                      : "bufferization.materialize_in_destination"};
  bool isArithmetic = dialect == "arith" && op != "select";
  return {isMemory || isArithmetic ? 2021u : 2022u,
          (dialect + "." + name).str()};
}

static Rename renameOf(StringRef op) {
  if (!op.contains('.'))
    return renameOfStandardOp(op);
  return llvm::StringSwitch<Rename>(op)
      .Case("linalg.tensor_reshape", {2021, "tensor.collapse_shape"})
      .Case("linalg.init_tensor", {2022, "tensor.empty"})
      .Case("linalg.pad_tensor", {2022, "tensor.pad"})
      .Case("builtin.func", {2022, "func.func"})
      .Case("std.constant", {2021, "arith.constant"})
      .Case("std.call", {2022, "func.call"})
      .Case("std.return", {2022, "func.return"})
      .Case("arith.maxf", {2023, "arith.maximumf"})
      .Case("arith.minf", {2023, "arith.minimumf"})
      .Case("scf.foreach_thread", {2023, "scf.forall"})
      .Case("memref.tensor_load", {2022, "bufferization.to_tensor"})
      .Case("bufferization.to_memref", {2025, "bufferization.to_buffer"})
      .Cases({"linalg.matmul_transpose_a", "linalg.matmul_transpose_b"},
             {2026, "linalg.matmul indexing_maps = [...]"})
      .Cases({"linalg.batch_matmul_transpose_a",
              "linalg.batch_matmul_transpose_b"},
             {2026, "linalg.batch_matmul indexing_maps = [...]"})
      .Default({});
}

/// A change of upstream to an op or type that kept its name: the year, and the
/// new form; by a part of the message.
static Rename changeOf(StringRef message) {
  static const std::pair<StringLiteral, Rename> changes[] = {
      {"failed to parse LLVMPointerType parameter 'addressSpace'",
       {2024, "'!llvm.ptr<f32>' is '!llvm.ptr'"}},
      {"custom op 'tensor.expand_shape' expected 'output_shape'",
       {2024, "'tensor.expand_shape' says its 'output_shape [...]'"}},
      {"'linalg.map' op expects number of operands to match the arity of "
       "mapper",
       {2026, "the mapper of 'linalg.map' takes the element of 'outs' too"}}};
  for (const auto &[part, change] : changes)
    if (message.contains(part))
      return change;
  return {};
}

static std::string write(unsigned year, const std::string &change) {
  return "this is MLIR from before " + std::to_string(year) + ": " + change +
         " since then; rewrite the file, or make it with a newer version of "
         "its front end";
}

std::optional<std::string> frontend::adviseOnOldSyntax(StringRef message) {
  if (Rename change = changeOf(message); change.year)
    return write(change.year, change.name);
  // Dialect `std' not found for custom op 'std.constant'
  // custom op 'func' is unknown (tried 'builtin.func' as well)
  auto [before, rest] = message.split("custom op '");
  StringRef op = rest.take_until([](char c) { return c == '\''; });
  bool isUnknown = before.empty() || before.starts_with("Dialect `std'");
  if (!isUnknown || op.empty())
    return std::nullopt;
  Rename rename = renameOf(op);
  if (rename.name.empty())
    return std::nullopt;
  return write(rename.year, "'" + op.str() + "' is '" + rename.name + "'");
}
