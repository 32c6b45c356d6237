"""The frame of proofs that run programs: options, the needs of the machine, the build, the folder of logs, the verdict."""
import argparse
import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def make_parser(text):
    """A parser that prints `text` as its help, with the options of each of these proofs."""
    parser = argparse.ArgumentParser(
        description=text, formatter_class=argparse.RawDescriptionHelpFormatter, usage=argparse.SUPPRESS)
    parser.add_argument("--programs", help=argparse.SUPPRESS)
    parser.add_argument("--keep", action="store_true", help=argparse.SUPPRESS)
    return parser


def skip(reason):
    """Ends with 77."""
    print(f"skipped: {reason}")
    sys.exit(77)


def require(program):
    """Ends with 77 where the machine lacks a program or paho-mqtt."""
    if shutil.which(program) is None:
        skip(f"{program} is not installed")
    try:
        import paho.mqtt.client  # noqa: F401
    except ImportError:
        skip("paho-mqtt is not installed")


def find_programs(options, products, *build_options):
    """The folder of the option --programs, else that of a release build of the products."""
    if options.programs:
        return os.path.abspath(options.programs)
    command = ["swift", "build", "-c", "release", *build_options, "--package-path", ROOT]
    # Each by its name: the tests' helpers can't be linked statically.
    for product in products:
        done = subprocess.run([*command, "--product", product], stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(done.stdout)
    return f"{ROOT}/.build/release"


def build_tools(*products):
    """The folder of a release build of programs of etc/bench."""
    scratch = f"{ROOT}/.build/bench"
    for product in products:
        done = subprocess.run(
            ["swift", "build", "-c", "release", "--package-path", f"{ROOT}/etc/bench", "--scratch-path", scratch,
             "--product", product], stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            sys.exit(done.stdout)
    return f"{scratch}/release"


class Asked:
    """A program that answers each line by one."""

    def __init__(self, ends, *command):
        self.process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        ends.callback(self.end)

    def ask(self, line=""):
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        return self.read()

    def read(self):
        answer = self.process.stdout.readline().split()
        if not answer:
            raise RuntimeError(f"{self.process.args[0]} ended")
        return answer

    def end(self):
        self.process.kill()
        self.process.wait()


def free_ports(count):
    """Ports of 127.0.0.1 on which nothing listens, each another."""
    with contextlib.ExitStack() as probes:
        sockets = [probes.enter_context(socket.socket()) for _ in range(count)]
        for probe in sockets:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in sockets]


def conclude(name, keep, prove):
    """Runs `prove(folder, ends)`, prints the faults that it returns, and ends with 1 where there is one.

    The folder is removed unless there are faults or it is to be kept. What `prove` starts it adds to `ends`, an ExitStack.
    """
    folder = tempfile.mkdtemp(prefix=f"whereabouts-{name}-")
    began, faults = time.monotonic(), ["interrupted"]
    try:
        with contextlib.ExitStack() as ends:
            faults = prove(folder, ends)
    finally:
        if keep or faults:
            print(f"logs: {folder}")
        else:
            shutil.rmtree(folder)
    for fault in faults:
        print(f"FAULT: {fault}")
    print(f"{'failed' if faults else 'ok'} after {time.monotonic() - began:.0f} s")
    sys.exit(1 if faults else 0)
