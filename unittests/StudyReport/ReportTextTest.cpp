//===- ReportTextTest.cpp - Tests of reports as text ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HandMadeReport.h"

using namespace baco;
using namespace baco::studyreport;
using namespace baco::test;

TEST(ReportTextTest, StudiesAndTheirModule) {
  HandMadeDatabase database;
  database.add(detailedInfo("big", "aaaa1111", /*calls=*/2), handMadeTrials(),
               {handMadeFinal()});
  database.add(handMadeInfo("small", "bbbb2222"), {makeTrial(0, 1, "x", 70)});
  std::string text = writeReportText(database.gather());
  for (const char *line :
       {"2 kernels of hand.db\n",
        "\nbig     aaaa1111   2.00  96.4 %  1.24 us   930 ns   310 ns     "
        "3.00x  "
        "  50.0 %  moving data 38 %      15       4\n",
        "\nall calls: 1.93 us by default, 690 ns tuned, 2.80x\n",
        "\nbound by memory\n1550 bytes at 10.0 GB/s, 1 thread: 155 ns, which "
        "is "
        "50.0 % of the best time; 50.0 % of the time computing, 37.5 % moving "
        "data, 12.5 % elsewhere\n",
        "\nhottest loop of trial 12\n50.0 % of the time computing, 37.5 % "
        "moving data, 12.5 % elsewhere\n0040: <nop>\n",
        "\n          3     9.00      2  800 ns  0.00 %\n",
        "\ncompile 30 s, run 15 s\n", "\ncrashed  4       because of tile 8\n",
        "\nmode       37.1 %    \"y\"    4       7\n",
        "\ntrial 12          310 ns   0.00 %  2       309 ns   311 ns\n",
        "\ntile       1        3\n", "\nschedule @tuned_entry\n",
        "\nlacks: no final comparison is stored"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}
