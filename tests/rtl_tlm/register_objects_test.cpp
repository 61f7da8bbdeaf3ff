// SPDX-License-Identifier: Apache-2.0
// Every register is an object in SystemC's hierarchy: it has the same value as in waves, it prints, and
// SystemC's own trace files record it.
#include "rtl_tlm/hierarchy/register_objects.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "base/random_stream.h"
#include "support/fabric_bench.h"
#include "support/vcd_reader.h"

namespace flitmend {
namespace {

using Registers = std::map<std::string, const RegisterObject*>;  ///< by full name

void collect(const sc_core::sc_object& object, Registers& found) {
  if (const auto* is = dynamic_cast<const RegisterObject*>(&object)) found[object.name()] = is;
  for (const sc_core::sc_object* child : object.get_child_objects()) collect(*child, found);
}

Registers registers_below(const sc_core::sc_object& object) {
  Registers found;
  collect(object, found);
  return found;
}

/// Runs random traffic and tells `seen` the value of every register after each cycle.
using Seen = std::function<void(Cycle, const std::string& name, const RegisterValue&)>;
void run_random(FabricBench& bench, const Registers& registers, unsigned cycles, const Seen& seen) {
  RandomStream random(5, RandomPurpose::test);
  const NodeId nodes = bench.fabric.node_count();
  for (unsigned i = 0; i < cycles; ++i) {
    for (NodeId node = 0; node < nodes; ++node)
      if (random.uniform() < 0.1)
        bench.fabric.network_interface(node).send(random.below(nodes), 1 + random.below(6));
    bench.run(1);
    for (const auto& [name, object] : registers) seen(bench.fabric.cycles() - 1, name, object->value());
  }
}

const RegisterObject* register_named(const char* name) {
  return dynamic_cast<const RegisterObject*>(sc_core::sc_find_object(name));
}

std::string printed(const sc_core::sc_object& object) {
  std::ostringstream out;
  object.print(out);
  return out.str();
}

/// Hardware whose registers are compared with waves.
struct Variant {
  std::string name;
  HardwareParameters hardware;
};

std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const Choice& choice : router_presets()) {
    HardwareSettings settings;
    apply_preset(std::string(choice.name), settings);
    std::string name(choice.name);
    std::erase(name, '-');
    all.push_back({name, HardwareParameters::from(settings)});
  }
  HardwareSettings settings = preset("iq");
  settings.router.head_copy = true;
  settings.router.output_buffer = 3;
  all.push_back({"head_copies_and_output_buffers", HardwareParameters::from(settings)});
  settings.router.arbitration = "weighted";
  all.push_back({"classes_behind_output_buffers", HardwareParameters::from(settings)});
  all.back().hardware.classes.list = {{.weight = 1}, {.weight = 3}};
  all.push_back({"recovery_units", HardwareParameters::from(preset("iq"))});
  all.back().hardware.recovery_units = true;
  all.back().hardware.mechanisms = {Mechanism::copies};
  all.back().hardware.router.head_copy = true;
  return all;
}

