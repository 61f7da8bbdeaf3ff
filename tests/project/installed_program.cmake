# SPDX-License-Identifier: Apache-2.0
# Installs BUILD into a fresh prefix in WORK and moves it. From there, and through a link, the program finds the studies
# of STUDIES, writes a study's report, and, without the studies, says where it looked.
function(expect what actual wanted)
  if(NOT actual STREQUAL wanted)
    message(SEND_ERROR "FAILED: ${what}: expected '${wanted}', not '${actual}'")
  endif()
endfunction()

function(contains what text part)
  string(FIND "${text}" "${part}" at)
  if(at EQUAL -1)
    message(SEND_ERROR "FAILED: ${what}: '${part}' is not in '${text}'")
  endif()
endfunction()

# flitmend PROGRAM WORDS…: sets status, out and err.
function(flitmend program)
  execute_process(COMMAND ${program} ${ARGN} WORKING_DIRECTORY ${WORK}/elsewhere
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE error)
  set(status "${result}" PARENT_SCOPE)
  set(out "${output}" PARENT_SCOPE)
  set(err "${error}" PARENT_SCOPE)
endfunction()

unset(ENV{FLITMEND_STUDIES})
file(REMOVE_RECURSE ${WORK})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix RESULT_VARIABLE status OUTPUT_QUIET)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "installing failed (${status})")
endif()
# Used from another place: an installation may be moved.
file(RENAME ${WORK}/prefix ${WORK}/moved)
file(MAKE_DIRECTORY ${WORK}/elsewhere)
file(CREATE_LINK ${WORK}/moved/bin/flitmend ${WORK}/elsewhere/linked SYMBOLIC)

file(GLOB ours RELATIVE ${STUDIES} ${STUDIES}/*)
file(GLOB installed RELATIVE ${WORK}/moved/share/flitmend/studies ${WORK}/moved/share/flitmend/studies/*)
expect("what is installed are our studies" "${installed}" "${ours}")
foreach(program ${WORK}/moved/bin/flitmend ${WORK}/elsewhere/linked)
  flitmend(${program} study --list)
  expect("the list of studies: ${err}" "${status}" 0)
  foreach(study IN LISTS ours)
    if(IS_DIRECTORY ${STUDIES}/${study}) # data
      continue()
    endif()
    string(REPLACE ".yaml" "" study ${study})
    contains("the list of studies" "${out}" "\n${study} ")
  endforeach()
endforeach()

# A study of the user's own in the same folder.
file(WRITE ${WORK}/moved/share/flitmend/studies/own.yaml
  "title: Own\nsweeps:\n  a:\n    base: {network: {topology: mesh, size: [4, 4]}, simulation: {warmup: 100, measure: 1000}}\n"
  "    axes: [{seeds: 2}]\nstatements:\n  - {says: few hops, metric: hops.mean, at_most: 9}\n")
flitmend(${WORK}/elsewhere/linked study own --quiet)
expect("a study by its name: ${err}" "${status}" 0)
contains("a study by its name" "${out}" "1 of 1 statements hold")
if(NOT EXISTS ${WORK}/elsewhere/out/own/study.sqlite)
  message(SEND_ERROR "FAILED: the results are not in the working folder")
endif()

file(REMOVE_RECURSE ${WORK}/moved/share)
flitmend(${WORK}/moved/bin/flitmend study booksim)
expect("without studies" "${status}" 2)
expect("without studies" "${err}" "flitmend: the studies that come with flitmend are missing: no \
${WORK}/moved/share/flitmend/studies; give a study's file, or set FLITMEND_STUDIES to their folder\n")
