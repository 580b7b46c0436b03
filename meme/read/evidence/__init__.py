"""How the embedded default reads evidence: statements, whom they are about, and what they answer.

`statements` reads entries and turns, `fit` holds them against a question, `spans` and `values` take
the answer out, `verdicts` decides closed questions, `unknown` says when nothing answers.
"""
