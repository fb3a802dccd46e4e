//===- Files.cpp - Whole files, safely ------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// POSIX calls, since the standard streams neither say why they fail nor make
// temporary files.
//
//===----------------------------------------------------------------------===//

#include "baco/Database/Files.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace baco;
using namespace baco::database;

namespace {

/// A file descriptor that closes itself.
class File {
public:
  explicit File(int descriptor) : descriptor(descriptor) {}
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  ~File() {
    if (descriptor >= 0)
      ::close(descriptor);
  }

  explicit operator bool() const { return descriptor >= 0; }
  int get() const { return descriptor; }
  /// Whether closing succeeded: closing may report the error of a write.
  bool close() { return ::close(std::exchange(descriptor, -1)) == 0; }

private:
  int descriptor;
};

} // namespace

static Error systemError(const char *verb, const std::string &path) {
  return {ErrorCode::IOError, std::string("cannot ") + verb + " '" + path +
                                  "': " + std::strerror(errno)};
}

Result<std::string> database::readFile(const std::string &path) {
  // A pipe without a writer would block the open for ever.
  File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info;
  if (!file || fstat(file.get(), &info) != 0)
    return systemError("read", path);
  if (!S_ISREG(info.st_mode))
    return Error{ErrorCode::IOError,
                 "cannot read '" + path + "': it is not a regular file"};
  std::string text;
  char buffer[1 << 16];
  while (true) {
    ssize_t size = ::read(file.get(), buffer, sizeof(buffer));
    if (size < 0 && errno == EINTR)
      continue;
    if (size < 0)
      return systemError("read", path);
    if (size == 0)
      return text;
    text.append(buffer, static_cast<size_t>(size));
  }
}

static bool writeAll(int descriptor, std::string_view text) {
  while (!text.empty()) {
    ssize_t size = ::write(descriptor, text.data(), text.size());
    if (size < 0 && errno == EINTR)
      continue;
    if (size < 0)
      return false;
    text.remove_prefix(static_cast<size_t>(size));
  }
  return true;
}

/// The permissions of `path`, or those that a new file gets.
static mode_t permissionsFor(const std::string &path) {
  struct stat old;
  if (stat(path.c_str(), &old) == 0)
    return old.st_mode & 0777;
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

/// Writes to a pipe, a terminal or a device.
static Result<void> writeInPlace(const std::string &path,
                                 std::string_view text) {
  File file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file || !writeAll(file.get(), text) || !file.close())
    return systemError("write", path);
  return {};
}

Result<void> database::writeFileAtomically(const std::string &name,
                                           std::string_view text) {
  // A symbolic link stays one; its target is replaced.
  std::error_code missing;
  std::filesystem::path target = std::filesystem::canonical(name, missing);
  std::string path = missing ? name : target.string();
  struct stat old;
  if (stat(path.c_str(), &old) == 0 && !S_ISREG(old.st_mode))
    return writeInPlace(path, text);
  std::string temporary = path + ".XXXXXX";
  File file(mkostemp(temporary.data(), O_CLOEXEC));
  if (!file)
    return systemError("write", path);
  if (writeAll(file.get(), text) &&
      fchmod(file.get(), permissionsFor(path)) == 0 && file.close() &&
      rename(temporary.c_str(), path.c_str()) == 0)
    return {};
  Error error = systemError("write", path);
  unlink(temporary.c_str());
  return error;
}
