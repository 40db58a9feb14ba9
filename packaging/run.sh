#!/usr/bin/env bash
# Installs what is needed, builds, and starts the explorer on the bundled sample. Arguments go to the explorer instead:
# packaging/run.sh profile.json.gz
set -euo pipefail
cd "$(dirname "$0")/.."
packaging/install-dependencies.sh
echo "Building in build/release"
cmake --preset release -DBUILD_TESTING=OFF >/dev/null
cmake --build build/release --target syncopate syncopate-cli
if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}${QT_QPA_PLATFORM:-}" ]; then
    echo "error: there is no display; log in to a desktop, or use build/release/bin/syncopate-cli" >&2
    exit 1
fi
echo "Starting the explorer"
if [ $# -eq 0 ]; then
    exec build/release/bin/syncopate --sample
fi
exec build/release/bin/syncopate "$@"
