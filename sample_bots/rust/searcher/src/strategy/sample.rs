//! Deals that agree with all that a seat has seen, the likely ones more often.

use super::chance::Chance;
use super::evidence::Evidence;
use super::known::{HOLDERS, Known};
use super::layout::{Set, each};

/// Deals that are drawn for each that is kept.
const DRAWN: usize = 3;

/// Who holds what now; the last is the discard.
pub type Deal = [Set; HOLDERS];

/// Draws deals: `count` of them, a likely one perhaps more than once.
pub fn sample(known: &Known, evidence: &Evidence, count: usize, chance: &mut Chance) -> Vec<Deal> {
    if known.hidden == 0 {
        return vec![known.held];
    }
    let order = by_choice(known);
    let drawn = if evidence.is_empty() {
        count
    } else {
        count * DRAWN
    };
    let deals: Vec<Deal> = (0..drawn)
        .filter_map(|_| draw(known, &order, chance))
        .collect();
    if evidence.is_empty() {
        return deals;
    }
    let weights: Vec<f64> = deals
        .iter()
        .map(|deal| evidence.weigh(known, deal))
        .collect();
    pick(&deals, &weights, count, chance)
}

/// Takes deals by their weights, at equal steps; in a random order, so that a part will do too.
fn pick(deals: &[Deal], weights: &[f64], count: usize, chance: &mut Chance) -> Vec<Deal> {
    let total: f64 = weights.iter().sum();
    let step = total / super::worth::whole(count);
    let mut at = step * chance.unit();
    let mut passed = 0.0;
    let mut picked = Vec::with_capacity(count);
    for (deal, weight) in deals.iter().zip(weights) {
        passed += weight;
        while at < passed && picked.len() < count {
            picked.push(*deal);
            at += step;
        }
    }
    shuffle(&mut picked, chance);
    picked
}

fn shuffle<T>(items: &mut [T], chance: &mut Chance) {
    for last in (1..items.len()).rev() {
        items.swap(last, chance.below(last + 1));
    }
}

/// The hidden cards, those that fewest holders can have first.
fn by_choice(known: &Known) -> Vec<Set> {
    let mut cards: Vec<Set> = each(known.hidden).collect();
    cards.sort_by_key(|card| takers(known, *card));
    cards
}

fn takers(known: &Known, card: Set) -> usize {
    (0..HOLDERS)
        .filter(|holder| known.room[*holder] > 0 && known.allows(*holder, card))
        .count()
}

/// Deals the hidden cards; None where that is not possible at all.
fn draw(known: &Known, order: &[Set], chance: &mut Chance) -> Option<Deal> {
    let mut cards = order.to_vec();
    for group in cards.chunk_by_mut(|a, b| takers(known, *a) == takers(known, *b)) {
        shuffle(group, chance);
    }
    let mut deal = known.held;
    let mut room = known.room;
    place(known, &cards, &mut deal, &mut room, chance).then_some(deal)
}

/// Places the first card with somebody who can have it, then the others; goes back where that
/// turns out to be wrong.
fn place(
    known: &Known,
    cards: &[Set],
    deal: &mut Deal,
    room: &mut [usize; HOLDERS],
    chance: &mut Chance,
) -> bool {
    let Some((card, rest)) = cards.split_first() else {
        return true;
    };
    let mut open = *room;
    for (holder, open) in open.iter_mut().enumerate() {
        if !known.allows(holder, *card) {
            *open = 0;
        }
    }
    while let Some(holder) = choose(&open, chance) {
        deal[holder] |= card;
        room[holder] -= 1;
        if place(known, rest, deal, room, chance) {
            return true;
        }
        deal[holder] &= !card;
        room[holder] += 1;
        open[holder] = 0;
    }
    false
}

/// A holder by its room; None where there is no room.
fn choose(open: &[usize; HOLDERS], chance: &mut Chance) -> Option<usize> {
    let total: usize = open.iter().sum();
    let mut ticket = (total > 0).then(|| chance.below(total))?;
    open.iter().position(|room| {
        let here = ticket < *room;
        ticket = ticket.wrapping_sub(if here { 0 } else { *room });
        here
    })
}

#[cfg(test)]
mod tests;
