//! Tells the tests whether the reference data is at hand, so that a test that
//! needs it is reported as ignored, not as passed, where it is not.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=TRANSECT_DATA");
    println!("cargo::rustc-check-cfg=cfg(transect_data)");
    if std::env::var_os("TRANSECT_DATA").is_some_and(|folder| !folder.is_empty()) {
        println!("cargo::rustc-cfg=transect_data");
    }
}
