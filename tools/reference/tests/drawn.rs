//! Drawn histories with the model itself as the service.

use reference::{Generator, Mutant, Worlds};
use simulator::Dice;

const START: u64 = 1_700_000_000_000;

/// Plays the history of a seed; what the judged model finds.
fn play(seed: u64, groups: bool, mutant: Option<Mutant>) -> Result<(), String> {
    let mut dice = Dice::new(seed);
    let mut generator = Generator::new(&mut dice, groups);
    let mut service = Worlds::new(generator.kind, START, None);
    let mut judge = Worlds::new(generator.kind, START, mutant);
    let mut asked = Generator::scene();
    for _ in 0..dice.between(4, 14) {
        asked.push(generator.call(&mut dice));
        for _ in 0..dice.pick(&[0, 1, 1, 2]) {
            asked.push(generator.question(&mut dice, false));
        }
    }
    let end = asked.len();
    for _ in 0..4 {
        asked.push(generator.question(&mut dice, true));
    }
    for (n, asked) in asked.into_iter().enumerate() {
        let step = dice.pick(&[1, 1, 1, 1, 1, 1, 1, 11_000]);
        // Notices are due when the questions after quiescence come.
        let step = if n == end { step + generator.kind.delay() } else { step };
        service.advance(step);
        judge.advance(step);
        let answer = service.answer(&asked);
        service.judge(&asked, &answer).map_err(|fault| format!("the service: {}", fault.0))?;
        judge.judge(&asked, &answer).map_err(|fault| fault.0)?;
    }
    Ok(())
}

#[test]
fn the_model_takes_its_own_answers() {
    for seed in 0..300 {
        for groups in [false, true] {
            play(seed, groups, None).unwrap_or_else(|fault| panic!("seed {seed}: {fault}"));
        }
    }
}

#[test]
fn a_wrong_model_is_found_within_2_000_seeds() {
    // The others need the steps of workers and clocks that the runner of histories has.
    let rare = [
        Mutant::GrantForgetsDeparture,
        Mutant::InvolvementReachesDeparted,
        Mutant::ExpiredGrantsAreTold,
        Mutant::OneMemoryForChannels,
    ];
    for mutant in Mutant::ALL.into_iter().filter(|mutant| !rare.contains(mutant)) {
        let is_found = (0..2_000).any(|seed| play(seed, true, Some(mutant)).is_err());
        assert!(is_found, "{mutant:?} is not found");
    }
}
