// SPDX-License-Identifier: Apache-2.0
// Many initiators and targets, all legal forms, both transports, byte enables, streaming widths, errors,
// random sizes and delays: order, status, data, protocol.
#include <gtest/gtest.h>

#include <array>
#include <unordered_map>

#include "support/checked_bindings.h"
#include "support/fabric_bench.h"
#include "support/leak_check.h"
#include "support/tlm_elements.h"

namespace flitmend {
namespace {

constexpr unsigned kTargets = 8;      // nodes 8 … 15 of a 4x4 mesh
constexpr unsigned kInitiators = 15;  // nodes 0 … 14
constexpr unsigned kRegion = 256;     // bytes of each target that belong to one initiator

struct Setting {
  const char* name;
  unsigned vcs;
  unsigned classes;
  const char* routing;
  Ordering ordering;
  unsigned target_queue;
  unsigned transactions;  ///< of each initiator
  bool same_address;      ///< writes, each followed by a read of the same bytes
  bool forms = true;      ///< every legal form, with delays; else all answer at once
};

void PrintTo(const Setting& s, std::ostream* out) {
  *out << s.name;
}

/// Any form, any delays, every tenth one an error.
FormedTarget::Choice random_answer(RandomStream& random) {
  FormedTarget::Choice choice;
  choice.form = static_cast<TargetForm>(random.below(kTargetForms));
  choice.accept = nanoseconds(random.below(8) * 0.75);
  choice.latency = nanoseconds(random.below(12) * 1.25);
  if (random.below(10) == 0)
    choice.status = static_cast<tlm::tlm_response_status>(tlm::TLM_GENERIC_ERROR_RESPONSE -
                                                          static_cast<int>(random.below(5)));
  return choice;
}

class RandomTransactions : public testing::TestWithParam<Setting> {
 protected:
  static HardwareSettings hardware() {
    HardwareSettings h;
    h.router.virtual_channels = GetParam().vcs;
    if (std::string(GetParam().routing) == "duato") h.router.vc_reallocation = "atomic";
    return h;
  }
  static RoutingSettings routing() {
    RoutingSettings r;
    r.algorithm = GetParam().routing;
    return r;
  }
  static TransactionParameters transactions() {
    TransactionParameters p;
    p.ordering = GetParam().ordering;
    p.target_queue = GetParam().target_queue;
    p.initiator_queue = 0;  // as much as possible at the same time
    return p;
  }

  /// The initiator of one node, with a reference memory that executes its transactions in response order.
  struct Player {
    FormedInitiator element;
    RandomStream random;
    std::array<std::vector<unsigned char>, kTargets> reference;
    unsigned left;
    std::uint64_t read_back = 0;  ///< address of the write before, to be read next
    unsigned bytes_back = 0;
    std::unordered_map<const tlm::tlm_generic_payload*, unsigned> numbers;  ///< of those under way
    std::array<unsigned, kTargets> last_answered{};                         ///< number, by target
    sc_core::sc_time last_request;  ///< with its delay: no request is made for an earlier time
    unsigned last_answered_of_all = 0;
    unsigned wrong = 0, reads = 0, failed = 0, refused = 0, overtaken = 0, overtaken_of_all = 0;
    explicit Player(unsigned node)
        : element(("initiator_" + std::to_string(node)).c_str()), random(3, RandomPurpose::test, node) {
      for (auto& memory : reference) memory.resize(kNodeBytes);
      left = GetParam().transactions;
    }
  };

  PayloadPool pool;
  FabricBench bench{mesh_network({4, 4}), hardware(),        routing(), "fabric", 1, nullptr,
                    transactions(),       GetParam().classes};
  CheckedBindings bindings{{.address_kept = true}};
  std::vector<std::unique_ptr<Player>> players;
  std::vector<std::unique_ptr<FormedTarget>> targets;
  RandomStream target_random{9, RandomPurpose::test};

