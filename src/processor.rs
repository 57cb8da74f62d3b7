//! Checks that this processor has the features that the program was built for.
//!
//! A program that uses an unsupported instruction crashes at this instruction without a message, so `main`
//! calls [`require`] first. `is_x86_feature_detected!` does not help: it returns `true` for every feature
//! that the compiler may assume. This module itself must not use the features that it checks. Therefore it
//! formats no numbers, and the standard library, which is built for any processor, writes the message. A
//! release contains this library once for each processor level (`src/release`) and asks each copy whether the
//! copy suits the processor.
//!
//! Sources of the CPUID bits: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2A, CPUID;
//! AMD64 Architecture Programmer's Manual, volume 3, appendix E.

#[cfg(target_arch = "x86_64")]
pub use x86_64::{require, suits};

/// Does nothing. On architectures other than x86-64, every processor has all features of its target.
#[cfg(not(target_arch = "x86_64"))]
pub fn require() {}

/// Returns `true`. On architectures other than x86-64, every processor has all features of its target.
#[cfg(not(target_arch = "x86_64"))]
pub fn suits() -> bool {
    true
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};
    use std::io::Write;

    /// A feature that a program may be built for, and the CPUID bit that reports it.
    struct Feature {
        name: &'static str,
        is_needed: bool,
        leaf: u32,
        subleaf: u32,
        register: Register,
        bit: u32,
    }

    #[derive(Clone, Copy)]
    enum Register {
        Eax,
        Ebx,
        Ecx,
    }
    use Register::{Eax, Ebx, Ecx};

    macro_rules! features {
        ($($leaf:literal, $subleaf:literal, $register:ident: $($name:tt $bit:literal),*;)*) => {
            [$($(Feature {
                name: $name,
                is_needed: cfg!(target_feature = $name),
                leaf: $leaf,
                subleaf: $subleaf,
                register: $register,
                bit: $bit,
            }),*),*]
        };
    }

    /// The features, oldest first, so that the message names the most basic missing feature.
    static FEATURES: &[Feature] = &features! {
        1, 0, Ecx: "sse3" 0, "ssse3" 9, "cmpxchg16b" 13, "sse4.1" 19, "sse4.2" 20, "popcnt" 23,
            "pclmulqdq" 1, "aes" 25, "xsave" 26, "avx" 28, "fma" 12, "movbe" 22, "f16c" 29;
        0x8000_0001, 0, Ecx: "lzcnt" 5, "sse4a" 6;
        7, 0, Ebx: "bmi1" 3, "bmi2" 8, "avx2" 5, "sha" 29, "adx" 19, "avx512f" 16, "avx512cd" 28,
            "avx512bw" 30, "avx512dq" 17, "avx512vl" 31, "avx512ifma" 21;
        7, 0, Ecx: "avx512vbmi" 1, "avx512vbmi2" 6, "avx512vnni" 11, "avx512bitalg" 12,
            "avx512vpopcntdq" 14, "gfni" 8, "vaes" 9, "vpclmulqdq" 10;
        7, 1, Eax: "avxvnni" 4, "avx512bf16" 5;
    };

    /// Exits with a message and status 1 if the program cannot run on this processor.
    pub fn require() {
        if let Some(feature) = missing() {
            exit_without(feature.name);
        }
    }

    /// Returns whether this processor can run the program at its intended speed.
    pub fn suits() -> bool {
        missing().is_none() && !(cfg!(target_feature = "bmi2") && is_pext_slow())
    }

    fn missing() -> Option<&'static Feature> {
        FEATURES.iter().find(|feature| feature.is_needed && !feature.is_present())
    }

    /// Returns whether PEXT is implemented in slow microcode, as on AMD processors before Zen 3 and on
    /// Hygon's derivative of Zen 1.
    fn is_pext_slow() -> bool {
        const ZEN_3: u32 = 0x19;
        let vendor = __cpuid(0);
        let is_one_of = |names: [&[u8; 12]; 2]| {
            let text = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
            names.iter().any(|name| name.as_slice() == text.as_flattened())
        };
        is_one_of([b"AuthenticAMD", b"HygonGenuine"]) && family(__cpuid(1).eax) < ZEN_3
    }

    /// Decodes the processor family from a CPUID signature. If the family field has its maximum value, the
    /// extended family field is added.
    fn family(signature: u32) -> u32 {
        const FULL: u32 = 0xF;
        match signature >> 8 & 0xF {
            FULL => FULL + (signature >> 20 & 0xFF),
            family => family,
        }
    }

    fn exit_without(name: &str) -> ! {
        let mut err = std::io::stderr();
        let advice = if cfg!(aleator_level) {
            ".\nBuild the program on this machine: cargo build --release\n"
        } else {
            ".\nUse a release, which runs on every processor (`make release` makes one), or build the \
             program on this machine: cargo build --release\n"
        };
        for part in [
            "aleator: this processor or its operating system does not support ",
            name,
            ", which this program was built to use",
            advice,
        ] {
            // If writing to stderr fails, there is no other way to report the problem.
            let _ = err.write_all(part.as_bytes());
        }
        std::process::exit(1);
    }

    impl Feature {
        #[inline(never)]
        fn is_present(&self) -> bool {
            bit(self.leaf, self.subleaf, self.register, self.bit) && self.is_enabled_by_system()
        }

        /// Returns whether the operating system saves the registers of this feature on a context switch.
        fn is_enabled_by_system(&self) -> bool {
            const WIDE: u64 = 0b110;
            const WIDEST: u64 = 0b1110_0110;
            let needed = match self.name.as_bytes() {
                [b'a', b'v', b'x', b'5', ..] => WIDEST,
                [b'a', b'v', b'x', ..] | b"fma" | b"f16c" => WIDE,
                _ => return true,
            };
            // SAFETY: bit 27 (OSXSAVE) says that the operating system has enabled the instruction.
            bit(1, 0, Ecx, 27) && unsafe { _xgetbv(0) } & needed == needed
        }
    }

    /// Reads a CPUID bit. Returns `false` if the processor does not support the leaf.
    fn bit(leaf: u32, subleaf: u32, register: Register, bit: u32) -> bool {
        let most = __cpuid(leaf & 0x8000_0000).eax;
        if leaf > most {
            return false;
        }
        let answer = __cpuid_count(leaf, subleaf);
        let register = match register {
            Eax => answer.eax,
            Ebx => answer.ebx,
            Ecx => answer.ecx,
        };
        register & 1 << bit != 0
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        /// Checks the signatures of a Zen 2, a Zen 3, a Zen 5 and a Haswell processor.
        #[test]
        fn decodes_families_from_signatures() {
            let families = [0x0087_0F10, 0x00A2_0F10, 0x00B4_0F40, 0x0003_06C3].map(family);
            assert_eq!(families, [0x17, 0x19, 0x1A, 0x6]);
        }

        /// Compares the CPUID bits with the feature detection of the standard library.
        #[test]
        fn agrees_with_std_on_every_feature() {
            let is_present =
                |name| FEATURES.iter().find(|one| one.name == name).unwrap().is_present();
            macro_rules! agree {
                ($($name:tt)*) => {
                    $(assert_eq!(is_present($name), is_x86_feature_detected!($name), $name);)*
                };
            }
            agree!("sse3" "ssse3" "cmpxchg16b" "sse4.1" "sse4.2" "popcnt" "pclmulqdq" "aes" "xsave");
            agree!("avx" "fma" "movbe" "f16c" "lzcnt" "sse4a" "bmi1" "bmi2" "avx2" "sha" "adx");
            agree!("avx512f" "avx512cd" "avx512bw" "avx512dq" "avx512vl" "avx512ifma" "avx512vbmi");
            agree!("avx512vbmi2" "avx512vnni" "avx512bitalg" "avx512vpopcntdq" "gfni" "vaes");
            agree!("vpclmulqdq" "avxvnni" "avx512bf16");
        }
    }
}
