//! The macro that declares the tunable parameters of the search.
//!
//! Each parameter is a function without arguments that returns an `i32`. In a usual build the function
//! returns a constant. With the feature `tune` the function returns the current value of an engine option.

/// A tunable parameter of the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tunable {
    /// The name of the parameter in the source and as an engine option.
    pub name: &'static str,
    pub default: i32,
    pub min: i32,
    pub max: i32,
    /// The smallest change with a measurable effect: the step size at the end of a run of
    /// [`crate::tools::tune`].
    pub step: f64,
    /// The doc comment of the parameter.
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
            #[inline(always)]
            pub fn $name() -> i32 {
                #[cfg(not(feature = "tune"))]
                return $default;
                #[cfg(feature = "tune")]
                return live::$name.load(std::sync::atomic::Ordering::Relaxed);
            }
        )+

        #[cfg(feature = "tune")]
        #[allow(non_upper_case_globals)]
        mod live {
            use std::sync::atomic::AtomicI32;

            $(pub static $name: AtomicI32 = AtomicI32::new($default);)+

            /// The current values, in the order of `TUNABLES`.
            pub static ALL: &[&AtomicI32] = &[$(&$name),+];
        }
    };
}
pub(super) use tunables;
