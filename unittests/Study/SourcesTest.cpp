//===- SourcesTest.cpp - Tests of finding studies to learn from -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Study/Sources.h"

#include "../Database/TestHelpers.h"
#include "Fakes.h"

#include "baco/Database/Journal.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/Study/ReplayEvaluator.h"

#include <array>
#include <fcntl.h>
#include <fstream>

using namespace baco;
using namespace baco::study;
using namespace baco::test;
using search::TransferSource;

static Space spaceOf(const std::vector<std::string> &names) {
  std::vector<Parameter> parameters;
  for (const std::string &name : names)
    parameters.push_back(*Parameter::integer(name, 0, 9));
  return *Space::create(parameters);
}

/// Adds a study with a trial for each time; 0: it crashed.
static void addStudy(const std::string &path, const std::string &key,
                     const std::string &name, const Space &space,
                     const std::vector<double> &times,
                     const std::string &metadata = "{}") {
  Result<database::Journal> journal = database::Journal::open(path);
  ASSERT_TRUE(journal) << journal.error().message;
  Result<database::StudyJournal> study =
      journal->openStudy({key, name, *writeSpace(space), metadata});
  ASSERT_TRUE(study) << study.error().message;
  for (size_t i = 0; i < times.size(); ++i) {
    Configuration c(space.parameters().size(), int64_t(i));
    database::Trial trial;
    trial.number = i;
    trial.configuration = writeConfiguration(space, c);
    ASSERT_TRUE(study->recordAsk(trial));
    Outcome outcome;
    outcome.status = times[i] > 0 ? Status::Ok : Status::Crashed;
    outcome.timeNs = times[i] > 0 ? times[i] : std::nan("");
    outcome.numSamples = times[i] > 0 ? 1 : 0;
    ASSERT_TRUE(study->recordOutcome(i, outcome));
  }
}

static std::vector<std::string> names(const std::vector<TransferSource> &list) {
  std::vector<std::string> found;
  for (const TransferSource &source : list)
    found.push_back(source.name);
  std::sort(found.begin(), found.end());
  return found;
}

class SourcesTest : public ::testing::Test {
protected:
  void SetUp() override {
    addStudy(path, "aaaaaaaaaa", "matmul", spaceOf({"x", "y"}), {5, 0, 3});
    addStudy(path, "bbbbbbbbbb", "matmul", spaceOf({"y", "x"}), {7});
    addStudy(path, "cccccccccc", "stencil", spaceOf({"x", "z"}), {1});
    addStudy(path, "dddddddddd", "fails", spaceOf({"x", "y"}), {0, 0});
    addStudy(path, "eeeeeeeeee", "foreign", spaceOf({"u"}), {1});
  }

  std::vector<std::string> find(std::string_view text,
                                std::string_view own = "") {
    Result<std::vector<TransferSource>> found =
        findSources(text, {space, path, std::string(own)});
    EXPECT_TRUE(found) << found.error().message;
    return found ? names(*found) : std::vector<std::string>{"error"};
  }

  std::string errorOf(std::string_view text) {
    Result<std::vector<TransferSource>> found =
        findSources(text, {space, path, "cccccccccc"});
    EXPECT_FALSE(found);
    return found ? "" : found.error().message;
  }

  TemporaryFolder folder;
  std::string path = folder.file("all.db");
  Space space = spaceOf({"x", "y"});
};

TEST_F(SourcesTest, FindsByNameKeyAndFile) {
  using Names = std::vector<std::string>;
  Names both = {"matmul (aaaaaaaa)", "matmul (bbbbbbbb)"};
  EXPECT_EQ(find("matmul"), both);
  EXPECT_EQ(find("bbbb"), Names{"matmul (bbbbbbbb)"});
  EXPECT_EQ(find("matmul", "aaaaaaaaaa"), Names{"matmul (bbbbbbbb)"});
  EXPECT_EQ(find("matmul,aaaa," + path + "#stencil"),
            (Names{both[0], both[1], "stencil (cccccccc)"}));
  EXPECT_EQ(find(path), (Names{both[0], both[1], "stencil (cccccccc)"}));
  EXPECT_EQ(find("auto"), both);
  EXPECT_EQ(find("auto", "aaaaaaaaaa"), Names{both[1]});
  EXPECT_EQ(find("foreign"), Names());
  EXPECT_EQ(find("fails"), Names());
  EXPECT_EQ(find(""), Names());
}

/// Whether another process finds the file at `path` locked.
static bool isLockedForOthers(const std::string &path) {
  return runInChild([&] {
           int file = open(path.c_str(), O_RDWR);
           struct flock lock = {};
           lock.l_type = F_WRLCK;
           return file >= 0 && fcntl(file, F_GETLK, &lock) == 0 &&
                          lock.l_type != F_UNLCK
                      ? 1
                      : 0;
         }) == 1;
}

