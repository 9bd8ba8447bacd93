# Prints how strong each card is: a match, a call, the card led, and a card in a line.
BEGIN { order["m", "CALL_LOW"] = "9TJQKA" }
{ print strength($1, $2, "CARD_" $3, "CARD_" $4) }
