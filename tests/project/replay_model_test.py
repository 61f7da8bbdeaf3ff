#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The faults of a model's counter-example strike in the simulator, which delivers; and scripts/check-models notices a planted
error that is not found.

replay_model_test.py PROGRAM"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(sys.argv.pop()).resolve()
MODELS = pathlib.Path("protocols") / "recovery" / "models"


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


class Models(unittest.TestCase):
    def replayed(self, model, error):
        """The output of a replay, its configuration, and its events."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            status, said = run(ROOT / "scripts" / "check-models", "--keep", folder, f"{model}:{error}")
            self.assertEqual(status, 0, said)
            self.assertIn("found: ", said)
            status, said = run(ROOT / "scripts" / "replay-model", folder / f"{model}-{error}.pml.trail",
                               "--program", PROGRAM, "--out", folder / "out")
            self.assertEqual(status, 0, said)
            run_folder = folder / "out" / "run"
            statistics = json.loads((run_folder / "stats.json").read_text())
            self.assertEqual(statistics["recovery"]["guard_repaired"], 0)
            return said, (folder / "out" / "replay.yaml").read_text(), (run_folder / "events.csv").read_text()

    def delivers(self, model, error, messages):
        said, configuration, events = self.replayed(model, error)
        self.assertIn(f"{messages} generated = {messages} delivered + 0 lost", said)
        self.assertRegex(said, r"contract +holds")
        struck = re.findall(r"^cycle +(\d+): fail", said, re.M)
        self.assertTrue(struck, said)
        for cycle in struck:
            self.assertIn(f"{{cycle: {cycle}, ", configuration)
            self.assertRegex(events, rf"(?m)^{cycle},fault,")

    def test_sbrp_1_delivers_where_the_model_forgets_a_message(self):
        self.delivers("sbrp1", "BUG_5", 1)

    def test_sbrp_1_delivers_where_the_model_drops_a_copy(self):
        self.delivers("sbrp1", "BUG_4", 1)

    def test_sbrp_1_delivers_two_messages_after_two_faults_of_a_link(self):
        self.delivers("sbrp1", "BUG_2", 2)

    def test_utp_delivers_where_the_model_frees_a_copy_too_early(self):
        self.delivers("utp", "BUG_1", 1)

    def test_utp_delivers_where_the_model_sends_no_replica_token(self):
        self.delivers("utp", "BUG_3", 1)

    def test_replay_refuses_what_is_not_a_trail(self):
        status, said = run(ROOT / "scripts" / "replay-model", ROOT / "README.md", "--program", PROGRAM)
        self.assertEqual(status, 2)
        self.assertIn("README.md is not NAME.pml.trail", said)

    def test_check_models_refuses_an_unknown_model(self):
        status, said = run(ROOT / "scripts" / "check-models", "sbrp9")
        self.assertEqual(status, 1)
        self.assertIn("no case of sbrp9", said)

    def test_check_models_notices_an_error_that_is_not_found(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "scripts").mkdir()
            for script in ("common.sh", "check-models"):
                shutil.copy(ROOT / "scripts" / script, folder / "scripts")
            shutil.copytree(ROOT / MODELS, folder / MODELS)
            model = folder / MODELS / "sbrp1.pml"
            model.write_text(model.read_text().replace("#define EARLY_DROP", ""))
            status, said = run(folder / "scripts" / "check-models", "sbrp1:BUG_4")
            self.assertEqual(status, 1, said)
            self.assertIn("NOT FOUND: BUG_4", said)


if not shutil.which("spin"):
    print("skipped: Spin is not installed")
    sys.exit(77)
unittest.main()
