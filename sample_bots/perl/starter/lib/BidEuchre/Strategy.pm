package BidEuchre::Strategy;

# How the bot plays: this is the file to edit. It counts trumps and aces, bids what they are worth,
# and takes tricks as cheaply as it can.

use v5.36;

use List::Util qw(first max);

use BidEuchre::Cards qw(effective_suit strength trump_of);

my %ACT = (
    PHASE_SPEAK   => \&_speak,
    PHASE_CALL    => \&_call,
    PHASE_GIVE    => \&_give,
    PHASE_DISCARD => \&_discard,
    PHASE_PLAY    => \&_play,
);

# The action to take: one of $decision->{legal}.
#
# $game has match (MatchStart with the variant), seat and bot_seed: if you want chance, draw all of
# it from bot_seed, and the same tournament gives the same games again. $decision is the Decision of
# docs/protocol.md; as there, a field that is zero is absent.
sub act ( $game, $decision ) {
    my $act = $ACT{ $decision->{public}{phase} // q{} };
    return $act ? $act->( $game, $decision ) : $decision->{legal}[0];
}

# The highest bid that the hand is worth; a pass, or the least evil, where it is worth none.
sub _speak ( $game, $decision ) {
    my $legal = $decision->{legal};
    my @worth = grep { _margin( $game, $decision, $_ ) > 0 } $legal->@*;
    if (@worth) {
        my $top = max( map { $_->{bid} } @worth );
        $legal = [ grep { $_->{bid} == $top } @worth ];
    }
    return _best( $legal, sub ($action) { _margin( $game, $decision, $action ) } );
}

sub _call ( $game, $decision ) {
    return _best( $decision->{legal},
        sub ($action) { _tricks( $game, $decision, $action->{call} ) } );
}

# Gives its best card.
sub _give ( $game, $decision ) {
    return _best( $decision->{legal}, _alone( $game, $decision ) );
}

# Puts its weakest card away.
sub _discard ( $game, $decision ) {
    my $strength = _alone( $game, $decision );
    return _best( $decision->{legal}, sub ($action) { -$strength->($action) } );
}

# Leads its best card; then wins as cheaply as it can, never over its partner.
sub _play ( $game, $decision ) {
    my @trick = _trick( $decision->{public} );
    return _give( $game, $decision ) if !@trick;
    my $led   = $trick[0]{action}{card};
    my $worth = _strength_in( $game, $decision, $led );
    my $best  = _best( \@trick, sub ($move) { $worth->( $move->{action} ) } );
    my $high  = $worth->( $best->{action} );
    my @cards = grep { $worth->($_) > $high } $decision->{legal}->@*;
    if ( ( $best->{seat} // 0 ) == ( $game->{seat} ^ 2 ) || !@cards ) {
        @cards = $decision->{legal}->@*;
    }
    return _best( \@cards, sub ($action) { -$worth->($action) } );
}

# How many tricks both partners may take; a token counts as two.
sub _tricks ( $game, $decision, $call ) {
    my $trump = trump_of($call) // q{};
    my ( $trumps, $aces ) = ( 0, 0 );
    for my $card ( $decision->{private}{hand}->@* ) {
        if    ( effective_suit( $card, $call ) eq $trump ) { $trumps++ }
        elsif ( $card =~ /\ACARD_A/x )                     { $aces++ }
    }
    my $variant = $game->{match}{variant};
    my $rule    = first { $_->{call} eq $call } $variant->{calls}->@*;
    return 0.7 * $trumps + 0.5 * $aces + 0.2 * $variant->{hand_size} - 2 * ( $rule->{tokens} // 0 );
}

# The tricks beyond what a bid needs; 0 for a pass. It neither goes alone nor forces.
sub _margin ( $game, $decision, $action ) {
    return 0 if $action->{kind} eq 'ACTION_KIND_PASS';
    my $variant = $game->{match}{variant};
    my $bid     = $action->{bid} && $variant->{bids}[ $action->{bid} - 1 ];
    return -99 if !$bid || $bid->{alone};
    my @calls = $action->{call} // map { $_->{call} } $variant->{calls}->@*;
    return max( map { _tricks( $game, $decision, $_ ) } @calls ) - $bid->{tricks};
}

# The plays of the current trick, the leader's first.
sub _trick ($public) {
    my @plays   = grep { $_->{action}{kind} eq 'ACTION_KIND_PLAY' } ( $public->{moves} // [] )->@*;
    my $players = defined $public->{sits_out} ? 3 : 4;
    my $count   = @plays % $players;
    return $count ? @plays[ -$count .. -1 ] : ();
}

# How strong an action's card is in a trick that began with the card led.
sub _strength_in ( $game, $decision, $led ) {
    my $call = $decision->{public}{contract}{call};
    return sub ($action) { strength( $game->{match}{variant}, $call, $led, $action->{card} ) };
}

# How strong an action's card is where it leads.
sub _alone ( $game, $decision ) {
    my $call = $decision->{public}{contract}{call};
    return sub ($action) {
        my $card = $action->{card};
        return strength( $game->{match}{variant}, $call, $card, $card );
    };
}

# The first of some actions or moves of which the worth is highest.
sub _best ( $choices, $worth ) {
    my ( $best, $most );
    for my $choice ( $choices->@* ) {
        my $value = $worth->($choice);
        ( $best, $most ) = ( $choice, $value ) if !defined $best || $value > $most;
    }
    return $best;
}

1;
