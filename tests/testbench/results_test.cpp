// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/results.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "testbench/statistics/channel_statistic.h"
#include "testbench/statistics/run_statistics.h"
#include "topologies/mesh.h"

namespace flitmend {
namespace {

/// Five messages on a 4x4 mesh, few enough to compute by hand.
Results five_messages() {
  RunStatistics s(Mesh({4, 4}), {100, 200}, {.histogram = true});
  for (std::uint32_t i = 0; i < 5; ++i) {
    Message m;
    m.created = 100 + 10 * i;
    m.injected = m.created + i;
    m.length = 5;
    m.hops = static_cast<std::uint16_t>(i + 1);
    s.message_created(i, m);
    s.message_delivered(i, m, 0, m.created + 20 + 2 * i);
  }
  s.finish(300);
  Results r;
  s.fill(r);
  r.messages.generated = r.messages.delivered = 5;
  r.simulation.flit_hops = 75;
  r.flits.injected = r.flits.consumed = 25;
  r.optional = {std::make_shared<ChannelStatistic>(
      std::vector<ChannelResults>{ChannelResults::measured("router_0_0", "east", "router_1_0", 25, 100)})};
  r.host = {0.5, 150.0, 1 << 20, "2024-01-02T03:04:05Z", "2024-01-02T03:04:06Z", {}};
  return r;
}

/// Keys in the order of the file, dotted, list elements as [].
void collect_keys(const nlohmann::ordered_json& json, const std::string& path,
                  std::vector<std::string>& keys) {
  if (json.is_object())
    for (const auto& [key, value] : json.items()) {
      const std::string here = path.empty() ? key : path + "." + key;
      if (value.is_object() || (value.is_array() && !value.empty() && value[0].is_object()))
        collect_keys(value, here, keys);
      else
        keys.push_back(here);
    }
  else
    collect_keys(json[0], path + "[]", keys);
}

std::string read(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

TEST(Results, JsonHasTheseBytes) {
  EXPECT_EQ(to_json(five_messages()), R"({
  "schema": 2,
  "status": {
    "outcome": "complete",
    "reason": ""
  },
  "simulation": {
    "cycles": 300,
    "measured_cycles": 100,
    "last_delivery": 168,
    "flit_hops": 75
  },
  "messages": {
    "generated": 5,
    "delivered": 5,
    "lost": 0,
    "undeliverable": 0,
    "void": 0,
    "in_flight": 0,
    "held_back": 0,
    "duplicated": 0,
    "corrupted": 0,
    "hit": 0,
    "recovered": 0,
    "absorptions": 0
  },
  "traffic": {
    "offered": 0.015625,
    "accepted": 0.015625,
    "normalised_accepted": 0.015625
  },
  "hops": {
    "mean": 3.0
  },
  "latency": {
    "total": {
      "count": 5,
      "mean": 24.0,
      "ci95": null,
      "ci95_reason": "the messages are too few, or too close together in time",
      "p50": 24,
      "p95": 28,
      "p99": 28,
      "max": 28,
      "histogram": {
        "cycles": [
          20,
          22,
          24,
          26,
          28
        ],
        "messages": [
          1,
          1,
          1,
          1,
          1
        ]
      }
    },
    "network": {
      "count": 5,
      "mean": 22.0,
      "ci95": null,
      "ci95_reason": "the messages are too few, or too close together in time",
      "p50": 22,
      "p95": 24,
      "p99": 24,
      "max": 24
    },
    "corrupted": {
      "count": 0,
      "mean": null,
      "ci95": null,
      "ci95_reason": "there are no messages",
      "p50": null,
      "p95": null,
      "p99": null,
      "max": null
    },
    "corrupted_unguarded": {
      "count": 0,
      "mean": null,
      "ci95": null,
      "ci95_reason": "there are no messages",
      "p50": null,
      "p95": null,
      "p99": null,
      "max": null
    },
    "recovery": {
      "count": 0,
      "mean": null,
      "ci95": null,
      "ci95_reason": "there are no messages",
      "p50": null,
      "p95": null,
      "p99": null,
      "max": null
    }
  },
  "channels": [
    {
      "from": "router_0_0",
      "port": "east",
      "to": "router_1_0",
      "flits": 25,
      "utilisation": 0.25
    }
  ],
  "faults": {
    "nodes": 0,
    "channels": 0
  },
  "recovery": {
    "retransmissions": 0,
    "retransmitted_flits": 0,
    "duplicate_flits_dropped": 0,
    "control_messages": 0,
    "control_flits": 0,
    "peak_sender_bytes": 0,
    "mean_sender_bytes": null,
    "assumed_peak_sender_bytes": 0,
    "assumed_mean_sender_bytes": null,
    "extra_flits": 0,
    "padding_flits": 0,
    "timeouts": 0,
    "requests": 0,
    "guard_spurious": 0,
    "detected_losses": 0,
    "guard_repaired": 0,
    "tail_waits": 0,
    "tail_wait_cycles": 0,
    "sender_memory": {
      "slice_cycles": 1,
      "bytes": []
    },
    "control_lines": {
      "forward_kill": 0,
      "pad": 0,
      "token": 0,
      "lane": 0,
      "backward_kill": 0,
      "no_route": 0,
      "copied": 0,
      "tail_received": 0,
      "tail_gone": 0,
      "resynchronise": 0,
      "acknowledgement": 0,
      "backtrack": 0,
      "advance": 0,
      "reached": 0
    }
  },
  "deadlock": {
    "deadlocks": null,
    "timeouts": 0,
    "captures": 0,
    "captures_in_deadlock": null,
    "recovered_messages": 0,
    "recovered_flits": 0
  },
  "flits": {
    "injected": 25,
    "consumed": 25,
    "discarded": 0,
    "in_network": 0
  },
  "contract": {
    "holds": true,
    "violations": 0,
    "credits_missing": 0,
    "virtual_channels_not_idle": 0,
    "first": []
  },
  "host": {
    "cpu_seconds": 0.5,
    "flit_hops_per_second": 150.0,
    "peak_rss_bytes": 1048576,
    "started": "2024-01-02T03:04:05Z",
    "finished": "2024-01-02T03:04:06Z"
  }
}
)");
}

TEST(Results, UndefinedNumbersAreNull) {
  const auto json = nlohmann::json::parse(to_json(Results{}));
  for (const char* key : {"mean", "ci95", "p50", "p95", "p99", "max"})
    EXPECT_TRUE(json["latency"]["total"][key].is_null()) << key;
  EXPECT_EQ(json["latency"]["total"]["count"], 0);
  EXPECT_TRUE(json["hops"]["mean"].is_null());
  EXPECT_TRUE(json["traffic"]["offered"].is_null());
  EXPECT_TRUE(json["host"]["flit_hops_per_second"].is_null());
  EXPECT_FALSE(json.contains("channels"));
  EXPECT_FALSE(json["latency"]["total"].contains("histogram"));
  EXPECT_EQ(json["schema"], kResultsSchema);
}

TEST(Results, AnIntervalNeedsNoReason) {
  Results r = five_messages();
  r.latency.total.ci95 = 3.25;
  const auto json = nlohmann::json::parse(to_json(r));
  EXPECT_EQ(json["latency"]["total"]["ci95"], 3.25);
  EXPECT_FALSE(json["latency"]["total"].contains("ci95_reason"));
  EXPECT_NE(to_text(r).find("  total                   5      24.00      3.25 "), std::string::npos);
  EXPECT_EQ(to_text(r).find("no interval of total"), std::string::npos);
  EXPECT_NE(to_text(r).find("no interval of network"), std::string::npos);
}

TEST(Results, ChannelWithoutMeasuredCyclesHasNoUtilisation) {
  EXPECT_EQ(ChannelResults::measured("a", "east", "b", 0, 0).utilisation, std::nullopt);
}

TEST(Results, TextIsReadable) {
  EXPECT_EQ(to_text(five_messages()), R"(simulation   300 cycles, 100 of them measured; 75 flit-hops
messages     5 generated = 5 delivered + 0 lost + 0 undeliverable + 0 in flight
traffic      offered 0.0156, accepted 0.0156 flits per node per cycle (1.6 % of capacity)
hops         3.000 channels per message
latency, cycles    messages       mean    +-95 %      p50      p95      p99      max
  total                   5      24.00         -       24       28       28       28
  network                 5      22.00         -       22       24       24       24
             no interval of total: the messages are too few, or too close together in time
             no interval of network: the messages are too few, or too close together in time
channels     mean utilisation 0.250, busiest router_0_0.east 0.250
contract     holds
host         0.50 s CPU, 0.00 million flit-hops per second, 1.0 MiB
)");
}

TEST(Results, TextOfNothingMeasured) {
  EXPECT_EQ(to_text(Results{}), R"(simulation   0 cycles, 0 of them measured; 0 flit-hops
messages     0 generated = 0 delivered + 0 lost + 0 undeliverable + 0 in flight
traffic      offered -, accepted - flits per node per cycle (- % of capacity)
hops         - channels per message
latency, cycles    messages       mean    +-95 %      p50      p95      p99      max
  total                   0          -         -        -        -        -        -
  network                 0          -         -        -        -        -        -
contract     holds
host         0.00 s CPU, - million flit-hops per second, 0.0 MiB
)");
}

TEST(Results, TextSaysWhatFaultsCostARoutingAlgorithm) {
  Results r = five_messages();
  r.management.emplace();
  EXPECT_EQ(to_text(r).find("management"), std::string::npos);
  r.management->steps = 2;
  r.management->restarts = 1;
  r.management->drain_cycles = 120;
  r.management->recomputation_cycles = 40;
  EXPECT_NE(to_text(r).find(
                "management   2 steps, 1 restart; sources stopped 120 cycles to drain and 40 cycles for "
                "new tables\n"),
            std::string::npos)
      << to_text(r);
  r.vectors.emplace();
  r.vectors->exchanges = 1;
  r.vectors->cycles = r.vectors->longest = 36;
  EXPECT_NE(to_text(r).find("vectors      1 exchange, 36 cycles in all, the longest 36\n"),
            std::string::npos);
  r.messages.absorptions = 7;
  EXPECT_NE(to_text(r).find("             7 absorptions on the way to other nodes\n"), std::string::npos);
}

TEST(Results, TextSaysWhatBroke) {
  Results r = five_messages();
  r.messages.duplicated = 1;
  r.contract = {
      false, 3, 0, 0, {{"delivered again", 17, 3, 9, 9, 1204}, {"2 credits missing", {}, {}, {}, {}, {}}}};
  EXPECT_NE(to_text(r).find("             1 duplicated, 0 corrupted\n"), std::string::npos);
  EXPECT_NE(
      to_text(r).find("contract     BROKEN: 3 violations\n"
                      "             message 17 of node 3 to node 9: delivered again, at node 9, cycle 1204\n"
                      "             2 credits missing\n"
                      "             … and 1 more\n"),
      std::string::npos)
      << to_text(r);
  const auto json = nlohmann::json::parse(to_json(r));
  EXPECT_EQ(json["contract"]["first"][0]["message"], 17);
  EXPECT_TRUE(json["contract"]["first"][1]["message"].is_null());
}

TEST(Results, ReferenceNamesEveryKeyInOrder) {
  Results r = five_messages();
  r.contract.first.emplace_back();
  std::vector<std::string> keys;
  collect_keys(nlohmann::ordered_json::parse(to_json(r)), "", keys);
  const std::string page = statistics_reference();
  std::size_t from = 0;
  for (const std::string& key : keys) {
    const std::size_t at = page.find("| `" + key + "` |", from);
    ASSERT_NE(at, std::string::npos) << key;
    from = at;
  }
}

TEST(Results, ReferencePageIsUpToDate) {
  EXPECT_EQ(read(FLITMEND_SOURCE_DIR "/docs/statistics.md"), statistics_reference())
      << "docs/statistics.md is stale: run ninja -C build/release reference and commit it";
}

}  // namespace flitmend
