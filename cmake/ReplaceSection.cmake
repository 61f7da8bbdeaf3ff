# SPDX-License-Identifier: Apache-2.0
# Replaces what stands between two lines of a page: cmake -D PAGE=… -D FIRST=… -D LAST=… -D TEXT=FILE -P …
file(READ "${PAGE}" page)
file(READ "${TEXT}" text)
string(FIND "${page}" "${FIRST}\n" first)
string(FIND "${page}" "${LAST}\n" last)
if(first EQUAL -1 OR last LESS first)
  message(FATAL_ERROR "${PAGE} has no line ${FIRST} with a line ${LAST} after it")
endif()
string(LENGTH "${FIRST}\n" length)
math(EXPR first "${first} + ${length}")
string(SUBSTRING "${page}" 0 ${first} before)
string(SUBSTRING "${page}" ${last} -1 after)
file(WRITE "${PAGE}" "${before}${text}${after}")
