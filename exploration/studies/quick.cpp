// SPDX-License-Identifier: Apache-2.0
#include "exploration/studies/quick.h"

#include <algorithm>

namespace flitmend {
namespace {

using NodeKind = DocumentNode::Kind;

void merge(DocumentNode& node, const DocumentNode& over) {
  if (node.kind != NodeKind::map || over.kind != NodeKind::map) {
    node = over;
    return;
  }
  for (const DocumentEntry& entry : over.entries) {
    const auto found = std::find_if(node.entries.begin(), node.entries.end(),
                                    [&](const DocumentEntry& e) { return e.key == entry.key; });
    if (found == node.entries.end())
      node.entries.push_back(entry);
    else
      merge(found->value, entry.value);
  }
}

/// Removes `quick` from a section and merges it if it applies. False: the section is left out.
bool settle_quick(DocumentNode& node, bool quick, const std::string& path, ErrorList& errors) {
  if (node.kind != NodeKind::map) return true;
  const auto found = std::find_if(node.entries.begin(), node.entries.end(),
                                  [](const DocumentEntry& e) { return e.key == "quick"; });
  if (found == node.entries.end()) return true;
  const DocumentNode over = std::move(found->value);
  node.entries.erase(found);
  const bool out = over.kind == NodeKind::scalar && over.text == "false";
  if (!out && over.kind != NodeKind::map) {
    errors.add(over.place,
               path +
                   ".quick: expected a section of keys that differ in the quick version, or false to leave "
                   "it out, found " +
                   over.called());
    return true;
  }
  if (quick && !out) merge(node, over);
  return !quick || !out;
}

}  // namespace

DocumentNode version_of(const DocumentNode& study, bool quick, ErrorList& errors) {
  DocumentNode version = study;
  for (DocumentEntry& entry : version.entries) {
    if (entry.key == "sweeps" && entry.value.kind == NodeKind::map)
      std::erase_if(entry.value.entries, [&](DocumentEntry& sweep) {
        return !settle_quick(sweep.value, quick, "sweeps." + sweep.key, errors);
      });
    if (entry.key != "statements" || entry.value.kind != NodeKind::list) continue;
    std::size_t number = 0;
    std::erase_if(entry.value.items, [&](DocumentNode& statement) {
      return !settle_quick(statement, quick, "statements[" + std::to_string(number++) + "]", errors);
    });
  }
  return version;
}

}  // namespace flitmend
