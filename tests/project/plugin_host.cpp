// SPDX-License-Identifier: Apache-2.0
// test_plugin_host PLUGIN: loads the shared library and calls its function simulate. Its status is the
// result.
#include <dlfcn.h>

#include <iostream>
#include <systemc>

int sc_main(int count, char** arguments) {
  void* const plugin = count == 2 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
  void* const simulate = plugin ? dlsym(plugin, "simulate") : nullptr;
  if (!simulate) {
    std::cerr << dlerror() << '\n';
    return 2;
  }
  return reinterpret_cast<int (*)()>(simulate)();
}
