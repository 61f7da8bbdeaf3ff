// SPDX-License-Identifier: Apache-2.0
#include "base/program_file.h"

#include <elf.h>
#include <link.h>
#include <sys/auxv.h>

#include <cstdint>
#include <cstring>
#include <string_view>

namespace flitmend {
namespace {

/// The identity among the notes of a segment; empty: it is not among them.
std::string identity_in(const char* notes, std::size_t bytes) {
  const auto padded = [](std::size_t size) { return (size + 3) / 4 * 4; };
  while (bytes >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes, sizeof note);
    const std::size_t all = sizeof note + padded(note.n_namesz) + padded(note.n_descsz);
    if (all > bytes) break;
    const std::string_view name(notes + sizeof note, note.n_namesz);
    if (note.n_type == NT_GNU_BUILD_ID && name == std::string_view("GNU\0", 4)) {
      std::string text;
      const char* const identity = notes + sizeof note + padded(note.n_namesz);
      for (std::size_t i = 0; i < note.n_descsz; ++i) {
        const auto byte = static_cast<unsigned char>(identity[i]);
        text += "0123456789abcdef"[byte >> 4];
        text += "0123456789abcdef"[byte & 15];
      }
      return text;
    }
    notes += all;
    bytes -= all;
  }
  return "";
}

/// The first object is the program itself.
int look_at_program(dl_phdr_info* info, std::size_t, void* identity) {
  for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    // The loader says where the program is as a number.
    const std::uintptr_t address = info->dlpi_addr + segment.p_vaddr;
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    const auto* const notes = reinterpret_cast<const char*>(address);
    std::string found = identity_in(notes, segment.p_memsz);
    if (found.empty()) continue;
    *static_cast<std::string*>(identity) = std::move(found);
    break;
  }
  return 1;  // no other object
}

}  // namespace

std::filesystem::path program_file(const std::filesystem::path& proc) {
  std::error_code error;
  const std::filesystem::path file = std::filesystem::read_symlink(proc / "self/exe", error);
  if (!error) return file;
  return std::filesystem::canonical(reinterpret_cast<const char*>(getauxval(AT_EXECFN)));
}

std::string build_id() {
  std::string identity;
  dl_iterate_phdr(look_at_program, &identity);
  return identity;
}

}  // namespace flitmend