/// POSIX locks belong to the process: it would lose those of SQLite by opening
/// and closing the file itself, and another tuner could take its log away.
TEST_F(SourcesTest, KeepsLocksOfDatabases) {
  Result<database::Journal> journal = database::Journal::open(path);
  ASSERT_TRUE(journal) << journal.error().message;
  ASSERT_TRUE(isLockedForOthers(path));
  Learner learner{space, path};
  learner.libraries = {path};
  ASSERT_TRUE(findSources("auto", learner));
  EXPECT_TRUE(isLockedForOthers(path));
  EXPECT_TRUE(database::isDatabase(path));
  EXPECT_TRUE(isLockedForOthers(path));
  // No table fits, which is what is replayed if there is no study.
  EXPECT_FALSE(ReplayEvaluator::open(path, spaceOf({"none"}), ""));
  EXPECT_TRUE(isLockedForOthers(path));
}

/// Of studies of the kernel's structure the knobs needn't be all the same: a
/// small loop isn't tiled.
TEST_F(SourcesTest, PrefersTheKernelsStructure) {
  using Names = std::vector<std::string>;
  addStudy(path, "1111111111", "small", spaceOf({"x"}), {1},
           R"({"structure":"1"})");
  addStudy(path, "2222222222", "unlike", spaceOf({"u"}), {1},
           R"({"structure":"1"})");
  addStudy(path, "3333333333", "other", spaceOf({"x", "y"}), {1},
           R"({"structure":"2"})");
  auto findLike = [&](const std::string &text, const std::string &structure) {
    Learner learner{space, path, "", structure};
    Result<std::vector<TransferSource>> found = findSources(text, learner);
    EXPECT_TRUE(found) << found.error().message;
    return found ? names(*found) : Names{"error"};
  };
  EXPECT_EQ(findLike("auto", "1"), Names{"small (11111111)"});
  EXPECT_EQ(findLike("auto", "2"), Names{"other (33333333)"});
  Names sameKnobs = {"matmul (aaaaaaaa)", "matmul (bbbbbbbb)",
                     "other (33333333)"};
  EXPECT_EQ(findLike("auto", "3"), sameKnobs);
  EXPECT_EQ(findLike("auto", ""), sameKnobs);
  // What `auto` has left out may be named.
  EXPECT_EQ(
      findLike("auto,small,stencil", "2"),
      (Names{"other (33333333)", "small (11111111)", "stencil (cccccccc)"}));
}

TEST_F(SourcesTest, NamesSourcesForPeople) {
  addStudy(path, "ffffffffff", "conv", spaceOf({"x", "y"}), {1},
           R"({"about":"of 8x8xf32 on znver4"})");
  EXPECT_EQ(find("conv"),
            std::vector<std::string>{"conv of 8x8xf32 on znver4 (ffffffff)"});
}

TEST_F(SourcesTest, ReadsWhatWorks) {
  Result<std::vector<TransferSource>> found =
      findSources("aaaa", {space, path});
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 1u);
  const TransferSource &source = found->front();
  ASSERT_EQ(source.trials.size(), 2u);
  EXPECT_EQ(source.trials[0].configuration,
            (Configuration{int64_t(2), int64_t(2)}));
  EXPECT_EQ(source.trials[0].observation.objective, 3);
  EXPECT_EQ(source.trials[1].observation.objective, 5);
}

/// Writes a library whose entries have these functions, structures and
/// configurations.
static void
writeLibrary(const std::string &path,
             const std::vector<std::array<std::string, 3>> &entries) {
  std::ofstream file(path);
  file << "module attributes {transform.with_named_sequence} {\n";
  for (const auto &[function, structure, configuration] : entries)
    file << "  transform.named_sequence @tuned." << function
         << "(%arg0: !transform.any_op) attributes {baco.entry = "
            "{configuration = \""
         << configuration << R"(", cpu = "znver4", fingerprint = "1", )"
         << "function = \"" << function
         << R"(", outcome = "tuned", structure = ")" << structure
         << "\"}} {\n    transform.yield \n  }\n";
  file << "}\n";
}

