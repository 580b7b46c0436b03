"""The `meme` command: a face of the library with no logic of its own."""

from meme_cli.ending import carry_out


def main() -> None:
    """Run the command line; every error of ours becomes one sentence on stderr and an exit code."""
    carry_out("meme", _commands)


def _commands() -> None:
    from meme_cli.app import app  # noqa: PLC0415 -- keeps `import meme_cli` free

    app()
