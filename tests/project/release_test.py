#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""release_test.py ROOT: the version number, tags, CHANGELOG.md and CITATION.cff agree, as docs/building.md says."""
import datetime
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))
NUMBER = r"(\d+)\.(\d+)\.(\d+)"


def tags():
    done = subprocess.run(["git", "-c", "safe.directory=*", "-C", ROOT, "tag", "--merged", "HEAD"],
                          capture_output=True, text=True)
    return done.stdout.split() if done.returncode == 0 else []


class Release(unittest.TestCase):
    def setUp(self):
        self.version = re.search(rf"project\(flitmend VERSION ({NUMBER}) ", (ROOT / "CMakeLists.txt").read_text())[1]
        self.changelog = (ROOT / "CHANGELOG.md").read_text()
        self.sections = re.findall(r"^## (.*)$", self.changelog, re.M)

    def test_sections_of_the_changelog(self):
        self.assertEqual(self.sections[0], "[Unreleased]")
        numbers, dates = [], []
        for section in self.sections[1:]:
            self.assertRegex(section, rf"^\[{NUMBER}\] - \d{{4}}-\d\d-\d\d$")
            numbers.append(tuple(map(int, re.match(rf"\[{NUMBER}", section).groups())))
            dates.append(datetime.date.fromisoformat(section[-10:]))
        self.assertEqual(numbers, sorted(set(numbers), reverse=True))
        self.assertEqual(dates, sorted(dates, reverse=True))
        for heading in re.findall(r"^### (.*)$", self.changelog, re.M):
            self.assertIn(heading, ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"))
        if numbers:
            self.assertEqual(numbers[0], tuple(map(int, self.version.split("."))))

    def test_tags(self):
        for tag in tags():
            if tag.startswith("v"):
                self.assertRegex(tag, rf"^v{NUMBER}$")
                self.assertTrue(any(s.startswith(f"[{tag[1:]}] ") for s in self.sections), f"CHANGELOG.md lacks {tag}")

    def test_the_number_is_written_once(self):
        for page in ("CITATION.cff", "README.md", "Dockerfile"):
            self.assertNotIn(self.version, (ROOT / page).read_text().replace("cff-version: 1.2.0", ""), page)

    def test_citation(self):
        text = (ROOT / "CITATION.cff").read_text()
        keys = re.findall(r"^([a-z-]+):", text, re.M)
        self.assertEqual(len(keys), len(set(keys)))
        self.assertLessEqual({"cff-version", "message", "title", "authors"}, set(keys))
        self.assertRegex(text, r"(?m)^cff-version: 1\.2\.0$")
        self.assertRegex(text, r"(?m)^license: Apache-2\.0$")
        self.assertRegex(text, r"(?m)^authors:\n  - name: ")


if __name__ == "__main__":
    unittest.main()
