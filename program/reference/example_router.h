// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>

#include "rtl_tlm/context.h"
#include "rtl_tlm/fabric/recovery_protocol.h"
#include "rtl_tlm/registers/router_layout.h"

namespace flitmend {

/// The router that the documentation gives bits of: one preset, five ports, on an 8x8 mesh with
/// dimension-order routing. With a recovery protocol, it has what the protocol needs.
class ExampleRouter {
 public:
  explicit ExampleRouter(std::string_view preset, const RecoveryProtocol* = nullptr);

  std::string preset;
  const RouterLayout& layout() const { return *layout_; }

 private:
  std::unique_ptr<Topology> topology_;
  std::unique_ptr<RoutingFunction> routing_;
  std::unique_ptr<SelectionFunction> selection_;
  std::unique_ptr<NetworkContext> context_;
  const RouterLayout* layout_;
};

}  // namespace flitmend
