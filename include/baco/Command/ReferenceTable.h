//===- ReferenceTable.h - Trials as the reference has them ------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_COMMAND_REFERENCETABLE_H
#define BACO_COMMAND_REFERENCETABLE_H

#include "baco/Command/ClientEvaluator.h"
#include "baco/Database/Trial.h"

namespace baco::command {

/// The table that BaCO's reference writes (`output_data_file`): a column for
/// each parameter and each objective, whether the candidate works if the
/// columns have a name for that, and `timestamp`; lines end with a carriage
/// return, too. Pending and cancelled trials are left out. A failed one has no
/// results.
///
/// \param finishedMs  by number of trial; empty where a trial isn't in it
/// \param objectives  see ClientEvaluator
std::string writeReferenceTable(const Space &space,
                                const study::ResultColumns &columns,
                                const study::Objectives &objectives,
                                const std::vector<database::Trial> &trials,
                                const std::map<uint64_t, int64_t> &finishedMs);

} // namespace baco::command

#endif // BACO_COMMAND_REFERENCETABLE_H
