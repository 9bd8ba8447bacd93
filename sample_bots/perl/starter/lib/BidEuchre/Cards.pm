package BidEuchre::Cards;

# What cards are worth under a call. A card is its name on the wire, such as CARD_JH.

use v5.36;

use Exporter qw(import);

our @EXPORT_OK = qw(effective_suit strength trump_of);

my %TRUMP  = ( CALL_CLUBS => 'C', CALL_DIAMONDS => 'D', CALL_HEARTS => 'H', CALL_SPADES => 'S' );
my %MATE   = ( C          => 'S', S             => 'C', D           => 'H', H           => 'D' );
my %LETTER = (
    RANK_NINE  => '9',
    RANK_TEN   => 'T',
    RANK_JACK  => 'J',
    RANK_QUEEN => 'Q',
    RANK_KING  => 'K',
    RANK_ACE   => 'A',
);
my $USUAL_ORDER = 'AKQJT9';
my $RIGHT_BOWER = 8;
my $LEFT_BOWER  = 7;
my $TRUMP_FROM  = 100;

# The trump suit of a call: C, D, H or S; undef without trump.
sub trump_of ($call) {
    return $TRUMP{$call};
}

# The suit a card belongs to: the left bower is a trump.
sub effective_suit ( $card, $call ) {
    my ( $rank, $suit ) = _split($card);
    my $trump = trump_of($call);
    return defined $trump && $rank eq 'J' && $suit eq $MATE{$trump} ? $trump : $suit;
}

# How strong a card is in a trick that began with the card led; 0 never wins.
sub strength ( $variant, $call, $led, $card ) {
    my $suit  = effective_suit( $card, $call );
    my $trump = trump_of($call) // q{};
    my $value = _value( $variant, $call, $card );
    return $TRUMP_FROM + $value if $suit eq $trump;
    return $suit eq effective_suit( $led, $call ) ? $value : 0;
}

# A card's height within its suit, from 1.
sub _value ( $variant, $call, $card ) {
    my ( $rank, $suit ) = _split($card);
    my $trump = trump_of($call);
    if ( defined $trump && $rank eq 'J' ) {
        return $RIGHT_BOWER if $suit eq $trump;
        return $LEFT_BOWER  if $suit eq $MATE{$trump};
    }
    my $order = _order( $variant, $call );
    return length($order) - index $order, $rank;
}

# The ranks high to low, as letters: the variant says them for calls without trump.
sub _order ( $variant, $call ) {
    my ($rule) = grep { $_->{call} eq $call } $variant->{calls}->@*;
    my $order  = join q{}, map { $LETTER{$_} } ( $rule ? $rule->{order} // [] : [] )->@*;
    return $order || $USUAL_ORDER;
}

# A card's rank and suit; dies of one that a later contract may have.
sub _split ($card) {
    my @parts = $card =~ /\ACARD_([9TJQKA])([CDHS])\z/x;
    die "the card $card is not known\n" if !@parts;
    return @parts;
}

1;
