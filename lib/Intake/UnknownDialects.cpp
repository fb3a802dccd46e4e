//===- UnknownDialects.cpp - What to do about other dialects --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the dialect's name from the parser's messages, which is all that there
// is: an op of an unknown dialect can't be parsed.
//
//===----------------------------------------------------------------------===//

#include "baco/Intake/UnknownDialects.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace baco;
using llvm::StringRef;

/// The dialect that `text` begins with.
static StringRef dialectAt(StringRef text) {
  return text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// The dialect that the parser's error `message` is about; empty if that isn't
/// about an unknown one.
static StringRef unknownDialect(StringRef message, StringRef before) {
  // An op in its own syntax: Dialect `NAME' not found.
  if (message.consume_front("Dialect `"))
    return dialectAt(message);
  if (!message.contains("unregistered dialect"))
    return "";
  // An op in the generic syntax, whose name the message doesn't have.
  if (message.starts_with("operation"))
    return dialectAt(before.rtrim('"').rsplit('"').second);
  // An attribute, #"NAME"<"...">, or a type, `!"NAME"<"...">`.
  return dialectAt(message.ltrim("`#!\""));
}

/// The command that makes linalg, or TOSA, of a dialect; empty if there is
/// none.
static StringRef toolFor(StringRef dialect) {
  return llvm::StringSwitch<StringRef>(dialect)
      .Case("stablehlo", "stablehlo-opt --stablehlo-legalize-to-linalg")
      .Case("chlo", "stablehlo-opt --chlo-legalize-to-stablehlo "
                    "--stablehlo-legalize-to-linalg")
      .Case("vhlo", "stablehlo-opt --vhlo-legalize-to-stablehlo "
                    "--stablehlo-legalize-to-linalg")
      .Case("mhlo", "mlir-hlo-opt --hlo-legalize-to-stablehlo, then "
                    "stablehlo-opt --stablehlo-legalize-to-linalg,")
      .Cases({"torch", "torch_c"},
             "torch-mlir-opt "
             "--torch-backend-to-linalg-on-tensors-backend-pipeline")
      .Case("onnx", "onnx-mlir-opt --convert-onnx-to-tosa")
      .Case("tf", "tf-opt --tf-to-tosa-pipeline")
      .Case("tfl", "tf-opt --tfl-to-tosa-pipeline")
      .Default("");
}

/// Whether `dialect` is one of IREE's.
static bool isIree(StringRef dialect) {
  return dialect.starts_with("iree") ||
         llvm::is_contained({"util", "check", "hal", "flow", "stream", "vm"},
                            dialect);
}

std::optional<std::string> intake::adviseOnUnknownDialect(StringRef message,
                                                          StringRef before) {
  StringRef dialect = unknownDialect(message, before);
  if (dialect.empty())
    return std::nullopt;
  if (StringRef tool = toolFor(dialect); !tool.empty())
    return (tool + " makes ops of '" + dialect + "' ones that can be tuned")
        .str();
  if (isIree(dialect))
    return ("'" + dialect +
            "' is a dialect of IREE; move the linalg ops to a func.func whose "
            "inputs are arguments and whose outputs are results")
        .str();
  return ("'" + dialect +
          "' is no dialect of MLIR; lower it to linalg or loops with the tool "
          "that it comes from")
      .str();
}
