use super::super::chance::Chance;
use super::super::fixtures;
use super::super::layout::{self, Set};
use super::*;
use crate::cards::Rules;

/// Plain minimax: every legal card of every seat, no table, no cuts, no equal cards; strengths
/// from the sheet, of equal cards the first wins.
fn minimax(
    rules: &Rules,
    call: usize,
    hands: &mut [Set; 4],
    trick: &mut Vec<(usize, Set)>,
    seat: usize,
    sitter: Option<usize>,
    side: usize,
) -> i32 {
    let sheet = &rules.sheets[call];
    let active = if sitter.is_some() { 3 } else { 4 };
    if trick.len() == active {
        let led = layout::card_in(trick[0].1);
        let mut best = trick[0];
        for played in &trick[1..] {
            let strength = |bit: Set| sheet.strength(led, layout::card_in(bit));
            if strength(played.1) > strength(best.1) {
                best = *played;
            }
        }
        let rest = minimax(rules, call, hands, &mut Vec::new(), best.0, sitter, side);
        return rest + i32::from(best.0 & 1 == side);
    }
    if hands[seat] == 0 {
        return 0;
    }
    let follows = |bit: &Set| match trick.first() {
        Some((_, led)) => sheet.suit[layout::card_in(*led)] == sheet.suit[layout::card_in(*bit)],
        None => true,
    };
    let mut legal: Vec<Set> = each(hands[seat]).filter(follows).collect();
    if legal.is_empty() {
        legal = each(hands[seat]).collect();
    }
    let mut next = (seat + 1) & 3;
    if Some(next) == sitter {
        next = (next + 1) & 3;
    }
    let mut values = Vec::new();
    for bit in legal {
        hands[seat] &= !bit;
        trick.push((seat, bit));
        let mut copy = trick.clone();
        values.push(minimax(rules, call, hands, &mut copy, next, sitter, side));
        trick.pop();
        hands[seat] |= bit;
    }
    let best = if seat & 1 == side {
        values.iter().max()
    } else {
        values.iter().min()
    };
    *best.unwrap()
}

fn deal(rules: &Rules, size: usize, sitter: Option<usize>, chance: &mut Chance) -> [Set; 4] {
    let mut cards: Vec<Set> = each(layout::deck(rules)).collect();
    std::array::from_fn(|seat| {
        let size = if Some(seat) == sitter { 0 } else { size };
        (0..size)
            .map(|_| cards.swap_remove(chance.below(cards.len())))
            .sum()
    })
}

fn agree(rules: &Rules, size: usize, deals: u32) {
    for call in 0..rules.sheets.len() {
        let layout = Layout::new(rules, &rules.sheets[call]);
        for number in 0..deals {
            let mut chance = Chance::new(5, [number, u32::try_from(call).unwrap()]);
            let sitter = [None, Some(chance.below(4))][chance.below(2)];
            let mut sets = deal(rules, size, sitter, &mut chance);
            let mut leader = chance.below(4);
            if Some(leader) == sitter {
                leader = (leader + 1) & 3;
            }
            let team = chance.below(2);
            let hands = sets.map(|set| layout.bits(set));
            let mut solver = Solver::new(&layout);
            solver.face(team, sitter);
            let expected = minimax(
                rules,
                call,
                &mut sets,
                &mut Vec::new(),
                leader,
                sitter,
                team,
            );
            for guess in [0, 2, 9] {
                let found = solver.tricks(&hands, &Trick::new(leader), guess);
                assert_eq!(
                    found, expected,
                    "{:?} {hands:?} {leader}",
                    rules.sheets[call].call
                );
            }
            after_one_card(&mut solver, &hands, leader, expected, team);
        }
    }
}

/// The best card of the leader leads to the same number.
fn after_one_card(solver: &mut Solver, hands: &Hands, leader: usize, expected: i32, side: usize) {
    let trick = Trick::new(leader);
    let values: Vec<i32> = each(hands[leader])
        .map(|card| {
            let mut hands = *hands;
            let next = solver.play(&mut hands, &trick, card);
            solver.tricks(&hands, &next, 1)
        })
        .collect();
    let best = if leader & 1 == side {
        values.iter().max()
    } else {
        values.iter().min()
    };
    assert_eq!(best, Some(&expected));
}

#[test]
fn it_agrees_with_plain_minimax_with_one_copy() {
    agree(&fixtures::token(), 3, 60);
}

#[test]
fn it_agrees_with_plain_minimax_with_twins() {
    agree(&fixtures::double(), 3, 60);
}

#[test]
fn it_agrees_with_plain_minimax_with_four_cards() {
    agree(&fixtures::token(), 4, 3);
    agree(&fixtures::double(), 4, 3);
}
