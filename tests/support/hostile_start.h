// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

namespace flitmend::test {

/// One start of the program on files that a careless or hostile user wrote.
struct HostileStart {
  std::vector<std::string> words;            ///< of the command line, without the program's name
  std::map<std::string, std::string> files;  ///< by name; the program starts in the folder that holds them
  std::set<std::string> outputs = {"out"};   ///< names in that folder that the program may create

  /// As somebody would type it, and the files.
  std::string text() const;
};

/// What the text of a refusal lacks, the place or the remedy; empty: nothing.
std::string fault_of_refusal(const std::string& err);

/// What the program did wrong, in one line; empty if nothing: it crashed, did not end, ended with a status
/// that is not documented, refused without place or remedy, wrote to the terminal what a terminal would obey,
/// changed a file that is not its own, or counted messages that do not add up. Calls the program's entry in a
/// process of its own.
std::string fault_of(const HostileStart&);

/// The smallest start that is found within `seconds` and still has a fault.
HostileStart smallest(HostileStart, double seconds);

}  // namespace flitmend::test
