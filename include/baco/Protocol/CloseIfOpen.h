//===- CloseIfOpen.h - Descriptors that may be closed -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_PROTOCOL_CLOSEIFOPEN_H
#define BACO_PROTOCOL_CLOSEIFOPEN_H

#include <unistd.h>
#include <utility>

namespace baco::runtime {

/// Closes a descriptor and sets it to -1, which is that of none.
inline void closeIfOpen(int &descriptor) {
  if (descriptor >= 0)
    close(std::exchange(descriptor, -1));
}

} // namespace baco::runtime

#endif // BACO_PROTOCOL_CLOSEIFOPEN_H
