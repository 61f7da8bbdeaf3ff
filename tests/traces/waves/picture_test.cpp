// SPDX-License-Identifier: Apache-2.0
// Opens recordings in GTKWave, without a display, and checks what it shows.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "support/fabric_bench.h"
#include "support/picture.h"
#include "support/vcd_reader.h"
#include "topologies/topology.h"
#include "traces/waves/fabric_waves.h"
#include "traces/waves/fst_sink.h"
#include "traces/waves/glob.h"
#include "traces/waves/gtkw_writer.h"
#include "traces/waves/router_probes.h"
#include "traces/waves/wave_output.h"

namespace flitmend {
namespace {

const WaveEnum& state_words() {
  static const WaveEnum words{
      "state", {{"idle", "Gray25"}, {"routing", "Navy"}, {"active", "DarkGreen"}, {"blocked", "Red4"}}};
  return words;
}
constexpr std::uint32_t kGray25 = 0x404040, kNavy = 0x000080, kDarkGreen = 0x006400, kRed4 = 0x8b0000;

struct Part {
  std::uint8_t state = 0;
  std::uint32_t fill = 0;
  std::uint32_t source = 0;

  static Word read_head(const Part& p, Word* values) {
    values[0] = p.state ? p.source : 0;
    return p.state != 0;
  }
};

/// The flit register of a channel.
struct FlitRegister {
  std::uint8_t kind = 0;
  std::uint32_t source = 0, id = 0;

  static Word read(const FlitRegister& r, Word* values) {
    values[0] = r.kind;
    values[1] = r.kind ? r.source : 0;
    values[2] = r.kind ? r.id : 0;
    return r.kind ? 7 : 1;
  }
};

class WavePicture : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* program : {"gtkwave", "xvfb-run", "xauth"})
      if (!find_program(program)) GTEST_SKIP() << program << " is not installed";
    folder_ = std::filesystem::path(testing::TempDir()) / ("flitmend_picture_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_ / "run");
  }
  void TearDown() override {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }
  // 60 cycles of two modules that go through their states, four cycles each.
  WaveFiles record(const std::string& format) {
    static const WaveRecorder::Field kHead[] = {{"source", SignalKind::integer(6, WaveColour::yellow)}};
    Part parts[2];
    WaveRecorder recorder;
    for (int i = 0; i < 2; ++i) {
      const auto group = recorder.add_group();
      const ScopeId vc =
          recorder.tree().scope(SignalTree::kRoot, "fabric.router_0_" + std::to_string(i) + ".east.vc1");
      recorder.add_variable(group, vc, "route_fsm", SignalKind::enumeration(state_words()), &parts[i].state);
      recorder.add_variable(group, vc, "input_buffer", SignalKind::integer(4), &parts[i].fill);
      recorder.add_record<&Part::read_head>(group, recorder.tree().scope(vc, "head"), kHead, &parts[i]);
    }
    WaveSettings settings;
    settings.enabled = true;
    settings.format = format;
    const WaveFiles files =
        start_recording(recorder, settings, (folder_ / "run").string(), Timescale::of_period(1'000'000));
    const Word active = 0b11;
    for (std::uint32_t t = 0; t < 60; ++t) {
      for (std::uint32_t i = 0; i < 2; ++i)
        parts[i] = {static_cast<std::uint8_t>((t / 4 + i) % 4), t % 9, 10 + t};
      recorder.cycle(t, &active);
    }
    recorder.finish(60);
    EXPECT_EQ(recorder.failure(), "");
    return files;
  }
  static std::vector<std::string> text(const std::vector<WaveRow>& rows) {
    std::vector<std::string> lines;
    for (const WaveRow& r : rows) lines.push_back(r.value.empty() ? r.name : r.name + "=" + r.value);
    return lines;
  }
  std::filesystem::path folder_;
};

const std::vector<std::string> kRows{
    "router_0_0",          "east",           "vc1",  "route_fsm[1:0]=active",
    "input_buffer[3:0]=2", "head:source=21", "east", "router_0_0",
    "router_0_1",          "east",           "vc1",  "route_fsm[1:0]=blocked",
    "input_buffer[3:0]=2", "head:source=21", "east", "router_0_1"};

}  // namespace

