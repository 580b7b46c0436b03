"""meme-bench: memory systems over conversations with questions, scored so that nobody can be flattered.

`run` writes an append-only file, everything else reads it: scoring can be repeated at no cost. meme is
one system among others here; the harness knows its public names only.
"""
