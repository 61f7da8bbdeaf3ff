// SPDX-License-Identifier: Apache-2.0
// Every key that is set far away from its default, on many configurations: what a run finds differs from that
// of the configuration alone, or the program says that the key has no effect, or refuses the value and names
// the key. A key of which it says so changes nothing. A new key of another
// kind than a word, a number, or an option with an example needs values in far_values(). Each configuration
// tries every third key, and each key is tried on a third of the configurations; all at night.
#include <algorithm>
#include <map>
#include <sstream>

#include "support/every_nth.h"
#include "support/key_effect_bases.h"
#include "support/program_fixture.h"
#include "testbench/configuration/configuration.h"
#include "testbench/configuration/declarations.h"

namespace flitmend {
namespace {

using test::KeyEffectBase;

/// What a run leaves behind that depends on its configuration.
struct Found {
  int status = 0;
  std::string stats, events, messages, waves, err;

  bool same(const Found& other) const {
    return status == other.status && stats == other.stats && events == other.events &&
           messages == other.messages && waves == other.waves;
  }
};

/// Whether a refusal names this key, by its path or the last word of it, or, as it is the same with all keys
/// that make faults, these together.
bool names(const std::string& refusal, const std::string& path) {
  const std::string last = path.substr(path.rfind('.') + 1);
  return refusal.find(path) != refusal.npos || (last.size() > 4 && refusal.find(last) != refusal.npos) ||
         (path.starts_with("faults.") && refusal.find("works without faults only") != refusal.npos);
}

/// Whether a note says that this key has no effect: "c.yaml:1:2: KEY, KEY have no effect with OTHER VALUE".
bool said_without_effect(const std::string& err, const std::string& path) {
  std::istringstream lines(err);
  for (std::string line; std::getline(lines, line);)
    if (line.substr(0, line.find(" no effect")).find(path) != line.npos &&
        line.find(" no effect") != line.npos)
      return true;
  return false;
}

class KeyEffects : public ProgramFixture {
 protected:
  Found found(const KeyEffectBase& base, const std::vector<std::string>& sets) {
    std::vector<std::string> words = {"--out", folder_ / "o", "--allow-deadlock"};
    for (const std::string& set : sets) words.insert(words.end(), {"--set", set});
    Found f;
    std::filesystem::remove_all(folder_ / "o");
    f.status = run(base.text, words);
    f.err = err_;
    if (f.status == 2) return f;
    const std::string folder = folder_ / "o";
    nlohmann::ordered_json stats = this->stats("o");
    stats.erase("host");
    f.stats = stats.dump();
    f.events = read_file(folder + "/events.csv");
    f.messages = read_file(folder + "/messages.csv");
    for (const char* const file : {"/waves.vcd", "/waves.fst"}) f.waves += read_file(folder + file);
    return f;
  }
};

class KeyEffectsOn : public KeyEffects, public testing::WithParamInterface<KeyEffectBase> {};

TEST_P(KeyEffectsOn, AreSeenOrSaid) {
  const KeyEffectBase& base = GetParam();
  for (const auto& [name, text] : test::key_effect_files()) folder_.write(name, text);
  const Found plain = found(base, {});
  ASSERT_NE(plain.status, 2) << plain.err;
  EXPECT_EQ(plain.err.find("no effect"), plain.err.npos) << plain.err;
  const auto& bases = test::key_effect_bases();
  std::size_t number =
      static_cast<std::size_t>(std::ranges::find(bases, base.name, &KeyEffectBase::name) - bases.begin());
  for (const DeclaredSection& section : declarations(Configuration()))
    for (const DeclaredKey& key : section.keys) {
      const auto sometimes = test::only_sometimes().find(key.path);
      const bool here = sometimes != test::only_sometimes().end() && sometimes->second == base.name;
      if (number++ % test::every_nth(3) != 0 && !here) continue;
      const std::vector<std::string> values = test::far_values(key);
      ASSERT_FALSE(values.empty()) << "give " << key.path << " values in tests/support/key_effect_bases.cpp";
      bool seen = false, said = false;
      std::string refusals;
      for (const std::string& value : values) {
        const Found far = found(base, {key.path + "=" + test::in_folder(value, folder_.path())});
        ASSERT_GE(far.status, 0) << key.path << "=" << value;
        const bool named = far.status != 2 && said_without_effect(far.err, key.path);
        // The first then writes that nothing was hit, the second that no step was taken.
        if (named && key.path != "statistics.hits" && key.path != "routing.reconfiguration") {
          EXPECT_TRUE(far.same(plain)) << key.path << "=" << value << ": " << far.err;
        }
        said = said || named || (far.status == 2 && names(far.err, key.path));
        seen = seen || (far.status != 2 && !far.same(plain));
        if (far.status == 2) refusals += key.path + "=" + value + ": " + far.err;
        if (seen || said) break;
      }
      const bool must_show = sometimes == test::only_sometimes().end() || here;
      EXPECT_TRUE(seen || said || !must_show) << key.path << " changes nothing, and nothing is said\n"
                                              << refusals;
    }
}

INSTANTIATE_TEST_SUITE_P(Base, KeyEffectsOn, testing::ValuesIn(test::key_effect_bases()),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace flitmend