TEST_F(WavePicture, ShowsTheSignalsWithTheirWordsAndColours) {
  const WaveFiles files = record("vcd");
  const std::string picture = (folder_ / "waves.png").string();
  EXPECT_EQ(text(grab_waves(files.view, picture, "--marker 11")), kRows);

  // The same dump without any signal: a picture to compare with.
  SignalTree nothing;
  const std::string empty_view = (folder_ / "run" / "empty.gtkw").string();
  write_view(nothing, {}, {files.dump, empty_view, (folder_ / "run" / "empty.filters").string(), 0, 1});
  const std::string empty_picture = (folder_ / "empty.png").string();
  EXPECT_TRUE(grab_waves(empty_view, empty_picture, "--marker 11").empty());

  const Picture full = read_picture(picture), empty = read_picture(empty_picture);
  ASSERT_GT(full.width, 1000u);
  ASSERT_EQ(full.width, empty.width);
  ASSERT_EQ(full.height, empty.height);
  const unsigned traces = full.width / 3;  // right of the names
  const auto shown = full.colours(traces), background = empty.colours(traces);
  const auto count = [](const auto& colours, std::uint32_t c) {
    const auto found = colours.find(c);
    return found == colours.end() ? 0u : found->second;
  };
  // Each word fills boxes of four cycles in its own colour, about a hundred pixels wide and a dozen high.
  for (const std::uint32_t c : {kGray25, kNavy, kDarkGreen, kRed4}) {
    EXPECT_GT(count(shown, c), 2000u) << std::hex << c;
    EXPECT_LT(count(background, c), 100u) << std::hex << c;
  }
  EXPECT_GT(count(shown, 0x00ff00), 500u + count(background, 0x00ff00)) << "lines of the numbers";
  EXPECT_GT(count(shown, 0xffff00), 500u + count(background, 0xffff00)) << "lines of the yellow signals";
}

TEST_F(WavePicture, SurvivesAMove) {
  record("vcd");
  const std::filesystem::path moved = folder_ / "another place" / "deeper";
  std::filesystem::create_directories(moved.parent_path());
  std::filesystem::rename(folder_ / "run", moved);
  EXPECT_EQ(text(grab_waves((moved / "waves.gtkw").string(), (folder_ / "a.png").string(), "--marker 11")),
            kRows);
}

TEST_F(WavePicture, OfAnFst) {
  const WaveFiles files = record("fst");
  EXPECT_EQ(text(grab_waves(files.view, (folder_ / "a.png").string(), "--marker 11")), kRows);
}

// The view of a fabric: every row is there, and shows the recorded value at the marker.
TEST_F(WavePicture, OfAFabric) {
  HardwareSettings hardware;
  ASSERT_TRUE(apply_preset("iq", hardware));
  hardware.router.virtual_channels = 2;
  WaveSettings settings;
  settings.enabled = true;
  settings.scope = {"fabric.router_0_0.interface", "fabric.router_1_0.west"};
  FabricBench bench(mesh_network({2, 1}), hardware);
  FabricWaves waves(bench.fabric);
  const WaveFiles files =
      waves.start(settings, (folder_ / "run").string(), sc_core::sc_time(1, sc_core::SC_NS));
  for (int i = 0; i < 3; ++i) bench.fabric.network_interface(0).send(1, 5);
  ASSERT_TRUE(bench.drain(200));
  waves.finish();
  const VcdDump dump = read_vcd(read_whole_file(files.dump));

  // The rows of the view: lines without a mark. A signal by its full name, which may follow a name to show.
  std::vector<std::string> signals, shown;
  std::ifstream view(files.view);
  for (std::string line; std::getline(view, line);) {
    if (std::string("[*@^").find(line[0]) != std::string::npos) continue;
    std::string name = line[0] == '-' ? "" : line.substr(line.rfind(' ') + 1);
    signals.push_back(name.substr(0, name.find('[')));
    shown.push_back(line[0] == '-'   ? line.substr(1)
                    : line[0] == '+' ? line.substr(2, line.find('}') - 2)
                                     : "");
  }
  const std::string picture = (folder_ / "waves.png").string();
  constexpr std::uint64_t kMarker = 12;
  const std::vector<WaveRow> rows = grab_waves(
      files.view, picture, "--size 1400x1500 --from 0 --to 40 --marker " + std::to_string(kMarker));
  ASSERT_EQ(rows.size(), signals.size());
  const std::map<std::string, const WaveEnum*> words{
      {"route_fsm", &route_fsm_words()}, {"stage", &pipeline_stage_words()}, {"kind", &flit_kind_words()}};
  std::vector<std::string> ports;  // words of registers that hold a port
  for (PortId p = 0; p < bench.topology().port_count(1); ++p)
    ports.push_back(bench.topology().port_name(1, p));
  ports.push_back("local");
  const std::set<std::string> port_registers = {"output_port", "switch_accept_pointer",
                                                "switch_grant_pointer"};
  unsigned named = 0, numbers = 0, nodes = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!shown[i].empty()) {
      EXPECT_EQ(rows[i].name, shown[i]);
    }
    if (signals[i].empty()) continue;
    const VcdDump::Signal& signal = dump[signals[i]];
    const VcdDump::Change value = signal.at(kMarker);
    const std::string last = signals[i].substr(signals[i].rfind('.') + 1);
    const auto known = words.find(last);
    if (value.absent) {
      EXPECT_EQ(rows[i].value.find_first_not_of("zxZX"), std::string::npos) << signals[i] << rows[i].value;
    } else if (known != words.end()) {
      EXPECT_EQ(rows[i].value, known->second->values.at(value.value).text) << signals[i];
      ++named;
    } else if (port_registers.contains(last)) {
      EXPECT_EQ(rows[i].value, ports.at(value.value)) << signals[i];
    } else if (signals[i].ends_with(".source") || signals[i].ends_with(".destination")) {
      EXPECT_EQ(rows[i].value, place_name(bench.topology(), static_cast<NodeId>(value.value))) << signals[i];
      ++nodes;
    } else if (rows[i].value.find(".vc") == std::string::npos) {  // owner, granted_input, … show east.vc1
      EXPECT_EQ(rows[i].value, std::to_string(value.value)) << signals[i];
      ++numbers;
    }
  }
  EXPECT_GE(named, 7u);
  EXPECT_GE(numbers, 10u);
  EXPECT_GE(nodes, 2u);

  // States and kinds of flit fill boxes in their colours.
  const Picture full = read_picture(picture);
  const auto colours = full.colours(full.width / 3);
  const auto count = [&](std::uint32_t c) { return colours.contains(c) ? colours.at(c) : 0u; };
  EXPECT_GT(count(kGray25), 10'000u) << "IDLE, none";
  EXPECT_GT(count(kDarkGreen), 1000u) << "ROUTED, head";
  EXPECT_GT(count(0x36648b), 500u) << "data: SteelBlue4";
  EXPECT_GT(count(0x8b4513), 200u) << "tail: SaddleBrown";
  EXPECT_GT(count(0x00ff00), 2000u) << "lines of numbers";
  EXPECT_GT(count(0xffff00), 1000u) << "lines of heads";
}

