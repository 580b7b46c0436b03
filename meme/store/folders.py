"""Folders of the indexes: whether they hold anything, and taking them away."""

import shutil
from pathlib import Path


def has_files(folder: Path) -> bool:
    """Whether the folder exists and is not empty."""
    return folder.is_dir() and any(folder.iterdir())


def remove(path: Path) -> None:
    """Delete a folder, or the file that stands where one should."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
