#!/usr/bin/env bash
# Measures asynchronous training through a gRPC parameter server over shaped links between network namespaces (README.md).
#   run.sh                     all 288 runs, about 95 minutes, into build/reality/measured; started again it continues
#   run.sh --output DIR ...    other options are those of measure.py
#   run.sh --smoke             one run of seconds and checks of what it wrote
# If the machine cannot do it, prints "skipped: why" and ends with 0. Its namespaces are removed at the end.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
skip() { echo "skipped: $*"; exit 0; }

[ "$(uname -s)" = Linux ] || skip "network namespaces are Linux's"
for tool in python3 cmake g++ pkg-config ip tc; do
    command -v "$tool" >/dev/null || skip "$tool is missing (packages python3 cmake g++ pkg-config iproute2)"
done
pkg-config --exists grpc++ || skip "gRPC is missing (package libgrpc++-dev)"
if [ "$(id -u)" -ne 0 ]; then
    # A user namespace has its own network namespaces, and a private /run for their names.
    unshare --user --map-root-user --net --mount true 2>/dev/null || skip "neither root nor allowed to make user namespaces"
    exec unshare --user --map-root-user --net --mount bash -c 'mount -t tmpfs tmpfs /run && exec "$0" "$@"' "$0" "$@"
fi

prefix=sy$$
remove() {
    for name in $(ip netns list 2>/dev/null | awk '{print $1}' | grep "^$1-" || true); do ip netns delete "$name" || true; done
}
child=
trap '[ -z "$child" ] || kill "$child" 2>/dev/null || true; wait; remove "$prefix"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
# Left over from runs that were killed.
for stale in $(ip netns list 2>/dev/null | sed -nE 's/^(sy[0-9]+)-.*/\1/p' | sort -u); do
    kill -0 "${stale#sy}" 2>/dev/null || remove "$stale"
done
reason=$(python3 "$here/measure.py" --prefix "$prefix" --possible) || skip "$reason"

build=${REALITY_BUILD:-$root/build/reality}
mkdir -p "$build"
tool=${REALITY_TOOL:-} # built already, if the tests' own build found gRPC
if [ -z "$tool" ]; then
    tool=$build/async_ps
    if ! { cmake -S "$here" -B "$build" && nice cmake --build "$build" --parallel 2; } >"$build/build.log" 2>&1; then
        tail -n 20 "$build/build.log" >&2
        echo "error: the parameter server does not build; see $build/build.log" >&2
        exit 1
    fi
fi
python3 "$here/measure.py" --prefix "$prefix" --tool "$tool" --output "$build/measured" "$@" &
child=$!
code=0
wait "$child" || code=$?
child=
exit "$code"
