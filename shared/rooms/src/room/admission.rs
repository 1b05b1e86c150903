//! The bounds of a place: how many connections it has, and how many of one user.

use error::{Error, Result};
use model::UserId;

use super::Room;
use crate::{
    member::{MAX_MEMBERS, Member},
    prelude::*,
};

/// Maximum number of connections of a user to a place.
const MAX_OF_USER: usize = 20;
/// The number of members from which on a place takes only users who have no connection to it: no
/// few users take all of it.
const RESERVED: usize = MAX_MEMBERS * 9 / 10;

/// An admission to a room.
pub enum Admission {
    /// All members, which had to be read.
    Read(Vec<Member>),
    /// The room is large, and its members were not read.
    Unread,
}

impl Room {
    /// Admits a connection that has joined, unless the room is full or its user has too many
    /// connections in it. Members of a large room are not read, unless it may be full or the user
    /// has many connections in the organization.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED when the connection has no place among them; the caller then ends its
    /// subscription. UNAVAILABLE, INTERNAL.
    pub async fn admit(&self, connection: &str, user: &UserId) -> Result<Admission> {
        let organization = &self.organization;
        if self.is_large()
            && self.count_join()
            && organization
                .tenant()
                .connections()
                .has_fewer(organization.id(), user, MAX_OF_USER)
                .await?
        {
            return Ok(Admission::Unread);
        }
        let members = self.members().await?;
        match members.iter().find(|member| member.connection_id == connection) {
            Some(own) => check(own, &members).map(|()| Admission::Read(members)),
            None => Err(full()),
        }
    }

    /// Counts a new member of a place of known size; false if the size is unknown or the place may
    /// be full: then the caller reads the members.
    fn count_join(&self) -> bool {
        let size = self.size().filter(|size| *size < RESERVED);
        size.inspect(|size| self.remember_size(size + 1)).is_some()
    }
}

fn full() -> Error {
    Error::exhausted(format!("There are {MAX_MEMBERS} connections here."))
}

/// Whether a member has a place among those who came before it.
fn check(own: &Member, members: &[Member]) -> Result<()> {
    let order = |member: &Member| (member.joined, member.connection_id.clone());
    let earlier = members.iter().filter(|member| order(member) < order(own));
    let (all, of_user) = earlier.fold((0, 0), |(all, of_user), member| {
        (all + 1, of_user + usize::from(member.user_id == own.user_id))
    });
    if all >= MAX_MEMBERS {
        return Err(full());
    }
    let most = if all >= RESERVED { 1 } else { MAX_OF_USER };
    if of_user >= most {
        return Err(Error::exhausted(format!("The user has {of_user} connections here.")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use model::live::{LivePart, LivePlace};

    use super::{MAX_MEMBERS, MAX_OF_USER, Member, RESERVED, check};
    use crate::member::protocol::Protocol;

    fn member(n: usize, user: &str) -> Member {
        let part = LivePart::Events { document_id: "d".to_owned().try_into().unwrap() };
        let place = LivePlace { organization_id: "o".to_owned().try_into().unwrap(), part };
        let user = user.to_owned().try_into().unwrap();
        Member::new(&place, &format!("{n:04}"), Protocol::Y, user, 7)
    }

    fn others(count: usize) -> Vec<Member> {
        (0..count).map(|n| member(n, &format!("u{n}"))).collect()
    }

    #[test]
    fn a_user_has_few_connections_however_many_join_at_once() {
        let all: Vec<Member> = (0..1000).map(|n| member(n, "eve")).collect();
        assert_eq!(all.iter().filter(|own| check(own, &all).is_ok()).count(), MAX_OF_USER);
    }

    #[test]
    fn the_last_places_are_for_users_who_have_none() {
        let mut all = others(RESERVED - 1);
        all.push(member(5000, "u3"));
        assert!(check(&all[RESERVED - 1], &all).is_ok());
        all.push(member(5001, "u3"));
        assert!(check(&all[RESERVED], &all).is_err());
        all.push(member(5002, "eve"));
        assert!(check(&all[RESERVED + 1], &all).is_ok());
    }

    #[test]
    fn a_place_has_a_thousand_connections() {
        let all = others(MAX_MEMBERS + 2);
        assert!(check(&all[MAX_MEMBERS - 1], &all).is_ok());
        assert!(check(&all[MAX_MEMBERS], &all).is_err());
    }
}
