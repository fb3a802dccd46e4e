//===- StudyMetadata.cpp - Metadata of studies ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StudyMetadata.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace baco;
using namespace baco::driver;

std::string StudyMetadata::write() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream);
  json.object([&] {
    json.attribute("optimizer", optimizer);
    json.attribute("seed", seed);
    if (clockNs)
      json.attribute("clock_ns", std::llround(*clockNs));
    if (!about.empty())
      json.attribute("about", about);
    if (!structure.empty())
      json.attribute("structure", structure);
    // A text in the text: JSON's numbers would not come back exactly.
    if (!sources.empty())
      json.attribute("sources", sources);
    if (!clusterName.empty()) {
      json.attribute("cluster", clusterName);
      json.attribute("slots", slots);
    }
    if (details) {
      json.attributeBegin("kernel");
      json.rawValue(details->write());
      json.attributeEnd();
    }
  });
  return text;
}

static StudyMetadata read(llvm::StringRef text) {
  StudyMetadata metadata;
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return metadata;
  }
  const llvm::json::Object *object = parsed->getAsObject();
  if (!object)
    return metadata;
  metadata.optimizer = object->getString("optimizer").value_or("").str();
  if (const llvm::json::Value *seed = object->get("seed"))
    metadata.seed = seed->getAsUINT64().value_or(0);
  std::optional<double> clock = object->getNumber("clock_ns");
  if (clock && *clock > 0)
    metadata.clockNs = clock;
  metadata.about = object->getString("about").value_or("").str();
  metadata.structure = object->getString("structure").value_or("").str();
  metadata.sources = object->getString("sources").value_or("").str();
  metadata.clusterName = object->getString("cluster").value_or("").str();
  metadata.slots =
      std::max<int64_t>(1, object->getInteger("slots").value_or(1));
  metadata.details =
      database::readKernelDetails(std::string_view(text.data(), text.size()));
  return metadata;
}

std::optional<StudyMetadata>
driver::recordedMetadata(const database::Journal &journal,
                         llvm::StringRef key) {
  Result<std::vector<database::StudyInfo>> studies = journal.studies();
  if (studies)
    for (const database::StudyInfo &study : *studies)
      if (study.key == key)
        return read(study.metadata);
  return std::nullopt;
}
