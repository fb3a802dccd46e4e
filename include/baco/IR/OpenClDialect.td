//===- OpenClDialect.td - Devices of OpenCL ----------------*- tablegen -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `#nvvm.target` is for NVIDIA's GPUs. A dialect of its own, as each kind
// of target has upstream.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_OPENCLDIALECT_TD
#define BACO_IR_OPENCLDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"

def OpenCl_Dialect : Dialect {
  let name = "opencl";
  let cppNamespace = "::baco";
  let summary = "Devices that compile OpenCL C";
  let useDefaultAttributePrinterParser = 1;
}

def OpenClTargetAttr : AttrDef<OpenCl_Dialect, "OpenClTarget"> {
  let mnemonic = "target";
  let summary = "a device of OpenCL, as it describes itself";
  let description = [{
    The limits that recipes know, of the device `name`: work-items of a work-group
    (`threads`), and along each dimension (`items`); bytes of local memory;
    compute units; whether it has the types `half` and `double`.

    Example: `#opencl.target<"pocl", threads = 4096, items = [4096, 4096, 4096],
    local_bytes = 524288, units = 2, half = false, doubles = true>`.
    Verified: numbers are positive; `items` has three.
  }];
  let parameters = (ins
    StringRefParameter<"as the device names itself">:$name,
    "int64_t":$threads,
    ArrayRefParameter<"int64_t", "work-items along each dimension">:$items,
    "int64_t":$local_bytes,
    "int64_t":$units,
    "bool":$half,
    "bool":$doubles);
  let assemblyFormat = [{
    `<` $name `,` `threads` `=` $threads `,` `items` `=` `[` $items `]` `,`
        `local_bytes` `=` $local_bytes `,` `units` `=` $units
        `,` `half` `=` $half `,` `doubles` `=` $doubles `>`
  }];
  let genVerifyDecl = 1;
}

#endif // BACO_IR_OPENCLDIALECT_TD
