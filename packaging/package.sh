#!/usr/bin/env bash
# Installs what is needed, builds, and makes build/release/syncopate_VERSION_ARCH.deb, which `apt install ./FILE` installs.
set -euo pipefail
cd "$(dirname "$0")/.."
packaging/install-dependencies.sh --python --mpi dpkg-dev file
# The same sources give the same bytes: files have the date of the last commit, including those that rcc compiles into the explorer.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
echo "Building in build/release"
cmake --preset release -DBUILD_TESTING=OFF -DSYNCOPATE_PYTHON=ON >/dev/null
cmake --build build/release
(cd build/release && cpack -G DEB)
if command -v lintian >/dev/null; then
    lintian --fail-on error,warning build/release/syncopate_*.deb
fi
