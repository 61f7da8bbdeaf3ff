# SPDX-License-Identifier: Apache-2.0
# Functions that declare tests. Every test has one label:
#   unit      one part, or one closed form          property  many random cases
#   example   examples/, quick studies                picture   what GTKWave and a browser show
#   style     the sources themselves                study, long  campaigns, for scripts/nightly
#   performance  what a run may cost
# The sanitizer build has only the unit and property tests (some as long ones), whose names start with "sanitize.".
include(GoogleTest)
set(FLITMEND_TEST_LABELS unit property example picture style performance study long)
set(FLITMEND_TEST_PREFIX "")
if(FLITMEND_SANITIZE)
  set(FLITMEND_TEST_PREFIX "sanitize.")
endif()

# Sets RESULT to whether tests with that label belong to this build. Long ones do not with FLITMEND_LONG_TESTS=OFF.
function(flitmend_test_wanted result label)
  if(NOT label IN_LIST FLITMEND_TEST_LABELS)
    message(FATAL_ERROR "unknown test label '${label}'; known: ${FLITMEND_TEST_LABELS}")
  endif()
  if(FLITMEND_SANITIZE AND NOT label MATCHES "^(unit|property)$")
    set(${result} FALSE PARENT_SCOPE)
  elseif(NOT FLITMEND_LONG_TESTS AND label MATCHES "^(study|long)$")
    set(${result} FALSE PARENT_SCOPE)
  else()
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()

# flitmend_test(NAME [SEPARATE] [OPTIMISED] [LONG_SANITIZED] [SOURCES …] [FOLDERS …] LINKS … [LABELS unit]
#   [TIMEOUT 1500] [TEST_PREFIX …]): one GoogleTest program, of these sources and of all that the folders hold: a new file
# there needs no line. Every TEST runs in its own process, because a SystemC kernel can simulate only once per process.
# TEST_PREFIX: put before the names of its tests if another program has the same names.
# OPTIMISED: its own code computes a lot; the sanitizer build optimises it too, as it does property tests.
# LONG_SANITIZED: computations, without hardware; in the sanitizer build their label is long.
function(flitmend_test name)
  cmake_parse_arguments(TEST "SEPARATE;OPTIMISED;LONG_SANITIZED" "TIMEOUT;LABELS;TEST_PREFIX" "SOURCES;FOLDERS;LINKS" ${ARGN})
  if(NOT TEST_LABELS)
    set(TEST_LABELS unit)
  endif()
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 1500)
  endif()
  foreach(folder IN LISTS TEST_FOLDERS)
    flitmend_sources(found ${folder})
    list(APPEND TEST_SOURCES ${found})
  endforeach()
  add_executable(${name} ${TEST_SOURCES})
  target_link_libraries(${name} PRIVATE test_support ${TEST_LINKS})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  flitmend_compile_options(${name})
  # -O3 would take a third longer to compile the tests. What is tested is in the libraries, but for inline functions of headers.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  # Optimising instrumented tests takes longer than running them. The libraries are optimised.
  if(FLITMEND_SANITIZE AND NOT TEST_OPTIMISED AND NOT TEST_LABELS STREQUAL property)
    target_compile_options(${name} PRIVATE -O0)
  endif()
  if(TEST_SEPARATE)  # as flitmend_room's
    set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
  endif()
  flitmend_test_wanted(wanted ${TEST_LABELS})
  if(FLITMEND_SANITIZE AND TEST_LONG_SANITIZED)
    set(TEST_LABELS long)
    set(wanted ${FLITMEND_LONG_TESTS})
  endif()
  if(NOT wanted)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL TRUE)
    return()
  endif()
  gtest_discover_tests(${name} NO_PRETTY_VALUES DISCOVERY_TIMEOUT 600 TEST_PREFIX "${FLITMEND_TEST_PREFIX}${TEST_TEST_PREFIX}"
    PROPERTIES LABELS ${TEST_LABELS} TIMEOUT ${TEST_TIMEOUT} ENVIRONMENT SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
    ENVIRONMENT_MODIFICATION XDG_CACHE_HOME=set:/dev/null)
endfunction()

# flitmend_command_test(NAME LABELS … [TIMEOUT 1500] COMMAND …): a test that is a command; 0 means success, 77 skipped.
function(flitmend_command_test name)
  cmake_parse_arguments(TEST "" "TIMEOUT;LABELS" "COMMAND" ${ARGN})
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 1500)
  endif()
  flitmend_test_wanted(wanted ${TEST_LABELS})
  if(NOT wanted)
    return()
  endif()
  add_test(NAME ${FLITMEND_TEST_PREFIX}${name} COMMAND ${TEST_COMMAND})
  set_tests_properties(${FLITMEND_TEST_PREFIX}${name} PROPERTIES LABELS ${TEST_LABELS} TIMEOUT ${TEST_TIMEOUT}
    SKIP_RETURN_CODE 77 ENVIRONMENT SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1)
endfunction()
