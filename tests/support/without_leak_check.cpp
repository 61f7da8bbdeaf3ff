// SPDX-License-Identifier: Apache-2.0
// For programs whose tests have SystemC processes with stacks of their own: at the end of a program
// LeakSanitizer looks through all stacks, does not know these, and crashes at random.
extern "C" const char* __asan_default_options();   // NOLINT(bugprone-reserved-identifier)
extern "C" const char* __asan_default_options() {  // NOLINT(bugprone-reserved-identifier)
  return "detect_leaks=0";
}
