# How the bot plays: this is the file to edit. It counts trumps and aces, makes the lowest bid that
# they are worth, and takes tricks as cheaply as it can.

# The place in the list of legal actions, from 0, of the action to take.
#
# value holds the item by its paths (json.awk), decision.legal and so on as in docs/protocol.md, where
# a field that is zero is absent. match_id names the rules (session.awk), seat is one's own. If you
# want chance, draw all of it from bot_seed, and the same tournament gives the same games again.
function act(value, match_id, seat, bot_seed,    phase) {
    phase = value["decision.public.phase"]
    if (phase == "PHASE_SPEAK") return speak(value, match_id)
    if (phase == "PHASE_CALL") return name_call(value, match_id)
    if (phase == "PHASE_GIVE") return strongest(value, match_id, 1)
    if (phase == "PHASE_DISCARD") return strongest(value, match_id, -1)
    if (phase == "PHASE_PLAY") return play(value, match_id, seat)
    return 0
}

# The first action, which is a pass or the lowest bid, or the first bid that the hand is worth.
function speak(value, match_id,    i, bid, call, best) {
    for (i = 0; ("decision.legal." i) in value; i++) {
        bid = value["decision.legal." i ".bid"] + 0
        if (!bid || bid_alone[match_id, bid]) continue
        call = value["decision.legal." i ".call"]
        best = call == "" ? best_call(value, match_id) : call
        if (tricks(value, match_id, best) > bid_tricks[match_id, bid]) return i
    }
    return 0
}

function name_call(value, match_id,    i, best) {
    best = best_call(value, match_id)
    for (i = 0; ("decision.legal." i) in value; i++)
        if (value["decision.legal." i ".call"] == best) return i
    return 0
}

# The call under which the hand is worth most.
function best_call(value, match_id,    i, best) {
    for (i = 1; i <= calls[match_id]; i++)
        if (i == 1 || tricks(value, match_id, call_at[match_id, i]) > tricks(value, match_id, best))
            best = call_at[match_id, i]
    return best
}

# How many tricks both partners may take; a token counts as two.
function tricks(value, match_id, call,    i, card, sum) {
    sum = 0.2 * hand_size[match_id] - 2 * tokens[match_id, call]
    for (i = 0; ("decision.private.hand." i) in value; i++) {
        card = value["decision.private.hand." i]
        if (effective_suit(card, call) == trump_of[call]) sum += 0.7
        else if (rank_of(card) == "A") sum += 0.5
    }
    return sum
}

# Leads its best card; then wins as cheaply as it can, never over its partner.
function play(value, match_id, seat,    call, i, n, led, high, winner, worth, cheapest, loser) {
    call = value["decision.public.contract.call"]
    n = trick_of(value)
    if (!n) return strongest(value, match_id, 1)
    led = trick_card[1]
    high = -1
    for (i = 1; i <= n; i++) {
        worth = strength(match_id, call, led, trick_card[i])
        if (worth > high) {
            high = worth
            winner = trick_seat[i]
        }
    }
    if (winner == (seat + 2) % 4) high = 1000
    cheapest = loser = -1
    for (i = 0; ("decision.legal." i) in value; i++) {
        worth = strength(match_id, call, led, value["decision.legal." i ".card"])
        if (worth > high && (cheapest < 0 || worth < worth_of[cheapest])) cheapest = i
        if (loser < 0 || worth < worth_of[loser]) loser = i
        worth_of[i] = worth
    }
    return cheapest < 0 ? loser : cheapest
}

# The legal action whose card is the strongest where it leads; with sign -1 the weakest.
function strongest(value, match_id, sign,    call, i, card, worth, most, best) {
    call = value["decision.public.contract.call"]
    for (i = 0; ("decision.legal." i) in value; i++) {
        card = value["decision.legal." i ".card"]
        worth = sign * strength(match_id, call, card, card)
        if (i == 0 || worth > most) {
            most = worth
            best = i
        }
    }
    return best
}

# The plays of the current trick, into trick_card and trick_seat from 1; how many there are.
function trick_of(value,    i, path, plays, size) {
    size = ("decision.public.sits_out" in value) ? 3 : 4
    for (i = 0; (path = "decision.public.moves." i) in value; i++) {
        if (value[path ".action.kind"] != "ACTION_KIND_PLAY") continue
        plays = plays % size + 1
        trick_card[plays] = value[path ".action.card"]
        trick_seat[plays] = value[path ".seat"] + 0
    }
    return plays % size
}
