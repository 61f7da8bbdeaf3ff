// SPDX-License-Identifier: Apache-2.0
// traffic.flows: flows listed in the configuration, or in a CSV file.
#include <algorithm>
#include <cmath>
#include <map>

#include "base/csv_reader.h"
#include "base/text.h"
#include "testbench/traffic/field_reader.h"
#include "testbench/traffic/flow.h"
#include "testbench/traffic/injection.h"
#include "testbench/traffic/node_names.h"

namespace flitmend {

constexpr OptionKey kFlowsOption{.key = {"flows", "",
                                         "Flows, instead of one pattern for all nodes: a list like [{from: "
                                         "0, to: [2, 1], rate: 0.1}, {pattern: "
                                         "hotspot, load: 0.05}, {matrix: rates.csv}], or a CSV file; "
                                         "docs/workloads.md.",
                                         kAlways},
                                 .values = OptionKey::Flows{}};
constexpr OptionKey kClockOption{
    .key = {"clock_mhz", "MHz", "Frequency of the clock, for bandwidths in bytes per second.",
            (KeyEffect::only_if_given("traffic.flows traffic.matrix traffic.noxim_table traffic.trace "
                                      "traffic.task_graph traffic.collectives") ||
             KeyEffect::only_with("traffic.mode", "closed-loop batch")) &&
                KeyEffect::only_if_given("traffic.flows traffic.collectives statistics.flows")},
    .values = OptionKey::Real{.initial = 1000, .range = {1e-3, 1e6}}};

namespace {

constexpr CsvReader::Column kFlowColumns[] = {
    {"from", true}, {"to", true}, {"rate"}, {"length"}, {"bandwidth"},        {"bytes"},      {"class"},
    {"process"},    {"start"},    {"stop"}, {"name"},   {"target_bandwidth"}, {"target_p99"}, {"priority"}};

/// The lines of a file as the entries of a list.
std::vector<ListedFlow> flows_of_file(const std::string& path) {
  std::vector<ListedFlow> flows;
  CsvReader reader(path, kFlowColumns,
                   [](std::string_view field) { return field != "from" && field != "to"; });
  while (reader.read()) {
    ListedFlow& flow = flows.emplace_back();
    flow.place = reader.place();
    for (std::size_t i = 0; i < std::size(kFlowColumns); ++i)
      if (const std::string_view text = reader.field(i); !text.empty())
        flow.fields.push_back({std::string(kFlowColumns[i].name), std::string(text), reader.place(i)});
  }
  return flows;
}

/// Some nodes send to some nodes, but none to itself, each destination with equal probability.
class ListedDestinations final : public DestinationPattern {
 public:
  /// Sorted nodes.
  ListedDestinations(std::vector<NodeId> sources, std::vector<NodeId> destinations)
      : sources_(std::move(sources)), destinations_(std::move(destinations)) {}

  bool sends(NodeId source) const override {
    return std::ranges::binary_search(sources_, source) &&
           !(destinations_.empty() || (destinations_.size() == 1 && destinations_.front() == source));
  }
  NodeId destination(NodeId source, RandomStream& random) const override {
    const auto own = std::ranges::lower_bound(destinations_, source);
    const auto place = static_cast<std::uint32_t>(own - destinations_.begin());
    const bool among = own != destinations_.end() && *own == source;
    const auto others = static_cast<std::uint32_t>(destinations_.size()) - among;
    const std::uint32_t i = others == 1 ? 0 : random.below(others);
    return destinations_[i + (among && i >= place)];
  }
  void add_rates(NodeId source, double rate, std::vector<double>& to) const override {
    const bool among = std::ranges::binary_search(destinations_, source);
    const double part = rate / static_cast<double>(destinations_.size() - among);
    for (const NodeId node : destinations_)
      if (node != source) to[node] += part;
  }

 private:
  std::vector<NodeId> sources_;
  std::vector<NodeId> destinations_;
};

constexpr double kMostRate = 64;  // flits per cycle

/// Makes a flow from its fields.
class FlowMaker {
 public:
  FlowMaker(const ListedFlow& listed, const FlowContext& context, std::size_t number)
      : fields_(listed, context), context_(context), settings_(context.settings) {
    description_.name = fields_.label("name");
    if (description_.name.empty()) description_.name = std::to_string(number);
    description_.message_class = fields_.label("class");
    description_.class_place = fields_.place("class");
    description_.target_bandwidth = fields_.real("target_bandwidth", 0, 1e18);
    description_.target_p99 = fields_.whole("target_p99", 0, CsvReader::kLargest);
  }

