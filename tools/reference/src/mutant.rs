//! The model made wrong, as the service once was.

/// One wrong rule. The service has to disagree with a model that has it; the number is that of the
/// table of mutants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mutant {
    /// 1: a missing folder says the default of the key.
    MissingFolderIsDefault,
    /// 2: documents of a deleted organization live on.
    DeletedOrganizationLives,
    /// 3: a grant takes the record of a departure away.
    GrantForgetsDeparture,
    /// 5: threads of an organization go to every reader of the document.
    OrganizationThreadsArePublic,
    /// 6: activities of others keep whom they name.
    ActivitiesAreNotForgotten,
    /// 7: a removal ends nothing for a user who is no member of the organization.
    OnlyMembersDepart,
    /// 8: an export has only the comments that lists show.
    ExportWithoutArchive,
    /// 10: placing asks for the nearest folder alone.
    PlacingAsksNearest,
    /// 11: past involvement reaches who has left.
    InvolvementReachesDeparted,
    /// 12: an expired grant still makes a recipient.
    ExpiredGrantsAreTold,
    /// 14: memberships inside count after a departure.
    InsideOutlivesDeparture,
    /// 15: a channel takes the newest preference at the event from a change of the other.
    OneMemoryForChannels,
    /// 18: a group that is added again keeps its members.
    GroupKeepsMembers,
    /// 20: a right of a group outlives the group.
    GroupRightOutlivesGroup,
    /// 21: a preference for a document outlives the document.
    PreferenceOutlivesDocument,
}

impl Mutant {
    /// Every mutant.
    pub const ALL: [Self; 15] = [
        Self::MissingFolderIsDefault,
        Self::DeletedOrganizationLives,
        Self::GrantForgetsDeparture,
        Self::OrganizationThreadsArePublic,
        Self::ActivitiesAreNotForgotten,
        Self::OnlyMembersDepart,
        Self::ExportWithoutArchive,
        Self::PlacingAsksNearest,
        Self::InvolvementReachesDeparted,
        Self::ExpiredGrantsAreTold,
        Self::InsideOutlivesDeparture,
        Self::OneMemoryForChannels,
        Self::GroupKeepsMembers,
        Self::GroupRightOutlivesGroup,
        Self::PreferenceOutlivesDocument,
    ];
}
