//! Platforms that have packages.

/// A processor and a system, for which there is a binary.
#[derive(Debug)]
pub(super) struct Platform {
    /// System and processor, as npm names them.
    pub(super) name: (&'static str, &'static str),
    /// Rust's name.
    pub(super) target: &'static str,
    /// Name of the archive.
    pub(super) archive: &'static str,
    /// Tags of the wheel.
    pub(super) wheels: &'static [&'static str],
    /// The processor of the image, and the ending of its name.
    pub(super) image: Option<(&'static str, &'static str)>,
    /// The C compiler that builds the binary; without one, zig does.
    pub(super) compiler: Option<&'static str>,
    /// Arguments of the Rust compiler.
    pub(super) flags: &'static [&'static str],
}

/// All of them; the first is built unless others are named. A C library that is linked statically runs
/// on every Linux.
pub(super) const PLATFORMS: [Platform; 3] = [
    Platform {
        name: ("linux", "x64"),
        target: "x86_64-unknown-linux-musl",
        archive: "x86_64-linux-musl",
        wheels: &["manylinux_2_12_x86_64", "musllinux_1_1_x86_64"],
        image: Some(("amd64", "")),
        compiler: Some("musl-gcc"),
        flags: &[],
    },
    Platform {
        name: ("linux", "arm64"),
        target: "aarch64-unknown-linux-musl",
        archive: "aarch64-linux-musl",
        // The oldest that exists for this processor.
        wheels: &["manylinux_2_17_aarch64", "musllinux_1_1_aarch64"],
        image: Some(("arm64", "-arm64")),
        compiler: None,
        flags: &[],
    },
    Platform {
        name: ("darwin", "arm64"),
        target: "aarch64-apple-darwin",
        archive: "aarch64-macos",
        wheels: &["macosx_13_0_arm64"],
        image: None,
        compiler: None,
        // Relative to the root, where the last crate is linked, so that the binary depends on no path.
        // The crate libc asks for iconv, and nothing calls it.
        flags: &[
            "-Lframework=tools/xtask/packages/frameworks",
            "-Clink-arg=-Wl,-dead_strip_dylibs",
        ],
    },
];

impl Platform {
    /// The platforms of an order, separated by commas.
    pub(super) fn named(names: Option<&str>) -> Result<Vec<&'static Self>, String> {
        let (first, all) = (&PLATFORMS[0], || PLATFORMS.iter().collect());
        let Some(names) = names else { return Ok(vec![first]) };
        if names == "all" {
            return Ok(all());
        }
        let find = |name: &str| {
            let found = PLATFORMS.iter().find(|it| it.to_string() == name);
            let known: Vec<String> = PLATFORMS.iter().map(ToString::to_string).collect();
            let known = known.join(", ");
            found
                .ok_or(format!("There are packages for all, or some of {known}, not for {name:?}."))
        };
        names.split(',').map(find).collect()
    }

    /// Whether this machine runs the binary.
    pub(super) fn is_own(&self) -> bool {
        let mut parts = self.target.split('-');
        let system = if self.name.0 == "darwin" { "macos" } else { self.name.0 };
        (parts.next(), system) == (Some(std::env::consts::ARCH), std::env::consts::OS)
    }
}

impl std::fmt::Display for Platform {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.name.0, self.name.1)
    }
}

#[cfg(test)]
mod tests {
    use super::Platform;

    #[test]
    fn an_order_names_platforms_or_takes_the_first() {
        let named = |names| {
            Platform::named(names)
                .map(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        assert_eq!(named(None).unwrap(), ["linux-x64"]);
        assert_eq!(named(Some("linux-arm64,linux-x64")).unwrap(), ["linux-arm64", "linux-x64"]);
        assert!(named(Some("all")).unwrap().len() > 1);
        for unknown in ["linux-arm", "", "linux-x64, linux-arm64"] {
            assert!(named(Some(unknown)).is_err(), "{unknown}");
        }
    }
}
