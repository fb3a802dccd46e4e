//===- StepwiseOptimizerTest.cpp - Tests of replayed steps ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/StepwiseOptimizer.h"

#include "TestSpaces.h"

using namespace baco;
using namespace baco::search;

namespace {

/// Writes down what it learns, and steps to the number of its steps.
class Recorder : public StepwiseOptimizer {
public:
  explicit Recorder(Space space) : StepwiseOptimizer(std::move(space), 1) {}

  std::vector<std::pair<size_t, double>> learned;
  std::vector<uint64_t> draws;
  using StepwiseOptimizer::best;
  using StepwiseOptimizer::costOf;

protected:
  void learn(size_t trial, double cost) override {
    learned.emplace_back(trial, cost);
  }

  std::optional<Point> step(Random &random) override {
    draws.push_back(random.next());
    return Point{static_cast<double>(history().size())};
  }
};

} // namespace

static std::string askState(Optimizer &optimizer) {
  return get(optimizer.ask())->state;
}

TEST(StepwiseOptimizerTest, LearnsInTheOrderOfAsking) {
  Recorder recorder(gridSpace({"x"}, 9));
  for (int k = 0; k < 4; ++k)
    EXPECT_EQ(askState(recorder), "");
  ASSERT_TRUE(recorder.tell(2, {5, true}));
  ASSERT_TRUE(recorder.tell(0, {7, true}));
  EXPECT_TRUE(recorder.learned.empty());
  EXPECT_EQ(askState(recorder), "0 2");
  EXPECT_EQ(recorder.best(), 2u);
  ASSERT_TRUE(recorder.tell(3, {}));
  ASSERT_TRUE(recorder.cancel(1));
  EXPECT_EQ(askState(recorder), "1 3");
  const std::vector<std::pair<size_t, double>> expected = {
      {0, 7}, {2, 5}, {1, INFINITY}, {3, INFINITY}};
  EXPECT_EQ(recorder.learned, expected);
  EXPECT_EQ(recorder.best(), 2u);
  EXPECT_EQ(recorder.costOf(1), INFINITY);
  EXPECT_FALSE(recorder.costOf(4));
}

/// Outcomes are learned again at the steps at which they were known then, not
/// all at once.
TEST(StepwiseOptimizerTest, RestoreRepeatsTheSteps) {
  Space space = gridSpace({"x"}, 9);
  Recorder first(space), second(space);
  std::vector<PastTrial> past;
  auto ask = [&] { past.push_back({*get(first.ask()), {}}); };
  ask();
  ask();
  past[1].observation = Observation{3, true};
  ASSERT_TRUE(first.tell(1, *past[1].observation));
  ask();
  past[0].observation = Observation{4, true};
  ASSERT_TRUE(first.tell(0, *past[0].observation));
  past[2].isPending = true;

  ASSERT_TRUE(second.restore(past));
  EXPECT_EQ(second.learned, first.learned);
  EXPECT_EQ(second.draws, first.draws);
  EXPECT_EQ(askState(first), "0");
  EXPECT_EQ(askState(second), "0");
  EXPECT_EQ(second.learned, first.learned);
  ASSERT_TRUE(second.tell(2, {1, true}));
  EXPECT_EQ(askState(second), "2");
  EXPECT_EQ(second.best(), 2u);
}

TEST(StepwiseOptimizerTest, TrialsOfOthersAreLearnedLater) {
  Recorder recorder(gridSpace({"x"}, 9));
  std::vector<PastTrial> past = {
      {{0, {int64_t(8)}, ""}, Observation{2, true}},
      // Neither is there a trial 7 yet, nor is 0 learned twice.
      {{1, {int64_t(7)}, "0 7 0"}, Observation{1, true}}};
  ASSERT_TRUE(recorder.restore(past));
  EXPECT_EQ(recorder.learned.size(), 1u);
  EXPECT_EQ(askState(recorder), "1");
  EXPECT_EQ(recorder.best(), 1u);
}

TEST(StepwiseOptimizerTest, RejectsForeignStates) {
  for (std::string state :
       {"gp 3", "1,2", " 1", "1 ", "-1", "1  2", "99999999999999999999999"}) {
    Recorder recorder(gridSpace({"x"}, 9));
    Result<void> restored = recorder.restore({{{0, {int64_t(0)}, state}, {}}});
    ASSERT_FALSE(restored) << state;
    EXPECT_EQ(restored.error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(restored.error().message, "trial 0: the state of this technique "
                                        "must be a list of trials, but is '" +
                                            state + "'");
  }
}
