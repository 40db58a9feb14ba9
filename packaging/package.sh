#!/usr/bin/env bash
# Installs what is needed, builds, and makes build/release/syncopate_VERSION_ARCH.deb, which `apt install ./FILE` installs.
set -euo pipefail
cd "$(dirname "$0")/.."
packaging/install-dependencies.sh --python --mpi dpkg-dev file
echo "Building in build/release"
cmake --preset release -DBUILD_TESTING=OFF -DSYNCOPATE_PYTHON=ON >/dev/null
cmake --build build/release
(cd build/release && cpack -G DEB)