  std::unique_ptr<Flow> make() {
    const bool pattern = fields_.has("pattern"), matrix = fields_.has("matrix");
    std::vector<double> rates;
    std::shared_ptr<const DestinationPattern> destinations = matrix    ? matrix_destinations(rates)
                                                             : pattern ? named_pattern()
                                                                       : listed_destinations();
    if (fields_.has("process")) {
      settings_.injection = fields_.text("process");
      const auto& processes = injection_processes();
      if (std::ranges::none_of(processes.entries(),
                               [&](const auto& p) { return p.name == settings_.injection; })) {
        std::vector<std::string_view> names;
        for (const InjectionEntry& entry : processes.entries()) names.push_back(entry.name);
        fields_.fail("process",
                     "unknown process " + shown_value(settings_.injection) + "; available: " + joined(names));
      }
    }
    std::shared_ptr<const LengthDistribution> lengths = length_distribution();
    if (!matrix) rates.push_back(pattern ? required_load() : flits_per_cycle(*lengths));
    for (NodeId node = 0; node < rates.size(); ++node)
      check_process(*lengths, rates[node], matrix ? context_.topology.router_name(node) : "");
    auto flow = std::make_unique<PatternFlow>(std::move(destinations), std::move(lengths), settings_,
                                              context_.injection_limit, std::move(rates));
    if (only_destination_) flow->set_only_destination(*only_destination_);
    flow->senders = std::move(senders_);
    flow->start = fields_.whole("start", 0, CsvReader::kLargest).value_or(0);
    flow->stop = fields_.whole("stop", 0, CsvReader::kLargest).value_or(kNever);
    if (flow->stop <= flow->start)
      fields_.fail("stop",
                   formatted("cycle %1% is not after start, cycle %2%; raise it", flow->stop, flow->start));
    flow->section_lengths = !fields_.has("length") && !fields_.has("bytes");
    flow->section_injection = !fields_.has("process");
    flow->descriptions.push_back(std::move(description_));
    return flow;
  }

 private:
  std::shared_ptr<const DestinationPattern> listed_destinations() {
    fields_.allow({"from", "to", "rate", "bandwidth", "length", "bytes", "class", "process", "start", "stop",
                   "name", "target_bandwidth", "target_p99"});
    for (const char* const key : {"from", "to"})
      if (!fields_.has(key)) fields_.fail(key, "not given; name nodes, or a pattern for all nodes");
    std::vector<NodeId> from = fields_.nodes("from"), to = fields_.nodes("to");
    if (from.size() == 1 && to == from)
      fields_.fail("to",
                   context_.topology.router_name(to.front()) + " does not send to itself; name another node");
    const auto is_dead = [&](NodeId node) { return !context_.participants.contains(node); };
    std::erase_if(from, is_dead);
    std::erase_if(to, is_dead);
    if (to.size() == 1) only_destination_ = to.front();
    senders_ = from;
    return std::make_shared<ListedDestinations>(std::move(from), std::move(to));
  }

  std::shared_ptr<const DestinationPattern> matrix_destinations(std::vector<double>& rates) const {
    fields_.allow({"matrix", "length", "bytes", "class", "process", "start", "stop", "name",
                   "target_bandwidth", "target_p99"});
    MatrixTraffic matrix = read_matrix(context_, fields_.text("matrix"));
    rates = std::move(matrix.rates);
    return std::move(matrix.destinations);
  }

  std::shared_ptr<const DestinationPattern> named_pattern() {
    settings_.pattern = fields_.text("pattern");
    std::vector<std::string_view> names;
    const PatternEntry* entry = nullptr;
    for (const PatternEntry& one : traffic_patterns().entries()) {
      names.push_back(one.name);
      if (one.name == settings_.pattern) entry = &one;
    }
    if (!entry)
      fields_.fail("pattern",
                   "unknown pattern " + shown_value(settings_.pattern) + "; available: " + joined(names));
    std::vector<std::string_view> keys = {"pattern",   "load",  "length", "bytes", "class",
                                          "process",   "start", "stop",   "name",  "target_bandwidth",
                                          "target_p99"};
    for (const OptionKey* option : entry->options) {
      if (std::holds_alternative<OptionKey::Text>(option->values))
        fields_.fail("pattern", settings_.pattern + " has a file; list its pairs as flows");
      keys.push_back(option->name());
      if (fields_.has(option->name())) read_option(*option);
    }
    fields_.allow(keys);
    try {
      return make_pattern(*entry, {context_.topology, settings_, context_.participants});
    } catch (const KeyError& error) {
      throw ConfigurationError(fields_.place("pattern"), error.what());
    }
  }

