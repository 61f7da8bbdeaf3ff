// SPDX-License-Identifier: Apache-2.0
// The visitors on a struct that has every kind of key.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random_stream.h"
#include "testbench/configuration/settings_loader.h"
#include "testbench/configuration/writer.h"

namespace flitmend {
namespace {

struct Everything {
  std::int64_t whole = 0;
  double real = 0;
  bool flag = false;
  std::string text;
  std::string choice = "on";
  std::vector<std::int64_t> wholes;
  std::vector<std::string> texts;
  std::vector<NodeName> nodes;
  Duration duration;
  std::vector<LinkName> links;
  std::vector<FaultEvent> faults;
  std::int64_t below = 0;

  void visit(SettingsVisitor& v) {
    constexpr auto kLow = std::numeric_limits<std::int64_t>::min();
    constexpr auto kHigh = std::numeric_limits<std::int64_t>::max();
    constexpr auto kGreatest = std::numeric_limits<double>::max();
    v.begin_section("all", "");
    v.key({"whole", "cycles", "", kAlways}, whole, {kLow, kHigh});
    v.key({"real", "", "", kAlways}, real, {-kGreatest, kGreatest});
    v.key({"flag", "", "", kAlways}, flag);
    v.key({"text", "", "", kAlways}, text);
    v.key({"choice", "", "", kAlways}, choice, {{"on", ""}, {"off", ""}, {"null", ""}});
    v.key({"wholes", "", "", kAlways}, wholes, {kLow, kHigh});
    v.key({"texts", "", "", kAlways}, texts);
    v.key({"nodes", "", "", kAlways}, nodes);
    v.key({"duration", "cycles", "", kAlways}, duration);
    v.key({"links", "", "", kAlways}, links);
    v.key({"faults", "", "", kAlways}, faults);
    v.begin_section("inner", "");
    v.key({"below", "", "", kAlways}, below, {0, kHigh});
    v.end_section();
    v.end_section();
    // A section may be declared by two structs.
    v.begin_section("all", "");
    v.end_section();
  }
};

std::string load_into(const std::string& text, Everything& settings) try {
  ErrorList errors("c.yaml");
  const DocumentNode root = parse_document(text, errors).value_or(DocumentNode{});
  SettingsLoader loader(root, errors);
  settings.visit(loader);
  loader.finish();
  errors.throw_if_any();
  return "";
} catch (const std::exception& e) {
  return e.what();
}

std::string refused(const std::string& text) {
  Everything settings;
  return load_into(text, settings);
}

TEST(Settings, WordsThatOtherReadersTakeForSomethingElse) {
  Everything s;
  EXPECT_EQ(load_into("all: {choice: off, text: no, texts: [yes, 12, 1.5, \"\"]}", s), "");
  EXPECT_EQ(s.choice, "off");
  EXPECT_EQ(s.text, "no");
  EXPECT_EQ(s.texts, (std::vector<std::string>{"yes", "12", "1.5", ""}));
  EXPECT_EQ(load_into("all: {choice: \"null\"}", s), "");
  EXPECT_EQ(s.choice, "null");
}

TEST(Settings, Nodes) {
  Everything s;
  ASSERT_EQ(load_into("all: {nodes: [17, [3, 4], [5]]}", s), "");
  ASSERT_EQ(s.nodes.size(), 3u);
  EXPECT_TRUE(s.nodes[0].is_number);
  EXPECT_EQ(s.nodes[0].coordinates, (std::vector<std::int64_t>{17}));
  EXPECT_FALSE(s.nodes[1].is_number);
  EXPECT_EQ(s.nodes[1].coordinates, (std::vector<std::int64_t>{3, 4}));
  EXPECT_FALSE(s.nodes[2].is_number);
  ASSERT_EQ(load_into("all: {nodes: [switch_d0_2, n-1.x]}", s), "");
  EXPECT_EQ(s.nodes[0].router, "switch_d0_2");
  EXPECT_EQ(s.nodes[1].router, "n-1.x");
  EXPECT_FALSE(s.nodes[0].is_number);
  const std::string wanted =
      "expected a node: its number, its coordinates like [3, 4], or a name like router_3_4, found ";
  for (const char* wrong : {"1x", "x y", "_x", "a,b", "ä"})
    EXPECT_EQ(refused("all: {nodes: [\"" + std::string(wrong) + "\"]}"),
              "c.yaml:1:15: all.nodes[0]: " + wanted + "'" + wrong + "' in quotes");
  EXPECT_EQ(refused("all: {nodes: [1, [2, y]]}"), "c.yaml:1:18: all.nodes[1]: " + wanted + "'y'");
  EXPECT_EQ(refused("all: {nodes: [[]]}"), "c.yaml:1:15: all.nodes[0]: " + wanted + "an empty list");
  EXPECT_EQ(refused("all: {nodes: [-1]}"), "c.yaml:1:15: all.nodes[0]: " + wanted + "'-1'");
  EXPECT_EQ(refused("all: {nodes: 5}"),
            "c.yaml:1:14: all.nodes: expected a list like [[3, 4], 17], found '5'");
}

TEST(Settings, LinksAndDurations) {
  Everything s;
  ASSERT_EQ(load_into("all: {links: [[[3, 4], 17]], duration: 10}", s), "");
  ASSERT_EQ(s.links.size(), 1u);
  EXPECT_EQ(s.links[0].from.coordinates, (std::vector<std::int64_t>{3, 4}));
  EXPECT_TRUE(s.links[0].to.is_number);
  EXPECT_EQ(s.duration.cycles, 10);
  ASSERT_EQ(load_into("all: {duration: permanent}", s), "");
  EXPECT_EQ(s.duration.cycles, std::nullopt);
  ASSERT_EQ(load_into("all: {duration: 10}", s), "");
  ASSERT_EQ(load_into("{\"all\": {\"duration\": \"permanent\"}}", s), "")
      << "JSON has no other way to say so";
  EXPECT_EQ(s.duration.cycles, std::nullopt);
  EXPECT_EQ(
      refused("all: {links: [[1, 2, 3]]}"),
      "c.yaml:1:15: all.links[0]: expected a link: the two routers at its ends, like [[3, 4], [4, 4]] or "
      "[5, switch_d0_1], found a list");
  for (const char* wrong : {"0", "-1", "1.5", "forever", "[1]"})
    EXPECT_EQ(refused("all: {duration: " + std::string(wrong) + "}")
                  .find("c.yaml:1:17: all.duration: expected a number of cycles from 1 to 9007199254740992, "
                        "or permanent, found"),
              0u)
        << wrong;
}

TEST(Settings, Faults) {
  Everything s;
  ASSERT_EQ(load_into("all: {faults: [{cycle: 5, node: [3, 4], duration: permanent}, "
                      "{cycle: 6, link: [1, 2], duration: 7, one_way: true}]}",
                      s),
            "");
  ASSERT_EQ(s.faults.size(), 2u);
  EXPECT_EQ(s.faults[0].node->coordinates, (std::vector<std::int64_t>{3, 4}));
  EXPECT_EQ(s.faults[0].duration.cycles, std::nullopt);
  EXPECT_EQ(s.faults[1].cycle, 6);
  EXPECT_EQ(s.faults[1].duration.cycles, 7);
  EXPECT_TRUE(s.faults[1].one_way);
  const auto why = [&](const std::string& fault) { return refused("all: {faults: [{" + fault + "}]}"); };
  const std::string place = "c.yaml:1:16: all.faults[0]: ",
                    form = "a fault like {cycle: 500, node: [3, 4], duration: 10}";
  EXPECT_EQ(why("node: 3, duration: 1"), place + "no cycle; expected " + form);
  EXPECT_EQ(why("cycle: 1, node: 3"),
            place + "no duration: a number of cycles, or permanent; expected " + form);
  EXPECT_EQ(why("cycle: 1, duration: 2"), place + "name either a node or a link; expected " + form);
  EXPECT_EQ(why("cycle: 1, node: 3, link: [3, 4], duration: 2"),
            place + "name either a node or a link; expected " + form);
  EXPECT_EQ(why("cycle: 1, node: 3, duration: 2, one_way: true"),
            place + "one_way is an option of links; remove it");
  EXPECT_EQ(why("cycle: 1, nod: 3, duration: 2"),
            place + "unknown key 'nod' (did you mean 'node'?); expected " + form);
  EXPECT_EQ(why("cycle: x, node: 3, duration: 2").find(place + "cycle: "), 0u);
}

TEST(Settings, ExtremeNumbersReadExactly) {
  Everything s;
  EXPECT_EQ(load_into("all: {whole: -9223372036854775808, real: 1.7976931348623157e308}", s), "");
  EXPECT_EQ(s.whole, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(s.real, std::numeric_limits<double>::max());
  EXPECT_EQ(refused("all: {whole: 9223372036854775808}"),
            "c.yaml:1:14: all.whole: 9223372036854775808 is out of range (-9223372036854775808 to "
            "9223372036854775807 cycles)");
  EXPECT_EQ(refused("all: {real: [1]}"), "c.yaml:1:13: all.real: expected a number, found a list");
  EXPECT_EQ(refused("all: {inner: {below: -1}}"),
            "c.yaml:1:22: all.inner.below: -1 is out of range (at least 0)");
}

TEST(Settings, SectionInTwoPartsIsReportedOnce) {
  EXPECT_EQ(refused("all: 3"), "c.yaml:1:6: all: expected a section of keys, found '3'");
}

TEST(Settings, LongTextsAreCutInMessages) {
  const std::string message = refused("all: {flag: " + std::string(1000, 'x') + "}");
  EXPECT_EQ(message, "c.yaml:1:13: all.flag: expected true or false, found '" + std::string(60, 'x') + "…'");
}

/// Random settings written and read back are the same.
TEST(Settings, RoundTrip) {
  RandomStream random(1, RandomPurpose::test);
  const auto text = [&] {
    static const std::string letters = "aZ09 .:#'\"\\-[]{}&*!|>%@`,?\n\t~=<\x01\x7füé€";
    std::string s;
    for (unsigned n = random.below(12); n > 0; --n) s += letters[random.below(30)];
    return random.below(4) ? s : std::string("ü€") + s;
  };
  const auto whole = [&] { return static_cast<std::int64_t>(random.bits64() >> random.below(64)); };
  for (int i = 0; i < 2000; ++i) {
    Everything a;
    a.whole = random.below(2) ? whole() : -whole();
    if (a.whole == std::numeric_limits<std::int64_t>::min()) a.whole = 0;
    a.real = std::ldexp(random.uniform() - 0.5, static_cast<int>(random.below(2000)) - 1000);
    a.flag = random.below(2);
    a.text = text();
    a.choice = random.below(2) ? "off" : "null";
    for (unsigned n = random.below(4); n > 0; --n) a.wholes.push_back(whole());
    for (unsigned n = random.below(4); n > 0; --n) a.texts.push_back(text());
    for (unsigned n = random.below(4); n > 0; --n) {
      NodeName node;
      if (random.below(4) == 0) {
        constexpr const char* kNames[] = {"switch_d0_2", "true", "null", "a.b-c", "off"};
        a.nodes.push_back({{}, false, kNames[random.below(5)]});
        continue;
      }
      node.is_number = random.below(2);
      for (unsigned m = node.is_number ? 1 : 1 + random.below(3); m > 0; --m)
        node.coordinates.push_back(random.below(99));
      a.nodes.push_back(node);
    }
    if (random.below(2)) a.duration.cycles = 1 + random.below(1000);
    for (std::size_t n = 1; n < a.nodes.size(); ++n) {
      a.links.push_back({a.nodes[n - 1], a.nodes[n]});
      FaultEvent fault;
      fault.cycle = random.below(1000);
      if (random.below(2))
        fault.node = a.nodes[n];
      else
        fault.link = a.links.back();
      fault.one_way = fault.link && random.below(2);
      if (random.below(2)) fault.duration.cycles = 1 + random.below(1000);
      a.faults.push_back(fault);
    }
    SettingsWriter writer;
    a.visit(writer);
    // Both parts of the section are written; the second one is empty.
    const std::string yaml = writer.text().substr(0, writer.text().rfind("all:"));
    Everything b;
    ASSERT_EQ(load_into(yaml, b), "") << yaml;
    SettingsWriter second;
    b.visit(second);
    ASSERT_EQ(second.text(), writer.text());
    ASSERT_EQ(b.text, a.text);
    ASSERT_EQ(b.texts, a.texts);
    ASSERT_EQ(b.links, a.links);
    ASSERT_EQ(b.duration, a.duration);
    ASSERT_EQ(b.faults, a.faults);
    ASSERT_EQ(b.real, a.real);
    ASSERT_EQ(b.whole, a.whole);
  }
}

TEST(Settings, TextsAreQuotedWhereTheyNeedIt) {
  EXPECT_EQ(value_text(std::string("dimension-order")), "dimension-order");
  EXPECT_EQ(value_text(std::string("traces/a_b.tra.bz2")), "traces/a_b.tra.bz2");
  EXPECT_EQ(value_text(std::string("")), "\"\"");
  EXPECT_EQ(value_text(std::string("12")), "\"12\"");
  EXPECT_EQ(value_text(std::string("null")), "\"null\"");
  EXPECT_EQ(value_text(std::string("*.east")), "\"*.east\"");
  EXPECT_EQ(value_text(std::string("a\nb\"c\\")), "\"a\\x0ab\\\"c\\\\\"");
}

}  // namespace
}  // namespace flitmend
