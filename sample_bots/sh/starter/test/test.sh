#!/bin/sh
# The tests: a recorded session, the reader of JSON and the cards, with every awk that is there.
set -u
cd "$(dirname "$0")/.." || exit 1
failures=0

# same NAME EXPECTED FOUND
same() {
    if [ "$2" != "$3" ]; then
        printf '%s: %s\nexpected: %s\nfound:    %s\n' "$AWK" "$1" "$2" "$3" >&2
        failures=$((failures + 1))
    fi
}

# json PATH LINE: what stands there
json() {
    printf '%s\n' "$2" | $AWK -v PATH="$1" -f lib/json.awk -f test/json.awk
}

# strong CALL LED CARD...: how strong the cards are in that trick
strong() {
    call=$1 led=$2
    shift 2
    printf "m $call $led %s\n" "$@" | $AWK -f lib/cards.awk -f test/cards.awk | paste -s -d ' ' -
}

a_session() {
    same 'a recorded session' "$(cat test/expected.jsonl)" "$(./bot.sh <test/lines.jsonl)"
    question=$(grep '"decision_id":7,' test/lines.jsonl)
    same 'an unknown table' '{"decision_id":7,"index":0}' "$(echo "$question" | ./bot.sh)"
    forgotten=$(
        {
            head -n 5 test/lines.jsonl
            echo '{"welcome":{}}'
            echo "$question"
        } | ./bot.sh
    )
    same 'a new session' '{"decision_id":7,"index":0}' "$forgotten"
    same 'what is not known' '' "$(echo '{"items":{"items":[{"later":{}}]}}' | ./bot.sh)"
}

what_is_told() {
    told=$(printf 'no\033[2J\177\n' | ./bot.sh 2>&1)
    same 'control characters' 'no JSON: no?[2J?' "$told"
    told=$(printf 'no %0600d\n' 0 | ./bot.sh 2>&1)
    same 'a long line' 512 "${#told}"
}

# Answers must come while the input is still open: the second line is a question after the first answer.
an_answer_at_once() {
    fifo=$(mktemp -d)
    mkfifo "$fifo/in" "$fifo/out"
    ./bot.sh <"$fifo/in" >"$fifo/out" &
    exec 3>"$fifo/in" 4<"$fifo/out"
    head -n 9 test/lines.jsonl | grep -v '"decision"' >&3
    grep '"decision_id":7,' test/lines.jsonl >&3
    answer=$(timeout 20 head -n 1 <&4)
    exec 3>&- 4<&-
    rm -r "$fifo"
    same 'an answer at once' '{"decision_id":7,"index":1}' "$answer"
}

the_json() {
    line='{"a":{"b":[1,{"c":"x\"y"},true]},"e":[],"f":-1.5e3}'
    same 'a number' 1 "$(json a.b.0 "$line")"
    same 'a text' 'x\"y' "$(json a.b.1.c "$line")"
    same 'a word' true "$(json a.b.2 "$line")"
    same 'nothing' absent "$(json e.0 "$line")"
    same 'behind an empty list' -1.5e3 "$(json f "$line")"
    for line in '{' '{"a"}' '{"a":}' '[1,' '{"a":1}}' '{"a":[1}' '' 'words here'; do
        same "the line $line" 'no JSON' "$(json a "$line")"
    done
}

the_cards() {
    same 'trumps and bowers' '0 0 1 6 101 106 107 108' \
        "$(strong CALL_HEARTS TC AD KS 9C AC 9H AH JD JH)"
    same 'low' '0 1 6' "$(strong CALL_LOW TC 9D AC 9C)"
}

tried=0
for AWK in mawk gawk 'busybox awk' awk; do
    command -v "${AWK%% *}" >/dev/null || continue
    export AWK
    tried=$((tried + 1))
    a_session
    what_is_told
    an_answer_at_once
    the_json
    the_cards
done
echo "$tried kinds of awk, $failures failures"
[ "$tried" -gt 0 ] && [ "$failures" -eq 0 ]
