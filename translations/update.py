#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Brings the translations up to date with the explorer's texts, and says how much of each is translated.

    translations/update.py [--check] [syncopate_de.ts ...]     without files: all beside this script

New texts are added as unfinished, those that are gone are dropped, translations stay. --check writes nothing and exits 1 where a file
would change. Translators open the files in Qt Linguist (qt6-l10n-tools), as any other .ts.

syncopate_en.ts has only the texts that depend on a number ("%n rows": "1 row", "2 rows").

What the engine says, as causes and remedies, is in its sources as phrase("...") or translatable("...") (engine/base/phrase.h).

All texts have ONE context, "Syncopate": a text means the same wherever it stands, so it is translated once, and helper functions and
tables outside of any class, whose context Qt's lupdate cannot tell, are translated as well. ui/theme/translation.h looks them up so.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from xml.sax.saxutils import escape

FOLDER = pathlib.Path(__file__).resolve().parent
SOURCE = FOLDER.parent
CONTEXT = "Syncopate"
ENGLISH = "en"


def lupdate():
    tool = shutil.which("lupdate", path="/usr/lib/qt6/bin") or shutil.which("lupdate6") or shutil.which("lupdate")
    if not tool:
        sys.exit("error: there is no lupdate; install qt6-l10n-tools")
    return tool


def messages(file):
    """{source: (has plural forms, [translation, or its forms], done)}, in the file's order."""
    found = {}
    for message in ElementTree.parse(file).getroot().iter("message"):
        translation = message.find("translation")
        forms = [form.text or "" for form in translation.findall("numerusform")]
        done = translation.get("type") is None
        found.setdefault(message.find("source").text, (message.get("numerus") == "yes", forms or [translation.text or ""], done))
    return found


def texts():
    """What the sources have to be translated."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "texts.ts"
        subprocess.run([lupdate(), "-silent", "-no-obsolete", "-locations", "none", "-tr-function-alias",
                        "QT_TR_NOOP+=phrase,QT_TR_NOOP+=translatable", "ui", "app/desktop", "engine", "-ts", file],
                       cwd=SOURCE, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return messages(file)


def written(language, entries):
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<!DOCTYPE TS>", f'<TS version="2.1" language="{language}" sourcelanguage="en">',
             "<context>", f"    <name>{CONTEXT}</name>"]
    for source, (plural, forms, done) in entries.items():
        state = "" if done else ' type="unfinished"'
        body = "".join(f"\n            <numerusform>{escape(form)}</numerusform>" for form in forms) + "\n        " if plural else escape(forms[0])
        numerus = ' numerus="yes"' if plural else ""
        lines += [f"    <message{numerus}>", f"        <source>{escape(source)}</source>",
                  f"        <translation{state}>{body}</translation>", "    </message>"]
    return "\n".join(lines + ["</context>", "</TS>", ""])


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--check", action="store_true", help="write nothing; exit 1 where a file would change")
    options.add_argument("files", nargs="*", type=pathlib.Path)
    options = options.parse_args()
    wanted, stale = texts(), False
    for file in options.files or sorted(FOLDER.glob("*.ts")):
        known = messages(file) if file.exists() else {}
        language = file.stem.rpartition("_")[2]
        entries = {source: known.get(source, (plural, ["", ""] if plural else [""], False)) for source, (plural, _, _) in sorted(wanted.items())
                   if plural or language != ENGLISH}
        text = written(language, entries)
        stale = stale or not file.exists() or file.read_text() != text
        if not options.check:
            file.write_text(text)
        done = sum(entry[2] for entry in entries.values())
        print(f"{file.name}: {done} of {len(entries)} texts translated ({100 * done / len(entries):.0f} %)")
    return 1 if options.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
