# SPDX-License-Identifier: Apache-2.0
# Configures, builds and tests the external project EXAMPLE in WORK, using only what BUILD has installed in PREFIX. Without
# EXAMPLE: installs it there.
function(run step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${step} failed (${status})")
  endif()
endfunction()

if(NOT EXAMPLE)
  file(REMOVE_RECURSE ${PREFIX} ${PREFIX}.first)
  run("installing" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX}.first)
  # Used from another place: an installed package may be moved.
  file(RENAME ${PREFIX}.first ${PREFIX})
  return()
endif()
file(REMOVE_RECURSE ${WORK})
# Not optimised: these programs run for a second or two.
run("configuring the example" ${CMAKE_COMMAND} -S ${EXAMPLE} -B ${WORK}/build -G ${GENERATOR}
  -D CMAKE_BUILD_TYPE=None -D CMAKE_PREFIX_PATH=${PREFIX}
  -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})
run("building the example" ${CMAKE_COMMAND} --build ${WORK}/build)
run("running the example" ${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/build --output-on-failure --no-tests=error)
