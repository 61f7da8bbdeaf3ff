// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/classes.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <limits>

#include "base/bits.h"
#include "base/escaped_text.h"
#include "base/nearest.h"
#include "base/text.h"
#include "protocols/routing/registry.h"
#include "testbench/traffic/field_reader.h"
#include "topologies/registry.h"

namespace flitmend {

constexpr OptionKey kClassesOption{
    .key = {"classes", "",
            "Classes of messages, with their virtual channels, priorities and weights: a list like [{name: "
            "request, virtual_channels: own}, {name: reply, virtual_channels: own, weight: 2}]; "
            "docs/workloads.md.",
            kAlways},
    .values = OptionKey::Classes{}};
constexpr OptionKey kClassOption{
    .key = {"class", "",
            "Class of every message that has none of its own: of flows, edges of a task graph and lines of a "
            "trace without one, of a matrix, and of a table of Noxim.",
            KeyEffect::only_if_given("traffic.classes")},
    .values = OptionKey::Text{}};
constexpr OptionKey kClassDependenciesOption{
    .key =
        {"class_dependencies", "",
         "Classes whose messages wait at their destinations until messages of other classes have left, for "
         "the check: \"request -> reply, reply -> acknowledgement\".",
         KeyEffect::only_if_given("traffic.classes")},
    .values = OptionKey::Text{}};
constexpr OptionKey kStarvationLimitOption{
    .key = {"starvation_limit", "grants",
            "Grants of an arbiter to other classes after which the wait of a class counts as starvation; 0: "
            "never.",
            KeyEffect::only_if_given("traffic.classes") &&
                KeyEffect::unless("router.arbitration", "round-robin")},
    .values = OptionKey::Number{.initial = 1000, .range = {0, std::numeric_limits<std::int32_t>::max()}}};

std::optional<unsigned> MessageClasses::number(std::string_view name) const {
  const auto found = std::ranges::find(list, name, &MessageClass::name);
  return found == list.end() ? std::nullopt : std::optional(static_cast<unsigned>(found - list.begin()));
}

std::vector<std::string_view> MessageClasses::names() const {
  std::vector<std::string_view> names;
  for (const MessageClass& one : list) names.push_back(one.name);
  return names;
}

namespace {

constexpr unsigned kMostWeight = 1000;
constexpr unsigned kMostPriority = 255;

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::string vcs_text(const VcRange& range) {
  return range.count == 1 ? formatted("virtual channel %1%", range.first)
                          : formatted("virtual channels %1%-%2%", range.first, range.first + range.count - 1);
}

/// Which virtual channels a class asks for.
struct Wish {
  enum class Kind : std::uint8_t { shared, own, range } kind = Kind::shared;
  VcRange range{};
};

/// Reads traffic.classes.
class ClassReader {
 public:
  ClassReader(const Configuration& c, const Topology& topology)
      : c_(c), topology_(topology), listed_(c.traffic.options.classes(kClassesOption)) {}

  MessageClasses read() {
    if (listed_.size() > kMessageClasses)
      throw KeyError("traffic.classes", formatted("%1% classes; at most %2% are possible: give fewer",
                                                  listed_.size(), kMessageClasses));
    std::vector<Wish> wishes;
    for (const ListedClass& one : listed_) {
      const FieldReader fields(one, c_, topology_);
      fields.allow({"name", "virtual_channels", "priority", "weight"});
      MessageClass made;
      made.name = name_of(fields);
      made.parameters.priority =
          static_cast<unsigned>(fields.whole("priority", 0, kMostPriority).value_or(0));
      made.parameters.weight = static_cast<unsigned>(fields.whole("weight", 1, kMostWeight).value_or(1));
      refuse_without_effect(fields);
      wishes.push_back(wish_of(fields));
      classes_.list.push_back(std::move(made));
    }
    divide(wishes);
    check_networks();
    read_dependencies();
    return std::move(classes_);
  }

 private:
  const std::string& arbitration() const { return c_.hardware.router.arbitration; }
  unsigned vcs() const { return c_.hardware.router.virtual_channels; }
  [[noreturn]] void fail(std::size_t number, std::string_view key, const std::string& text) const {
    FieldReader(listed_[number], c_, topology_).fail(key, text);
  }

  std::string name_of(const FieldReader& fields) const {
    const std::string name = fields.label("name");
    if (name.empty()) fields.fail("name", "not given; give the class a name");
    if (name.find("->") != name.npos || name.find(',') != name.npos || trimmed(name) != name)
      fields.fail("name",
                  shown_value(name) +
                      " cannot be written in traffic.class_dependencies; use no comma, no arrow, and no "
                      "blank at its ends");
    if (classes_.number(name))
      fields.fail("name", "a class before has the name " + shown_value(name) + "; choose another one");
    return name;
  }

