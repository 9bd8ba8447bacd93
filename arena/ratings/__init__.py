"""Ratings: pure arithmetic on stored results. No clock, no file, no chance, no concurrency.

Read in this order: `results` (what a finished set is), `skill` (TrueSkill), `points` (points per
deal with a t interval), `proportions` (win rate, likelihood of superiority), `leaderboard` (the
table and the matrix). `distributions` holds the two probability distributions that they need.

Every function is a function of the *set* of results: the order in which they are given never
matters. A further method of rating (a batch fit, individual ratings for rotating partners) is a
further module beside `skill`.
"""
