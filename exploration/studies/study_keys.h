// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "exploration/sweeps/file_keys.h"

namespace flitmend {

/// The sections of a study file: the file itself, a statement, and a reference.
const FileSection& study_keys();
const FileSection& statement_keys();
const FileSection& reference_keys();

}  // namespace flitmend