  void refuse_without_effect(const FieldReader& fields) const {
    const Arbitration rule = c_.hardware.router.arbitration_rule();
    if (fields.has("priority") && rule != Arbitration::strict)
      fields.fail("priority", "it has no effect with router.arbitration " + arbitration() +
                                  "; remove it, or set router.arbitration to strict");
    if (fields.has("weight") && rule != Arbitration::strict && rule != Arbitration::weighted)
      fields.fail("weight", "it has no effect with router.arbitration " + arbitration() +
                                "; remove it, or set router.arbitration to weighted");
  }

  Wish wish_of(const FieldReader& fields) const {
    const std::string text = fields.text("virtual_channels");
    if (!fields.has("virtual_channels") || text == "shared") return {};
    if (text == "own") return {Wish::Kind::own, {}};
    const auto number = [&](std::string_view part) {
      unsigned value = 0;
      const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
      if (error != std::errc() || end != part.data() + part.size())
        fields.fail("virtual_channels",
                    shown_value(text) + " names no virtual channels; write own, shared, or a range like 0-1");
      if (value >= vcs())
        fields.fail("virtual_channels",
                    formatted("there is no virtual channel %1%; router.virtual_channels is %2%, "
                              "so the last one is %3%: lower the number",
                              value, vcs(), vcs() - 1));
      return value;
    };
    const std::size_t dash = text.find('-');
    const unsigned first = number(trimmed(std::string_view(text).substr(0, dash)));
    const unsigned last =
        dash == text.npos ? first : number(trimmed(std::string_view(text).substr(dash + 1)));
    if (last < first)
      fields.fail("virtual_channels",
                  shown_value(text) + " ends before it begins; write the lower number first");
    return {Wish::Kind::range, {first, last - first + 1}};
  }

  unsigned network(const VcRange& range) {
    const auto found = std::ranges::find(classes_.networks, range);
    if (found != classes_.networks.end()) return static_cast<unsigned>(found - classes_.networks.begin());
    classes_.networks.push_back(range);
    return static_cast<unsigned>(classes_.networks.size() - 1);
  }

  /// Gives every class its network. Ranges come first; `own` and `shared` divide what they leave.
  void divide(const std::vector<Wish>& wishes) {
    VcMask taken = 0;
    for (std::size_t i = 0; i < wishes.size(); ++i) {
      if (wishes[i].kind != Wish::Kind::range) continue;
      const VcRange range = wishes[i].range;
      for (const VcRange& other : classes_.networks)
        if (!(other == range) && (other.mask() & range.mask()) != 0)
          fail(i, "virtual_channels",
               vcs_text(range) + " and " + vcs_text(other) +
                   " of another class overlap; let the two classes have the same range, or none in common");
      taken |= range.mask();
      classes_.list[i].network = network(range);
    }
    std::size_t parts = 0;
    bool shared = false;
    for (const Wish& wish : wishes) {
      parts += wish.kind == Wish::Kind::own || (wish.kind == Wish::Kind::shared && !shared);
      shared = shared || wish.kind == Wish::Kind::shared;
    }
    const VcMask rest = low_bits(vcs()) & ~taken;
    if (parts == 0) {
      if (rest != 0 && !wishes.empty())
        throw KeyError(
            "traffic.classes",
            formatted("no class has virtual channel %1%; give it to one, or lower router.virtual_channels",
                      std::countr_zero(rest)),
            {"router.virtual_channels"});
      return;
    }
    const auto count = static_cast<unsigned>(std::popcount(rest));
    const auto first = static_cast<unsigned>(rest == 0 ? 0 : std::countr_zero(rest));
    if (rest != 0 && rest >> first != low_bits(count))
      throw KeyError(
          "traffic.classes",
          "the ranges leave virtual channels on both sides of them for own and shared; put the ranges at "
          "one end");
    if (count < parts || count % parts != 0)
      throw KeyError(
          "traffic.classes",
          formatted("%1% cannot be divided equally among %2% (each own class has one part, all shared ones "
                    "have one together); set router.virtual_channels to %3%, or give ranges",
                    counted(count, "virtual channel"), counted(parts, "part"),
                    divisible_number(vcs() - count, count, parts)),
          {"router.virtual_channels"});
    const auto size = static_cast<unsigned>(count / parts);
    unsigned next = first;
    std::optional<unsigned> common;
    for (std::size_t i = 0; i < wishes.size(); ++i) {
      if (wishes[i].kind == Wish::Kind::range) continue;
      if (wishes[i].kind == Wish::Kind::shared && common) {
        classes_.list[i].network = *common;
        continue;
      }
      classes_.list[i].network = network({next, size});
      next += size;
      if (wishes[i].kind == Wish::Kind::shared) common = classes_.list[i].network;
    }
  }

