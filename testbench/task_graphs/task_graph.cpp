// SPDX-License-Identifier: Apache-2.0
#include "testbench/task_graphs/task_graph.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/escaped_text.h"
#include "base/nearest.h"
#include "base/text.h"
#include "testbench/configuration/document.h"
#include "testbench/configuration/source_text.h"
#include "testbench/configuration/value_reader.h"
#include "testbench/configuration/writer.h"
#include "testbench/traffic/field_reader.h"

namespace flitmend {
namespace {

using Kind = DocumentNode::Kind;

constexpr std::int64_t kMostCycles = 1'000'000'000;
constexpr std::int64_t kMostBytes = 65533 * 1024;  // the longest message of the widest flits
constexpr std::int64_t kMostMessages = 65536;
constexpr std::int64_t kMostTokens = 1'000'000;

/// The keys of a map in a document. Reports those that it should not have.
class KeyedValues {
 public:
  KeyedValues(const DocumentNode& node, std::string path, const std::vector<std::string_view>& keys,
              ErrorList& errors)
      : node_(node), path_(std::move(path)), errors_(errors) {
    if (node.kind != Kind::map) {
      errors.add(node.place, called("") + wanted(node, "a section with " + joined(keys)));
      return;
    }
    for (const DocumentEntry& entry : node.entries)
      if (std::ranges::find(keys, entry.key) == keys.end())
        errors.add(entry.place, called(entry.key) + "unknown key" + did_you_mean(entry.key, keys) +
                                    "; remove it, or choose one of " + joined(keys));
  }

  const DocumentNode* find(std::string_view key) const {
    const DocumentEntry* const entry = node_.find(key);
    return entry ? &entry->value : nullptr;
  }
  /// Reports the key as missing if it is.
  const DocumentNode* need(std::string_view key) const {
    const DocumentNode* const value = find(key);
    if (!value && node_.kind == Kind::map)
      errors_.add(node_.place, called("") + formatted("%1% is missing; give it", key));
    return value;
  }
  /// `otherwise` if it is not given, or wrong.
  template <class Number>
  Number number(std::string_view key, Range<Number> range, std::string_view unit, Number otherwise) const {
    const DocumentNode* const value = find(key);
    if (!value) return otherwise;
    report(key, *value, read_value(*value, otherwise, range, unit));
    return otherwise;
  }
  std::string text(std::string_view key) const {
    std::string read;
    const DocumentNode* const value = find(key);
    if (value) report(key, *value, read_value(*value, read));
    return read;
  }
  void report(std::string_view key, const DocumentNode& value, const std::string& wrong) const {
    if (!wrong.empty()) errors_.add(value.place, called(key) + wrong);
  }

 private:
  std::string called(std::string_view key) const {
    const std::string whole = path_ + (path_.empty() || key.empty() ? "" : ".") + std::string(key);
    return whole.empty() ? "" : whole + ": ";
  }

  const DocumentNode& node_;
  std::string path_;
  ErrorList& errors_;
};

DocumentNode document_of(const std::string& file, ErrorList& errors) {
  return parse_document(read_source_text(file), errors).value_or(DocumentNode{});
}

void read_mapping_section(const DocumentNode& section, std::vector<MappedTask>& mapping, ErrorList& errors) {
  if (section.kind != Kind::map) {
    errors.add(section.place, "mapping: " + wanted(section, "the node of each task, like {a: 0, b: [1, 2]}"));
    return;
  }
  for (const DocumentEntry& entry : section.entries) {
    const DocumentNode& value = entry.value;
    std::vector<std::string> parts;
    bool good = value.kind == Kind::scalar || (value.kind == Kind::list && !value.items.empty());
    if (value.kind == Kind::scalar) parts.push_back(value.text);
    for (const DocumentNode& item : value.items) {
      good = good && item.kind == Kind::scalar;
      parts.push_back(item.text);
    }
    if (good)
      mapping.push_back({entry.key, joined(parts, ","), value.place});
    else
      errors.add(value.place, "mapping." + entry.key + ": " +
                                  wanted(value, "a node: a number, coordinates like [3, 4], or a name"));
  }
}

/// Fills a graph from a document.
class GraphReader {
 public:
  GraphReader(TaskGraph& graph, ErrorList& errors) : graph_(graph), errors_(errors) {}

