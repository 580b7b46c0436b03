"""Whose vectors the store holds: those of one model, all of one length.

Flows in: what the journal recorded with the first vector, and an embedder's id and dimension. Flows out:
nothing, or the error that says how to go on. Will not look at a vector.
"""

from meme.errors import EmbedderMismatchError
from meme.store.views import Views

_STILL_WORKS = "list, get, export and lexical search still work."


def check_embedder(views: Views, model: str, dimension: int = 0) -> None:
    """Raise EmbedderMismatchError when the store's vectors come from another model or have another length.

    A `dimension` of 0 is one that is not known yet.
    """
    known, length = views.meta("embedder"), views.meta("dimension")
    if known not in (None, model):
        raise EmbedderMismatchError(
            f"The store's vectors come from {known!r}, the configured embedder is {model!r}: run "
            f"`meme reembed`, or set the embedder back. {_STILL_WORKS}"
        )
    if known == model and dimension and length not in (None, str(dimension)):
        raise EmbedderMismatchError(
            f"The store's vectors have {length} dimensions, those of {model!r} now have {dimension}: run "
            f"`meme reembed`, or set embedding.dimension. {_STILL_WORKS}"
        )
