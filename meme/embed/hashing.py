"""Feature hashing: an embedder with no model, for tests and bulk loads.

Words and character trigrams are hashed into signed buckets (Weinberger et al. 2009). It knows
spelling, not meaning: paraphrases that share no words are far apart.
"""

import hashlib
import math
from collections.abc import Sequence

from meme.embed import pack
from meme.language.words import terms


class HashingEmbedder:
    """Deterministic, instant, needs nothing."""

    def __init__(self, dimension: int = 384) -> None:
        self._dimension = dimension

    @property
    def id(self) -> str:
        """See Embedder."""
        return f"meme/hashing-{self._dimension}"

    @property
    def dimension(self) -> int:
        """See Embedder."""
        return self._dimension

    async def embed(self, texts: Sequence[str]) -> list[bytes]:
        """See Embedder."""
        return [self._one(text) for text in texts]

    def _one(self, text: str) -> bytes:
        words = terms(text) or [text or " "]
        features = [(word, 1.0) for word in words]
        features += [(w[i : i + 3], 0.3) for w in words for i in range(len(w) - 2)]
        buckets = [0.0] * self._dimension
        for feature, weight in features:
            digest = hashlib.blake2b(feature.encode("utf-8", "replace"), digest_size=8).digest()
            number = int.from_bytes(digest, "little")
            buckets[number % self._dimension] += weight if number >> 63 else -weight
        norm = math.sqrt(sum(value * value for value in buckets))
        if not norm:  # features that cancel out exactly
            buckets[0] = norm = 1.0
        return pack([value / norm for value in buckets])
