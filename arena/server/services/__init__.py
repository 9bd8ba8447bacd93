"""The unary services over the store: bots, tournaments, leaderboards, records, variants.

`boundary` stands around all of them and around Play: what goes wrong there becomes a status, and a
bug of ours says nothing but a number. `errors` are the refusals, `access` asks for the organiser's
token, `paging` gives out page tokens, `names` reads resource names, `messages` writes what the
store holds.
"""
