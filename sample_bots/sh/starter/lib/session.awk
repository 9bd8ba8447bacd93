# The games that are being played: what is kept of each match and table, and the answers. The bridge
# gives one item a line.

{
    if (!json_read($0, message)) {
        print "no JSON: " printable($0) > "/dev/stderr"
        next
    }
    if ("welcome" in message) begin()
    item(message)
    fflush()
}

# A text as one line that is safe to print, cut where it is long. What is no ASCII the bridge escapes.
function printable(text) {
    if (length(text) > 500) text = substr(text, 1, 500) "..."
    gsub(/[^ -~]/, "?", text)
    return text
}

# A new session: nothing of an earlier one is left.
function begin() {
    split("", match_of)
    split("", seat_of)
    split("", seed_of)
}

# Take one item in. What is neither of these is ignored.
function item(message,    value, path) {
    for (path in message)
        if (index(path, "items.items.0.") == 1) value[substr(path, 15)] = message[path]
    if ("decision" in value) answer(value)
    else if ("match_start" in value) start_match(value)
    else if ("game_start" in value) start_game(value)
    else if ("game_finished" in value) finish_game(value["game_finished.table_id"])
}

# The answer to a question: at a table that is not known, the first legal action.
function answer(value,    table, place) {
    table = value["decision.table_id"]
    if (table in match_of) place = act(value, match_of[table], seat_of[table], seed_of[table])
    print "{\"decision_id\":" value["decision.decision_id"] ",\"index\":" place + 0 "}"
}

# Keep the rules of a match: its bids, its calls with their prices and orders, the size of a hand.
function start_match(value,    id, i, k, path, call, rank) {
    id = value["match_start.match_id"]
    hand_size[id] = value["match_start.variant.hand_size"]
    for (i = 0; (path = "match_start.variant.bids." i) in value; i++) {
        bid_tricks[id, i + 1] = value[path ".tricks"]
        bid_alone[id, i + 1] = value[path ".alone"] == "true"
    }
    for (i = 0; (path = "match_start.variant.calls." i) in value; i++) {
        call_at[id, i + 1] = call = value[path ".call"]
        tokens[id, call] = value[path ".tokens"]
        order[id, call] = ""
        for (k = 0; (rank = path ".order." k) in value; k++)
            order[id, call] = order[id, call] letter(value[rank])
    }
    calls[id] = i
}

function letter(rank) { return rank == "RANK_NINE" ? "9" : substr(rank, 6, 1) }

function start_game(value,    table) {
    table = value["game_start.table_id"]
    match_of[table] = value["game_start.match_id"]
    seat_of[table] = value["game_start.seat"] + 0
    seed_of[table] = value["game_start.bot_seed"]
}

function finish_game(table) {
    delete match_of[table]
    delete seat_of[table]
    delete seed_of[table]
}
