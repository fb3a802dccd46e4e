//===- StoreConstants.cpp - Data of constants in a file -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The weights of a model, as text of LLVM IR, take mlir-translate and clang
// most of their time. The assembler copies them from a file.
//
//===----------------------------------------------------------------------===//

#include "baco/Analysis/ConstantData.h"
#include "baco/LoopNest/FunctionMemory.h"
#include "baco/Target/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#define DEBUG_TYPE "baco-store-constants"

namespace baco::target {
#define GEN_PASS_DEF_STORECONSTANTSPASS
#include "baco/Target/Passes.h.inc"
} // namespace baco::target

using namespace mlir;
using memref::GlobalOp;

/// The data of `global`, if all of them are there.
static ArrayRef<char> contentsOf(GlobalOp global) {
  auto data = dyn_cast_or_null<ElementsAttr>(global.getConstantInitValue());
  if (!data)
    return {};
  ArrayRef<char> bytes = baco::bytesOf(data);
  int64_t size = baco::bytesOf(data.getElementType()) * data.getNumElements();
  return static_cast<int64_t>(bytes.size()) == size ? bytes : ArrayRef<char>();
}

/// A string of the assembler.
static std::string quoted(StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + "\"";
}

namespace {
struct StoreConstants
    : baco::target::impl::StoreConstantsPassBase<StoreConstants> {
  using Base::Base;

protected:
  void runOnOperation() override {
    if (file.empty())
      return;
    ModuleOp module = getOperation();
    SmallVector<GlobalOp> stored;
    for (auto global : module.getOps<GlobalOp>())
      if (static_cast<int64_t>(contentsOf(global).size()) >=
          std::max<int64_t>(minBytes, 1))
        stored.push_back(global);
    SmallVector<Attribute> assembly;
    StringRef name = LLVM::LLVMDialect::getModuleLevelAsmAttrName();
    if (auto known = module->getAttrOfType<ArrayAttr>(name))
      llvm::append_range(assembly, known);
    llvm::Error error = llvm::writeToOutput(file, [&](raw_ostream &out) {
      for (GlobalOp global : stored)
        declare(global, out, assembly);
      return llvm::Error::success();
    });
    if (error) {
      emitError(module->getLoc(), "cannot write the constants to '")
          << file << "': " << llvm::toString(std::move(error));
      return signalPassFailure();
    }
    if (!stored.empty())
      module->setAttr(name, ArrayAttr::get(&getContext(), assembly));
  }

private:
  /// Writes what `global` holds to `out`, and makes it a declaration of a
  /// symbol that `assembly` defines.
  void declare(GlobalOp global, raw_ostream &out,
               SmallVectorImpl<Attribute> &assembly) {
    ArrayRef<char> bytes = contentsOf(global);
    constexpr int64_t least = baco::loopnest::bufferAlignment;
    int64_t alignment =
        std::max<int64_t>(global.getAlignment().value_or(least), least);
    uint64_t offset = out.tell();
    LDBG() << global.getSymName() << ": " << bytes.size() << " bytes at "
           << offset;
    out.write(bytes.data(), bytes.size());
    for (const std::string &line :
         {std::string(".pushsection .rodata,\"a\",@progbits"),
          ".balign " + std::to_string(alignment),
          quoted(global.getSymName()) + ":",
          ".incbin " + quoted(file) + "," + std::to_string(offset) + "," +
              std::to_string(bytes.size()),
          std::string(".popsection")})
      assembly.push_back(StringAttr::get(&getContext(), line));
    global.removeInitialValueAttr();
    // Only what is public can be defined elsewhere; the symbol of the assembler
    // is known in this object file only.
    global.removeSymVisibilityAttr();
    global.setAlignment(alignment);
  }
};
} // namespace