  void read(const DocumentNode& root) {
    const KeyedValues keys(root, "", {"title", "period_us", "tasks", "edges", "mapping"}, errors_);
    if (root.kind != Kind::map) return;
    keys.text("title");
    graph_.has_period = keys.find("period_us") != nullptr;
    period_us_ = keys.number("period_us", Range<double>{1e-6, 1e9}, "microseconds", 1.0);
    for_each(keys.need("tasks"), "tasks", [&](const auto& node, const auto& path) { read_task(node, path); });
    for_each(keys.need("edges"), "edges", [&](const auto& node, const auto& path) { read_edge(node, path); });
    if (const DocumentNode* const mapping = keys.find("mapping"))
      read_mapping_section(*mapping, graph_.mapping, errors_);
  }

 private:
  template <class Read>
  void for_each(const DocumentNode* list, const std::string& path, Read&& read) {
    if (!list) return;
    if (list->kind != Kind::list) errors_.add(list->place, path + ": " + wanted(*list, "a list of " + path));
    if (list->kind == Kind::list && list->items.empty())
      errors_.add(list->place, path + ": the list is empty; give at least one");
    for (std::size_t i = 0; i < list->items.size(); ++i) read(list->items[i], formatted("%1%[%2%]", path, i));
  }

  void read_task(const DocumentNode& node, const std::string& path) {
    Task task{.name = node.text, .place = node.place};
    if (node.kind != Kind::scalar) {
      const KeyedValues keys(node, path, {"name", "cycles"}, errors_);
      keys.need("name");
      task.name = keys.text("name");
      task.cycles = static_cast<Cycle>(
          keys.number("cycles", Range<std::int64_t>{0, kMostCycles}, "cycles", std::int64_t{0}));
    }
    if (task.name.empty() && node.find("name") == nullptr) return;  // reported
    if (task.name.empty() || task.name.find(',') != task.name.npos || !is_visible(task.name))
      errors_.add(node.place,
                  path + ": " + shown_value(task.name) +
                      " is not a name of a task; choose one without commas and control characters");
    if (!id_of_.try_emplace(task.name, static_cast<TaskId>(graph_.tasks.size())).second)
      errors_.add(node.place, path + ": there is another task " + shown_value(task.name) + "; rename one");
    graph_.tasks.push_back(std::move(task));
  }

  TaskId task_of(const KeyedValues& keys, std::string_view key) {
    const DocumentNode* const value = keys.need(key);
    if (!value) return 0;
    const auto found = id_of_.find(value->text);
    if (value->kind == Kind::scalar && found != id_of_.end()) return found->second;
    keys.report(key, *value,
                value->kind == Kind::scalar ? "there is no task " + shown_value(value->text) +
                                                  suggestion(value->text) + "; add it to tasks"
                                            : wanted(*value, "the name of a task"));
    return 0;
  }

  /// To look for the nearest of thousands of names takes a millisecond, and few errors are shown.
  std::string suggestion(const std::string& name) {
    constexpr unsigned kMost = 20;
    if (unknown_++ >= kMost) return "";
    std::vector<std::string_view> names;
    for (const Task& task : graph_.tasks) names.push_back(task.name);
    return did_you_mean(name, names);
  }

