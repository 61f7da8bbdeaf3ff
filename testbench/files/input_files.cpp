// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/input_files.h"

#include <algorithm>

#include "base/digest.h"
#include "protocols/routing/route_table.h"
#include "testbench/workloads/workload.h"
#include "topologies/file.h"

namespace flitmend {

std::string file_named(std::string_view key, const std::string& value) {
  if (key == "network.graph") return is_graphml(value) ? "" : value;
  if (key == "routing.table") return is_route_table(value) ? "" : value;
  const bool names_file = std::ranges::any_of(workloads(), [&](const WorkloadEntry& workload) {
    return std::ranges::find(workload.file_keys, key) != workload.file_keys.end();
  });
  return names_file && !value.starts_with('[') ? value : "";
}

namespace {

void add(std::vector<InputFile>& files, std::string_view key, const std::string& value) {
  if (std::string path = file_named(key, value); !path.empty()) files.push_back({key, std::move(path)});
}

}  // namespace

std::vector<InputFile> network_files(const Configuration& c) {
  std::vector<InputFile> files;
  if (c.network.topology == "file") add(files, "network.graph", c.network.graph);
  add(files, "routing.table", table_option(c.routing));
  return files;
}

std::vector<InputFile> input_files(const Configuration& c) {
  std::vector<InputFile> files = network_files(c);
  for (InputFile& file : workload_of(c.traffic).files(c.traffic)) files.push_back(std::move(file));
  return files;
}

std::vector<InputFileResults> digests_of(const std::vector<InputFile>& files) {
  std::vector<InputFileResults> digests;
  for (const InputFile& file : files)
    digests.push_back({std::string(file.key), file.path, sha256_of_file(file.path)});
  return digests;
}

void refuse_changes(const std::vector<InputFileResults>& before, const std::string& since) {
  for (const InputFileResults& file : before)
    if (sha256_of_file(file.path) != file.sha256)
      throw ConfigurationError(file.key + ": '" + file.path + "' has changed since " + since +
                               "; start again");
}

}  // namespace flitmend
