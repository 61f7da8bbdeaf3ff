# SPDX-License-Identifier: Apache-2.0
# Functions that declare tests. Every test has one of these labels:
#   unit      one part, or one closed form          property  many random cases
#   example   examples/, quick studies                picture   what GTKWave and a browser show
#   style     the sources themselves                study, long  campaigns, for scripts/nightly
#   performance  what a run may cost
# and those of GoogleTest also a label room.NAME for each room that they test, by which scripts/sanitize chooses. The target
# tests.NAME builds them.
# The sanitizer build has only the unit and property tests (some as long ones), whose names start with "sanitize.".
include(GoogleTest)
set(FLITMEND_TEST_LABELS unit property example picture style performance study long)
# Tests of more than about ten CPU seconds. CTest starts them first, so that all processors end together.
set(FLITMEND_LONGEST_TESTS "fidelity|kns_faults|adaptive_overload|software_based|OurStudies.*virtual_channels|ExhaustiveCampaign|^models[.]|\
style[.](tidy|checks)|^example[.]|debian_packages|page_outputs|replay_model|same_results|instructions|SlurmSweepProgram.GoesOn|\
FindsNoBrokenContract|(base|routing|analysis|testbench|exploration|paper_rows|commands)_test$")
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

# flitmend_test(NAME [NO_KERNEL] [STARTS_PROGRAM] [NIGHTLY] [OPTIMISED] [LONG_SANITIZED] [SOURCES …] [FOLDERS …] [EXCEPT …] LINKS …
#   [ROOMS …] [LABELS unit] [TIMEOUT 1500] [TEST_PREFIX …]): one GoogleTest program, of these sources and of all that the
# folders hold, but for those named by EXCEPT: a new file there needs no line. Every TEST runs in its own process, because a
# SystemC kernel can simulate only once per process.
# NO_KERNEL: no test simulates; the program is one test of CTest. Its main program fails a test that starts a kernel.
# STARTS_PROGRAM: its tests start flitmend, whose path is FLITMEND_PROGRAM.
# ROOMS: the rooms that it tests, besides the folders of its sources.
# TEST_PREFIX: put before the names of its tests if another program has the same names.
# OPTIMISED: its own code computes a lot; the sanitizer build optimises it too, as it does property tests.
# NIGHTLY: unit tests that are slow to run or to compile; their label is long in the release and in the sanitizer build.
# LONG_SANITIZED: computations, without hardware; in the sanitizer build their label is long.
function(flitmend_test name)
  cmake_parse_arguments(TEST "NO_KERNEL;STARTS_PROGRAM;NIGHTLY;OPTIMISED;LONG_SANITIZED" "TIMEOUT;LABELS;TEST_PREFIX"
    "SOURCES;FOLDERS;EXCEPT;LINKS;ROOMS" ${ARGN})
  if(NOT TEST_LABELS)
    set(TEST_LABELS unit)
  endif()
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 1500)
  endif()
  foreach(folder IN LISTS TEST_FOLDERS)
    flitmend_sources(found ${folder} EXCEPT ${TEST_EXCEPT})
    list(APPEND TEST_SOURCES ${found})
  endforeach()
  add_executable(${name} ${TEST_SOURCES})
  target_link_libraries(${name} PRIVATE test_support $<$<BOOL:${TEST_NO_KERNEL}>:test_no_kernel> ${TEST_LINKS})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${name} PRIVATE FLITMEND_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(TEST_STARTS_PROGRAM)
    target_compile_definitions(${name} PRIVATE FLITMEND_PROGRAM="$<TARGET_FILE:flitmend_program>")
    add_dependencies(${name} flitmend_program)
    if(TARGET flitmend_search)
      add_dependencies(${name} flitmend_search)
    endif()
  endif()
  if(TEST_OPTIMISED OR TEST_LABELS STREQUAL property)
    flitmend_test_options(${name} OPTIMISED)
  else()
    flitmend_test_options(${name})
  endif()
  flitmend_tested_rooms(rooms ${name} ${TEST_ROOMS})
  flitmend_test_wanted(wanted ${TEST_LABELS})
  if(TEST_NIGHTLY OR (FLITMEND_SANITIZE AND TEST_LONG_SANITIZED))
    set(TEST_LABELS long)
    set(wanted ${FLITMEND_LONG_TESTS})
  endif()
  if(NOT wanted)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL TRUE)
    return()
  endif()
  foreach(room IN LISTS rooms)
    add_dependencies(tests.${room} ${name})
    list(APPEND room_labels room.${room})
  endforeach()
  set(labels ${TEST_LABELS} ${room_labels})
  set(properties TIMEOUT ${TEST_TIMEOUT} ENVIRONMENT SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
    ENVIRONMENT_MODIFICATION XDG_CACHE_HOME=set:/dev/null)
  set(prefix ${FLITMEND_TEST_PREFIX}${TEST_TEST_PREFIX})
  if(TEST_NO_KERNEL)
    add_test(NAME ${prefix}${name} COMMAND ${name} --gtest_brief=1)
    set_tests_properties(${prefix}${name} PROPERTIES LABELS "${labels}" ${properties})
    if(name MATCHES "${FLITMEND_LONGEST_TESTS}")
      set_tests_properties(${prefix}${name} PROPERTIES COST 100)
    endif()
    return()
  endif()
  gtest_discover_tests(${name} NO_PRETTY_VALUES DISCOVERY_TIMEOUT 600 TEST_PREFIX "${prefix}" PROPERTIES ${properties})
  # gtest_discover_tests cannot hand on a property that is a list. CTest reads this file after the list of tests.
  set(label_file ${CMAKE_CURRENT_BINARY_DIR}/${name}_labels.cmake)
  file(WRITE ${label_file} "foreach(test IN LISTS ${name}_TESTS)
  set_tests_properties(\${test} PROPERTIES LABELS \"${labels}\")
  if(test MATCHES \"${FLITMEND_LONGEST_TESTS}\")
    set_tests_properties(\${test} PROPERTIES COST 100)
  endif()
endforeach()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${label_file})
endfunction()

# flitmend_test_options(TARGET [OPTIMISED]): how a test program is compiled. In large pieces it uses the precompiled headers of
# the target test_headers, where that is compiled with the same options.
function(flitmend_test_options target)
  cmake_parse_arguments(TEST "OPTIMISED" "" "" ${ARGN})
  flitmend_compile_options(${target})
  # -O3 would take a third longer to compile the tests. The code under test is in the libraries, except inline functions of headers.
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  # Optimising instrumented tests takes longer than running them. The libraries are optimised.
  if(FLITMEND_SANITIZE AND NOT TEST_OPTIMISED)
    target_compile_options(${target} PRIVATE -O0)
  endif()
  if(CMAKE_UNITY_BUILD AND NOT target STREQUAL test_headers AND NOT (FLITMEND_SANITIZE AND TEST_OPTIMISED))
    target_precompile_headers(${target} REUSE_FROM test_headers)
  endif()
endfunction()

# flitmend_tested_rooms(RESULT PROGRAM [ROOM …]): sets RESULT to the rooms that a test program tests: the folders of tests that
# its sources are in, and further ones. Each has a target tests.ROOM.
function(flitmend_tested_rooms result program)
  get_target_property(sources ${program} SOURCES)
  set(rooms ${ARGN})
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(REGEX REPLACE "^(tests/)?([^/]+)/.*" "\\2" room ${source})
    if(NOT room STREQUAL support)
      list(APPEND rooms ${room})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES rooms)
  foreach(room IN LISTS rooms)
    if(NOT TARGET tests.${room})
      add_custom_target(tests.${room})
    endif()
  endforeach()
  set(${result} ${rooms} PARENT_SCOPE)
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
  if(name MATCHES "${FLITMEND_LONGEST_TESTS}")
    set_tests_properties(${FLITMEND_TEST_PREFIX}${name} PROPERTIES COST 100)
  endif()
endfunction()
