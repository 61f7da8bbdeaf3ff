#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# without_proc_test.sh FLITMEND: the program finds its studies where /proc is not mounted, as in some containers.
set -euo pipefail
flitmend=$1
unset FLITMEND_STUDIES
hidden() { unshare --mount --map-root-user bash -c 'mount -t tmpfs none /proc && exec "$@"' hidden "$@"; }
if ! hidden true 2>/dev/null; then echo "/proc cannot be hidden here" && exit 77; fi
# From folders that have no folder `studies` themselves.
cd /
hidden "$flitmend" study --list | grep -q '^booksim ' || { echo "FAILED: no studies by an absolute path" && exit 1; }
folder=$(dirname "$flitmend")
cd "$folder/.."
hidden "./$(basename "$folder")/$(basename "$flitmend")" study --list | grep -q '^booksim ' ||
  { echo "FAILED: no studies by a relative path" && exit 1; }
echo "the studies are found"
