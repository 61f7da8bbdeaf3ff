// SPDX-License-Identifier: Apache-2.0
#include "testbench/collectives/planned_collective.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "base/nearest.h"
#include "base/text.h"
#include "rtl_tlm/signals/flit.h"
#include "testbench/traffic/field_reader.h"

namespace flitmend {

constexpr OptionKey kCollectivesOption{
    .key = {"collectives", "",
            "Collectives, one after the other, instead of synthetic traffic: a list like [{collective: "
            "all-reduce, algorithm: ring, group: all, bytes: 4096}]; docs/workloads.md.",
            kAlways},
    .values = OptionKey::Collectives{}};
constexpr OptionKey kGroupsOption{
    .key = {"groups", "",
            "Groups of nodes for traffic.collectives, like {row: [0, 1, 2, 3], column: [[0, 0], [0, 1]]}.",
            KeyEffect::only_if_given("traffic.collectives")},
    .values = OptionKey::Groups{}};

namespace {

constexpr std::uint64_t kMostVectorBytes = std::uint64_t{1} << 53;
constexpr std::uint64_t kMostStart = std::uint64_t{1} << 53;
constexpr std::uint64_t kMostCombineTime = 1 << 30;    // times the most messages, it fits in a cycle number
constexpr std::uint64_t kMostRepetitions = 1'000'000;  // of all together
constexpr std::uint64_t kMostAhead = std::uint64_t{1} << 22;  // messages, of some 40 bytes each
constexpr std::size_t kMostMembers = 1024;                    // a ring has the square of it in messages
constexpr std::size_t kMostTransfers = 1 << 23;               // of all schedules: they are held in memory

using Groups = std::map<std::string, std::vector<NodeId>, std::less<>>;

Groups groups_of(const Configuration& c, const Topology& topology) {
  const NodeGroups given = c.traffic.options.groups(kGroupsOption);
  const FieldReader reader(given, c, topology);
  Groups groups;
  for (const ListedFields::Field& field : given.fields) {
    if (field.key == "all")
      reader.fail(field.key, "the group of all nodes has this name; choose another one");
    if (!groups.emplace(field.key, reader.nodes_in_order(field.key)).second)
      reader.fail(field.key, "given twice; remove one");
  }
  return groups;
}

/// Makes a collective from its fields.
class CollectiveMaker {
 public:
  CollectiveMaker(const ListedCollective& listed, const Configuration& c, const Topology& topology,
                  const Groups& groups, std::uint32_t flit_bytes)
      : fields_(listed, c, topology), groups_(groups), flit_bytes_(flit_bytes) {}

  PlannedCollective make(std::size_t number) {
    fields_.allow({"collective", "algorithm", "group", "bytes", "combine_time", "repetitions", "start",
                   "root", "name"});
    PlannedCollective made;
    made.name = fields_.has("name") ? fields_.label("name") : std::to_string(number);
    made.kind = &kind();
    made.members = members();
    if (made.members.size() > kMostMembers)
      fields_.fail("group",
                   formatted("%1% nodes are more than %2%; choose fewer", made.members.size(), kMostMembers));
    made.root = root(*made.kind->operation, made.members);
    if (!fields_.has("bytes")) fields_.fail("bytes", "not given; give the bytes of the whole vector");
    made.bytes = *fields_.whole("bytes", 0, kMostVectorBytes);
    made.combine_time = fields_.whole("combine_time", 0, kMostCombineTime).value_or(0);
    made.repetitions =
        static_cast<std::uint32_t>(fields_.whole("repetitions", 1, kMostRepetitions).value_or(1));
    made.start = fields_.whole("start", 0, kMostStart).value_or(0);
    made.schedule = made.kind->schedule(static_cast<std::uint32_t>(made.members.size()), made.root);
    set_length(made);
    return made;
  }
  const Place& place(std::string_view key) const { return fields_.place(key); }

 private:
  const CollectiveEntry& kind() const {
    if (!fields_.has("collective")) fields_.fail("collective", "not given; name one, like all-reduce");
    try {
      return collective_of(fields_.text("collective"), fields_.text("algorithm"));
    } catch (const ConfigurationError& error) {
      throw ConfigurationError(fields_.place(fields_.has("algorithm") ? "algorithm" : "collective"),
                               error.what());
    }
  }

