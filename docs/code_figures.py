#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of docs/figures.md: how large the rooms are, which functions are long or hard to follow, what an addition touches, and
which lines the tests reach.

    docs/code_figures.py rooms | functions [LINES] | additions | complexity BUILD [LEVEL] | coverage BUILD

BUILD is a configured build folder; for complexity nothing in it has to be built, for coverage its tests must have run (preset coverage).
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[1]
TOPS = ("engine", "ui", "app")
# Kinds of additions, and the place of the file that makes each one. A reader is counted by the first file of its folder.
ADDITIONS = {
    "a policy": "engine/strategy/policy/*.cpp",
    "a reader of profiles": "engine/profile/*/*.cpp",
    "a search method": "engine/search/*_search.cpp",
    "a judge": "engine/trial/*_judge.cpp",
    "an exporter": "engine/export/*.cpp",
    "a command": "app/cli/*.cpp",
}
NO_FUNCTION = re.compile(r"(?:template <.*> )?(?:namespace|class|struct|enum|union|extern)\b")


def git(*arguments):
    return subprocess.run(["git", "-C", str(SOURCE), *arguments], capture_output=True, text=True, check=True).stdout


def sources(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in (".cpp", ".h"))


def length(path):
    return len(path.read_text().splitlines())


def functions(path):
    """Name and lines of each function. Relies on clang-format: a body ends with a brace at the indentation of its head, and members
    of a class are one step further in."""
    lines = path.read_text().splitlines()
    head, at = None, 0
    while at < len(lines):
        line = lines[at]
        text = line.strip()
        if not text or text.startswith(("//", "#", "public", "private", "protected", "Q_")):
            head = None
        else:
            head = at if head is None else head
            if line.endswith("{"):
                indent = len(lines[head]) - len(lines[head].lstrip())
                whole = " ".join(part.strip() for part in lines[head:at + 1])
                if not NO_FUNCTION.match(whole) and "{" not in whole.partition("(")[0]:
                    end = next((i for i in range(at + 1, len(lines)) if lines[i].startswith(" " * indent + "}")), None)
                    if end is None:
                        raise SystemExit(f"{path}:{head + 1}: no end found for the definition that begins here")
                    if "(" in whole and not re.match(r"[^(]*[^=!<>]=[^=]", whole):
                        name = re.search(r"(operator ?[^\s(]+|[~\w:<>]+|operator\(\)) ?\(", whole)
                        if name:  # not a lambda in a table
                            yield name[1], end - head + 1
                    at = end
                head = None
            elif text.endswith((";", "}")) or (text.endswith(",") and not any("(" in part for part in lines[head:at + 1])):
                head = None
        at += 1


def print_rooms():
    print("| room | files | lines | largest file |\n|---|---|---|---|")
    total = [0, 0]
    for top in TOPS:
        for room in sorted(path for path in (SOURCE / top).iterdir() if path.is_dir()):
            files = sources(room)
            if not files:
                continue
            lines, largest = sum(map(length, files)), max(files, key=length)
            total = [total[0] + len(files), total[1] + lines]
            print(f"| {top}/{room.name} | {len(files)} | {lines:,} | {largest.relative_to(room)}, {length(largest)} |")
    print(f"| all | {total[0]:,} | {total[1]:,} | |")


def print_functions(limit):
    found, count = [], 0
    for top in TOPS:
        for path in sources(SOURCE / top):
            for name, lines in functions(path):
                count += 1
                if lines > limit:
                    found.append((lines, name, path.relative_to(SOURCE)))
    print(f"{len(found)} of {count:,} functions have more than {limit} lines.\n\n| lines | function | file |\n|---|---|---|")
    for lines, name, path in sorted(found, key=lambda row: (-row[0], str(row[2]))):
        print(f"| {lines} | `{name}` | {path} |")


def latest(pattern):
    """The last commit that added one."""
    commits = git("log", "--diff-filter=A", "--no-renames", "--format=%x01%H %s", "--name-only", "--", pattern).split("\x01")[1:]
    for commit in commits:
        first, *added = [line for line in commit.splitlines() if line]
        identity, subject = first.split(" ", 1)
        if "/*/" in pattern:  # only the first file of a folder
            added = [name for name in added if not git("ls-tree", "--name-only", f"{identity}^", f"{pathlib.Path(name).parent}/")]
        if added:
            return identity, subject
    raise SystemExit(f"no commit adds {pattern}")


def stated():
    """The number of source files that an addition changes according to CONTRIBUTING.md, without tests; for each kind of a row."""
    table = (SOURCE / "CONTRIBUTING.md").read_text().split("| to add |")[1].split("\n\n")[0]
    for row in table.splitlines()[2:]:
        what, _, touched = [cell.strip() for cell in row.strip("|").split(" | ")]
        files = [name for name in re.findall(r"`([^`]+)`", touched) if re.search(r"\.(cpp|h)$", name) and not name.startswith("tests/")]
        yield what, len(files) // (what.count(";") + 1) or int(touched != "none")


