#!/bin/sh
# Fails where perltidy would change a file.
set -eu
cd "$(dirname "$0")/.."
status=0
for file in bot.pl lib/BidEuchre/*.pm t/*.t; do
    perltidy --profile=.perltidyrc --standard-output "$file" | diff -u "$file" - || status=1
done
exit "$status"
