package BidEuchre::Session;

# The games that are being played: lines of the arena in, lines with answers out.

use v5.36;

use JSON::PP ();

use BidEuchre::Strategy;

my $JSON = JSON::PP->new->utf8->canonical;

# What is told of a line; it may quote the arena, which could send anything.
my $MOST_CHARACTERS = 500;

# What is kept: the rules of each match, and for each table its game.
sub new ($class) {
    return bless { matches => {}, games => {} }, $class;
}

# The lines that answer a line of the arena: one for each question in it.
sub answers ( $self, $line ) {
    my $response = $JSON->decode($line);
    if ( $response->{welcome} ) {

        # A new session: nothing of an earlier one is left.
        $self->@{qw(matches games)} = ( {}, {} );
    }
    my @questions = map { $self->_take($_) } $response->{items}{items}->@*;
    return map { $JSON->encode($_) } @questions;
}

# Takes in one item; gives the answer where it is a question. Other kinds of items are ignored.
sub _take ( $self, $item ) {
    if ( my $decision = $item->{decision} ) {
        return $self->_answer($decision);
    }
    elsif ( my $match = $item->{match_start} ) {
        $self->{matches}{ $match->{match_id} } = $match;
    }
    elsif ( my $game = $item->{game_start} ) {
        $self->{games}{ $game->{table_id} } = {
            match    => $self->{matches}{ $game->{match_id} },
            seat     => $game->{seat} // 0,
            bot_seed => $game->{bot_seed},
        };
    }
    elsif ( my $finished = $item->{game_finished} ) {
        delete $self->{games}{ $finished->{table_id} };
    }
    elsif ( my $over = $item->{match_finished} ) {
        delete $self->{matches}{ $over->{match_id} };
    }
    return;
}

# The answer to a question; the first legal action where the strategy has none, as in a game that
# has something it does not know.
sub _answer ( $self, $decision ) {
    my $game   = $self->{games}{ $decision->{table_id} };
    my $action = $game && eval { BidEuchre::Strategy::act( $game, $decision ) };
    warn _printable("no strategy for decision $decision->{decision_id}: $@"), "\n" if $@;
    return {
        decision_id => $decision->{decision_id},
        action      => $action // $decision->{legal}[0],
    };
}

# A text as one line of ASCII that is safe to print, cut where it is long.
sub _printable ($text) {
    chomp $text;
    my $line = substr $text, 0, $MOST_CHARACTERS;
    $line =~ s/([^ -~])/sprintf '\x%02x', ord $1/gex;
    return length $text > $MOST_CHARACTERS ? "$line..." : $line;
}

1;
