//===- Fibers.h - Stacks that take turns ------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fibers of one thread: functions that pause anywhere, and continue there.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_GPUEMULATOR_FIBERS_H
#define BACO_LIB_GPUEMULATOR_FIBERS_H

#include <boost/context/detail/fcontext.hpp>

#include <cstddef>
#include <functional>
#include <vector>

namespace baco::runtime {

/// Not thread safe. A fiber that isn't continued any more is dropped without
/// unwinding its stack.
class Fibers {
public:
  Fibers() = default;
  Fibers(const Fibers &) = delete;
  ~Fibers();

  /// Has stacks for `count` fibers at least, each with a page behind it that
  /// can't be accessed. Not within a fiber. False if the system has no memory.
  bool reserve(size_t count);
  /// Fiber `index` is to run `body` from its beginning; the caller keeps `body`
  /// until it has ended.
  void start(size_t index, const std::function<void()> &body);
  /// Continues a fiber that was started and hasn't ended. Returns when it
  /// pauses or ends.
  void resume(size_t index);
  /// Within a fiber: returns from `resume`.
  void pause();

private:
  struct Fiber {
    boost::context::detail::fcontext_t context;
    const std::function<void()> *body;
  };

  [[noreturn]] static void run(boost::context::detail::transfer_t entered);
  void release();

  std::byte *stacks = nullptr;
  std::vector<Fiber> fibers;
  /// Where `resume` goes on.
  boost::context::detail::fcontext_t owner = nullptr;
  size_t running = 0;
};

} // namespace baco::runtime

#endif // BACO_LIB_GPUEMULATOR_FIBERS_H
