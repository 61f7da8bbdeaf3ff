// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/host_clock.h"

#include <fstream>
#include <string>

namespace flitmend {
namespace {

double process_cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

std::string utc(std::time_t time) {
  std::tm parts{};
  gmtime_r(&time, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace

HostClock::HostClock() : started_(std::time(nullptr)) {}

void HostClock::start() {
  begin_ = process_cpu_seconds();
}

void HostClock::stop() {
  cpu_seconds_ += process_cpu_seconds() - begin_;
}

HostResults HostClock::results(std::uint64_t flit_hops) const {
  HostResults r;
  r.cpu_seconds = cpu_seconds_;
  if (cpu_seconds_ > 0) r.flit_hops_per_second = static_cast<double>(flit_hops) / cpu_seconds_;
  r.peak_rss_bytes = peak_rss_bytes();
  r.started = utc(started_);
  r.finished = utc(std::time(nullptr));
  return r;
}

// Not getrusage: its figure survives exec, so a small run started by a large sweep would report the memory of
// the sweep.
std::uint64_t peak_rss_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmHWM:") {
      std::uint64_t kilobytes = 0;
      status >> kilobytes;
      return kilobytes * 1024;
    }
  return 0;
}

}  // namespace flitmend