  void read_option(const OptionKey& option) {
    const std::string key(option.name());
    if (const auto* const number = std::get_if<OptionKey::Real>(&option.values)) {
      settings_.options.set(key, *fields_.real(key, number->range.min, number->range.max));
    } else if (std::holds_alternative<OptionKey::Nodes>(option.values)) {
      std::vector<NodeName> nodes;
      for (const NodeId node : fields_.nodes(key)) nodes.push_back({{std::int64_t{node}}, true});
      settings_.options.set(key, std::move(nodes));
    } else {
      settings_.options.set(key, fields_.flag(key));
    }
  }

  std::shared_ptr<const LengthDistribution> length_distribution() {
    fields_.allow_one("length", "bytes");
    if (const auto length = fields_.whole("length", 1, kLongestMessage))
      return std::make_shared<FixedLength>(static_cast<std::uint32_t>(*length));
    if (const auto bytes =
            fields_.whole("bytes", 0, std::uint64_t{kLongestMessage - 2} * context_.flit_bytes)) {
      description_.bytes = static_cast<std::uint32_t>(*bytes);
      return std::make_shared<FixedLength>(
          2 + static_cast<std::uint32_t>((*bytes + context_.flit_bytes - 1) / context_.flit_bytes));
    }
    return length_distributions().at(settings_.length_distribution).make(settings_);
  }

  double required_load() const {
    if (!fields_.has("load"))
      fields_.fail("load", "not given; give the flits per cycle of each node that sends");
    return *fields_.real("load", 0, kMostRate);
  }

  double flits_per_cycle(const LengthDistribution& lengths) const {
    fields_.allow_one("rate", "bandwidth");
    if (const auto rate = fields_.real("rate", 0, kMostRate)) return *rate;
    const auto bandwidth = fields_.real("bandwidth", 0, 1e18);
    if (!bandwidth)
      fields_.fail("rate", "not given; give flits per cycle, or a bandwidth in bytes per second");
    const double bytes = description_.bytes.value_or(data_flits(lengths.longest()) * context_.flit_bytes);
    if (!(fields_.has("bytes") || fields_.has("length")) || bytes <= 0)
      fields_.fail("bandwidth", "needs messages of one size with a payload; give their bytes");
    return *bandwidth / (settings_.options.real(kClockOption) * 1e6) / bytes * lengths.mean();
  }

  /// `node`: whose rate it is; empty: that of each.
  void check_process(const LengthDistribution& lengths, double rate, const std::string& node) const {
    if (rate <= 0) return;
    const char* const key = fields_.has("rate")     ? "rate"
                            : fields_.has("load")   ? "load"
                            : fields_.has("matrix") ? "matrix"
                                                    : "bandwidth";
    if (rate > context_.injection_limit * InjectionContext::kTolerance)
      fields_.fail(key, formatted("%1%%2% flits per cycle are more than a node can inject, %3%; lower it",
                                  node.empty() ? "" : "of " + node + " ", number_text(rate),
                                  number_text(context_.injection_limit)));
    try {
      injection_processes()
          .at(settings_.injection)
          .make({settings_, rate, lengths.mean(), context_.injection_limit}, RandomStream());
    } catch (const KeyError& error) {
      throw ConfigurationError(fields_.place(key), error.what());
    }
  }

  FieldReader fields_;
  const FlowContext& context_;
  TrafficSettings settings_;
  FlowDescription description_;
  std::optional<NodeId> only_destination_;
  std::optional<std::vector<NodeId>> senders_;
};

}  // namespace

std::vector<std::unique_ptr<Flow>> listed_flows(const FlowContext& context) {
  const FlowList given = context.configuration.traffic.options.flows(kFlowsOption);
  const std::vector<ListedFlow> listed = given.file.empty() ? given.listed : flows_of_file(given.file);
  std::vector<std::unique_ptr<Flow>> flows;
  std::map<std::string, Place> place_of;  // by name
  for (const ListedFlow& one : listed) {
    flows.push_back(FlowMaker(one, context, flows.size()).make());
    const std::string& name = flows.back()->descriptions.front().name;
    const Place& place = FieldReader(one, context).place("name");
    const auto [first, is_new] = place_of.try_emplace(name, place);
    if (!is_new)
      throw ConfigurationError(place,
                               formatted("the name %1% is that of the flow at %2%, too; give each its own",
                                         shown_value(name), first->second.text()));
  }
  return flows;
}

}  // namespace flitmend
