//===- Result.h - A value or an error ---------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How libraries below the MLIR line report that an input is wrong or that the
// environment failed. Ordinary unhappy outcomes (a candidate that crashed, a
// fit that did not converge) are values, not errors; our own bugs are asserts.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SUPPORT_RESULT_H
#define BACO_SUPPORT_RESULT_H

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace baco {

enum class ErrorCode {
  /// The caller passed something that has no meaning.
  InvalidArgument,
  /// A space without any feasible configuration.
  EmptySpace,
  /// Something named does not exist.
  NotFound,
  /// The operating system refused: files, processes, memory.
  IOError,
  /// A file or message is not in the format that it claims.
  Corrupt,
  /// Meaningful, but not supported by this version.
  Unsupported,
  /// Took longer than a limit that the caller may raise.
  TimedOut,
  /// Needed more memory than a limit that the caller may raise.
  OutOfMemory,
};

/// An error with its message for a person: it starts in lower case, has no
/// final full stop, names the thing and the values, and gives the remedy if
/// that is not obvious.
struct Error {
  ErrorCode code;
  std::string message;
};

/// Either a value of type T or an Error. Test it before use:
///
///   Result<Expression> e = Expression::parse(text);
///   if (!e)
///     return e.error();
///   use(*e);
template <typename T>
class [[nodiscard]] Result {
public:
  Result(T value) : storage(std::move(value)) {}
  Result(Error error) : storage(std::move(error)) {}
  Result(ErrorCode code, std::string message)
      : storage(Error{code, std::move(message)}) {}

  explicit operator bool() const { return std::holds_alternative<T>(storage); }

  T &operator*() & {
    assert(*this && "result holds an error");
    return *std::get_if<T>(&storage);
  }
  const T &operator*() const & {
    assert(*this && "result holds an error");
    return *std::get_if<T>(&storage);
  }
  T &&operator*() && {
    assert(*this && "result holds an error");
    return std::move(*std::get_if<T>(&storage));
  }
  T *operator->() { return &**this; }
  const T *operator->() const { return &**this; }

  const Error &error() const {
    assert(!*this && "result holds a value");
    return *std::get_if<Error>(&storage);
  }

private:
  std::variant<T, Error> storage;
};

/// Success, or an Error.
template <>
class [[nodiscard]] Result<void> {
public:
  Result() = default;
  Result(Error error) : storage(std::move(error)) {}
  Result(ErrorCode code, std::string message)
      : storage(Error{code, std::move(message)}) {}

  explicit operator bool() const {
    return std::holds_alternative<std::monostate>(storage);
  }
  const Error &error() const {
    assert(!*this && "result holds success");
    return *std::get_if<Error>(&storage);
  }

private:
  std::variant<std::monostate, Error> storage;
};

} // namespace baco

#endif // BACO_SUPPORT_RESULT_H