// The first group: a word while a flit of the message is there, a number while one of another message is.
TEST_F(WavePicture, TheFlitsOfAMessageHaveWords) {
  for (const char* format : {"vcd", "fst"}) {
    FlitRegister flit;
    static const WaveRecorder::Field kFields[] = {{"kind", SignalKind::enumeration(flit_kind_words())},
                                                  {"source", SignalKind::integer(6)},
                                                  {"id", SignalKind::integer(9)}};
    WaveRecorder recorder;
    recorder.add_record<&FlitRegister::read>(
        recorder.add_group(), recorder.tree().scope(SignalTree::kRoot, "fabric.router_0.west.input_flit"),
        kFields, &flit);
    WaveSettings settings;
    settings.enabled = true;
    settings.format = format;
    const std::string folder = (folder_ / "run").string();
    const WaveFiles files = start_recording(recorder, settings, folder, Timescale::of_period(1'000'000));
    const Word active = 1;
    for (std::uint32_t t = 0; t < 40; ++t) {
      // Nothing, our head, our data, the data of others: ten cycles each.
      const std::uint8_t kinds[] = {0, 1, 2, 2};
      flit = {kinds[t / 10], 33, t < 30 ? 300u : 301u};
      recorder.cycle(t, &active);
    }
    recorder.finish(40);
    const std::string in = "fabric.router_0.west.input_flit.";
    mark_recording(
        recorder, settings, folder, Timescale::of_period(1'000'000),
        {"story", {{"1 → 0", {in + "source", in + "id", in + "kind"}, {33, 300}}}, {{"fault", 12}}});
    const auto shown = [&](int t) {
      const auto rows = grab_waves(files.view, (folder_ / "a.png").string(), "--marker " + std::to_string(t));
      return rows.size() > 1 ? rows[1].value : "";
    };
    EXPECT_EQ(shown(5), "-") << format;
    EXPECT_EQ(shown(15), "H") << format;
    EXPECT_EQ(shown(25), "D") << format;
    EXPECT_NE(shown(35), "D") << format << ": of another message";
    const Picture picture = read_picture((folder_ / "a.png").string());
    const auto colours = picture.colours(picture.width / 3);
    EXPECT_GT(colours.contains(kDarkGreen) ? colours.at(kDarkGreen) : 0u, 500u) << format << ": the head";
  }
}

TEST_F(WavePicture, AMissingFilterIsAnError) {
  const WaveFiles files = record("vcd");
  std::filesystem::remove(folder_ / "run/waves.filters/state.filter");
  try {
    grab_waves(files.view, (folder_ / "a.png").string());
    FAIL();
  } catch (const std::runtime_error& e) {
    EXPECT_NE(std::string(e.what()).find("Could not open filter file"), std::string::npos) << e.what();
  }
}

TEST_F(WavePicture, ScriptSaysWhatIsWrong) {
  try {
    grab_waves((folder_ / "none.gtkw").string(), (folder_ / "a.png").string());
    FAIL();
  } catch (const std::runtime_error& e) {
    EXPECT_EQ(std::string(e.what()), "waves-to-png: cannot read " + (folder_ / "none.gtkw").string() + "\n");
  }
}

}  // namespace flitmend
