"""What the chapters B, T and D of the rules print as numbers and lists, by name of variant."""

VARIANTS = ["classic", "token", "double"]

# B1, T (built on classic), D1. Ranks from low to high.
RANKS = {
    "classic": ["9", "T", "J", "Q", "K", "A"],
    "token": ["9", "T", "J", "Q", "K", "A"],
    "double": ["J", "Q", "K", "A"],
}
COPIES = {"classic": 1, "token": 1, "double": 2}
HAND_SIZE = {"classic": 6, "token": 6, "double": 8}

# B2, T1.1, D3 and D4: what can be bid, from low to high.
BIDS = {
    "classic": ["3", "4", "5", "6", "shoot", "lone"],
    "token": ["3", "4", "5", "6", "shot", "loner"],
    "double": ["1", "2", "3", "4", "5", "6", "7", "8", "solo"],
}

# C2.6 with B4, B5, T1.4, T1.6, D5: the bids whose maker plays alone, and what they are worth.
ALONE_POINTS = {
    "classic": {"shoot": 8, "lone": 12},
    "token": {"shot": 12, "loner": 21},
    "double": {"solo": 24},
}

# B3, T1.2, D3.
CALLS = {
    "classic": ["C", "D", "H", "S", "NT"],
    "token": ["C", "D", "H", "S", "high", "low", "mid"],
    "double": ["C", "D", "H", "S", "NT"],
}

# T1.2, T4: the calls that cost a token.
PAID_CALLS = ["high", "low", "mid"]

# C5: the order in every suit, from high to low, of the calls without trump.
ORDER_WITHOUT_TRUMP = {
    "NT": ["A", "K", "Q", "J", "T", "9"],
    "high": ["A", "K", "Q", "J", "T", "9"],
    "low": ["9", "T", "J", "Q", "K", "A"],
    "mid": ["Q", "K", "T", "A", "9", "J"],
}

# B1, T. `double` has no target (D8).
TARGET = {"classic": 32, "token": 42}
HANDS_OF_A_DOUBLE_GAME = 8  # D8
MAX_HANDS = 200  # C6.3
FIRST_DEALER = 0  # C1.2, D8

# T5.1: what a force costs.
FORCE_COST = {"force partner": 2, "force opponents": 3}

# T2.2 and T2.4.
DECADES = [10, 20, 30, 40]
SYMPATHY = [-20, -40, -60]
