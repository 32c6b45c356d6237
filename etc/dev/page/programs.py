"""The programs that check-page runs."""

import os
import shutil

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
DRIVER = ("chromedriver",)
BROKER = ("mosquitto",)


def find_program(names):
    """The path of the first of these programs that is installed, else None."""
    return next(filter(None, map(shutil.which, names)), None)


def are_built(folder):
    """True if a folder has the built programs."""
    return all(os.access(folder / f"whereabouts-{name}", os.X_OK) for name in ("agent", "fuser"))
