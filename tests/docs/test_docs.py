#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The documentation is consistent: links have targets, named files exist, commands have the options that they are
given, and ```console blocks run as written from the root of a clone and print what they show. Other commands run, too, unless NOT_RUN says
why they do not.

In a ```console block a line after `$ ` is a command (a backslash at its end continues it). The lines below it must occur in its output in
that order; `...` stands for any text, or on a line of its own for any lines, spaces for any spaces, and a number for one within 5 %.
All blocks of a page share one shell and one folder. Words after `console` name what a block needs; without it the block is left out.

    test_docs.py [unittest's arguments]      SYNCOPATE_CLI: the program
"""

import functools
import importlib.util
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
CLI = os.environ["SYNCOPATE_CLI"]
TOPS = ("engine", "ui", "app", "tests")  # their folders are the rooms
PAGES = sorted(page for pattern in ("*.md", *(f"{top}/**/*.md" for top in ("docs", "sample_data", *TOPS))) for page in SOURCE.glob(pattern))
PATH_LINE = 'export PATH="$PWD/build/release/bin:$PATH"'  # stated on every page with commands
NUMBER = r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
TOLERANCE = 0.05
SECONDS = 120


# The commands outside of ```console blocks that do not run in the test: how they begin, and why. All others run.
NOT_RUN = {
    "syncopate-cli COMMAND ...": "a synopsis",
    "syncopate-cli lint --settings FILE|TEXT": "a synopsis",
    "syncopate-cli trial --job job.json": "needs machines for mpirun",
    "mpirun -n 8 --hostfile hosts syncopate-cli search": "needs machines for mpirun",
    "syncopate-cli search --job job.json": "needs machines for mpirun",
    "syncopate-cli plan --job dlrm_8_ranks.tar.gz": "its traces are not part of the sources",
    "syncopate-cli tune --train network.json": "trains a network for each model that it leaves out, for minutes",
}
# Commands that take too long for a test, with a way to shorten them: an option's other value, or options at the end.
SHORTER = {
    "build/release/bin/syncopate-cli search": {"--trials 200": "--trials 10"},
    "build/release/bin/syncopate-cli tune": {"$": " --grid off --evaluations 5"},
    "build/release/bin/syncopate-cli plan": {"$": " --evaluations 50"},
    "build/release/bin/syncopate-cli predict": {"--workers 1-8": "--workers 1-2", "$": " --steps 20 --warm-up 5 --starts 2"},
    "syncopate-cli tune --job vgg16": {"$": " --grid off --evaluations 5"},
    "syncopate-cli tune --measured-grid": {"$": " --row vggish,bsps,2,2"},
    "syncopate-cli tune --test": {"--test 60": "--test 1"},
    "syncopate-cli tune --job resnet50 --cluster A2 --workers 8 --servers 8 --arch ps --schedule":
        {"--grid 8x4": "--grid off", "--evaluations 20": "--evaluations 3 --length 12"},
    "syncopate-cli tune --job resnet50 --cluster autobyte --arch ps --schedule jobs.csv --grid":
        {"--grid 8x4": "--grid off", "--evaluations 20": "--evaluations 3 --length 12"},
    "syncopate-cli tune --job resnet50 --cluster autobyte --arch ps --schedule jobs.csv --method":
        {"--evaluations 14": "--evaluations 3 --length 12"},
}
TWO_NODES = """nodes:
  - {address: 10.0.0.1, gpus: [0], chief: true}
  - {address: 10.0.0.2, gpus: [0], ssh_config: conf}
ssh:
  conf: {username: root, key_file: ~/.ssh/id_rsa}
"""
# The reader's files that these commands name: their content, or the file of this repository that stands for them.
READERS_FILES = {
    "profile.json.gz": pathlib.Path("sample_data/resnet50_cpu_gloo_rank0.json.gz"),
    "trace.json.gz": pathlib.Path("sample_data/resnet50_cpu_gloo_rank0.json.gz"),
    "before.json.gz": pathlib.Path("sample_data/resnet50_cpu_gloo_rank0.json.gz"),
    "after.json.gz": pathlib.Path("sample_data/resnet50_cpu_gloo_rank0.json.gz"),
    "network.json": pathlib.Path("resources/meta_network.json"),
    "conditions.csv": "iteration,bandwidth_gbits\n0,10\n4,3\n8,10\n",
    "jobs.csv": "iteration,bandwidth_gbits,network_jobs,compute\n0,20,0,0.516\n4,20,1,1.032\n",
    "steps/rank0.json.gz": pathlib.Path("sample_data/resnet50_cpu_gloo_rank0.json.gz"),
    "two.yml": TWO_NODES + "channels: [{name: e0, bandwidth: 1}, {name: e1, bandwidth: 0.4}]\n",
    "figure6.yml": TWO_NODES + "channels: [{name: rdma, bandwidth: 1}, {name: tcp, bandwidth: 1}]\n",
}
# Files that a command has to make first.
MADE_FILES = {"run.syncopate": "syncopate-cli search --job vgg16 --cluster B7 --method 'rules()' --trials 10 --project run.syncopate"}


def named(page):
    return str(page.relative_to(SOURCE))


def without_code(text):
    """The text with the content of code blanked, so that nothing in it is taken for a link."""
    text = re.sub(r"^(```|~~~).*?^\1", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.M | re.S)
    text = re.sub(r"(?:(?<=\n\n)|\A)(?: {4,}\S.*\n(?:\n(?= {4}))*)+", lambda m: re.sub(r"[^\n]", " ", m[0]), text)
    return re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", lambda m: " " * len(m[0]), text)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


@functools.cache
def anchors(page):
    """The anchors that GitHub gives the headings of a page."""
    found = {}
    for heading in re.findall(r"^#+ +(.+?) *$", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S), flags=re.M):
        slug = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()).replace(" ", "-")
        count = found.get(slug, 0)
        found[slug] = count + 1
        if count:
            found[f"{slug}-{count}"] = 1
    return set(found)


def links(page):
    """Line and target of every link to this repository."""
    text = page.read_text()
    for match in re.finditer(r"\[[^]]*\]\(([^)\s]+)\)", without_code(text)):
        if not re.match(r"[a-z]+:", match[1]):
            yield line_of(text, match.start()), match[1]


def linked(page, target):
    path, _, anchor = target.partition("#")
    return ((page.parent / path).resolve() if path else page), anchor


def help_text(*arguments):
    return subprocess.run([CLI, *arguments, "--help"], capture_output=True, text=True, check=True, timeout=SECONDS).stdout


@functools.cache
def options():
    """The options of every command."""
    commands = re.findall(r"^  ([a-z-]+) ", help_text().split("Subcommands:")[1], flags=re.M)
    return {command: set(re.findall(r"(?<![\w-])--?[a-z][a-z0-9-]*", help_text(command))) for command in commands}


def uses(text):
    """Offset, command and options of every call of syncopate-cli in `text`."""
    text = text.replace("\\\n", "  ")
    for match in re.finditer(r"(?<![\w-])syncopate-cli +(?:--(?:json|quiet|force) +)*([a-z]+)(?![\w-])((?:[^\n`|;&'\"]|'[^'\n]*'|\"[^\"\n]*\")*)", text):
        if ".py " in text[text.rfind("\n", 0, match.start()) + 1:match.start()]:
            continue  # the program is an argument of another command
        bare = re.sub(r"'[^']*'|\"[^\"]*\"", " ", match[2])
        yield match.start(), match[1], re.findall(r"(?<![\w-])--?[a-z][a-z0-9-]*", bare)


class Command:
    def __init__(self, line, text):
        self.line, self.text, self.output = line, text, []


def console_blocks(page):
    """(needs, [Command]) of every ```console block."""
    block = None
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if block is None:
            if line.startswith("```console"):
                block = (line.split()[1:], [])
        elif line.startswith("```"):
            yield block
            block = None
        elif line.startswith("$ "):
            block[1].append(Command(number, line[2:]))
        elif block[1] and block[1][-1].text.endswith("\\") and not block[1][-1].output:
            block[1][-1].text += "\n" + line
        elif block[1]:
            block[1][-1].output.append(line)
        else:
            raise AssertionError(f"{named(page)}:{number}: a console block starts with a command, after '$ '")


def listed_commands(page):
    """Line and text of every syncopate-cli command in the page's other blocks, indented or ```sh; not the synopses of the reference."""
    text = re.sub(r"\\\n +", " ", page.read_text())
    text = re.sub(r"^```console.*?^```", lambda m: re.sub(r"[^\n]", "", m[0]), text, flags=re.M | re.S)
    for match in re.finditer(r"^(?:    )?((?:mpirun [^\n]*|build/release/bin/)?syncopate-cli [^\n]+)$", text, flags=re.M):
        start = text.rfind("\n\n", 0, match.start()) if match[0][0] == " " else text.rfind("```", 0, match.start())
        if match[0][0] == " " or text.startswith("```sh", start):
            yield line_of(text, match.start()), re.sub(r"  +\(.*\)$", "", match[1])


def rooms():
    """The folders that must have a README: those of `TOPS`, except tests of an engine room with the same name."""
    for top in TOPS:
        for folder in sorted((SOURCE / top).iterdir()):
            if folder.is_dir() and folder.name != "__pycache__" and not (top == "tests" and (SOURCE / "engine" / folder.name).is_dir()):
                yield folder


@functools.cache
def words_of_code():
    """Every identifier in the sources."""
    found = set()
    for top in TOPS:
        for file in (SOURCE / top).rglob("*"):
            if file.suffix in (".h", ".cpp", ".py", ".pyi", ".sh"):
                found.update(re.findall(r"\w+", file.read_text(errors="replace")))
    return found


def is_there(need):
    if need == "torch":  # Debian packages it for the system's Python
        return subprocess.run(["/usr/bin/python3", "-c", "import torch"], capture_output=True).returncode == 0
    return shutil.which(need) is not None


def matches(want, got):
    """Whether a line of output matches the one shown."""
    numbers = []
    pattern = ""
    for piece in re.findall(rf"\.\.\.|(?<![\w.]){NUMBER}(?![\w])|\s+|.", want.strip()):
        if piece == "...":
            pattern += ".*"
        elif re.fullmatch(NUMBER, piece):
            numbers.append(float(piece))
            pattern += f"({NUMBER})"
        else:
            pattern += r"\s+" if piece.isspace() else re.escape(piece)
    match = re.fullmatch(pattern, got.strip())
    return match is not None and all(
        abs(float(text) - number) <= TOLERANCE * abs(number) for text, number in zip(match.groups(), numbers))


def missing_line(wanted, output):
    """The first of the shown lines that does not follow the previous one in `output`; None if all do."""
    at, anywhere = 0, True
    for want in wanted:
        if not want.strip():
            continue
        if want.strip() == "...":
            anywhere = True
            continue
        found = next((i for i in range(at, len(output) if anywhere else min(at + 1, len(output))) if matches(want, output[i])), None)
        if found is None:
            return want
        at, anywhere = found + 1, False
        while at < len(output) and not output[at].strip():
            at += 1
    return None


def clone(folder):
    """A folder that looks like a clone's root after the build, and receives the commands' files."""
    for entry in SOURCE.iterdir():
        if entry.name not in ("build", ".git"):
            (folder / entry.name).symlink_to(entry)
    programs = folder / "build" / "release" / "bin"
    programs.mkdir(parents=True)
    for program in ("syncopate", "syncopate-cli"):
        (programs / program).symlink_to(pathlib.Path(CLI).resolve().parent / program)
    return folder


def free_port():
    """Replays meet there: their default port may belong to a run beside this one."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def run_page(commands, folder):
    """The output and status of each command, up to the first that fails."""
    mark = "=== end of command ==="
    script = folder / "commands.sh"
    script.write_text(f"set -o pipefail\n{PATH_LINE}\n" + "".join(
        f"{command.text}\nstatus=$?; printf '\\n{mark} %s\\n' $status; [ $status = 0 ] || exit 1\n" for command in commands))
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "PMIX_", "PMI_"))}
    environment |= {"QT_QPA_PLATFORM": "offscreen", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                    "PYTHONDONTWRITEBYTECODE": "1", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": free_port()}
    done = subprocess.run(["bash", str(script)], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          stdin=subprocess.DEVNULL, timeout=SECONDS)
    parts = re.split(rf"\n{mark} (\d+)\n", done.stdout)
    return list(zip(parts[0::2], parts[1::2]))


class Documentation(unittest.TestCase):
    def test_links_lead_somewhere(self):
        count = 0
        for page in PAGES:
            for line, target in links(page):
                count += 1
                with self.subTest(page=named(page), line=line, link=target):
                    file, anchor = linked(page, target)
                    self.assertTrue(file.exists(), "there is no such file")
                    if anchor:
                        self.assertIn(anchor, anchors(file), "that page has no such heading")
        self.assertGreater(count, 50)

    def test_every_page_is_reached_from_the_index(self):
        reached, open_pages = set(), [SOURCE / "docs" / "README.md"]
        while open_pages:
            page = open_pages.pop()
            if page not in reached and page.suffix == ".md" and page.exists():
                reached.add(page)
                open_pages += [linked(page, target)[0] for _, target in links(page)]
        self.assertEqual([named(page) for page in PAGES if page.is_relative_to(SOURCE / "docs") and page not in reached], [])

    def test_every_room_has_a_readme_of_half_a_page(self):
        for room in rooms():
            with self.subTest(room=named(room)):
                readme = room / "README.md"
                self.assertTrue(readme.exists(), "it has no README.md: what is it for, what goes in and out, what must hold, where is something added?")
                lines = readme.read_text().splitlines()
                if room.parent.name != "tests":  # its folders also hold manuals of test beds and of data
                    self.assertEqual(lines[0], f"# {named(room)}")
                    self.assertIn(len(lines), range(10, 41))
                    for part in ("**In:**", "**Out:**", "Main types:", "Must hold:", "**To add:**"):
                        self.assertIn(part, readme.read_text())

    def test_names_in_the_readmes_of_rooms_are_in_the_code(self):
        count = 0
        for room in rooms():
            text = (room / "README.md").read_text() if (room / "README.md").exists() else ""
            for match in re.finditer(r"`([A-Za-z_]\w*)(<\w+>)?(\(\))?`", text):
                if "NAME" not in match[1] and (match[2] or match[3] or re.search(r"[A-Z]\w*[a-z]", match[1])):
                    count += 1
                    with self.subTest(page=named(room / "README.md"), line=line_of(text, match.start()), name=match[0]):
                        self.assertTrue(match[1] in words_of_code(), "the sources have no such name")
        self.assertGreater(count, 200)

    def test_files_that_are_named_exist(self):
        folders = "|".join(sorted(entry.name for entry in SOURCE.iterdir() if entry.is_dir() and entry.name not in ("build", ".git")))
        count = 0
        for page in PAGES:
            text = page.read_text()
            for match in re.finditer(rf"(?<![\w/.*$-])(?:{folders})/[\w./*-]*[\w/*]", text):
                if re.search("NAME|DIR|FILE|FOLDER|LANGUAGE", match[0]) or text[match.end():match.end() + 1] in ("<", "{"):
                    continue  # any file at that place
                count += 1
                with self.subTest(page=named(page), line=line_of(text, match.start()), file=match[0]):
                    name = match[0].rstrip("/")
                    found = [file for place in (SOURCE, page.parent) for suffix in ("", ".*") for file in place.glob(name + suffix)]
                    self.assertTrue(found, "there is no such file")
        self.assertGreater(count, 100)

    def test_commands_have_the_options_they_are_given(self):
        count = 0
        for page in PAGES:
            text = page.read_text()
            for position, command, given in uses(text):
                with self.subTest(page=named(page), line=line_of(text, position), command=command):
                    self.assertIn(command, options(), "there is no such command")
                    self.assertEqual([option for option in given if option not in options()[command]], [], "it has no such options")
                    count += 1
        self.assertGreater(count, 40)

    def test_versions_agree(self):
        """The newest version in the change log and in the metadata for software centres is the project's."""
        version = re.search(r"^project\(Syncopate VERSION ([\d.]+)", (SOURCE / "CMakeLists.txt").read_text(), flags=re.M)[1]
        self.assertEqual(re.search(r"^## ([\d.]+)", (SOURCE / "CHANGELOG.md").read_text(), flags=re.M)[1], version)
        metadata = (SOURCE / "packaging" / "syncopate.metainfo.xml").read_text()
        self.assertEqual(re.search(r'<release version="([^"]+)"', metadata)[1], version)

    def test_the_glossary_is_in_order(self):
        text = (SOURCE / "docs" / "glossary.md").read_text()
        entries = re.findall(r"^## (.+)\n\n((?:.+\n)+)", text, flags=re.M)[:-1]  # the last one lists the papers
        names = [re.sub(r"[^a-z ]", "", name.lower()) for name, _ in entries]
        self.assertGreater(len(names), 50)
        self.assertEqual(names, sorted(set(names)))
        for name, text in entries:
            self.assertRegex(" ".join(text.split()), r"^[A-Z].*[.)*]$", f"{name} begins with no sentence")

    def test_the_reference_of_commands_is_fresh(self):
        script = SOURCE / "docs" / "cli_reference.py"
        spec = importlib.util.spec_from_file_location("cli_reference", script)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        fresh = module.reference(CLI)
        if re.search(r" TEXT \[", fresh):
            self.skipTest("docs/cli.md is written with Debian 12's CLI11; this one writes defaults in brackets")
        self.maxDiff = 2000
        self.assertEqual((SOURCE / "docs" / "cli.md").read_text(), fresh,
                         f"docs/cli.md is stale: {named(script)} {CLI} > docs/cli.md")

    def test_the_table_of_plans_says_what_fails(self):
        script = SOURCE / "docs" / "plan_table.py"
        run = functools.partial(subprocess.run, capture_output=True, text=True)
        both = run([sys.executable, script, CLI, "--nodes", "8", "--scaling", "syndicate:a2"])
        self.assertEqual(both.returncode, 2, both.stderr)
        self.assertRegex(both.stderr, r"error: --nodes: .*--scaling")
        failed = run([sys.executable, script, CLI, "--scaling", "syndicate:none"])
        self.assertNotEqual(failed.returncode, 0)
        self.assertRegex(failed.stderr, r"(?m)^error: .*none")

    def test_commands_run_as_written(self):
        count = 0
        for page in PAGES:
            commands = [command for needs, block in console_blocks(page) if all(map(is_there, needs)) for command in block]
            if not commands:
                continue
            self.assertIn(PATH_LINE, " ".join(page.read_text().split()), f"{named(page)} does not say where the programs are")
            with tempfile.TemporaryDirectory() as folder:
                results = run_page(commands, clone(pathlib.Path(folder)))
            for command, (output, status) in zip(commands, results):
                count += 1
                with self.subTest(page=named(page), line=command.line, command=command.text):
                    self.assertEqual(int(status), 0, output)
                    self.assertIsNone(missing_line(command.output, output.splitlines()), f"this line is not printed there, but:\n{output}")
        self.assertGreater(count, 20)

    def test_listed_commands_run(self):
        """Commands outside of ```console blocks end well, in SHORTER form if they take long, or NOT_RUN says why they are left out."""
        unused, count = {*NOT_RUN, *SHORTER}, 0
        for page in PAGES:
            for line, text in listed_commands(page):
                reasons = {start for start in NOT_RUN if text.startswith(start)}
                unused -= reasons
                if reasons:
                    continue
                for start in (start for start in SHORTER if text.startswith(start)):
                    unused.discard(start)
                    for long, short in SHORTER[start].items():
                        self.assertTrue(long == "$" or long in text, f"{named(page)}:{line} has no {long}")
                        text = text + short if long == "$" else text.replace(long, short)
                count += 1
                with self.subTest(page=named(page), line=line, command=text), tempfile.TemporaryDirectory() as folder:
                    root = clone(pathlib.Path(folder))
                    for name, content in READERS_FILES.items():
                        (root / name).parent.mkdir(exist_ok=True)
                        if isinstance(content, str):
                            (root / name).write_text(content)
                        else:
                            (root / name).symlink_to(root / content)
                    made = [command for name, command in MADE_FILES.items() if name in text]
                    for output, status in run_page([Command(line, command) for command in (*made, text)], root):
                        self.assertEqual(int(status), 0, output)
        self.assertEqual(unused, set(), "no page has these commands any more")
        self.assertGreater(count, 10)


if __name__ == "__main__":
    unittest.main()
