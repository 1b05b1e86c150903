//! Users whom an event reaches (rule N1).

use crate::{Millis, rights::Past};

/// How a user stands to a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// With a right there, above it or in the organization, that opens it.
    Holder,
    /// The document is open to everybody.
    Public(Past),
    /// No access.
    Shut,
}

/// How an event and its thread name a user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Naming {
    /// The time of the event.
    pub at: Millis,
    /// Whether the event itself names the user, by the tenant's server: in a new comment, as the
    /// new assignee or as a recipient.
    pub is_addressed: bool,
    /// Whether the event or the thread names the user in any way.
    pub is_involved: bool,
    /// When the user commented or reacted in the thread last.
    pub acted: Option<Millis>,
}

/// Whether an event is told to a user. A right is enough. Without one, what is open to everybody
/// is told to those whom the thread involves, but not to those whose right ended: a thread from
/// before may not follow them. They are reached again by the tenant's server that names them
/// afterwards, and in threads in which they act afterwards, which takes a new token.
pub fn reached(standing: Standing, naming: Naming) -> bool {
    match standing {
        Standing::Holder => true,
        Standing::Public(Past::Stranger) => naming.is_involved || naming.is_addressed,
        Standing::Public(Past::Ended(end)) => {
            (naming.is_addressed && naming.at > end) || naming.acted.is_some_and(|at| at > end)
        }
        Standing::Shut => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Naming, Standing, reached};
    use crate::rights::Past;

    /// The answers for nobody, a participant, an addressed user, and one who acted at this time,
    /// each at an event at 10.
    fn told(standing: Standing, acted: u64) -> [bool; 4] {
        let nobody = Naming { at: 10, ..Naming::default() };
        let involved = Naming { is_involved: true, ..nobody };
        let addressed = Naming { is_addressed: true, ..nobody };
        let acted = Naming { is_involved: true, acted: Some(acted), ..nobody };
        [nobody, involved, addressed, acted].map(|naming| reached(standing, naming))
    }

    #[test]
    fn a_right_is_enough_and_without_access_nothing_is() {
        assert_eq!(told(Standing::Holder, 1), [true; 4]);
        assert_eq!(told(Standing::Shut, 9), [false; 4]);
    }

    #[test]
    fn a_stranger_is_told_of_what_involves_them() {
        assert_eq!(told(Standing::Public(Past::Stranger), 1), [false, true, true, true]);
    }

    #[test]
    fn whose_right_ended_is_told_only_of_what_names_them_afterwards() {
        let ended = |end| Standing::Public(Past::Ended(end));
        assert_eq!(told(ended(5), 4), [false, false, true, false]);
        assert_eq!(told(ended(5), 5), [false, false, true, false]);
        assert_eq!(told(ended(5), 6), [false, false, true, true], "acted with a new token");
        // The right ended after the event, or at its time.
        assert_eq!(told(ended(10), 9), [false; 4]);
        assert_eq!(told(ended(11), 9), [false; 4]);
    }
}
