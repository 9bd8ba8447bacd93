use v5.36;

use Test::More;

use BidEuchre::Cards qw(effective_suit strength trump_of);

my $USUAL = { calls => [ { call => 'CALL_HEARTS' }, { call => 'CALL_LOW', order => low() } ] };

sub low () {
    return [ map { "RANK_$_" } qw(NINE TEN JACK QUEEN KING ACE) ];
}

# The cards of a row of texts that win nothing, then those that win more and more.
sub rises ( $call, $led, @texts ) {
    my @found  = map  { strength( $USUAL, $call, "CARD_$led", "CARD_$_" ) } @texts;
    my @sorted = sort { $a <=> $b } @found;
    is_deeply( \@found, \@sorted, "$call, $led led: @texts" );
    my %seen;
    is( ( scalar grep { $_ && $seen{$_}++ } @found ), 0, 'all that win are different' );
    return @found;
}

is( trump_of('CALL_SPADES'),                    'S',   'spades are trump' );
is( trump_of('CALL_LOW'),                       undef, 'low has no trump' );
is( effective_suit( 'CARD_JD', 'CALL_HEARTS' ), 'H',   'the left bower is a trump' );
is( effective_suit( 'CARD_JC', 'CALL_HEARTS' ), 'C',   'another jack is none' );
is( effective_suit( 'CARD_JD', 'CALL_LOW' ),    'D',   'no bower without trump' );

rises( 'CALL_HEARTS', 'TC', qw(AD KS 9C TC JC QC KC AC 9H TH QH KH AH JD JH) );
rises( 'CALL_HEARTS', 'JD', qw(AD AC 9H AH JD JH) );
is( ( rises( 'CALL_LOW', 'TC', qw(9D AC KC QC JC TC 9C) ) )[0], 0, 'another suit never wins' );

done_testing();