class RegisterObjectsOf : public testing::TestWithParam<Variant> {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::path(testing::TempDir()) / ("flitmend_register_objects_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

}  // namespace

TEST_P(RegisterObjectsOf, EveryRegisterHoldsWhatTheWavesShow) {
  FabricBench bench(mesh_network({2, 2}), GetParam().hardware);
  const Registers registers = registers_below(bench.fabric);
  std::map<std::string, std::vector<RegisterValue>> values;
  WaveSettings settings;
  settings.enabled = true;
  FabricWaves waves(bench.fabric);
  const WaveFiles files = waves.start(settings, folder_.string(), sc_core::sc_time(1, sc_core::SC_NS));
  const unsigned cycles = 400;
  run_random(bench, registers, cycles, [&](Cycle t, const std::string& name, const RegisterValue& value) {
    ASSERT_EQ(values[name].size(), t);
    values[name].push_back(value);
  });
  waves.finish();
  const VcdDump dump = read_vcd(read_whole_file(files.dump));
  ASSERT_EQ(dump.timescale, "1 ns");

  for (const auto& [name, signal] : dump.signals) {
    EXPECT_EQ(sc_core::sc_find_object(name.c_str()), registers.contains(name) ? registers.at(name) : nullptr);
    ASSERT_TRUE(registers.contains(name)) << name << " is in the waves, but is not an object";
    EXPECT_EQ(registers.at(name)->width(), signal.width) << name;
  }
  std::size_t moving = 0;
  for (const auto& [name, object] : registers) {
    ASSERT_TRUE(dump.signals.contains(name)) << name << " is an object, but not in the waves";
    const VcdDump::Signal& signal = dump[name];
    moving += signal.changes.size() > 1;
    for (Cycle t = 0; t < cycles; ++t) {
      const VcdDump::Change wave = signal.at(t);
      const RegisterValue& value = values[name][t];
      ASSERT_EQ(value.has_value(), !wave.absent) << name << " in cycle " << t;
      ASSERT_EQ(value.value_or(0), wave.value) << name << " in cycle " << t;
    }
  }
  EXPECT_GT(moving, registers.size() / 2) << "of " << registers.size();
}
INSTANTIATE_TEST_SUITE_P(RegisterObjects, RegisterObjectsOf, testing::ValuesIn(variants()),
                         [](const auto& instance) { return instance.param.name; });

TEST(RegisterObjects, AreChildrenOfTheirPartOfTheRouter) {
  FabricBench bench(mesh_network({2, 2}), HardwareParameters::from(preset("iq")));
  const sc_core::sc_object* object = sc_core::sc_find_object("fabric.router_0_0.east.vc1.route_fsm");
  ASSERT_NE(object, nullptr);
  const sc_core::sc_object* vc = object->get_parent_object();
  EXPECT_STREQ(vc->basename(), "vc1");
  const auto& children = vc->get_child_objects();
  EXPECT_NE(std::find(children.begin(), children.end(), object), children.end());
  EXPECT_EQ(vc->get_parent_object(), sc_core::sc_find_object("fabric.router_0_0.east"));
  const sc_core::sc_object* const output =
      sc_core::sc_find_object("fabric.router_0_0.east.output.vc1.credits")
          ->get_parent_object()
          ->get_parent_object();
  EXPECT_STREQ(output->kind(), "flitmend_output_controller");
  EXPECT_EQ(output->get_parent_object(), vc->get_parent_object());
  EXPECT_NE(sc_core::sc_find_object("fabric.router_0_0.interface.injector.source_queue"), nullptr);
}

TEST(RegisterObjects, AreReadTypedAndAsText) {
  FabricBench bench(mesh_network({2, 2}), HardwareParameters::from(preset("iq")));
  const auto* fsm = dynamic_cast<const Register<RouteFsm>*>(
      sc_core::sc_find_object("fabric.router_0_0.local.vc0.route_fsm"));
  const auto* output_vc = dynamic_cast<const Register<std::uint64_t>*>(
      sc_core::sc_find_object("fabric.router_0_0.local.vc0.output_vc"));
  const auto* faulty =
      dynamic_cast<const Register<bool>*>(sc_core::sc_find_object("fabric.router_0_0.east.faulty"));
  const RegisterObject* stage = register_named("fabric.router_0_0.local.vc0.stage");
  const RegisterObject* destination = register_named("fabric.router_0_0.local.vc0.head.destination");
  ASSERT_TRUE(fsm && output_vc && faulty && stage && destination);
  EXPECT_EQ(dynamic_cast<const Register<bool>*>(stage), nullptr);
  EXPECT_NE(dynamic_cast<const Register<PipelineStage>*>(stage), nullptr);
  EXPECT_EQ(fsm->read(), RouteFsm::idle);
  EXPECT_EQ(output_vc->read(), std::nullopt);
  EXPECT_EQ(faulty->read(), false);
  EXPECT_EQ(printed(*fsm), "IDLE");
  EXPECT_EQ(printed(*destination), "z");

  bench.run(1);
  bench.fabric.network_interface(0).send(1, 8);
  for (int i = 0; i < 20 && fsm->read() != RouteFsm::needs_route; ++i) bench.run(1);
  EXPECT_EQ(fsm->text(), "NEEDS_ROUTE");
  EXPECT_EQ(stage->text(), "ROUTING");
  EXPECT_EQ(destination->text(), "1");
  EXPECT_EQ(output_vc->text(), "z");
  for (int i = 0; i < 20 && fsm->read() != RouteFsm::routed; ++i) bench.run(1);
  EXPECT_EQ(fsm->value(), static_cast<std::uint64_t>(RouteFsm::routed));
  EXPECT_TRUE(output_vc->text().starts_with("east.vc")) << output_vc->text();

  std::ostringstream dump;
  fsm->dump(dump);
  for (const char* part : {"name = fabric.router_0_0.local.vc0.route_fsm", "value = ROUTED", "width = 3"})
    EXPECT_NE(dump.str().find(part), std::string::npos) << dump.str();
  EXPECT_NE(printed(*fsm->get_parent_object()).find("route_fsm ROUTED, stage "), std::string::npos)
      << printed(*fsm->get_parent_object());
}

TEST(RegisterObjects, AreCopiedForTraceFilesOnceAndNoLongerThanTheyLive) {
  RegisterTraces traces;
  unsigned reads = 0;
  std::optional<std::uint64_t> now = 5;
  auto copy = std::make_unique<TracedCopy>(traces, 4, [&] { return ++reads, now; });
  EXPECT_EQ(copy->value().to_uint(), 5u);
  now = 9;
  traces.update();
  EXPECT_EQ(copy->value().to_uint(), 9u);
  now.reset();
  traces.update();
  EXPECT_EQ(copy->value().to_string(), "ZZZZ");
  const unsigned before = reads;
  copy.reset();
  traces.update();
  EXPECT_EQ(reads, before);

  FabricBench bench(mesh_network({2, 2}), HardwareParameters::from(preset("iq")));
  const Registers registers = registers_below(bench.fabric.router(1));
  ASSERT_FALSE(registers.empty());
  const RegisterObject& object = *registers.begin()->second;
  EXPECT_EQ(&object.traced_copy(), &object.traced_copy());
}

TEST(RegisterObjects, AreRecordedByTheTraceFilesOfSystemC) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP()
      << "sc_lv_base of SystemC 2.3.4 shifts by its whole width, which UndefinedBehaviorSanitizer ends";
#endif
  HardwareSettings hardware = preset("iq");
  hardware.router.head_copy = true;
  FabricBench bench(mesh_network({2, 2}), HardwareParameters::from(hardware));
  const Registers registers = registers_below(bench.fabric.router(1));
  ASSERT_GT(registers.size(), 100u);
  const std::string base = testing::TempDir() + "flitmend_traced_registers_" + std::to_string(getpid());
  sc_core::sc_trace_file* file = sc_core::sc_create_vcd_trace_file(base.c_str());
  file->set_time_unit(1, sc_core::SC_PS);
  std::size_t number = 0;
  std::map<std::string, std::string> name_of;
  for (const auto& [name, object] : registers) {
    const std::string traced = "r" + std::to_string(number++);
    name_of[traced] = name;
    if (number % 2)
      sc_trace(file, *object, traced);
    else
      name_of[name] = name, object->trace(file);
  }
  const unsigned cycles = 300;
  std::map<std::string, std::vector<RegisterValue>> values;
  run_random(bench, registers, cycles, [&](Cycle, const std::string& name, const RegisterValue& value) {
    values[name].push_back(value);
  });
  sc_core::sc_close_vcd_trace_file(file);

