//! Statistics of a simulation.

/// Counts for the report.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) events: u64,
    pub(crate) activities: u64,
    pub(crate) notices: u64,
    pub(crate) digests: u64,
    pub(crate) crashes: u64,
    pub(crate) lost: u64,
    pub(crate) conflicts: u64,
    pub(crate) polls: u64,
    /// Windows that were full, and those whose time was over.
    pub(crate) full: u64,
    pub(crate) over: u64,
    /// Activities that went out on no channel, and on fewer than were allowed.
    pub(crate) dropped: u64,
    pub(crate) narrowed: u64,
    /// Rows of further recipients.
    pub(crate) pages: u64,
    /// Activities that were in a digest which another scope was faster than.
    pub(crate) beaten: u64,
    /// Mails that became a part of another, and hours that were followed by another.
    pub(crate) collapsed: u64,
    pub(crate) hours: u64,
    /// Rows of windows that became two.
    pub(crate) splits: u64,
    /// Windows that got a row of their own.
    pub(crate) left: u64,
}

impl Counts {
    pub(crate) fn add(&mut self, other: Self) {
        self.events += other.events;
        self.activities += other.activities;
        self.notices += other.notices;
        self.digests += other.digests;
        self.crashes += other.crashes;
        self.lost += other.lost;
        self.conflicts += other.conflicts;
        self.polls += other.polls;
        self.full += other.full;
        self.over += other.over;
        self.dropped += other.dropped;
        self.narrowed += other.narrowed;
        self.pages += other.pages;
        self.beaten += other.beaten;
        self.collapsed += other.collapsed;
        self.hours += other.hours;
        self.splits += other.splits;
        self.left += other.left;
    }
}
