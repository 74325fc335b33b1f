//! A crate outside the workspace brings a kernel, an objective and a planner, names them in a document, runs, saves, loads and
//! replays. It is built in a temporary folder, with path dependencies, as its author would build it.

use std::path::Path;
use std::process::Command;

const SOURCE: &str = include_str!("outside/src/main.rs");

#[test]
fn a_crate_outside_the_workspace_extends_what_documents_can_name() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let workspace = workspace.canonicalize().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("src");
    std::fs::create_dir(&source).unwrap();
    std::fs::write(source.join("main.rs"), SOURCE).unwrap();
    // With the workspace's profile what the workspace has compiled serves here too.
    let manifest = format!(
        "[package]\nname = \"outside\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[profile.release]\nstrip = \"symbols\"\n\n[dependencies]\n\
         transect-core = {{ path = {core:?} }}\ntransect-survey = {{ path = {survey:?} }}\n\
         serde = {{ version = \"1\", features = [\"derive\"] }}\nserde_json = \"1\"\n",
        core = workspace.join("crates/transect-core"),
        survey = workspace.join("crates/transect-survey"),
    );
    std::fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
    // The versions that the workspace was tested with; nothing is looked for elsewhere.
    std::fs::copy(
        workspace.join("Cargo.lock"),
        folder.path().join("Cargo.lock"),
    )
    .unwrap();
    let out = folder.path().join("mission");
    let run = Command::new(env!("CARGO"))
        .args(["run", "--release", "--offline", "--quiet", "--"])
        .arg(&out)
        .current_dir(folder.path())
        .env("CARGO_TARGET_DIR", workspace.join("target"))
        .output()
        .unwrap();
    let (said, errors) = (
        String::from_utf8_lossy(&run.stdout),
        String::from_utf8_lossy(&run.stderr),
    );
    assert!(run.status.success(), "{said}{errors}");
    assert!(said.contains("70 soundings"), "{said}");
    assert!(said.contains("complete: true"), "{said}");
}
