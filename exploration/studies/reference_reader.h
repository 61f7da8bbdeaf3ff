// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "exploration/studies/study.h"
#include "testbench/configuration/document.h"

namespace flitmend {

/// Reads the section `references` of a study whose sweeps are known. Errors go into the list. In the quick
/// version, references to sweeps that it leaves out are left out too.
std::vector<StudyReference> read_references(const DocumentNode&, const Study&, ErrorList&);

}  // namespace flitmend
