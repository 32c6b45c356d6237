"""Schemathesis against the description that the page serves of its interface."""
import os
import subprocess
import sys
import venv

from frame import ROOT, skip
from house import TOKEN

PACKAGE = "schemathesis>=4,<5"
# A stream has no end. A sign-out would end nothing of a token's.
LEFT_OUT = ["/events", "/api/session"]


def install():
    """The program, in a folder of its own under .build; None where it can't be had."""
    folder = f"{ROOT}/.build/schemathesis"
    program = f"{folder}/bin/st"
    if not os.path.exists(program):
        venv.create(folder, with_pip=True)
        command = [f"{folder}/bin/pip", "install", "--quiet", "--disable-pip-version-check", PACKAGE]
        if subprocess.run(command, stdout=sys.stderr).returncode != 0:
            return None
    return program


def measure_schema(make_house, options):
    program = install()
    if program is None:
        skip("schemathesis can't be installed from PyPI")
    house = make_house("schema", 2, True)
    command = [
        program, "run", f"http://127.0.0.1:{house.http}/api/openapi.json", "-H", f"Authorization: Bearer {TOKEN}",
        "--request-timeout", "15", "--max-examples", "40", "--rate-limit", "9/s", "--seed", str(options.seed),
        "--phases", "examples,coverage,fuzzing",
        # It replaces the cookie by a random one, and finds that the token, which it sends as well, is still good.
        "--exclude-checks", "ignored_auth"]
    for path in LEFT_OUT:
        command += ["--exclude-path", path]
    here = os.path.dirname(os.path.abspath(__file__))
    environment = {**os.environ, "PYTHONPATH": here, "SCHEMATHESIS_HOOKS": "media"}
    done = subprocess.run(command, cwd=house.folder, env=environment)
    faults = [] if done.returncode == 0 else ["schemathesis found something"]
    return faults + ([] if house.is_alive() else ["the fuser ended"])