def print_additions():
    print("| to add | source files touched |\n|---|---|")
    for what, count in stated():
        print(f"| {what} | {count} |")
    print("\n| added | by the commit | new files | changed files | in rooms |\n|---|---|---|---|---|")
    for what, pattern in ADDITIONS.items():
        identity, subject = latest(pattern)
        rows = [row.split("\t") for row in git("show", "--format=", "--no-renames", "--name-status", identity, "--", *TOPS).splitlines()]
        code = [(kind, name) for kind, name in rows if name.endswith((".cpp", ".h"))]
        new, changed = ([name for kind, name in code if kind == wanted] for wanted in "AM")
        rooms = sorted({"/".join(name.split("/")[:2]) for name in changed})
        print(f"| {what} | {subject} | {len(new)} | {len(changed)} | {', '.join(rooms)} |")


def compile_commands(build):
    """The folder's translation units of engine/, ui/ and app/, without GCC's precompiled headers, which Clang cannot read."""
    tops = tuple(f"{build}/{top}/" for top in TOPS) + tuple(f"{SOURCE}/{top}/" for top in TOPS)
    for unit in json.loads((build / "compile_commands.json").read_text()):
        if unit["file"].startswith(tops) and not unit["file"].endswith((".pb.cc", "cmake_pch.hxx.cxx")):
            words = shlex.split(unit["command"])
            kept = [word for at, word in enumerate(words) if word not in ("-include", "-Winvalid-pch", "-Werror") and
                    words[at - 1] != "-include"]
            yield {**unit, "command": shlex.join(kept)}


def print_complexity(build, limit):
    """Cognitive complexity as clang-tidy counts it: branches that a reader has to keep in mind, with each nesting counted once more. Macros
    are not expanded: TRY hands an error on, which a reader need not keep in mind."""
    check = "readability-function-cognitive-complexity"
    config = json.dumps({"Checks": f"-*,{check}", "HeaderFilterRegex": f"{SOURCE}/({'|'.join(TOPS)})/.*", "CheckOptions": [
        {"key": f"{check}.Threshold", "value": str(limit)}, {"key": f"{check}.IgnoreMacros", "value": "true"}]})
    finding = re.compile(r"^(\S+):(\d+):\d+: warning: function '(.*)' has cognitive complexity of (\d+)")
    found = set()
    with tempfile.TemporaryDirectory() as folder:
        units = list(compile_commands(build))
        (pathlib.Path(folder) / "compile_commands.json").write_text(json.dumps(units))

        def tidied(unit):
            return subprocess.run(["clang-tidy", "-p", folder, "--quiet", f"--config={config}", unit["file"]], capture_output=True,
                                  text=True).stdout

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for output in pool.map(tidied, units):
                for match in map(finding.match, output.splitlines()):
                    if match:
                        path = pathlib.Path(os.path.normpath(match[1])).relative_to(SOURCE)
                        found.add((int(match[4]), match[3], path, int(match[2])))
    print(f"{len(found)} functions have a cognitive complexity above {limit}.\n\n| complexity | function | file |\n|---|---|---|")
    for complexity, name, path, _ in sorted(found, key=lambda row: (-row[0], str(row[2]))):
        print(f"| {complexity} | `{name}` | {path} |")


def print_coverage(build):
    """Lines that the tests have run, as GCC counts them. A line of a header counts as run if it was in any object file."""
    counts = collections.defaultdict(lambda: collections.defaultdict(int))
    notes = sorted(path for top in TOPS for path in (build / top).rglob("*.gcda"))
    if not notes:
        raise SystemExit(f"{build}: no test has run that counts lines; build with the preset coverage and run ctest there first")

    def read(note):
        output = subprocess.run(["gcov", "--json-format", "--stdout", note.name], capture_output=True, text=True, cwd=note.parent).stdout
        return [(pathlib.Path(os.path.normpath(os.path.join(report["current_working_directory"], file["file"]))), file["lines"])
                for report in map(json.loads, filter(lambda line: line.startswith("{"), output.splitlines())) for file in report["files"]]

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for files in pool.map(read, notes):
            for path, lines in files:
                if path.is_relative_to(SOURCE) and path.relative_to(SOURCE).parts[0] in TOPS:
                    for line in lines:
                        counts[path.relative_to(SOURCE)][line["line_number"]] += line["count"]
    rooms = collections.defaultdict(list)
    for path, lines in counts.items():
        rooms["/".join(path.parts[:2])].append((sum(1 for count in lines.values() if count), len(lines), path))
    print("| room | lines that make code | run by tests | least of a file |\n|---|---|---|---|")
    every = [0, 0]
    for room, files in sorted(rooms.items()):
        run, lines = sum(row[0] for row in files), sum(row[1] for row in files)
        every = [every[0] + run, every[1] + lines]
        least = min((row for row in files if row[1] >= 10), key=lambda row: row[0] / row[1], default=files[0])
        print(f"| {room} | {lines:,} | {run / lines:.1%} | {least[2].relative_to(room)}, {least[0]} of {least[1]} |")
    print(f"| all | {every[1]:,} | {every[0] / every[1]:.1%} | |")


def main():
    match sys.argv[1:]:
        case ["rooms"]:
            print_rooms()
        case ["functions", *limit]:
            print_functions(int(limit[0]) if limit else 60)
        case ["additions"]:
            print_additions()
        case ["complexity", build, *limit]:
            print_complexity(pathlib.Path(build).resolve(), int(limit[0]) if limit else 25)
        case ["coverage", build]:
            print_coverage(pathlib.Path(build).resolve())
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
