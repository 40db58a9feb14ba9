#!/usr/bin/env bash
# Installs Syncopate's dependencies on Debian 12, as root or with sudo. Does nothing if all are installed.
#   install-dependencies.sh [--check] [--run] [--python] [--mpi] [--test] [PACKAGE...]
#   --check   only names in a line the obstacle, if there is one: the distribution, rights, disk space, packages
#   --run     also packages that a desktop session needs at run time
#   --python  also packages to build and use the Python module
#   --mpi     also packages to build searches on several machines (mpirun -n N syncopate-cli search)
#   --test    also packages that the tests use beyond building
set -euo pipefail
packages=(cmake ninja-build g++ ccache mold pkg-config
    qt6-base-dev qt6-svg-dev qt6-l10n-tools libqcustomplot-dev libgl1-mesa-dev libfmt-dev libsimdjson-dev libyaml-cpp-dev libexpat1-dev
    libprotobuf-dev protobuf-compiler libexpected-dev libcli11-dev libbenchmark-dev zlib1g-dev libsnappy-dev libarchive-dev
    libsqlite3-dev libeigen3-dev libnlopt-cxx-dev libxgboost-dev fonts-dejavu-core)
check=0
while [ $# -gt 0 ]; do
    case "$1" in
    --check) check=1 ;;
    --run) packages+=(qt6-wayland) ;;
    --mpi) packages+=(libopenmpi-dev) ;;
    --python) packages+=(python3-dev pybind11-dev python3-numpy) ;;
    --test) packages+=(python3-dev pybind11-dev python3-numpy libgrpc++-dev protobuf-compiler-grpc iproute2 libopenmpi-dev openmpi-bin) ;;
    *) packages+=("$1") ;;
    esac
    shift
done
missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done

refuse() { echo "error: $*" >&2; exit 1; }
needed=${SYNCOPATE_NEEDED_MIB:-3000} # the build folder of one preset, and the packages
available=$(df -Pm . | awk 'NR == 2 {print $4}')
[ "$available" -ge "$needed" ] || refuse "$available MiB are free here, and building takes $needed; free some, or clone to a larger disk"
[ ${#missing[@]} -eq 0 ] && exit 0

command -v apt-get >/dev/null || refuse "this is not Debian; install with its own tools the equivalents of: ${missing[*]}"
sudo=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || refuse "these packages are missing and there is no sudo; run as root once: ${missing[*]}"
    sudo=(sudo)
fi
unknown() { for package in "${missing[@]}"; do apt-cache show "$package" >/dev/null 2>&1 || printf '%s ' "$package"; done; }
release=$(. /etc/os-release 2>/dev/null && echo "${PRETTY_NAME:-unknown}")
if [ "$check" = 1 ]; then
    # Without package lists no package can be looked up yet: installing fetches the lists first.
    if apt-cache show g++ >/dev/null 2>&1 && [ -n "$(unknown)" ]; then
        refuse "$release does not have: $(unknown)(Debian 12 and later do)"
    fi
    exit 0
fi
echo "Installing: ${missing[*]}"
"${sudo[@]}" apt-get update -q
[ -z "$(unknown)" ] || refuse "$release does not have: $(unknown)(Debian 12 and later do)"
"${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
