"""The store: an fsynced SQLite journal, and two search indexes computed from it.

`journal` is the truth. `memories` (LanceDB) and `lexicon` (Tantivy) are projections: they
return keys and scores, can be deleted at any time, and are rebuilt from the journal. `store`
joins the three and is the only module the rest of meme talks to.
"""
