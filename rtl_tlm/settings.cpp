// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/settings.h"

namespace flitmend {
namespace {
constexpr std::int64_t kLongest = 1024;  // cycles of a stage or a link
}

void PipelineSettings::visit(SettingsVisitor& v) {
  v.begin_section(
      "pipeline",
      "Length of each router stage; a stage of 0 cycles happens in the same cycle as the stage before it.");
  v.key({"routing", "cycles", "Route computation of a head.", kAlways}, routing, {0, kLongest});
  v.key({"vc_allocation", "cycles", "VC allocation of a head.", kAlways}, vc_allocation, {0, kLongest});
  v.key({"switch_allocation", "cycles", "Switch allocation of a flit.", kAlways}, switch_allocation,
        {0, kLongest});
  v.key({"switch_traversal", "cycles", "Switch traversal: a flit crosses the crossbar.", kAlways},
        switch_traversal, {0, kLongest});
  v.key(
      {"credit", "cycles",
       "Credit processing in routers and injectors, from the arrival of a credit until a flit can use it. It "
       "lengthens the credit loop and delays no flit by itself.",
       kAlways},
      credit, {0, kLongest});
  v.end_section();
}

Switching RouterSettings::technique() const {
  for (const SwitchingTechnique& technique : kSwitchingTechniques)
    if (technique.word.name == switching) return technique.switching;
  return Switching::wormhole;
}

namespace {

constexpr Choice kArbitrationWords[] = {
    {"round-robin", "all requesters take turns, whatever their class"},
    {"strict",
     "the class with the greatest priority first; classes of equal priority share by their weights"},
    {"weighted", "classes share by their weights"},
    {"oldest-first", "the message that was created first; then the lower source and number"}};

}  // namespace

Arbitration RouterSettings::arbitration_rule() const {
  for (std::size_t i = 0; i < std::size(kArbitrationWords); ++i)
    if (kArbitrationWords[i].name == arbitration) return static_cast<Arbitration>(i);
  return Arbitration::round_robin;
}

AtBusy RouterSettings::at_busy() const {
  if (reserves_paths(technique()))
    for (std::size_t i = 0; i < std::size(kAtBusyWords); ++i)
      if (kAtBusyWords[i].name == busy) return static_cast<AtBusy>(i);
  return AtBusy::wait;
}

void RouterSettings::visit(SettingsVisitor& v) {
  v.begin_section("router", "The router: buffers, switching technique, pipeline, allocators.");
  v.key({"preset", "",
         "A published router whose settings become the defaults of this run; explicit keys override them.",
         kAlways},
        preset, router_presets());
  v.key({"virtual_channels", "virtual channels", "Virtual channels per physical channel.", kAlways},
        virtual_channels, {1, 64});
  v.key({"input_buffer", "flits", "Size of the input buffer of each virtual channel.", kAlways}, input_buffer,
        {1, 65535});
  v.key({"output_buffer", "flits",
         "Size of the output buffer of each virtual channel; 0: flits go directly from the crossbar to the "
         "link.",
         kAlways},
        output_buffer, {0, 65535});
  std::vector<Choice> techniques;
  for (const SwitchingTechnique& technique : kSwitchingTechniques) techniques.push_back(technique.word);
  v.key({"switching", "", "Switching technique.", kAlways}, switching, techniques);
  pipeline.visit(v);
  v.key({"vc_reallocation", "", "When a virtual channel may be given to a new message.", kAlways},
        vc_reallocation,
        {{"on-tail", "after the tail of the previous message has been sent to it"},
         {"atomic", "after that tail has left it; required by every proof that uses escape channels"}});
  v.key({"crossbar", "", "Inputs and outputs of the crossbar.", kAlways}, crossbar,
        {{"port", "one input and one output per port, each one flit per cycle"},
         {"virtual-channel-inputs",
          "one input per virtual channel and one output per port: only flits that leave by the same port "
          "compete"},
         {"virtual-channel",
          "one input and one output per virtual channel: several flits of a port cross in the same cycle, "
          "without arbitration"}});
  v.key({"vc_selection", "",
         "How the VC allocator picks one of the free virtual channels that a head may take.", kAlways},
        vc_selection,
        {{"round-robin", "the next one in turn, by iSLIP"},
         {"random",
          "a random one; heads that compete are served in turn, beginning with a random one, so none waits "
          "while a virtual channel is free for it"}});
  v.key({"allocator_iterations", "", "Iterations of the iSLIP allocators [McKeown99] per cycle.", kAlways},
        allocator_iterations, {1, 16});
  v.key(
      {"arbitration", "",
       "Which message goes first at the VC and switch allocators, on links behind output buffers and on the "
       "injection channel; strict and weighted need traffic.classes. docs/workloads.md.",
       kAlways},
      arbitration, {std::begin(kArbitrationWords), std::end(kArbitrationWords)});
  v.key({"busy", "", "What a head that reserves its path does when all channels that it may take are busy.",
         kWithReservedPaths},
        busy, {std::begin(kAtBusyWords), std::end(kAtBusyWords)});
  v.key({"retry_backoff", "cycles",
         "The longest wait of a source before a head that came back tries again. Waits are random; the "
         "longest doubles with each of the first 6 retries, and from the 64th on with every 16th.",
         kWithReturningHeads},
        retry_backoff, {1, 65536});
  v.key({"head_copy", "", "Head-copy register in every virtual channel, to show it in waves.",
         KeyEffect::only_with("waves.enabled", "true") || KeyEffect::of_platforms()},
        head_copy);
  v.end_section();
}

void LinkSettings::visit(SettingsVisitor& v) {
  v.begin_section("link", "The channels between routers.");
  v.key({"latency", "cycles", "Cycles that a flit needs from router to router.", kAlways}, latency,
        {1, kLongest});
  v.key(
      {"credit_latency", "cycles", "Cycles that a credit needs to return; 0: the same as latency.", kAlways},
      credit_latency, {0, kLongest});
  v.key({"flit_bytes", "bytes",
         "Data bytes per flit; TLM and trace messages have 2 + ceil(bytes/flit_bytes) flits.",
         KeyEffect::of_link_widths() ||
             KeyEffect::only_if_given("traffic.trace traffic.flows traffic.task_graph traffic.collectives") ||
             KeyEffect::of_platforms() || KeyEffect::unless("recovery.protocol", "none")},
        flit_bytes, {1, 4096});
  v.end_section();
}

void NetworkInterfaceSettings::visit(SettingsVisitor& v) {
  v.begin_section("network_interface",
                  "The network interface of each node: injector, receiver, source queue.");
  v.key(
      {"injection", "", "How flits enter the router.", kAlways}, injection,
      {{"channel", "one message at a time over an injection channel, one flit per cycle"},
       {"buffers", "one message per virtual channel at the same time, each into its own injection buffer"}});
  v.key({"injection_latency", "cycles",
         "Latency of the injection channel; 0: directly into the router's buffer.", kAlways},
        injection_latency, {0, kLongest});
  v.key({"ejection", "", "How flits leave the router.", kAlways}, ejection,
        {{"channel", "over an ejection channel with virtual channels and credits, one flit per cycle"},
         {"unlimited", "every flit is consumed as soon as it reaches its destination"}});
  v.key({"ejection_latency", "cycles", "Latency of the ejection channel.", kAlways}, ejection_latency,
        {0, kLongest});
  v.key(
      {"receiver_latency", "cycles", "Cycles from the ejection channel to the processing element.", kAlways},
      receiver_latency, {0, kLongest});
  v.key({"source_queue", "messages",
         "Capacity of the source queue; 0: unlimited. Messages without room wait outside and count as "
         "created.",
         kAlways},
        source_queue, {0, 1 << 30});
  v.key({"injection_limit", "", "Whether a new message waits in the source queue while the router is busy.",
         kAlways},
        injection_limit,
        {{"none", "it enters as soon as an injection virtual channel is free"},
         {"alo",
          "it enters only if every output channel that it may take has a free virtual channel for it, or if "
          "one of them has all of its virtual channels free (\"at least one\") [Baydal05]"}});
  v.key({"reinjection_cycles", "cycles",
         "Software latency from absorbing a message (routing.algorithm software-based) to queueing it again; "
         "at least 1 if flits are consumed in the cycle in which they leave the router.",
         KeyEffect::only_with("routing.algorithm", "software-based")},
        reinjection_cycles, {0, 1 << 20});
  v.end_section();
}

const std::vector<Choice>& router_presets() {
  static const std::vector<Choice> presets = {
      {"iq",
       "four-stage input-queued router, iSLIP allocators, one cycle each for the injection channel, the "
       "ejection channel and the receiver"},
      {"sbrp",
       "one-flit input and output buffers per virtual channel, one cycle through the crossbar, one on the "
       "wire; one injection buffer per virtual channel; unlimited ejection [SBRP]"},
      {"kary-ncube",
       "one cycle per hop and one to leave the network, one source queue that feeds all injection virtual "
       "channels at the same time, a crossbar input per virtual channel, virtual channels drawn at random, "
       "unlimited ejection [Safaei06]"},
      {"kns",
       "virtual cut-through, queues of 4 packets of 16 flits at inputs and outputs, 4-cycle pipeline, 3 "
       "virtual channels"},
      {"rtl-example",
       "the router of examples/rtl/router.sv, cycle for cycle: 2 virtual channels of 4 flits, two cycles for "
       "a credit"}};
  return presets;
}

bool apply_preset(const std::string& name, HardwareSettings& s) {
  if (name == "iq") {
    s = HardwareSettings{};
  } else if (name == "sbrp") {
    s.router.input_buffer = 1;
    s.router.output_buffer = 1;
    s.router.pipeline = {0, 0, 0, 1, 0};
    s.router.crossbar = "virtual-channel";
    s.network_interface = {"buffers", 0, "unlimited", 0, 0, 0};
  } else if (name == "kary-ncube") {
    s.router.pipeline = {0, 0, 0, 0, 0};
    s.router.crossbar = "virtual-channel-inputs";
    s.router.vc_selection = "random";
    s.network_interface = {"buffers", 0, "unlimited", 1, 0, 0};
  } else if (name == "kns") {
    s.router.virtual_channels = 3;
    s.router.input_buffer = 64;
    s.router.output_buffer = 64;
    s.router.switching = "virtual-cut-through";
    s.router.pipeline = {1, 1, 1, 1, 0};
  } else if (name == "rtl-example") {
    s.router.virtual_channels = 2;
    s.router.input_buffer = 4;
    s.router.pipeline = {1, 1, 1, 1, 2};
  } else {
    return false;
  }
  s.router.preset = name;
  return true;
}

}  // namespace flitmend
