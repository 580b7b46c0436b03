"""Every module can be imported first: no cycle hides behind a lucky order."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_every_module_can_be_the_first_one_imported() -> None:
    names = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in sorted((ROOT / "meme").rglob("*.py"))
    ]
    assert len(names) > 50
    # One process: every attempt forgets what meme modules the one before had loaded.
    code = (
        "import sys, importlib\n"
        "for name in sys.argv[1:]:\n"
        "    for known in [m for m in sys.modules if m.split('.')[0] == 'meme']: del sys.modules[known]\n"
        "    importlib.import_module(name)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code, *names], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-800:]
