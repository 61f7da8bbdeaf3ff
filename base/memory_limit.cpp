// SPDX-License-Identifier: Apache-2.0
#include "base/memory_limit.h"

#include <sys/resource.h>
#include <unistd.h>
#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <utility>

namespace flitmend {
namespace {

std::optional<std::uint64_t> number(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end != text.data() ? std::optional(value) : std::nullopt;
}

/// The number that a file begins with; none where there is no such file, or a word ("max").
std::optional<std::uint64_t> number_in(const std::filesystem::path& file) {
  std::string word;
  return std::ifstream(file) >> word ? number(word) : std::nullopt;
}

std::optional<std::uint64_t> machine_bytes(const std::filesystem::path& proc) {
  std::ifstream file(proc / "meminfo");
  std::string word;
  while (file >> word)
    if (std::uint64_t kilobytes = 0; word == "MemTotal:" && file >> kilobytes) return kilobytes * 1024;
  return std::nullopt;
}

/// The tightest limit of the group and of its ancestors.
std::optional<std::uint64_t> tightest(const std::filesystem::path& root, std::filesystem::path group,
                                      const char* file) {
  std::optional<std::uint64_t> least;
  while (true) {
    if (const auto bytes = number_in(root / group.relative_path() / file))
      least = std::min(least.value_or(*bytes), *bytes);
    if (!group.has_relative_path()) return least;
    group = group.parent_path();
  }
}

/// Lines of /proc/self/cgroup: "0::/user.slice/a" (version 2), "4:memory:/user" (version 1).
std::optional<std::uint64_t> group_bytes(const std::filesystem::path& proc,
                                         const std::filesystem::path& root) {
  std::ifstream file(proc / "self/cgroup");
  std::optional<std::uint64_t> least;
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == line.npos ? first : line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string group = line.substr(second + 1);
    std::optional<std::uint64_t> bytes;
    if (controllers == ",,")
      bytes = tightest(root, group, "memory.max");
    else if (controllers.find(",memory,") != controllers.npos)
      bytes = tightest(root / "memory", group, "memory.limit_in_bytes");
    if (bytes) least = std::min(least.value_or(*bytes), *bytes);
  }
  return least;
}

std::optional<std::uint64_t> process_limit(__rlimit_resource resource) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur;
}

}  // namespace

MemoryLimit memory_limit(const std::filesystem::path& proc, const std::filesystem::path& control_groups) {
  // Sizes in pages: address space, resident, shared, text, unused, data.
  std::uint64_t address_space = 0, resident = 0, shared = 0, text = 0, unused = 0, data = 0;
  std::ifstream(proc / "self/statm") >> address_space >> resident >> shared >> text >> unused >> data;
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  MemoryLimit limit;
  const auto bound = [&](std::optional<std::uint64_t> bytes, std::uint64_t taken_pages, const char* who) {
    if (!bytes) return;
    const std::uint64_t taken = taken_pages * page;
    const std::uint64_t left = *bytes > taken ? *bytes - taken : 0;
    if (left < limit.bytes) limit = {left, who + bytes_text(*bytes)};
  };
  bound(machine_bytes(proc), resident, "the machine has ");
  bound(group_bytes(proc, control_groups), resident, "the control group allows ");
  bound(process_limit(RLIMIT_AS), address_space, "ulimit -v allows ");
  bound(process_limit(RLIMIT_DATA), data, "ulimit -d allows ");
  return limit;
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr const char* kUnits[] = {" bytes", " kB", " MB", " GB", " TB", " PB", " EB"};
  std::size_t unit = 0;
  std::uint64_t scale = 1;
  while (unit + 1 < std::size(kUnits) && bytes / scale >= 1000) {
    scale *= 1000;
    ++unit;
  }
  const std::uint64_t whole = bytes / scale;
  std::string digits = std::to_string(whole);
  if (unit > 0 && whole < 10) digits += "." + std::to_string(bytes % scale / (scale / 10));
  return digits + kUnits[unit];
}

namespace {

MemoryReserve* current_reserve = nullptr;

}  // namespace

MemoryReserve::MemoryReserve(std::size_t bytes, std::function<void()> on_use)
    : on_use_(std::move(on_use)), memory_(::operator new(bytes, std::nothrow)) {
  current_reserve = this;
  before_ = std::set_new_handler(&release);
}

MemoryReserve::~MemoryReserve() {
  std::set_new_handler(before_);
  current_reserve = nullptr;
  ::operator delete(memory_.exchange(nullptr));
}

void MemoryReserve::release() {
  void* const memory = current_reserve->memory_.exchange(nullptr);
  if (!memory) throw std::bad_alloc();
  ::operator delete(memory);
  current_reserve->used_ = true;
  current_reserve->on_use_();
}

}  // namespace flitmend
