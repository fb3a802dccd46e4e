//===- StudyKey.cpp - Fingerprints of contents ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Database/StudyKey.h"

#include "baco/Support/ContentHash.h"

using namespace baco;

std::string database::contentHash(std::string_view bytes) {
  ContentHash hash;
  hash.add(bytes);
  return hash.digits();
}

std::string database::studyKey(
    const std::vector<std::pair<std::string, std::string>> &components) {
  ContentHash hash;
  for (const auto &[name, content] : components)
    for (const std::string *part : {&name, &content}) {
      hash.add(std::to_string(part->size()) + ":");
      hash.add(*part);
    }
  return hash.digits();
}