  void read_edge(const DocumentNode& node, const std::string& path) {
    const KeyedValues keys(
        node, path, {"from", "to", "bytes", "bandwidth", "messages", "tokens", "name", "class"}, errors_);
    if (node.kind != Kind::map) return;
    TaskEdge edge{.name = keys.text("name"),
                  .from = task_of(keys, "from"),
                  .to = task_of(keys, "to"),
                  .place = node.place};
    edge.messages = static_cast<std::uint32_t>(
        keys.number("messages", Range<std::int64_t>{1, kMostMessages}, "", std::int64_t{1}));
    edge.tokens = static_cast<std::uint32_t>(
        keys.number("tokens", Range<std::int64_t>{0, kMostTokens}, "", std::int64_t{0}));
    read_size(keys, node, path, edge);
    if (graph_.tasks.empty()) return;
    if (edge.name.empty()) edge.name = graph_.tasks[edge.from].name + "->" + graph_.tasks[edge.to].name;
    if (!is_visible(edge.name))
      errors_.add(node.place,
                  path + ": " + shown_value(edge.name) + " has characters that nobody can see; remove them");
    if (!names_.insert(edge.name).second)
      errors_.add(node.place, path + ": there is another edge " + shown_value(edge.name) +
                                  "; give one of them a name of its own");
    edge.message_class = keys.text("class");
    edge.class_place = keys.find("class") ? keys.find("class")->place : node.place;
    if (!is_visible(edge.message_class))
      errors_.add(edge.class_place, path + ".class: " + shown_value(edge.message_class) +
                                        " has characters that nobody can see; remove them");
    graph_.edges.push_back(std::move(edge));
  }

  void read_size(const KeyedValues& keys, const DocumentNode& node, const std::string& path, TaskEdge& edge) {
    const DocumentNode* const bandwidth = keys.find("bandwidth");
    if ((keys.find("bytes") != nullptr) == (bandwidth != nullptr))
      errors_.add(node.place, path + ": give one of bytes and bandwidth");
    if (bandwidth && !graph_.has_period)
      errors_.add(bandwidth->place,
                  path + ".bandwidth: the graph has no period; give period_us, in which an edge sends it");
    edge.bytes = static_cast<std::uint32_t>(
        keys.number("bytes", Range<std::int64_t>{0, kMostBytes}, "bytes", std::int64_t{0}));
    edge.weight = static_cast<double>(edge.bytes) * edge.messages / (graph_.has_period ? period_us_ : 1);
    if (!bandwidth) return;
    edge.weight = keys.number("bandwidth", Range<double>{0, 1e9}, "MB/s", 0.0);
    // MB/s times microseconds are bytes. A product such as 0.1 · 30 is a little more than its whole number.
    const double bytes = std::ceil(edge.weight * period_us_ / edge.messages * (1 - 1e-12));
    if (bytes > static_cast<double>(kMostBytes)) {
      keys.report("bandwidth", *bandwidth,
                  formatted("%1% bytes are too long for a message; give it more messages", bytes));
      return;
    }
    edge.bytes = static_cast<std::uint32_t>(bytes);
  }

