// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace flitmend {

/// What is wrong with an argument for sbatch that a sweep file gives; empty if nothing is. Allowed are the
/// long options that ask for resources, each with its value in the same word: "--mem=2G". So a file cannot
/// name another script, nor an option that runs or writes something.
std::string slurm_option_error(const std::string& word);

}  // namespace flitmend
