# SPDX-License-Identifier: Apache-2.0
# Installs BUILD into a fresh prefix in WORK, then configures, builds and tests the external project EXAMPLE using only
# that prefix.
function(run step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${step} failed (${status})")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run("installing" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
# Used from another place: an installed package may be moved.
file(RENAME ${WORK}/prefix ${WORK}/moved)
run("configuring the example" ${CMAKE_COMMAND} -S ${EXAMPLE} -B ${WORK}/build -G ${GENERATOR}
  -D CMAKE_BUILD_TYPE=Release -D CMAKE_PREFIX_PATH=${WORK}/moved
  -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})
run("building the example" ${CMAKE_COMMAND} --build ${WORK}/build)
run("running the example" ${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/build --output-on-failure --no-tests=error)