  TaskGraph& graph_;
  ErrorList& errors_;
  double period_us_ = 1;
  std::map<std::string, TaskId, std::less<>> id_of_;
  std::set<std::string> names_;  ///< of edges
  unsigned unknown_ = 0;         ///< names of tasks that there are not
};

/// Refuses a cycle of edges without tokens: none of its tasks could begin.
void refuse_stuck_cycle(const TaskGraph& graph) {
  std::vector<std::vector<TaskId>> next(graph.tasks.size());
  std::vector<std::uint32_t> inputs(graph.tasks.size());
  for (const TaskEdge& edge : graph.edges) {
    if (edge.tokens > 0) continue;
    next[edge.from].push_back(edge.to);
    ++inputs[edge.to];
  }
  std::vector<TaskId> free;  // every input of theirs comes from a task that can begin
  for (TaskId task = 0; task < graph.tasks.size(); ++task)
    if (inputs[task] == 0) free.push_back(task);
  for (std::size_t i = 0; i < free.size(); ++i)
    for (const TaskId to : next[free[i]])
      if (--inputs[to] == 0) free.push_back(to);
  if (free.size() == graph.tasks.size()) return;
  // Each task that is left has an input from another one: back along these until one comes again.
  std::vector<const TaskEdge*> input(graph.tasks.size());
  for (const TaskEdge& edge : graph.edges)
    if (edge.tokens == 0 && inputs[edge.from] > 0 && inputs[edge.to] > 0) input[edge.to] = &edge;
  auto at = static_cast<TaskId>(std::ranges::find_if(inputs, [](auto n) { return n > 0; }) - inputs.begin());
  std::vector<TaskId> path;
  for (; std::ranges::find(path, at) == path.end(); at = input[at]->from) path.push_back(at);
  std::string text = graph.tasks[at].name;
  for (auto task = path.rbegin(); task != path.rend(); ++task) {
    text += " -> " + graph.tasks[*task].name;
    if (*task == at) break;
  }
  throw ConfigurationError(input[at]->place, "no edge of the cycle " + shown_value(text) +
                                                 " has a token, so none of its tasks can begin; give one "
                                                 "of them tokens: 1");
}

}  // namespace

TaskGraph read_task_graph(const std::string& file) {
  ErrorList errors(file);
  TaskGraph graph;
  graph.file = file;
  GraphReader(graph, errors).read(document_of(file, errors));
  errors.throw_if_any();
  refuse_stuck_cycle(graph);
  return graph;
}

std::vector<MappedTask> read_task_mapping(const std::string& file) {
  ErrorList errors(file);
  const DocumentNode root = document_of(file, errors);
  const KeyedValues keys(root, "", {"mapping"}, errors);
  std::vector<MappedTask> mapping;
  if (const DocumentNode* const section = keys.need("mapping"))
    read_mapping_section(*section, mapping, errors);
  errors.throw_if_any();
  return mapping;
}

std::string task_mapping_text(const TaskGraph& graph, const std::vector<NodeId>& nodes,
                              const std::string& remark) {
  std::string text = remark + "mapping:\n";
  for (TaskId task = 0; task < nodes.size(); ++task)
    text += formatted("  %1%: %2%\n", value_text(graph.tasks[task].name), nodes[task]);
  return text;
}

std::vector<NodeId> nodes_of_tasks(const TaskGraph& graph, const std::vector<MappedTask>& mapping,
                                   const std::string& mapping_file, const Topology& topology,
                                   const std::vector<AddressMapEntry>& address_map) {
  std::map<std::string_view, TaskId> id_of;
  std::vector<std::string_view> names;
  for (TaskId task = 0; task < graph.tasks.size(); ++task) {
    id_of.emplace(graph.tasks[task].name, task);
    names.push_back(graph.tasks[task].name);
  }
  constexpr NodeId kNone = ~NodeId{0};
  std::vector<NodeId> nodes(graph.tasks.size(), kNone);
  for (const MappedTask& mapped : mapping) {
    const auto task = id_of.find(mapped.task);
    if (task == id_of.end())
      throw ConfigurationError(mapped.place, "mapping: the graph has no task " + shown_value(mapped.task) +
                                                 did_you_mean(mapped.task, names) + "; remove it");
    nodes[task->second] = node_of_text(mapped.node, topology, address_map, mapped.place);
  }
  // Where a node is to be added: after the last one, or in a graph without a mapping at the task.
  const auto place_for = [&](TaskId task) {
    if (!mapping.empty()) return mapping.back().place;
    return mapping_file == graph.file ? graph.tasks[task].place : Place{mapping_file, 1};
  };
  for (TaskId task = 0; task < nodes.size(); ++task)
    if (nodes[task] == kNone)
      throw ConfigurationError(place_for(task), "mapping: task " + shown_value(graph.tasks[task].name) +
                                                    " has no node; give it one, or let flitmend map "
                                                    "search a mapping");
  return nodes;
}

}  // namespace flitmend
