//! Memberships and grants, which belong to one user. Apart from their types, of which some describe
//! people here.

use super::{Names, People, Rest, owned};
use crate::{permissions::Grant, user::User};

impl Names for User {
    fn people(&mut self, walk: &mut dyn People) -> Rest {
        let Self { user_id, level: _, access_role: _, given: _, groups: _, life: _, profile: _ } =
            self;
        owned(walk, user_id)
    }
}

impl Names for Grant {
    fn people(&mut self, walk: &mut dyn People) -> Rest {
        let Self { user_id, level: _, granted: _, ended: _, left: _, is_erased: _ } = self;
        owned(walk, user_id)
    }
}
