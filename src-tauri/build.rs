//! A placeholder page where the window's pages were not built yet, the guest list of each window, and Tauri's own part.

use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    placeholder(Path::new("ui/dist"))?;
    println!("cargo:rerun-if-changed=ui/dist");
    println!("cargo:rerun-if-changed=src-tauri/permissions");
    let manifest =
        tauri_build::AppManifest::new().permissions_path_pattern("./src-tauri/permissions/**/*.toml");
    tauri_build::try_build(tauri_build::Attributes::new().app_manifest(manifest))?;
    Ok(())
}

/// Tauri embeds the pages while compiling, so they must be there; a checkout that never built them gets pages that say so.
fn placeholder(dist: &Path) -> std::io::Result<()> {
    for page in ["index.html", "approval.html", "phone.html"] {
        if !dist.join(page).exists() {
            println!(
                "cargo:warning=ui/dist/{page} is missing: run `npm ci && npm run build` in ui/, or `cargo xtask run`"
            );
            fs::create_dir_all(dist)?;
            fs::write(
                dist.join(page),
                "<!doctype html><title>PocketDeck</title><p>The pages were not built yet.</p>\n",
            )?;
        }
    }
    Ok(())
}
