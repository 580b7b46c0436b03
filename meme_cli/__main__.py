"""`python -m meme_cli`."""

from meme_cli import main

if __name__ == "__main__":
    main()
