# One command per habit; `just ci` is `.ci/run` step by step. Needs https://just.systems; without it, run the lines below by hand.

# Data from outside the repository; without it the tests that need it are reported as ignored.
near := justfile_directory() / "../shared/data"
given := env("TRANSECT_DATA", "")
export TRANSECT_DATA := if given != "" { given } else if path_exists(near) == "true" { canonicalize(near) } else { "" }

# Property tests draw the same cases each time here; without this they explore.
export PROPTEST_RNG_SEED := env("PROPTEST_RNG_SEED", "20230601")

# What there is
default:
    @{{ just_executable() }} --list --unsorted

# Everything a change must pass, in the order of .ci/run
ci: fmt clippy test doc book interop

# Is it laid out as rustfmt has it?
fmt:
    cargo fmt --all --check

# No warnings
clippy:
    cargo clippy --release --workspace --all-targets -- -D warnings

# All tests that need no other software
test:
    cargo test --release

# The reference, without broken links
doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --release --workspace --no-deps

# The book, where mdbook is installed
book:
    if command -v mdbook > /dev/null; then mdbook build docs/book --dest-dir ../../target/book; fi

# Checks against other people's software (as root: it installs packages)
interop *names:
    if [ -x scripts/interop ]; then scripts/interop {{ names }}; fi

# The picture of README and book, of the demo as it is now
picture:
    PICTURE=docs/book/src/page.png scripts/interop page

# What takes hours: whole published runs, damaged files, thousands of missions
long:
    scripts/long

# Licences, advisories and sources of what we depend on (cargo install cargo-deny)
deny:
    cargo deny check

# Can every crate be packaged, in the order in which they depend on each other?
publishable:
    cargo publish --workspace --dry-run --no-verify