  // Reads the subset of the format that SystemC writes: the value of every signal after each cycle.
  std::map<std::string, std::string> name_by_id, scope_names;
  std::map<std::string, RegisterValue> now;
  std::vector<std::string> scopes;
  std::size_t compared = 0;
  Cycle time = 0;
  const auto compare_up_to = [&](Cycle end) {
    for (; time < end; ++time)
      for (const auto& [id, name] : name_by_id) {
        ASSERT_TRUE(now.contains(id)) << name;
        ASSERT_EQ(now[id], values[name][time]) << name << " in cycle " << time;
        ++compared;
      }
  };
  std::ifstream in(base + ".vcd");
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string first, rest;
    words >> first;
    if (first == "$scope") {
      words >> rest >> rest;
      scopes.push_back(rest);
    } else if (first == "$upscope") {
      scopes.pop_back();
    } else if (first == "$var") {
      std::string type, width, id, name;
      words >> type >> width >> id >> name;
      std::string full;
      for (const std::string& scope : scopes)
        if (scope != "SystemC") full += scope + ".";
      full += name.substr(0, name.find('['));
      ASSERT_TRUE(name_of.contains(full)) << full;
      name_by_id[id] = name_of[full];
    } else if (first.starts_with('#')) {
      compare_up_to(std::stoull(first.substr(1)) / 1000);
    } else if (first.starts_with('b') || first.starts_with('0') || first.starts_with('1') ||
               first.starts_with('z') || first.starts_with('Z')) {
      std::string digits = first.substr(first[0] == 'b'), id;
      if (first[0] == 'b')
        words >> id;
      else
        id = digits.substr(1), digits = digits.substr(0, 1);
      const bool absent = digits.find_first_of("zZ") != digits.npos;
      now[id] = absent ? RegisterValue() : RegisterValue(std::stoull(digits, nullptr, 2));
    }
  }
  compare_up_to(cycles);
  EXPECT_EQ(compared, registers.size() * cycles);
  std::filesystem::remove(base + ".vcd");
}

TEST(RegisterObjects, AreLeftOutOfACompactHierarchy) {
  HardwareParameters hardware = HardwareParameters::from(preset("iq"));
  hardware.hierarchy = Hierarchy::full;
  FabricBench full(mesh_network({2, 2}), hardware, {}, "full");
  hardware.hierarchy = Hierarchy::compact;
  FabricBench compact(mesh_network({2, 2}), hardware, {}, "compact");
  EXPECT_TRUE(registers_below(compact.fabric).empty());
  EXPECT_NE(sc_core::sc_find_object("compact.router_0_0"), nullptr);
  EXPECT_EQ(sc_core::sc_find_object("compact.router_0_0.east"), nullptr);
  EXPECT_NE(sc_core::sc_find_object("full.router_0_0.east.vc1"), nullptr);
  for (FabricBench* bench : {&full, &compact})
    for (NodeId node = 0; node < 4; ++node) bench->fabric.network_interface(node).send(3 - node, 4);
  EXPECT_TRUE(full.drain(1000));
  EXPECT_TRUE(compact.drain(1000));
  EXPECT_EQ(full.deliveries, compact.deliveries);
}

TEST(RegisterObjects, AreThereByDefaultInSmallNetworksOnly) {
  const FabricBench small(mesh_network({16, 16}), HardwareParameters::from(preset("sbrp")), {}, "small");
  const FabricBench large(mesh_network({257}), HardwareParameters::from(preset("sbrp")), {}, "large");
  EXPECT_FALSE(registers_below(small.fabric.router(0)).empty());
  EXPECT_TRUE(registers_below(large.fabric.router(0)).empty());
}

}  // namespace flitmend
