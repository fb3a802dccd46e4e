//===- UnknownDialects.cpp - Remedies for unknown dialects ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the dialect's name from the parser's messages, the only source: an op
// of an unknown dialect can't be parsed.
//
//===----------------------------------------------------------------------===//

#include "baco/Frontend/UnknownSyntax.h"

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
/// none. The tools register these passes and pipelines in:
///
/// * openxla/stablehlo at 3c9301c11 (August 2026):
///   stablehlo/conversions/linalg/transforms/Passes.td,
///   stablehlo/transforms/{Passes.td,PassPipelines.cpp}; the tool is
///   stablehlo/tools/StablehloOptMain.cpp.
/// * openxla/xla,
/// xla/mlir_hlo/tests/Dialect/mhlo/hlo-legalize-to-stablehlo.mlir
///   runs the first command for mhlo.
/// * llvm/torch-mlir at 0029fc2e1 (August 2026):
///   lib/Dialect/{Torch,TorchConversion}/Transforms/Passes.cpp. The first
///   pipeline is for models from ONNX, whose ops are called torch.operator; it
///   leaves others to the second one.
/// * onnx/onnx-mlir at ec744fe6d (July 2026):
///   src/Conversion/ONNXToTOSA/ConvertONNXToTOSA.cpp,
///   src/Dialect/ONNX/Transforms/ShapeInferencePass.cpp; its tests run both.
/// * tensorflow/tensorflow at 0866b7a75:
///   tensorflow/compiler/mlir/tosa/{tf_tosa_opt,tf_passes,tfl_passes}.cc.
///   Its tests run that tool.
static StringRef toolFor(StringRef dialect) {
  return llvm::StringSwitch<StringRef>(dialect)
      .Case("stablehlo", "stablehlo-opt --stablehlo-legalize-to-linalg")
      .Case("chlo", "stablehlo-opt --chlo-legalize-to-stablehlo "
                    "--stablehlo-legalize-to-linalg")
      .Case("vhlo", "stablehlo-opt --stablehlo-deserialize "
                    "--stablehlo-legalize-to-linalg")
      .Case("mhlo", "mlir-hlo-opt --hlo-legalize-to-stablehlo, then "
                    "stablehlo-opt --stablehlo-legalize-to-linalg,")
      .Cases({"torch", "torch_c"},
             "torch-mlir-opt --torch-onnx-to-torch-backend-pipeline "
             "--torch-backend-to-linalg-on-tensors-backend-pipeline")
      .Case("onnx", "onnx-mlir-opt --shape-inference --convert-onnx-to-tosa")
      .Case("tf", "tf-tosa-opt --tf-to-tosa-pipeline")
      .Case("tfl", "tf-tosa-opt --tfl-to-tosa-pipeline")
      .Default("");
}

/// Whether `dialect` is one of IREE's.
static bool isIree(StringRef dialect) {
  return dialect.starts_with("iree") ||
         llvm::is_contained({"util", "check", "hal", "flow", "stream", "vm"},
                            dialect);
}

std::optional<std::string> frontend::adviseOnUnknownDialect(StringRef message,
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
