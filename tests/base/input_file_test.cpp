// SPDX-License-Identifier: Apache-2.0
#include "base/input_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/digest.h"
#include "base/errors.h"
#include "support/files.h"

namespace flitmend {
namespace {

using test::message_of;
using test::TemporaryFolder;
using test::write_file;

std::string refusal(const std::string& path) {
  return message_of<ConfigurationError>([&] { read_input_file(path, 1 << 20); });
}

TEST(InputFile, IsReadAsAWhole) {
  const TemporaryFolder folder;
  const std::string text = std::string(70'000, 'x') + '\0' + "\r\nend";
  write_file(folder / "a", text);
  EXPECT_EQ(read_input_file(folder / "a", 1 << 20), text);
  EXPECT_EQ(sha256_of_file(folder / "a"), sha256(text));
  EXPECT_EQ(message_of<ConfigurationError>([&] { read_input_file(folder / "a", 100, "a test"); }),
            "cannot read " + (folder / "a") + ": it is larger than 0 MiB, the limit for a test");
  EXPECT_EQ(refusal(folder / "none"), "cannot read " + (folder / "none") + ": No such file or directory");
  EXPECT_EQ(refusal(folder / ""), "cannot read " + (folder / "") + ": Is a directory");
}

// Nobody writes into the pipe: opening it, or reading from it, would never end.
TEST(InputFile, IsNoPipeAndNoDevice) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  const std::string pipe = "cannot read " + (folder / "pipe") +
                           ": it is a pipe, not a regular file; write its content to a file and name that";
  EXPECT_EQ(refusal(folder / "pipe"), pipe);
  EXPECT_EQ(message_of<ConfigurationError>([&] { sha256_of_file(folder / "pipe"); }), pipe);
  EXPECT_EQ(refusal("/dev/zero"),
            "cannot read /dev/zero: it is a device, not a regular file; write its content to a file and name "
            "that");
}

}  // namespace
}  // namespace flitmend
