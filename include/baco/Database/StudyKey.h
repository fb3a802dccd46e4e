//===- StudyKey.h - Fingerprints of contents --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hashes that tell studies and files apart. They guard against mistakes, not
// against malice.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DATABASE_STUDYKEY_H
#define BACO_DATABASE_STUDYKEY_H

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baco::database {

/// The digits of the ContentHash of `bytes`.
std::string contentHash(std::string_view bytes);

/// The key of a study: a hash of everything on which its outcomes depend, as
/// name and content (`{{"payload", text}, {"space", json}, ...}`). Names and
/// contents are hashed with their lengths, so that moving bytes between
/// neighbors changes the key. The order counts.
std::string
studyKey(const std::vector<std::pair<std::string, std::string>> &components);

} // namespace baco::database

#endif // BACO_DATABASE_STUDYKEY_H