  std::vector<NodeId> members() const {
    if (!fields_.has("group")) return fields_.all_nodes();
    const std::string name = fields_.text("group");
    if (const auto found = groups_.find(name); found != groups_.end()) return found->second;
    try {
      return fields_.nodes_in_order("group");
    } catch (const ConfigurationError&) {
      std::vector<std::string_view> names{"all"};
      for (const auto& [known, nodes] : groups_) names.push_back(known);
      if (nearest(name, names).empty()) throw;
      fields_.fail("group", "unknown group " + shown_value(name) + did_you_mean(name, names));
    }
  }

  std::uint32_t root(const CollectiveOperation& operation, const std::vector<NodeId>& members) const {
    if (!fields_.has("root")) return 0;
    if (!operation.has_root) fields_.fail("root", std::string(operation.name) + " has no root; remove it");
    const auto found = std::ranges::find(members, fields_.node("root"));
    if (found == members.end()) fields_.fail("root", "the node is not in the group; name a member");
    return static_cast<std::uint32_t>(found - members.begin());
  }

  void set_length(PlannedCollective& made) const {
    const std::uint64_t pieces = made.schedule.pieces;
    const std::uint64_t bytes = (made.bytes + pieces - 1) / pieces;
    const std::uint64_t flits = 2 + (bytes + flit_bytes_ - 1) / flit_bytes_;
    if (flits > kLongestMessage)
      fields_.fail("bytes",
                   formatted("a message has %1% bytes, which are %2% flits, but may have %3% at most; "
                             "lower it, or split the collective with repetitions",
                             bytes, flits, kLongestMessage));
    made.piece_bytes = static_cast<std::uint32_t>(bytes);
    made.length = static_cast<std::uint32_t>(flits);
  }

  FieldReader fields_;
  const Groups& groups_;
  std::uint64_t flit_bytes_;
};

}  // namespace

std::vector<PlannedCollective> planned_collectives(const Configuration& c, const Topology& topology,
                                                   std::uint32_t flit_bytes) {
  const Groups groups = groups_of(c, topology);
  std::vector<PlannedCollective> planned;
  std::map<std::string, Place> place_of;  // by name
  std::uint64_t messages = 0, repetitions = 0;
  std::size_t transfers = 0;
  const std::vector<ListedCollective> listed = c.traffic.options.collectives(kCollectivesOption);
  for (const ListedCollective& one : listed) {
    CollectiveMaker maker(one, c, topology, groups, flit_bytes);
    planned.push_back(maker.make(planned.size()));
    const PlannedCollective& made = planned.back();
    const auto [first, is_new] = place_of.try_emplace(made.name, maker.place("name"));
    if (!is_new)
      throw ConfigurationError(
          maker.place("name"),
          formatted("the name %1% is that of the collective at %2%, too; give each its own",
                    shown_value(made.name), first->second.text()));
    const std::uint64_t all = std::uint64_t{made.schedule.transfers.size()} * made.repetitions;
    if (made.kind->operation->has_root && all > kMostAhead)
      throw ConfigurationError(
          maker.place("repetitions"),
          formatted(
              "the root waits for nobody, so the %1% messages of all repetitions are planned at once, and "
              "may be %2% at most; lower repetitions",
              all, kMostAhead));
    messages += all;
    repetitions += made.repetitions;
    if (repetitions > kMostRepetitions)
      throw ConfigurationError(maker.place("repetitions"),
                               formatted("the repetitions up to here add up to %1%, but may to %2% at most; "
                                         "lower them",
                                         repetitions, kMostRepetitions));
    transfers += made.schedule.transfers.size();
    if (transfers > kMostTransfers)
      throw ConfigurationError(
          maker.place("group"),
          formatted(
              "one repetition of the collectives up to here has %1% messages, but may have %2% at most; "
              "list fewer, or choose smaller groups",
              transfers, kMostTransfers));
    constexpr std::uint64_t kMostMessages = std::numeric_limits<std::int32_t>::max();  // their numbers
    if (messages > kMostMessages)
      throw ConfigurationError(maker.place("repetitions"),
                               formatted("the collectives up to here have %1% messages, but a run has %2% at "
                                         "most; lower repetitions",
                                         messages, kMostMessages));
  }
  return planned;
}

std::vector<ListedFields::Field> unnamed_groups(const Configuration& c) {
  std::vector<ListedFields::Field> groups = c.traffic.options.groups(kGroupsOption).fields;
  for (const ListedCollective& one : c.traffic.options.collectives(kCollectivesOption))
    for (const ListedFields::Field& field : one.fields)
      if (field.key == "group")
        std::erase_if(groups, [&](const ListedFields::Field& group) { return group.key == field.text; });
  return groups;
}

}  // namespace flitmend
