#!/usr/bin/env perl
# Plays Bid Euchre behind `arena bridge`: a line of JSON in, a line of JSON out.
use v5.36;

use FindBin;
use lib "$FindBin::Bin/lib";

use BidEuchre::Session;

# Each answer is to leave at once: whoever asked is waiting for it.
local $| = 1;

my $session = BidEuchre::Session->new;
while ( my $line = readline STDIN ) {
    print "$_\n" for $session->answers($line);
}
