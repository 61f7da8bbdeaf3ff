// SPDX-License-Identifier: Apache-2.0
#include "base/program_file.h"

#include <sys/auxv.h>

namespace flitmend {

std::filesystem::path program_file(const std::filesystem::path& proc) {
  std::error_code error;
  const std::filesystem::path file = std::filesystem::read_symlink(proc / "self/exe", error);
  if (!error) return file;
  return std::filesystem::canonical(reinterpret_cast<const char*>(getauxval(AT_EXECFN)));
}

}  // namespace flitmend
