//! The macro that declares the tunable parameters of the search.
//!
//! In a usual build each parameter is a constant of type `i32`. With the feature `tune` it is an option
//! of the engine, stored in an atomic. Both can be used in arithmetic alike; [`value`] converts either
//! to an `i32` where one is required.

/// A tunable parameter of the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tunable {
    /// Its name in the source and as an option of the engine.
    pub name: &'static str,
    pub default: i32,
    pub min: i32,
    pub max: i32,
    /// The smallest change with a measurable effect: the step of the last iterations of
    /// [`crate::tools::tune`].
    pub step: f64,
    /// Its documentation.
    pub description: &'static str,
}

/// Declares parameters as `NAME = default, min..=max, step;`, each with a doc comment.
macro_rules! tunables {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident = $default:literal, $min:literal..=$max:literal, $step:literal;
    )+) => {
        /// All tunable parameters.
        pub const TUNABLES: &[Tunable] = &[$(Tunable {
            name: stringify!($name),
            default: $default,
            min: $min,
            max: $max,
            step: $step,
            description: concat!($($doc),+),
        }),+];

        $(
            $(#[doc = $doc])+
            #[cfg(not(feature = "tune"))]
            pub const $name: i32 = $default;

            $(#[doc = $doc])+
            #[cfg(feature = "tune")]
            pub const $name: Live = Live(&live::$name);
        )+

        #[cfg(feature = "tune")]
        mod live {
            use std::sync::atomic::AtomicI32;

            $(pub static $name: AtomicI32 = AtomicI32::new($default);)+

            /// The current values, in the order of `TUNABLES`.
            pub static ALL: &[&AtomicI32] = &[$(&$name),+];
        }
    };
}
pub(super) use tunables;

/// Returns the current value of a parameter.
#[inline(always)]
pub fn value(number: impl Into<i32>) -> i32 {
    number.into()
}

#[cfg(feature = "tune")]
pub use live::Live;

#[cfg(feature = "tune")]
mod live {
    use std::cmp::Ordering;
    use std::ops::{Add, Div, Mul, Neg, Sub};
    use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

    /// A parameter that can be changed while the program runs.
    #[derive(Clone, Copy, Debug)]
    pub struct Live(pub &'static AtomicI32);

    impl From<Live> for i32 {
        #[inline(always)]
        fn from(number: Live) -> i32 {
            number.0.load(Relaxed)
        }
    }

    impl PartialEq<Live> for i32 {
        fn eq(&self, other: &Live) -> bool {
            *self == i32::from(*other)
        }
    }

    impl PartialOrd<Live> for i32 {
        fn partial_cmp(&self, other: &Live) -> Option<Ordering> {
            self.partial_cmp(&i32::from(*other))
        }
    }

    impl PartialEq<i32> for Live {
        fn eq(&self, other: &i32) -> bool {
            i32::from(*self) == *other
        }
    }

    impl PartialOrd<i32> for Live {
        fn partial_cmp(&self, other: &i32) -> Option<Ordering> {
            i32::from(*self).partial_cmp(other)
        }
    }

    impl Neg for Live {
        type Output = i32;
        fn neg(self) -> i32 {
            -i32::from(self)
        }
    }

    macro_rules! operators {
        ($($operator:ident, $method:ident;)+) => {$(
            impl $operator<i32> for Live {
                type Output = i32;
                fn $method(self, other: i32) -> i32 {
                    i32::from(self).$method(other)
                }
            }

            impl $operator<Live> for i32 {
                type Output = i32;
                fn $method(self, other: Live) -> i32 {
                    self.$method(i32::from(other))
                }
            }

            impl $operator<Live> for Live {
                type Output = i32;
                fn $method(self, other: Live) -> i32 {
                    i32::from(self).$method(i32::from(other))
                }
            }
        )+};
    }

    operators! {
        Add, add;
        Sub, sub;
        Mul, mul;
        Div, div;
    }
}
