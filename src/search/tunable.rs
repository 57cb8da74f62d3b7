//! How a number of the search is declared: once, with the bounds within which it may be tuned.
//!
//! In a usual build each is a constant. With the feature `tune` it is an option of the engine, and
//! reading it is reading an atomic. It stands in expressions like the `i32` that it is otherwise;
//! where one must be had, [`value`] makes one of either.

/// A number of the search that can be tuned.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tunable {
    /// What it is called in the source, and as an option of the engine.
    pub name: &'static str,
    pub default: i32,
    pub min: i32,
    pub max: i32,
    /// By how much it must differ to make a measurable difference: the size of the last trials of
    /// [`crate::tools::tune`].
    pub step: f64,
    /// What it means.
    pub description: &'static str,
}

/// Declares numbers: `NAME = default, min..=max, step;` each, with its documentation before it.
macro_rules! tunables {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident = $default:literal, $min:literal..=$max:literal, $step:literal;
    )+) => {
        /// Every number that can be tuned.
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

            /// The present values, in the order of `TUNABLES`.
            pub static ALL: &[&AtomicI32] = &[$(&$name),+];
        }
    };
}
pub(super) use tunables;

/// The present value of a number of the search.
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

    /// A number of the search that can be changed while the program runs.
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
