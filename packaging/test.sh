#!/usr/bin/env bash
# Installs what is needed, builds with warnings as errors, and runs every test. Options:
#   --asan            build and test with AddressSanitizer and UndefinedBehaviorSanitizer (build/asan)
#   --tsan            build and run the tests of threaded code, with ThreadSanitizer (build/tsan)
#   --coverage        build and test with counted lines (build/coverage), then print the share of each room that the tests have run
#   --within SECONDS  with --asan: as many test programs as can be built and run in that time, those that read files first. Only a
#                     sanitizer's finding fails; tests that fail otherwise, and those not reached in time, are listed
#   --fuzz SECONDS    then run every fuzz target that long (build/fuzz, needs clang)
set -euo pipefail
cd "$(dirname "$0")/.."
preset=test # build/test, for a single build, compiles by folders (CMAKE_UNITY_BUILD); build/dev is for development
fuzz=0
within=0
while [ $# -gt 0 ]; do
    case "$1" in
    --asan) preset=asan; shift ;;
    --tsan) preset=tsan; shift ;;
    --coverage) preset=coverage; shift ;;
    --within) within=${2:?--within needs a number of seconds}; shift 2 ;;
    --fuzz) fuzz=${2:?--fuzz needs a number of seconds}; shift 2 ;;
    *) echo "error: unknown option $1; see the head of $0" >&2; exit 2 ;;
    esac
done
if [ "$fuzz" -gt 0 ]; then
    packaging/install-dependencies.sh clang libclang-rt-14-dev
    echo "Building the fuzz targets in build/fuzz"
    cmake --preset fuzz >/dev/null
    for source in tests/fuzz/fuzz_*.cpp; do
        name=$(basename "$source" .cpp)
        cmake --build build/fuzz --target "$name"
        echo "Fuzzing $name for $fuzz s"
        mkdir -p "build/fuzz/corpus/$name"
        for seed in $(sed -n 's|^// Seeds: ||p' "$source"); do # globs, without blanks
            cp -n "$seed" "build/fuzz/corpus/$name/${seed//\//_}"
        done
        (cd build/fuzz && "tests/$name" -max_total_time="$fuzz" -rss_limit_mb=4096 -timeout=20 -verbosity=0 -print_final_stats=1 "corpus/$name")
    done
fi
packaging/install-dependencies.sh --test
echo "Building in build/$preset"
cmake --preset "$preset" >/dev/null
export QT_QPA_PLATFORM=offscreen
if [ "$preset" = tsan ]; then
    cmake --build build/tsan --target thread_tests
    echo "Testing"
    # A test that starts a program forks while threads run; without die_after_fork=0 the child ends there.
    export TSAN_OPTIONS="suppressions=$PWD/tests/tsan_suppressions.txt second_deadlock_stack=1 die_after_fork=0 ${TSAN_OPTIONS:-}"
    ctest --preset tsan -L threads
    exit
fi
# Folder of AddressSanitizer's findings while within_time runs, also of programs that a test starts. UBSan's findings are in the
# tests' output, since GCC's build of it knows no log_path.
findings=$PWD/build/$preset/findings
# found: prints the findings; fails if there are none.
found() {
    local status=1
    # A report ends with a summary; LeakSanitizer's complaint that it may not inspect processes does not.
    if grep -qs '^SUMMARY: ' "$findings"/*; then
        tail -n +1 "$findings"/*
        status=0
    fi
    ! grep -E '[^ ]+:[0-9]+:[0-9]+: runtime error: ' "$findings.log" || status=0
    return $status
}
# within_time TEST...: builds and runs them, a few at a time, until the time is up. Findings of sanitizers and errors of the build
# fail. ctest lists tests that fail otherwise: under sanitizers some exceed timeouts that are right without.
within_time() {
    local done=0 status=0 left batch
    rm -rf "$findings" "$findings.log"
    mkdir -p "$findings"
    export ASAN_OPTIONS="log_path=$findings/report ${ASAN_OPTIONS:-}"
    while [ $# -gt 0 ] && [ "$status" -ne 124 ]; do
        batch=("${@:1:24}")
        status=0
        left=$((within - SECONDS))
        timeout "$((left > 0 ? left : 1))" cmake --build "build/$preset" --target "${batch[@]}" || status=$?
        [ "$status" -ne 124 ] || break
        [ "$status" -eq 0 ] || return "$status"
        left=$((within - SECONDS))
        timeout "$((left > 0 ? left : 1))" ctest --preset "$preset" -j2 -R "^($(IFS='|'; echo "${batch[*]}"))\$" 2>&1 |
            tee -a "$findings.log" || status=$?
        [ "$status" -eq 124 ] || { done=$((done + ${#batch[@]})); shift "${#batch[@]}"; }
    done
    echo "Test programs that ran with sanitizers within $within s: $done${*:+; left out or not ended for time: $*}"
    ! found
}
if [ "$within" -gt 0 ]; then
    readers='/(profile|job|cluster|strategy|plan|store|session|export)/' # rooms that read foreign bytes
    all=$(ls tests/*/tst_*.cpp)
    mapfile -t tests < <({ grep -E "$readers" <<<"$all"; grep -vE "$readers" <<<"$all"; } | sed 's|.*/||; s|\.cpp$||')
    within_time "${tests[@]}"
    exit
fi
cmake --build "build/$preset"
[ "$preset" != coverage ] || find build/coverage -name '*.gcda' -delete # counts of earlier runs
echo "Testing"
ctest --preset "$preset"
[ "$preset" != coverage ] || docs/code_figures.py coverage build/coverage
