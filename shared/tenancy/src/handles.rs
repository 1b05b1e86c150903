//! Handles: how features are entered from their scopes.

/// Declares the handles of features in a scope, with the trait that enters them. A handle borrows
/// the scope; the functions of a feature are those of its handle. Handles of one collection have the
/// type of its entities.
#[macro_export]
macro_rules! features {
    (
        $(#[$of_trait:meta])* $trait:ident for $scope:ident:
        $($(#[$doc:meta])+ $name:ident: $handle:ident $(($entity:ident))?,)+
    ) => {
        $($crate::features!(@handle $scope, $(#[$doc])+ $handle $(($entity))?);)+

        $(#[$of_trait])*
        pub trait $trait {
            $($(#[$doc])+ fn $name(&self) -> $handle<'_>;)+
        }

        impl $trait for $scope {
            $(fn $name(&self) -> $handle<'_> {
                $crate::features!(@enter self, $handle $(($entity))?)
            })+
        }
    };
    (@handle $scope:ident, $(#[$doc:meta])+ $handle:ident) => {
        $(#[$doc])+
        #[derive(Clone, Copy)]
        pub struct $handle<'a>(pub(crate) &'a $scope);
    };
    (@handle $scope:ident, $(#[$doc:meta])+ $handle:ident ($entity:ident)) => {
        $(#[$doc])+
        pub struct $handle<'a>(
            pub(crate) &'a $scope,
            pub(crate) $crate::reading::Collection<$entity>,
        );
    };
    (@enter $scope:ident, $handle:ident) => { $handle($scope) };
    (@enter $scope:ident, $handle:ident ($entity:ident)) => {
        $handle($scope, $crate::prelude::Scoped::collection($scope))
    };
}
