#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""completion_test.py FLITMEND: the completion script for bash against what the program says of itself, by asking bash
what it offers; then in a terminal, with the Tab key."""
import json
import os
import pathlib
import pty
import re
import select
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = sys.argv.pop(1)


def flitmend(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True).stdout


def section(text, title):
    """The lines of a section of a help text."""
    found = re.search(rf"^{title}:\n(.*?)(?:^\S|\Z)", text, re.M | re.S)
    return found[1].splitlines() if found else []


def every_command(path=()):
    """Path and help text of every command, the program's own first."""
    text = flitmend(*path, "--help")
    yield path, text
    for line in section(text, "Subcommands"):
        name = re.match(r"  ([a-z][a-z-]*)(?: |$)", line)
        if name:
            yield from every_command((*path, name[1]))


class Completion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.script = os.path.join(cls.folder.name, "completion.bash")
        pathlib.Path(cls.script).write_text(flitmend("completion", "bash"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def offered(self, *words, breaks=" \t\n\"'><=;|&(:"):
        """What bash offers for the last word, words being parted as bash parts them."""
        script = ('set -u; source "$1"; shift; COMP_WORDBREAKS=$1; shift; COMP_WORDS=(flitmend "$@")'
                  '; COMP_CWORD=$#; _flitmend; printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", script, "bash", self.script, breaks, *words], cwd=self.folder.name,
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return set(done.stdout.split())

    def test_commands_and_options_are_those_of_help(self):
        paths = []
        for path, text in every_command():
            paths.append(path)
            options = {name for line in section(text, "Options") if line.startswith("  -")
                       for name in line.split()[0].split(",")}
            self.assertIn("--help", options, text)
            self.assertEqual(self.offered(*path, "-"), options, path)
            commands = {line.split()[0] for line in section(text, "Subcommands") if re.match(r"  [a-z]", line)}
            if commands:
                self.assertEqual(self.offered(*path, ""), commands, path)
        self.assertIn(("analyze", "paper"), paths)
        self.assertGreater(len(paths), 15)

    def test_files_are_offered_where_a_command_reads_one(self):
        file = pathlib.Path(self.folder.name, "some-file.yaml")
        file.write_text("")
        for command in ("run", "check", "sweep", "study", "campaign", "rtl"):
            self.assertIn(file.name, self.offered(command, "some"), command)
        for command, option in (("check", "--graph"), ("check", "--picture"), ("report", "-o")):
            self.assertIn(file.name, self.offered(command, option, "some"), option)
        file.unlink()

    def test_words_that_options_take(self):
        self.assertEqual(self.offered("analyze", "probability-routing", "--ties", ""), {"lowest", "random"})
        self.assertEqual(self.offered("analyze", "probability-routing", "--ties", "=", "r"), {"random"})
        self.assertEqual(self.offered("analyze", "probability-routing", "--ties=r", breaks=" "), {"--ties=random"})
        self.assertEqual(self.offered("completion", ""), {"bash"})
        self.assertEqual(self.offered("list", "rou"), {"routing"})
        self.assertEqual(self.offered("list", ""), {entry["concern"] for entry in json.loads(flitmend("list", "--json"))})

    def test_a_value_is_no_command(self):
        self.assertIn("--set", self.offered("run", "--set", "check", "--s"))
        self.assertNotIn("--waves", self.offered("check", "--"))

    def test_keys_and_their_words(self):
        page = flitmend("reference").split("\n## What can be named")[0]
        words, path = {}, ""
        for line in page.splitlines():
            title = re.match(r"###? ([a-z_.]+)$", line)
            path = title[1] if title else path
            if line.startswith("| `"):
                name, _, _, values, _ = (cell.strip() for cell in line.strip("|").split(" | "))
                named = re.findall(r"`([^`]+)`", values) or (values.split(", ") if values == "true, false" else [])
                words[f"{path}.{name.strip('`')}"] = set(named)
        self.assertGreater(len(words), 50)
        self.assertIn("iq", words["router.preset"])
        self.assertEqual(self.offered("run", "m.yaml", "--set", ""), {key + "=" for key in words})
        self.assertEqual(self.offered("check", "m.yaml", "--set", "router.pre"), {"router.preset="})
        for key, named in words.items():
            self.assertEqual(self.offered("run", "--set", key, "="), named, key)
        self.assertEqual(self.offered("run", "--set", "waves.enabled", "=", "t"), {"true"})
        self.assertEqual(self.offered("run", "--set", "router.preset=i", breaks=" "), {"router.preset=iq"})

    def test_files_and_folders(self):
        root = pathlib.Path(self.folder.name)
        (root / "some mesh.yaml").write_text("")
        (root / "some folder").mkdir(exist_ok=True)
        for words in (["run"], ["check"], ["sweep"], ["study"], ["report", "x", "-o"]):
            self.assertEqual(self.offered(*words, "some"), {"some", "mesh.yaml", "folder"}, words)
        for words in (["run", "--out"], ["sweep", "--out"], ["report"]):
            self.assertEqual(self.offered(*words, "some"), {"some", "folder"}, words)

    def test_in_a_terminal(self):
        """A function in the program's place prints the words that it was given."""
        process, terminal = pty.fork()
        if process == 0:
            os.execvpe("bash", ["bash", "--norc", "--noprofile", "-i"],
                       dict(os.environ, PS1="$ ", INPUTRC="/dev/null", TERM="dumb", HISTFILE=""))

        def until(mark):
            said, end = "", time.monotonic() + 60
            while not re.search(mark, said):
                self.assertLess(time.monotonic(), end, said)
                if select.select([terminal], [], [], 1)[0]:
                    said += os.read(terminal, 4096).decode()
            return said

        def enter(line):
            os.write(terminal, line.encode())
            return re.search(r"<(.*)>", until("<[^\r\n]*>\r\n"))[1]

        os.write(terminal, (f"source '{self.script}'; cd '{self.folder.name}'; flitmend() {{ printf '<'; "
                            "printf '[%s]' \"$@\"; echo '>'; }; echo '<''>'\n").encode())
        until("<>\r\n")
        pathlib.Path(self.folder.name, "own network.yaml").write_text("")
        self.assertEqual(enter("flitmend ru\tow\t--se\trouter.prese\ti\t --set=waves.enab\tt\t\n"),
                         "[run][own network.yaml][--set][router.preset=iq][--set=waves.enabled=true]")
        self.assertEqual(enter("flitmend ana\tkns-tol\t--policy mini\t\n").split("]")[0:2], ["[analyze", "[kns-tolerance"])
        os.write(terminal, b"exit\n")
        os.close(terminal)
        os.waitpid(process, 0)


if __name__ == "__main__":
    unittest.main()
