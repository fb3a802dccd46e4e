//===- TargetKinds.h - Kinds of targets -------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DRIVER_TARGETKINDS_H
#define BACO_LIB_DRIVER_TARGETKINDS_H

#include "baco/Driver/TuningTarget.h"

namespace baco::driver {

/// The GPU `device`, `CHIP` or `CHIP:FEATURES`; `runs`: it is one of this
/// machine. Errors as TuningTarget::parse, after `what`.
Result<std::shared_ptr<const TuningTarget>>
makeNvidiaTarget(const std::string &what, llvm::StringRef device, bool runs);

/// `CHIP` or `CHIP:FEATURES` of the NVIDIA GPU that `module` is marked for;
/// empty if there is none.
std::string findNvidiaMark(mlir::ModuleOp module);

/// The device of OpenCL of this machine whose name contains `device`; empty:
/// the first one. Errors as describeOpenClDevice, after `what`.
Result<std::shared_ptr<const TuningTarget>>
makeOpenClTarget(const std::string &what, llvm::StringRef device);

/// The device that `module` is marked for; empty if there is none.
std::string findOpenClMark(mlir::ModuleOp module);

/// The FPGA `device`, a row of Support/FpgaDevice.h. InvalidArgument, after
/// `what`.
Result<std::shared_ptr<const TuningTarget>>
makeFpgaTarget(const std::string &what, llvm::StringRef device);

/// The device that `module` is marked for; empty if there is none.
std::string findFpgaMark(mlir::ModuleOp module);

/// A kind of GPUs.
class GpuTarget : public TuningTarget {
public:
  using TuningTarget::TuningTarget;

  /// More fields for the set-up of a worker that checks results.
  static llvm::json::Object describeSource(const Kernel &kernel);

  void choosePreparation(frontend::PrepareOptions &options) const override;
  mlir::LogicalResult explainNothing(mlir::ModuleOp module,
                                     mlir::Operation *root) const override;
};

/// Success if no option of devices is given; else an error that says that
/// `target` has no use for it, and then `remedy`.
Result<void> refuseDeviceOptions(const DeviceOptions &options,
                                 llvm::StringRef target,
                                 llvm::StringRef remedy);

} // namespace baco::driver

#endif // BACO_LIB_DRIVER_TARGETKINDS_H
