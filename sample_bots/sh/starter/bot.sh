#!/bin/sh
# Plays Bid Euchre behind `arena bridge`: a line of JSON in, a line of JSON out. AWK names another awk.
set -eu

awk=${AWK:-awk}
here=$(dirname "$0")

# mawk alone reads ahead, and would wait for lines that nobody will write before it is answered.
# Only it knows this flag; others take what follows -W for something else.
if $awk -W version </dev/null 2>&1 | grep -q '^mawk'; then
    awk="$awk -W interactive"
fi

# shellcheck disable=SC2086 # AWK may be two words, such as: busybox awk
exec $awk -f "$here/lib/json.awk" -f "$here/lib/cards.awk" -f "$here/lib/strategy.awk" \
    -f "$here/lib/session.awk"
