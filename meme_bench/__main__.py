"""`python -m meme_bench`."""

from meme_bench.main import main

if __name__ == "__main__":
    main()
