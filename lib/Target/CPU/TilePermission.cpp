//===- TilePermission.cpp - Permission to use AMX -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilePermission.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

/// Linux's system call and its arguments (arch/x86/include/uapi/asm/prctl.h).
static constexpr int64_t archPrctl = 158, requestPermission = 0x1023,
                         tileData = 18;

void baco::target::permitTiles(ModuleOp module) {
  auto builder =
      ImplicitLocOpBuilder::atBlockEnd(module.getLoc(), module.getBody());
  MLIRContext *context = module.getContext();
  auto function = LLVM::LLVMFuncOp::create(
      builder, "baco_permit_tiles",
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), {}),
      LLVM::Linkage::Internal);
  LLVM::GlobalCtorsOp::create(
      builder, builder.getArrayAttr({FlatSymbolRefAttr::get(function)}),
      builder.getI32ArrayAttr({0}),
      builder.getArrayAttr({LLVM::ZeroAttr::get(context)}));
  builder.setInsertionPointToStart(function.addEntryBlock(builder));
  Type i64 = builder.getI64Type();
  auto number = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, builder.getI64IntegerAttr(value));
  };
  // By itself, so that no library need be there. The answer doesn't matter: the
  // program has no other code for these loops, and without permission its first
  // tile ends it with SIGILL.
  LLVM::InlineAsmOp::create(
      builder, TypeRange{i64},
      ValueRange{number(archPrctl), number(requestPermission),
                 number(tileData)},
      "syscall", "={rax},{rax},{rdi},{rsi},~{rcx},~{r11},~{memory}",
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(),
      ArrayAttr());
  LLVM::ReturnOp::create(builder, ValueRange{});
}