TEST_F(SourcesTest, FindsTheEntriesThatAreMostLikeTheKernel) {
  using Names = std::vector<std::string>;
  std::string library = folder.file("a.library.mlir");
  writeLibrary(library, {{"some", "1", R"({\22x\22:3})"},
                         {"same", "2", R"({\22x\22:3,\22y\22:4})"},
                         {"foreign", "3", R"({\22u\22:3})"},
                         {"plain", "3", ""}});
  auto findIn = [&](const std::string &text, const std::string &structure) {
    Learner learner{space, "", "", structure, {library, folder.file("none")}};
    Result<std::vector<TransferSource>> found = findSources(text, learner);
    EXPECT_TRUE(found) << found.error().message;
    return found ? names(*found) : Names{"error"};
  };
  Names some = {"some on znver4 (a.library.mlir)"};
  Names same = {"same on znver4 (a.library.mlir)"};
  EXPECT_EQ(findIn(library, "1"), some);
  EXPECT_EQ(findIn(library, ""), same);
  // Without a knob in common the structure says nothing.
  EXPECT_EQ(findIn(library, "3"), same);
  EXPECT_EQ(findIn("auto", "1"), some);
  EXPECT_EQ(findIn("auto", "2"), same);
  EXPECT_EQ(findIn(library + "#some", "2"), some);
  // What nobody has named must have all knobs.
  writeLibrary(library, {{"some", "1", R"({\22x\22:3})"}});
  EXPECT_EQ(findIn("auto", "2"), Names());
  EXPECT_EQ(findIn(library, "2"), some);
}

TEST_F(SourcesTest, KeepsExtents) {
  std::vector<Parameter> parameters = spaceOf({"x", "y"}).parameters();
  parameters[0].extent = 64;
  addStudy(path, "1111111111", "tiled", *Space::create(parameters), {1});
  Result<std::vector<TransferSource>> found =
      findSources("tiled", {space, path});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ((*found)[0].space.parameters()[0].extent, 64);
  EXPECT_EQ((*found)[0].space.parameters()[1].extent, std::nullopt);

  // Of an entry; a knob that it doesn't have, and what is no number, are
  // nothing.
  std::string library = folder.file("b.library.mlir");
  writeLibrary(
      library,
      {{"f", "1",
        R"({\22x\22:3,\22y\22:4}", extents = "{\22x\22:32,\22y\22:\22w\22,\22z\22:8})"}});
  found = findSources(library, {space});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ((*found)[0].space.parameters()[0].extent, 32);
  EXPECT_EQ((*found)[0].space.parameters()[1].extent, std::nullopt);

  writeLibrary(library,
               {{"f", "1", R"({\22x\22:3}", extents = "{\22x\22:-1})"}});
  found = findSources(library, {space});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message,
            library + ":2: entry 'tuned.f': parameter 'x': the extent must be "
                      "finite and above 0, but is -1.0");
}

TEST_F(SourcesTest, ExplainsMistakes) {
  EXPECT_EQ(errorOf("matmull"),
            "database '" + path +
                "' has no other study 'matmull': 'baco study "
                "list' shows its studies");
  EXPECT_EQ(errorOf("stencil"),
            "database '" + path +
                "' has no other study 'stencil': 'baco study "
                "list' shows its studies");
  EXPECT_NE(errorOf(path + ".none#matmul").find("all.db.none"),
            std::string::npos);
  Result<std::vector<TransferSource>> none = findSources("matmul", {space});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message,
            "no file 'matmul', and there is no database whose study that could "
            "be");
  EXPECT_TRUE(findSources("auto", {space}));
}

TEST_F(SourcesTest, TextReadsBack) {
  Result<std::vector<TransferSource>> found =
      findSources("matmul", {space, path});
  ASSERT_TRUE(found);
  std::vector<Parameter> parameters = (*found)[0].space.parameters();
  parameters[0].extent = 512.5;
  (*found)[0].space = *Space::create(parameters);
  (*found)[0].trials[0].observation.objective = 0.1 + 0.2;
  (*found)[0].trials.push_back({{int64_t(9), int64_t(9)}, {}});
  Result<std::string> text = writeSources(*found);
  ASSERT_TRUE(text);
  EXPECT_EQ(text->find('\n'), std::string::npos);
  Result<std::vector<TransferSource>> read = readSources(*text);
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->size(), found->size());
  for (size_t i = 0; i < read->size(); ++i) {
    const TransferSource &a = (*found)[i], &b = (*read)[i];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(*writeSpace(a.space, false), *writeSpace(b.space, false));
    ASSERT_EQ(a.trials.size(), b.trials.size());
    for (size_t k = 0; k < a.trials.size(); ++k) {
      EXPECT_EQ(a.trials[k].configuration, b.trials[k].configuration);
      EXPECT_EQ(a.trials[k].observation.feasible,
                b.trials[k].observation.feasible);
      if (a.trials[k].observation.feasible)
        EXPECT_EQ(a.trials[k].observation.objective,
                  b.trials[k].observation.objective);
    }
  }
  for (const char *wrong : {"", "{}", "[1]", "[{}]", R"([{"name":"a"}])"}) {
    Result<std::vector<TransferSource>> failed = readSources(wrong);
    ASSERT_FALSE(failed) << wrong;
    EXPECT_EQ(failed.error().code, ErrorCode::Corrupt);
  }
}
