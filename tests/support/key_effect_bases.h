// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "testbench/configuration/declarations.h"

namespace flitmend::test {

/// A configuration on which keys are tried.
struct KeyEffectBase {
  const char* name;
  std::string text;
};

const std::vector<KeyEffectBase>& key_effect_bases();
/// Files that the configurations name, by name.
const std::map<std::string, std::string>& key_effect_files();

/// Values far from the default, the most revealing first: those listed for the key, else its other choices,
/// those of an entry's examples, or other numbers. @NAME is a file of key_effect_files().
std::vector<std::string> far_values(const DeclaredKey&);
/// With the names of files completed.
std::string in_folder(const std::string& value, const std::filesystem::path& folder);

/// Keys that change a run only when something happens in it, which their effect cannot say; each with the
/// configuration that shows its effect, or "" if none does.
const std::map<std::string, std::string>& only_sometimes();

}  // namespace flitmend::test
