#!/usr/bin/env bash
# Installs what building and testing Syncopate needs on Debian 12, as root or with sudo. Does nothing when all is there.
set -euo pipefail
packages=(cmake ninja-build g++ ccache pkg-config
    qt6-base-dev libqcustomplot-dev libgl1-mesa-dev libfmt-dev libsimdjson-dev libyaml-cpp-dev libexpat1-dev
    libprotobuf-dev protobuf-compiler libexpected-dev libcli11-dev libbenchmark-dev zlib1g-dev libsnappy-dev libarchive-dev libsqlite3-dev fonts-dejavu-core)
packages+=("$@")
missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0
echo "Installing: ${missing[*]}"
sudo=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "error: these packages are missing and there is no sudo; run as root once" >&2; exit 1; }
    sudo=(sudo)
fi
"${sudo[@]}" apt-get update -q
"${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
