// SPDX-License-Identifier: Apache-2.0
// flitmend rtl: the bits of a flit.
#include "support/program_fixture.h"

namespace flitmend {
namespace {

class Rtl : public ProgramFixture {};

TEST_F(Rtl, PrintsThePackageOfTheExample) {
  const std::string folder = FLITMEND_SOURCE_DIR "/examples/rtl/";
  EXPECT_EQ(start({"rtl", folder + "mesh.yaml"}), 0) << err_;
  EXPECT_EQ("// SPDX-License-Identifier: Apache-2.0\n" + out_, read_file(folder + "flit_pkg.sv"));
}

TEST_F(Rtl, WidthsFollowFromTheNetwork) {
  const std::string file = folder_.write("c.yaml", "network: {topology: mesh, size: [4, 4]}\n");
  EXPECT_EQ(start({"rtl", file, "--state-bits", "5", "--package", "my_flit", "--set", "link.flit_bytes=2"}),
            0)
      << err_;
  for (const char* line : {"package my_flit;", "FLIT_BITS = 99;", "VC_BITS = 2;", "SOURCE_BITS = 4;",
                           "logic [4:0] routing_state;", "logic [15:0] data;"})
    EXPECT_NE(out_.find(line), out_.npos) << line << "\n" << out_;
}

TEST_F(Rtl, HardwareThatCannotHaveARouterOfYourOwnIsRefused) {
  const std::string file =
      folder_.write("c.yaml", "network: {topology: mesh, size: [4, 4]}\nrouter: {preset: sbrp}\n");
  EXPECT_EQ(start({"rtl", file}), 2);
  EXPECT_NE(err_.find("network_interface.ejection"), err_.npos) << err_;
  EXPECT_EQ(start({"rtl", file, "--package", "1x"}), 2);
  EXPECT_NE(err_.find("does not begin with a digit"), err_.npos) << err_;
  for (const char* const word : {"module", "package", "logic", "accept_on", "xor"}) {
    EXPECT_EQ(start({"rtl", file, "--package", word, "--set", "router.preset=iq"}), 2) << out_;
    EXPECT_NE(err_.find("'" + std::string(word) + "' is a reserved word of SystemVerilog; use another name"),
              err_.npos)
        << err_;
  }
}

}  // namespace
}  // namespace flitmend
