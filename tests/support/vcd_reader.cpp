// SPDX-License-Identifier: Apache-2.0
#include "support/vcd_reader.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace flitmend {
namespace {

[[noreturn]] void bad(const std::string& what) {
  throw std::runtime_error("bad VCD: " + what);
}

class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {
    if (text.empty() || text.back() != '\n') bad("the last line is not complete");
  }
  VcdDump read() {
    std::istringstream in(text_);
    std::string word;
    while (in >> word) {
      if (word == "$version" || word == "$date" || word == "$comment" || word == "$timescale") {
        const std::string body = to_end(in);
        if (word == "$timescale") dump_.timescale = body;
      } else if (word == "$scope") {
        const std::string body = to_end(in);
        if (body.rfind("module ", 0) != 0) bad("scope " + body);
        scopes_.push_back(body.substr(7));
      } else if (word == "$upscope") {
        if (scopes_.empty()) bad("$upscope without $scope");
        to_end(in);
        scopes_.pop_back();
      } else if (word == "$var") {
        variable(to_end(in));
      } else if (word == "$enddefinitions") {
        to_end(in);
        if (!scopes_.empty()) bad("open scope");
        std::string line;
        std::getline(in, line);
        changes(in);
      } else {
        bad("word " + word);
      }
    }
    return std::move(dump_);
  }

 private:
  static std::string to_end(std::istringstream& in) {
    std::string body, word;
    while (in >> word && word != "$end") body += (body.empty() ? "" : " ") + word;
    if (word != "$end") bad("no $end");
    return body;
  }
  void variable(const std::string& body) {
    std::istringstream in(body);
    std::string type, id, name, rest;
    unsigned width;
    if (!(in >> type >> width >> id >> name) || in >> rest || width < 1 || width > 64) bad("$var " + body);
    std::string full;
    for (const std::string& s : scopes_) full += s + ".";
    full += name;
    if (!dump_.signals.emplace(full, VcdDump::Signal{width, {}}).second) bad("two of " + full);
    std::vector<VcdDump::Signal*>& same = ids_[id];
    same.push_back(&dump_.signals[full]);
    if (same.front()->width != width) bad("identifier " + id + " of two widths");
  }
  void changes(std::istringstream& in) {
    std::string line;
    bool dumping = false;
    while (std::getline(in, line)) {
      if (line == "$dumpvars") {
        dumping = true;
      } else if (line == "$end") {
        if (!dumping) bad("$end");
        dumping = false;
      } else if (line[0] == '#') {
        const std::uint64_t time = std::stoull(line.substr(1));
        if (dumping) bad("time within $dumpvars");
        if (!dump_.times.empty() && time <= dump_.times.back()) bad("time goes back: " + line);
        dump_.times.push_back(time);
      } else {
        change(line);
      }
    }
    if (dumping) bad("no $end of $dumpvars");
  }
  void change(const std::string& line) {
    if (dump_.times.empty()) bad("change before any time");
    std::string digits, id;
    if (line[0] == 'b') {
      const std::size_t blank = line.find(' ');
      if (blank == std::string::npos) bad(line);
      digits = line.substr(1, blank - 1);
      id = line.substr(blank + 1);
    } else {
      digits = line.substr(0, 1);
      id = line.substr(1);
    }
    const auto known = ids_.find(id);
    if (known == ids_.end()) bad("unknown identifier in " + line);
    VcdDump::Signal& signal = *known->second.front();
    if ((signal.width == 1) != (line[0] != 'b')) bad("width of " + line);
    VcdDump::Change c{dump_.times.back(), digits == "z", 0};
    if (!c.absent) {
      if (digits.empty() || digits.size() > signal.width) bad("digits of " + line);
      for (const char d : digits) {
        if (d != '0' && d != '1') bad("digits of " + line);
        c.value = c.value << 1 | (d == '1');
      }
    }
    for (VcdDump::Signal* same : known->second) same->changes.push_back(c);
  }

  const std::string& text_;
  VcdDump dump_;
  std::vector<std::string> scopes_;
  std::map<std::string, std::vector<VcdDump::Signal*>> ids_;  // several names: aliases
};

}  // namespace

VcdDump::Change VcdDump::Signal::at(std::uint64_t time) const {
  const auto after = std::upper_bound(changes.begin(), changes.end(), time,
                                      [](std::uint64_t t, const Change& c) { return t < c.time; });
  return after == changes.begin() ? Change{0, true, 0} : *(after - 1);
}

const VcdDump::Signal& VcdDump::operator[](const std::string& name) const {
  const auto found = signals.find(name);
  if (found == signals.end()) throw std::runtime_error("no signal " + name);
  return found->second;
}

VcdDump read_vcd(const std::string& text) {
  return Reader(text).read();
}

std::string read_whole_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace flitmend