  /// A number of virtual channels of which `taken` are in ranges, and the rest makes equal parts: the next
  /// one above taken + count or, if that is more than there can be, the last one.
  static std::size_t divisible_number(unsigned taken, unsigned count, std::size_t parts) {
    const std::size_t next = std::max<std::size_t>(1, (count + parts - 1) / parts) * parts;
    const std::size_t most = (kMaxVirtualChannels - taken) / parts * parts;
    return taken + (taken + next <= kMaxVirtualChannels ? next : most);
  }

  void check_networks() const {
    const unsigned needed = routing_properties(topology_, c_.routing).virtual_channels;
    const bool too_many = needed * classes_.networks.size() > kMaxVirtualChannels;
    for (std::size_t i = 0; i < classes_.list.size(); ++i)
      if (const VcRange& range = classes_.networks[classes_.list[i].network]; range.count < needed)
        fail(i, "virtual_channels",
             formatted(
                 "class %1% has %2%, but routing.algorithm %3% needs %4% for each class; %5%, or choose "
                 "another algorithm",
                 shown_value(classes_.list[i].name), counted(range.count, "virtual channel"),
                 c_.routing.algorithm, needed,
                 too_many
                     ? formatted("a router has %1% at most, so let classes share them", kMaxVirtualChannels)
                     : "give it more, raise router.virtual_channels"));
  }

  void read_dependencies() {
    const std::string text = c_.traffic.options.word(kClassDependenciesOption);
    if (text.empty() || classes_.empty()) return;
    for (std::string_view rest = text;;) {
      const std::size_t comma = rest.find(',');
      read_chain(rest.substr(0, comma));
      if (comma == rest.npos) return;
      rest.remove_prefix(comma + 1);
    }
  }

  void read_chain(std::string_view chain) {
    std::optional<unsigned> before;
    for (std::string_view rest = chain;;) {
      const std::size_t arrow = rest.find("->");
      const std::string name(trimmed(rest.substr(0, arrow)));
      const std::optional<unsigned> number = classes_.number(name);
      if (!number)
        throw KeyError("traffic.class_dependencies",
                       escaped_text("there is no class " + shown_value(name) + " in traffic.classes" +
                                    did_you_mean(name, classes_.names())));
      if (before)
        classes_.dependencies.emplace_back(*before, *number);
      else if (arrow == rest.npos)
        throw KeyError("traffic.class_dependencies",
                       escaped_text(shown_value(std::string(trimmed(chain)))) +
                           " names one class; write two, like request -> reply");
      before = number;
      if (arrow == rest.npos) return;
      rest.remove_prefix(arrow + 2);
    }
  }

  const Configuration& c_;
  const Topology& topology_;
  std::vector<ListedClass> listed_;
  MessageClasses classes_;
};

}  // namespace

MessageClasses message_classes(const Configuration& c, const Topology& topology) {
  const Arbitration rule = c.hardware.router.arbitration_rule();
  if (c.traffic.options.classes(kClassesOption).empty()) {
    if (rule == Arbitration::strict || rule == Arbitration::weighted)
      throw KeyError(
          "router.arbitration",
          c.hardware.router.arbitration +
              " needs classes of messages to go by; list them in traffic.classes, or set round-robin or "
              "oldest-first");
    return {};
  }
  return ClassReader(c, topology).read();
}

Configuration of_network(const Configuration& c, const VcRange& range) {
  Configuration one = c;
  one.hardware.router.virtual_channels = range.count;
  one.hardware.router.arbitration = "round-robin";
  for (const OptionKey* option : kClassOptions)
    one.traffic.options.set(std::string(option->name()), option->initial());
  return one;
}

ClassRules class_rules(const MessageClasses& classes, const Configuration& c) {
  ClassRules rules;
  rules.arbitration = c.hardware.router.arbitration_rule();
  rules.starvation_limit = static_cast<unsigned>(c.traffic.options.number(kStarvationLimitOption));
  for (const MessageClass& one : classes.list) rules.list.push_back(one.parameters);
  return rules;
}

void give_class(std::span<FlowDescription> flows, const TrafficSettings& traffic) {
  const std::string of_section = traffic.options.word(kClassOption);
  if (of_section.empty() || traffic.options.classes(kClassesOption).empty()) return;
  for (FlowDescription& flow : flows) {
    if (!flow.message_class.empty()) continue;
    flow.message_class = of_section;
    flow.class_of_section = true;
  }
}

std::unique_ptr<RoutingFunction> make_routing(const Topology& topology, const MessageClasses& classes,
                                              const Configuration& c) {
  if (classes.networks.size() < 2)
    return make_routing(topology, c.hardware.router.virtual_channels, c.routing);
  std::vector<unsigned> network_of;
  for (const MessageClass& one : classes.list) network_of.push_back(one.network);
  return make_virtual_networks(topology, classes.networks, std::move(network_of), c.routing);
}

}  // namespace flitmend
