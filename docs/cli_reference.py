#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes docs/cli.md from the program's --help texts.

    docs/cli_reference.py build/release/bin/syncopate-cli > docs/cli.md
"""

import re
import subprocess
import sys

HEAD = """<!-- Written by docs/cli_reference.py from the program's --help; a test (tests/docs) says when it is stale. -->
# Commands and options

This is the output of `syncopate-cli --help` and `syncopate-cli COMMAND --help`. Man pages and completion for bash and zsh are made from the same definitions.
[The command line](command-line.md) says what commands mean, which exit status they have and what their JSON holds.

```text
{program}
```

{index}

Every command takes `--json`, `--quiet`, `--force` and `--seed`, too.
"""


def help_text(program, *command):
    text = subprocess.run([program, *command, "--help"], check=True, capture_output=True, text=True).stdout
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def reference(program):
    whole = help_text(program)
    commands = re.findall(r"^  ([a-z-]+) ", whole.split("Subcommands:")[1], flags=re.M)
    page = HEAD.format(program=whole, index=" · ".join(f"[{command}](#{command})" for command in commands))
    for command in commands:
        own = help_text(program, command)
        own = re.sub(r"\n  --json .*", "", own, flags=re.S)  # the options of every command, and the exit status
        own = re.sub(r"\n  -h,--help .*", "", own)
        page += f"\n## {command}\n\n```text\n{own.strip()}\n```\n"
    return page


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(reference(sys.argv[1]), end="")
