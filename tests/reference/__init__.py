"""A second implementation of the rules: slow, naive, written from the rule text alone.

It is the oracle that the real engine is compared with, so it shares nothing with `arena.rules`:
not the suit of a card, not the order of the bids. Everything is text, lists and dicts. A hand is
the cards that were dealt and the list of actions so far, and each question ("whose turn?", "what
may be played?") is answered by reading that list from its beginning. Comments cite paragraphs.

shapes    the dicts that are passed around        cards     decks, suits, orders (C1, C3, C5, D2)
tables    bids, calls, points of the variants     auction   C2, T1.1, T3, T4, T5, D3, D4
exchange  B4, T1.4, T1.5                          play      C3.4 to C3.6, B6, D6
scoring   C4, C6, T2, T3, T4, D8                  knowledge I1, I2
deals     S1 to S5                                game      hands in a row, to the end
oracle    one hand with methods                   playouts  random hands with all their answers
"""
