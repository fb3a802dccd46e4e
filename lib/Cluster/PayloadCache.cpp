//===- PayloadCache.cpp - Payloads on a worker's disk ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PayloadCache.h"

#include "baco/Support/ContentHash.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

using namespace baco;
using namespace baco::cluster;
namespace fs = std::filesystem;

/// What the file has, if that is still the payload.
std::optional<std::string> PayloadCache::read(const std::string &hash) const {
  std::error_code error;
  fs::path file = fs::path(folder) / hash;
  if (folder.empty() || !fs::is_regular_file(file, error))
    return std::nullopt;
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  ContentHash found;
  found.add(text.view());
  if (found.digits() != hash)
    return std::nullopt;
  fs::last_write_time(file, fs::file_time_type::clock::now(), error);
  return std::move(text).str();
}

/// Writes the file, and removes those that were not used for longest until all
/// are small enough. A disk that is full is no error: there is a server.
void PayloadCache::keep(const std::string &hash,
                        const std::string &text) const {
  if (folder.empty() || text.size() > maxBytes)
    return;
  std::error_code error;
  fs::create_directories(folder, error);
  struct File {
    fs::file_time_type used;
    fs::path path;
    uint64_t size;
  };
  std::vector<File> files;
  uint64_t total = text.size();
  for (const fs::directory_entry &entry :
       fs::directory_iterator(folder, error)) {
    std::error_code gone;
    File file = {entry.last_write_time(gone), entry.path(),
                 entry.file_size(gone)};
    if (gone)
      continue;
    total += file.size;
    files.push_back(std::move(file));
  }
  std::ranges::sort(files, {}, &File::used);
  for (const File &file : files) {
    if (total <= maxBytes)
      break;
    if (fs::remove(file.path, error))
      total -= file.size;
  }
  fs::path path = fs::path(folder) / hash;
  fs::path partial = path.string() + "." + std::to_string(getpid());
  std::ofstream stream(partial, std::ios::binary);
  stream << text;
  stream.close();
  if (stream)
    fs::rename(partial, path, error);
  else
    fs::remove(partial, error);
}

Result<Payload> PayloadCache::load(kvStore *bucket, const std::string &hash) {
  std::lock_guard lock(mutex);
  std::optional<std::string> known = read(hash);
  if (known)
    return decodePayload(*known);
  Result<std::string> text = loadPayload(bucket, hash);
  if (!text)
    return text.error();
  keep(hash, *text);
  return decodePayload(*text);
}
