#!/usr/bin/env bash
# Installs what is needed, builds the Python module `syncopate` (docs/python.md) and installs it: into the active virtual
# environment, else for the user.
#   python.sh [--into DIR]   DIR: a folder of sys.path instead
set -euo pipefail
here=$PWD
cd "$(dirname "$0")/.."
into=
while [ $# -gt 0 ]; do
    case "$1" in
    --into) into=${2:?--into needs a folder}; [[ $into = /* ]] || into=$here/$into; shift 2 ;;
    *) echo "error: unknown option $1; see the head of $0" >&2; exit 2 ;;
    esac
done
python=${VIRTUAL_ENV:+$VIRTUAL_ENV/bin/python3}
python=${python:-/usr/bin/python3}
if [ -z "$into" ] && [ -n "${VIRTUAL_ENV:-}" ]; then
    into=$("$python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
fi
into=${into:-$("$python" -m site --user-site)}
packaging/install-dependencies.sh --python
echo "Building in build/python"
cmake --preset release -B build/python -DBUILD_TESTING=OFF -DSYNCOPATE_PYTHON=ON -DPython_EXECUTABLE="$python" >/dev/null
cmake --build build/python --target syncopate_python
mkdir -p "$into"
cp build/python/python/syncopate.*.so app/python/syncopate.pyi "$into/"
PYTHONPATH=$into "$python" -c 'import syncopate; print("Installed syncopate", syncopate.__version__, "as", syncopate.__file__)'
"$python" -c 'import numpy' 2>/dev/null || echo "NumPy is missing there, which spans() and tables need: $python -m pip install numpy"
