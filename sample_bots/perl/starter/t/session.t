use v5.36;

use FindBin;
use JSON::PP qw(decode_json encode_json);
use Test::More;

use BidEuchre::Session;

# A recorded session of the variant token: a question of each phase.
open my $file, '<', "$FindBin::Bin/lines.jsonl" or die "no recorded lines: $!";
my @lines = <$file>;
close $file or die "no recorded lines: $!";

my %expected = (
    1   => { kind => 'ACTION_KIND_BID',  bid  => 1 },
    7   => { kind => 'ACTION_KIND_CALL', call => 'CALL_DIAMONDS' },
    8   => { kind => 'ACTION_KIND_PLAY', card => 'CARD_JC' },
    10  => { kind => 'ACTION_KIND_PLAY', card => 'CARD_9C' },
    18  => { kind => 'ACTION_KIND_PLAY', card => 'CARD_JH' },
    23  => { kind => 'ACTION_KIND_PLAY', card => 'CARD_JH' },
    226 => { kind => 'ACTION_KIND_SHOOTER_SELF' },
    235 => { kind => 'ACTION_KIND_DISCARD', card => 'CARD_9S' },
    279 => { kind => 'ACTION_KIND_GIVE',    card => 'CARD_KD' },
);

sub actions (@answers) {
    return { map { $_->{decision_id} => $_->{action} } map { decode_json($_) } @answers };
}

my $session = BidEuchre::Session->new;
is_deeply( actions( map { $session->answers($_) } @lines ),
    \%expected, 'each question is answered once, as it should be' );
is( scalar keys $session->{matches}->%*, 0, 'a match that is over is forgotten' );

my @items     = map  { ( $_->{items}{items} // [] )->@* } map { decode_json($_) } @lines;
my ($starts)  = grep { $_->{game_start} } @items;
my ($over)    = grep { $_->{game_finished} } @items;
my @questions = grep { $_->{decision} } @items;

sub line (@told) {
    return encode_json( { items => { items => \@told } } );
}

my $batch = BidEuchre::Session->new;
is( scalar $batch->answers( line(@items) ), 9, 'a line may hold many items' );

my $games = BidEuchre::Session->new;
$games->answers( line( grep { $_->{match_start} || $_->{game_start} } @items ) );
my $before = keys $games->{games}->%*;
$games->answers( line($over) );
is( scalar keys $games->{games}->%*, $before - 1, 'a game that is over is forgotten' );
$games->answers( encode_json( { welcome => {} } ) );
is( scalar keys $games->{games}->%*, 0, 'a new session begins from nothing' );

my $strange = BidEuchre::Session->new;
my ($first) = $questions[1]{decision}{legal}[0];
is_deeply(
    actions( $strange->answers( line( $questions[1] ) ) ),
    { 7 => $first },
    'at an unknown table: the first legal action'
);
is( scalar $strange->answers( line( { sequence => 9, later => {} } ) ), 0, 'unknown: ignored' );
is( scalar $strange->answers('{"later":{}}'),                           0, 'unknown: ignored' );

{
    my @warned;
    local $SIG{__WARN__} = sub ($text) { push @warned, $text };
    local $questions[1]{decision}{private}{hand} = [99];
    my $lost = BidEuchre::Session->new;
    my @told = grep { !$_->{decision} } @items[ 0 .. 4 ];
    is_deeply(
        actions( $lost->answers( line( @told, $questions[1] ) ) ),
        { 7 => $first },
        'a strategy that fails: the first legal action'
    );
    like( $warned[0], qr/no strategy for decision 7: the card 99 is not known/, 'and it is told' );
}

# The answers and warnings at a question of which the public part and the hand are replaced.
sub asked ( $public, @hand ) {
    my @warned;
    local $SIG{__WARN__}                         = sub ($text) { push @warned, $text };
    local $questions[1]{decision}{public}        = $public;
    local $questions[1]{decision}{private}{hand} = [@hand];
    my $asked = BidEuchre::Session->new;
    my @told  = grep { !$_->{decision} } @items[ 0 .. 4 ];
    return ( actions( $asked->answers( line( @told, $questions[1] ) ) ), @warned );
}

is_deeply(
    [ asked( {} ) ],
    [ { 7 => $first } ],
    'without a phase: the first legal action, quietly'
);

{
    my $call = { phase => 'PHASE_CALL' };
    my ( undef, $warned ) = asked( $call, "\e[2J\n\x7f\x{9b}\x{2663}" );
    is(
        $warned,
        'no strategy for decision 7: the card \x1b[2J\x0a\x7f\x9b\x2663 is not known' . "\n",
        'what the arena sent is told in one line that is safe to print'
    );
    my ( undef, $long ) = asked( $call, 'x' x 1000 );
    is( length $long, 504, 'and cut where it is long' );
}

done_testing();
