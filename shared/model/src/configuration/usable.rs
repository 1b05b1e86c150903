//! Accepted configurations work: one is stored after the code that will use it has accepted it
//! (decision 112).

use std::{convert::Infallible, ops::Deref};

use super::{ActivityConfig, NotificationConfig};

/// The form that a service makes of a configuration `E` before it uses it.
pub trait Use<E>: Sized {
    /// Why it cannot be used.
    type Fault: Into<Unusable>;

    /// Makes it from a stored configuration, which an earlier version may have accepted.
    ///
    /// # Errors
    /// When the configuration cannot be used.
    fn of(config: &E) -> Result<Self, Self::Fault>;

    /// Checks a configuration before it is stored: also what it does not use yet, because a switch
    /// is off.
    ///
    /// # Errors
    /// When the configuration cannot be used, or could not be once the switch is on.
    fn accept(config: &E) -> Result<(), Self::Fault> {
        Self::of(config).map(drop)
    }
}

/// The rule that a configuration breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unusable {
    /// The member of the configuration, from its top.
    pub path: &'static [&'static str],
    /// The rule for the member.
    pub rule: &'static str,
}

impl From<Infallible> for Unusable {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// A configuration that its use accepted.
#[derive(Clone, Debug)]
pub struct Usable<E>(E);

impl<E> Usable<E> {
    /// Has a configuration accepted by its use `U`.
    ///
    /// # Errors
    /// The rule that it breaks.
    pub fn by<U: Use<E>>(config: E) -> Result<Self, Unusable> {
        U::accept(&config).map_err(Into::into)?;
        Ok(Self(config))
    }

    /// The configuration.
    pub fn into_inner(self) -> E {
        self.0
    }
}

impl<E> Deref for Usable<E> {
    type Target = E;

    fn deref(&self) -> &E {
        &self.0
    }
}

/// Configurations whose types say all: each value of the type can be used.
macro_rules! used_as_they_are {
    ($($config:ident),+) => {$(
        impl Use<Self> for $config {
            type Fault = Infallible;

            fn of(config: &Self) -> Result<Self, Infallible> {
                Ok(config.clone())
            }
        }
    )+};
}

used_as_they_are!(ActivityConfig, NotificationConfig);