  void SetUp() override {
    for (unsigned i = 0; i < kInitiators; ++i) add_player(i);
    for (unsigned i = 0; i < kTargets; ++i) {
      targets.push_back(std::make_unique<FormedTarget>(("target_" + std::to_string(i)).c_str()));
      if (GetParam().forms) targets.back()->choose = [this] { return random_answer(target_random); };
      bindings.bind(bench.fabric.sockets(8 + i).initiator_socket, targets.back()->socket);
    }
  }
  void add_player(unsigned i) {
    players.push_back(std::make_unique<Player>(i));
    Player& player = *players.back();
    if (GetParam().forms) {
      player.element.choose = [&player] {
        return static_cast<InitiatorForm>(player.random.below(kInitiatorForms));
      };
      player.element.blocks = [&player] { return player.random.below(10) == 0; };
    }
    player.element.next = [this, &player, i](sc_core::sc_time& delay) { return next(player, i, delay); };
    player.element.answered = [&player](tlm::tlm_generic_payload& p) { check(player, p); };
    bindings.bind(player.element.socket, bench.fabric.sockets(i).target_socket);
  }
  tlm::tlm_generic_payload* next(Player& player, unsigned i, sc_core::sc_time& delay) {
    if (player.left == 0) return nullptr;
    --player.left;
    RandomStream& random = player.random;
    bool read = random.below(2) == 0;
    unsigned bytes = 1 + random.below(48);
    std::uint64_t address =
        (8 + random.below(kTargets)) * kNodeBytes + i * kRegion + random.below(kRegion - 48);
    if (GetParam().same_address || random.below(10) < 3) {  // reads what has been written just now
      read = player.bytes_back > 0;
      if (read) {
        address = player.read_back;
        bytes = player.bytes_back;
      }
    }
    if (in_order() && random.below(20) == 0) {
      read = true;
      address += (16 - 8) * kNodeBytes;  // of no node
    }
    player.read_back = address;
    player.bytes_back = read ? 0 : bytes;
    tlm::tlm_generic_payload* const p =
        pool.acquire(read ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, address, bytes);
    for (unsigned b = 0; b < bytes; ++b)
      p->get_data_ptr()[b] = static_cast<unsigned char>(read ? 0xEE : random.below(256));
    if (GetParam().forms) {
      form_randomly(*p, random);
      if (random.below(4) == 0) delay = nanoseconds(random.below(20) * 0.5);
      player.last_request = std::max(player.last_request, sc_core::sc_time_stamp() + delay);
      delay = player.last_request - sc_core::sc_time_stamp();
    }
    player.numbers[p] = player.element.sent + 1;
    return p;
  }
  void form_randomly(tlm::tlm_generic_payload& p, RandomStream& random) {
    const unsigned bytes = p.get_data_length();
    if (random.below(10) < 3) p.set_streaming_width(1 + random.below(bytes));
    if (random.below(10) >= 3) return;
    std::vector<unsigned char> enables(1 + random.below(bytes));
    for (unsigned char& enable : enables)
      enable = static_cast<unsigned char>(random.below(2) == 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED);
    pool.set_byte_enables(p, enables);
  }
  /// All of an initiator's answers come in order.
  static bool in_order() { return GetParam().ordering == Ordering::per_initiator; }
  static void check(Player& player, tlm::tlm_generic_payload& p) {
    const std::size_t target = p.get_address() / kNodeBytes - 8;
    const auto number = player.numbers.find(&p);
    player.overtaken_of_all += number->second < player.last_answered_of_all;
    player.last_answered_of_all = std::max(player.last_answered_of_all, number->second);
    if (target >= kTargets) {
      player.refused += p.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE;
      player.numbers.erase(number);
      return;
    }
    player.overtaken += number->second < player.last_answered[target];
    player.last_answered[target] = std::max(player.last_answered[target], number->second);
    player.numbers.erase(number);
    player.reads += p.is_read();
    if (!p.is_response_ok()) {
      ++player.failed;
      return;
    }
    std::vector<unsigned char>& memory = player.reference[target];
    const std::uint64_t base = p.get_address() / kNodeBytes * kNodeBytes;
    if (p.is_write())
      access_bytes(memory, base, p);
    else
      player.wrong += !read_matches(memory, base, p);
  }
};

TEST_P(RandomTransactions, DataAreThoseOfAMemoryThatExecutesInResponseOrder) {
  skip_leak_check();
  bench.run(1);
  for (auto& player : players) player->element.send();
  // The network may be quiet while initiators still have something to send.
  const auto done = [](const auto& player) { return player->element.responses == GetParam().transactions; };
  for (int i = 0; i < 1000 && !std::ranges::all_of(players, done); ++i) bench.run(1000);
  ASSERT_TRUE(bench.drain(1000)) << bindings.underway();
  unsigned reads = 0, wrong = 0, failed = 0, refused = 0, errors = 0, overtaken = 0;
  for (const auto& player : players) {
    EXPECT_EQ(player->element.responses, GetParam().transactions);
    failed += player->failed;
    wrong += player->wrong;
    reads += player->reads;
    refused += player->refused;
    overtaken += player->overtaken_of_all;
    if (GetParam().ordering == Ordering::none) continue;
    EXPECT_EQ(player->wrong, 0u);
    if (numbers_requests(GetParam().ordering)) {
      EXPECT_EQ(player->overtaken, 0u);
    }
    for (unsigned t = 0; t < kTargets; ++t) {
      const unsigned from = static_cast<unsigned>(&player - players.data()) * kRegion;
      EXPECT_TRUE(std::equal(player->reference[t].begin() + from,
                             player->reference[t].begin() + from + kRegion,
                             targets[t]->bytes.begin() + from));
    }
  }
  for (const auto& target : targets) errors += target->errors;
  EXPECT_EQ(overtaken == 0, in_order());
  EXPECT_EQ(refused > 0, in_order());
  EXPECT_EQ(failed, errors);
  EXPECT_EQ(errors > 0, GetParam().forms);
  EXPECT_GT(reads, kInitiators * GetParam().transactions / 3);
  // Without an order, some reads are old. So the expectations above are not met by chance.
  if (GetParam().ordering == Ordering::none) {
    EXPECT_GT(wrong, reads / 20);
  }
  EXPECT_EQ(bindings.underway(), 0u);
  EXPECT_EQ(pool.in_use(), 0u);
  EXPECT_TRUE(bench.fabric.check_conservation().idle());
  EXPECT_TRUE(bench.fabric.check_conservation().flits_conserved());
}

// What the elements do without a network is legal: the checker between them is silent.
TEST(FormedElements, EveryFormWithoutNetworkIsLegal) {
  PayloadPool pool;
  CheckedBindings bindings{{.address_kept = true}};
  FormedInitiator initiator("initiator");
  FormedTarget target("target");
  bindings.bind(initiator.socket, target.socket);
  RandomStream random(5, RandomPurpose::test);
  unsigned left = 5000;
  initiator.next = [&](sc_core::sc_time& delay) -> tlm::tlm_generic_payload* {
    if (left == 0) return nullptr;
    --left;
    delay = nanoseconds(random.below(10) * 0.5);
    return pool.acquire(random.below(2) == 0 ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND,
                        random.below(1000), 1 + random.below(64));
  };
  initiator.choose = [&] { return static_cast<InitiatorForm>(random.below(kInitiatorForms)); };
  target.choose = [&] { return random_answer(random); };
  sc_core::sc_start(nanoseconds(1));
  initiator.send();
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
  EXPECT_EQ(initiator.responses, 5000u);
  EXPECT_EQ(target.requests, 5000u);
  EXPECT_GT(target.errors, 300u);
  EXPECT_EQ(bindings.underway(), 0u);
  EXPECT_EQ(pool.in_use(), 0u);
}

// With the same address: 100,500 reads of each number of virtual channels.
// clang-format off
INSTANTIATE_TEST_SUITE_P(
    Settings, RandomTransactions,
    testing::Values(
        Setting{"all forms", 4, 2, "dimension-order", Ordering::per_target, 4, 400, false},
        Setting{"all forms, one place", 4, 2, "west-first", Ordering::per_target, 1, 400, false},
        Setting{"all forms, any number of places", 4, 1, "west-first", Ordering::per_target, 0, 400, false},
        Setting{"by initiator", 4, 2, "west-first", Ordering::per_initiator, 4, 400, false},
        Setting{"by initiator, one place", 8, 2, "duato", Ordering::per_initiator, 1, 400, false},
        Setting{"by address", 4, 2, "west-first", Ordering::per_address, 4, 400, false},
        Setting{"1 vc, all forms", 1, 1, "dimension-order", Ordering::per_target, 0, 400, false},
        Setting{"8 vcs, all forms", 8, 2, "duato", Ordering::per_target, 1, 400, false},
        Setting{"1 vc", 1, 1, "west-first", Ordering::per_target, 0, 13400, true, false},
        Setting{"2 vcs", 2, 2, "west-first", Ordering::per_target, 4, 13400, true, false},
        Setting{"4 vcs", 4, 2, "duato", Ordering::per_target, 4, 13400, true, false},
        Setting{"8 vcs", 8, 2, "duato", Ordering::per_target, 4, 13400, true, false},
        Setting{"8 vcs by address", 8, 2, "duato", Ordering::per_address, 4, 2000, true, false},
        Setting{"8 vcs no order", 8, 2, "duato", Ordering::none, 4, 1000, true, false}),
    [](const auto& about) {
      std::string name = about.param.name;
      std::erase(name, ',');
      std::replace(name.begin(), name.end(), ' ', '_');
      return name;
    });
// clang-format on

}  // namespace
}  // namespace flitmend
