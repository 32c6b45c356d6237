"""A PostgreSQL for proofs."""
import os
import shutil
import subprocess
import time

POSTGRES = next((f"/usr/lib/postgresql/{version}/bin" for version in range(14, 20)
                 if os.path.exists(f"/usr/lib/postgresql/{version}/bin/initdb")), None)


class Server:
    """A PostgreSQL in a folder, on a socket there."""

    def __init__(self, folder):
        self.folder, self.process = folder, None
        self.data = f"{folder}/data"
        os.makedirs(folder)
        self.user = []
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
            self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        subprocess.run([*self.user, f"{POSTGRES}/initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8",
                        "--no-locale"], check=True, stdout=subprocess.DEVNULL)

    def start(self):
        """Starts it; the children of a killed one may take a moment to end."""
        for _ in range(600):
            log = open(f"{self.folder}/../postgres.log", "a", encoding="utf-8")
            self.process = subprocess.Popen(
                [*self.user, f"{POSTGRES}/postgres", "-D", self.data, "-c", "listen_addresses=", "-c",
                 f"unix_socket_directories={self.folder}"], stdout=log, stderr=log)
            while self.process.poll() is None:
                ready = subprocess.run([f"{POSTGRES}/pg_isready", "-q", "-h", self.folder], check=False)
                if ready.returncode == 0:
                    return
                time.sleep(0.05)
            time.sleep(0.1)
        raise RuntimeError("postgres doesn't start")

    def end(self, number):
        if self.process:
            self.process.send_signal(number)
            self.process.wait()
            self.process = None

    def lines(self, query):
        """The rows of a query, columns separated by `|`."""
        done = subprocess.run(
            ["psql", "-X", "-q", "-A", "-t", "-h", self.folder, "-U", "postgres", "-c", query, "postgres"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        return done.stdout.splitlines() if done.returncode == 0 else []
