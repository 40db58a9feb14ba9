#!/usr/bin/env bash
# Installs what is needed, builds, and starts the explorer on the bundled sample. Arguments go to the explorer instead:
# packaging/run.sh profile.json.gz
# Without a display it compares the sample's two strategies in the terminal, and leaves a report and a picture of the explorer.
set -euo pipefail
here=$PWD
cd "$(dirname "$0")/.."
display=yes
packaging/display.sh || display=
# Reports every problem that can be known beforehand: building takes minutes.
packaging/install-dependencies.sh --check --run
if [ -z "$display" ]; then
    echo "There is no display here${QT_QPA_PLATFORM:+ for QT_QPA_PLATFORM=$QT_QPA_PLATFORM}${DISPLAY:+ (DISPLAY is $DISPLAY)}: the comparison will be printed here, with a report and a picture in files."
    [ $# -eq 0 ] || echo "Given files are opened in a window only; build/release/bin/syncopate-cli takes them in the terminal." >&2
fi
packaging/install-dependencies.sh --run
echo "Building in build/release"
cmake --preset release -DBUILD_TESTING=OFF >/dev/null
cmake --build build/release --target syncopate syncopate-cli
bin=$PWD/build/release/bin
if [ -n "$display" ]; then
    echo "Starting the explorer"
    [ $# -gt 0 ] || set -- --sample
    cd "$here" # from where the arguments name files
    exec "$bin/syncopate" "$@"
fi

# The sample as the explorer shows it at the start: side A and side B.
out=$PWD/build/release/sample-comparison
mkdir -p "$out"
scenario=(--job sample_data/resnet50_cpu_gloo_rank0.json.gz --cluster sample_data/cluster_8x1gbe.yml --policy ddp
    --b PSLoadBalancing --policy-b 'fifo(barrier=off)')
"$bin/syncopate-cli" compare "${scenario[@]}" --a 'AllReduce(chunk_size=128)'
"$bin/syncopate-cli" --quiet --force export "${scenario[@]}" --strategy 'AllReduce(chunk_size=128)' --format html -o "$out/report.html"
QT_QPA_PLATFORM=offscreen "$bin/syncopate" --sample --screenshot "$out/explorer.png"
cat <<TEXT

The report:   $out/report.html
The explorer: $out/explorer.png
To see it in a window, run this in a desktop session (X11 or Wayland), or over ssh -X, or with QT_QPA_PLATFORM=vnc
for a VNC viewer on port 5900 of this machine.
TEXT
