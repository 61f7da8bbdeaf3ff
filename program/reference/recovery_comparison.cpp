// SPDX-License-Identifier: Apache-2.0
#include "program/reference/pages.h"

#include <array>
#include <bit>
#include <optional>

#include "base/text.h"
#include "program/reference/example_router.h"
#include "rtl_tlm/hierarchy/register_bits.h"
#include "rtl_tlm/hierarchy/register_maps.h"
#include "rtl_tlm/node/interface_registers.h"
#include "rtl_tlm/registers/channel_registers.h"
#include "rtl_tlm/registers/register_map.h"

namespace flitmend {

const char* const kComparisonNote = "* differs from what is published; + is in neither table.";

namespace {

using Json = nlohmann::ordered_json;

/// One row of a published table: for each of its three columns, yes or no.
struct PublishedRow {
  const char* words;
  std::array<bool, 3> yes;
};
/// Table 2 of [SBRP]: SBRP-0, -1, -2.
constexpr PublishedRow kTable2[] = {
    {"flit counter", {false, true, false}},
    {"head copy in every node", {true, true, false}},
    {"resends the whole message", {true, false, false}},
    {"resends a part", {false, true, true}},
    {"tolerates the loss of a head", {true, true, false}},
};
/// Table 3 of [SBRP]: SBRP, the Reliable Router, FCR.
constexpr PublishedRow kTable3[] = {
    {"overhead on every message", {false, true, true}},
    {"control messages", {true, false, false}},
    {"control lines", {false, true, true}},
    {"handles multiple faults", {true, false, true}},
    {"software fault handler", {true, false, false}},
    {"copy at the sender", {true, false, true}},
    {"resends the whole message", {false, false, true}},
};

/// The criteria of the comparison. Table 3 has one column for all SBRPs and Table 2 one for each, so Table 2
/// comes first.
struct Feature {
  const char* key;
  const char* words;
  bool (*built)(const RecoveryEntry&);
  const PublishedRow* table2 = nullptr;
  const PublishedRow* table3 = nullptr;
};
constexpr Feature kFeatures[] = {
    {"flit_counter", "flit counter", [](const RecoveryEntry& e) -> bool { return e.needs.flit_counter; },
     &kTable2[0]},
    {"head_copy", "head copy in every node", [](const RecoveryEntry& e) -> bool { return e.needs.head_copy; },
     &kTable2[1]},
    {"resends_whole", "resends the whole message",
     [](const RecoveryEntry& e) -> bool { return e.traits.resends_whole; }, &kTable2[2], &kTable3[6]},
    {"resends_part", "resends a part", [](const RecoveryEntry& e) -> bool { return e.traits.resends_part; },
     &kTable2[3]},
    {"head_loss", "tolerates the loss of a head",
     [](const RecoveryEntry& e) -> bool { return e.traits.head_loss; }, &kTable2[4]},
    {"overhead_on_every_message", "overhead on every message",
     [](const RecoveryEntry& e) -> bool { return e.traits.overhead_on_every_message; }, nullptr, &kTable3[0]},
    {"control_messages", "control messages",
     [](const RecoveryEntry& e) -> bool { return e.needs.control_messages; }, nullptr, &kTable3[1]},
    {"control_lines", "control lines",
     [](const RecoveryEntry& e) -> bool { return ControlLineSet{e.needs.control_lines} != 0; }, nullptr,
     &kTable3[2]},
    {"multiple_faults", "handles multiple faults",
     [](const RecoveryEntry& e) -> bool { return e.traits.multiple_faults; }, nullptr, &kTable3[3]},
    {"software_handler", "software fault handler",
     [](const RecoveryEntry& e) -> bool { return e.needs.software_handler; }, nullptr, &kTable3[4]},
    {"sender_copy", "copy at the sender", [](const RecoveryEntry& e) -> bool { return e.needs.sender_copy; },
     nullptr, &kTable3[5]},
    {"shadow_registers", "shadow registers",
     [](const RecoveryEntry& e) -> bool { return e.needs.has(Mechanism::tail_signals); }},
    {"flit_copies", "copy of every flit in the node before",
     [](const RecoveryEntry& e) -> bool { return e.needs.has(Mechanism::copies); }},
    {"circuits", "path held until it is acknowledged",
     [](const RecoveryEntry& e) -> bool { return e.needs.has(Mechanism::circuits); }},
    {"padding", "padding", [](const RecoveryEntry& e) -> bool { return e.needs.padding; }},
    {"id_memory", "memory of ids at receivers",
     [](const RecoveryEntry& e) -> bool { return e.needs.id_memory > 0; }},
};

std::optional<bool> published(const Feature& feature, std::string_view protocol) {
  const auto column = [&](std::initializer_list<std::string_view> names) -> std::optional<std::size_t> {
    std::size_t i = 0;
    for (const std::string_view name : names) {
      if (name == protocol) return i;
      ++i;
    }
    return std::nullopt;
  };
  const auto sbrp = column({"sbrp-0", "sbrp-1", "sbrp-2"});
  if (sbrp && feature.table2) return feature.table2->yes[*sbrp];
  const auto other = sbrp ? std::optional<std::size_t>(0) : column({"", "utp", "fcr"});
  if (other && feature.table3) return feature.table3->yes[*other];
  return std::nullopt;
}

const char* word(bool yes) {
  return yes ? "yes" : "no";
}

Table published_table(const char* title, std::vector<Table::Column> columns, const auto& published_rows) {
  Table table{title, std::move(columns), {}};
  for (const PublishedRow& row : published_rows) {
    table.rows.push_back({row.words});
    for (const bool yes : row.yes) table.rows.back().emplace_back(word(yes));
  }
  return table;
}

std::vector<std::string> names_of(ControlLineSet lines) {
  std::vector<std::string> names;
  for (unsigned line = 0; line < kControlLines; ++line)
    if (lines >> line & 1) names.emplace_back(kControlLineTraits[line].name);
  return names;
}

/// What a protocol adds to a router of a preset without one.
struct Added {
  std::uint64_t router_bits, interface_bits, wires;
};
Added added(const RecoveryEntry& entry, std::string_view preset) {
  const std::unique_ptr<RecoveryProtocol> protocol = entry.make({}, {});
  const ExampleRouter bare(preset), equipped(preset, protocol.get());
  const std::uint64_t router = register_bits(bare.layout()).total();
  const std::uint64_t interface = interface_bits(bare.layout());
  const auto lines = static_cast<unsigned>(std::popcount(ControlLineSet{entry.needs.control_lines}));
  return {register_bits(equipped.layout()).total() - router, interface_bits(equipped.layout()) - interface,
          std::uint64_t{lines} * equipped.layout().vcs};
}

constexpr const char* kPresets[] = {"iq", "sbrp"};

Table built_table() {
  Table table{"As built", {{"need"}}, {}};
  for (const RecoveryEntry& entry : recovery_protocols().entries())
    table.columns.push_back({std::string(entry.name)});
  for (const Feature& feature : kFeatures) {
    const bool addition = !feature.table2 && !feature.table3;
    table.rows.push_back({std::string(feature.words) + (addition ? " +" : "")});
    for (const RecoveryEntry& entry : recovery_protocols().entries()) {
      const bool built = feature.built(entry);
      const std::optional<bool> claim = published(feature, entry.name);
      table.rows.back().push_back(std::string(word(built)) + (claim && *claim != built ? " *" : ""));
    }
  }
  return table;
}

Table hardware_table() {
  Table table{"Added hardware: bits of storage, for the router of docs/hardware.md", {{"hardware"}}, {}};
  for (const RecoveryEntry& entry : recovery_protocols().entries())
    table.columns.push_back({std::string(entry.name)});
  for (const char* preset : kPresets) {
    const ExampleRouter bare(preset);
    const std::string form = "%1%, preset %2% (%3%)";
    std::vector<std::string> router{formatted(form, "router", preset, register_bits(bare.layout()).total())};
    std::vector<std::string> interface {
      formatted(form, "interface", preset, interface_bits(bare.layout()))
    };
    std::vector<std::string> wires{formatted("control wires per channel, %1% VCs", bare.layout().vcs)};
    for (const RecoveryEntry& entry : recovery_protocols().entries()) {
      const Added extra = added(entry, preset);
      router.push_back(formatted("+%1%", extra.router_bits));
      interface.push_back(formatted("+%1%", extra.interface_bits));
      wires.push_back(std::to_string(extra.wires));
    }
    if (preset == kPresets[0]) table.rows.push_back(std::move(wires));
    table.rows.push_back(std::move(router));
    table.rows.push_back(std::move(interface));
  }
  return table;
}

Table line_table() {
  Table table{"Control lines", {{"protocol"}, {"lines"}}, {}};
  for (const RecoveryEntry& entry : recovery_protocols().entries())
    table.rows.push_back({std::string(entry.name), joined(names_of(entry.needs.control_lines))});
  return table;
}

}  // namespace

std::vector<Table> recovery_comparison() {
  return {published_table("Table 2 of [SBRP], as published", {{"need"}, {"sbrp-0"}, {"sbrp-1"}, {"sbrp-2"}},
                          kTable2),
          published_table("Table 3 of [SBRP], as published",
                          {{"need"}, {"SBRP"}, {"Reliable Router (utp)"}, {"fcr"}}, kTable3),
          built_table(), hardware_table(), line_table()};
}

std::string recovery_comparison_page() {
  std::string page;
  for (const Table& table : recovery_comparison())
    page += (page.empty() ? "" : "\n") + table.title + ":\n\n" + table.markdown();
  return page + "\n" + kComparisonNote + "\n";
}

nlohmann::ordered_json recovery_details(const RecoveryEntry& entry) {
  Json built = Json::object(), claims = Json::object(), bits = Json::object();
  for (const Feature& feature : kFeatures) {
    built[feature.key] = feature.built(entry);
    if (const std::optional<bool> claim = published(feature, entry.name)) claims[feature.key] = *claim;
  }
  for (const char* preset : kPresets) {
    const Added extra = added(entry, preset);
    bits[preset] = {{"router", extra.router_bits},
                    {"interface", extra.interface_bits},
                    {"control_wires_per_channel", extra.wires}};
  }
  return {{"built", built},
          {"published", claims},
          {"control_lines", names_of(entry.needs.control_lines)},
          {"added_bits", bits}};
}

}  // namespace flitmend
