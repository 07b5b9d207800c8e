//! `cargo xtask check-targets`: the whole workspace, type-checked for Windows and macOS from here.
//!
//! Type-checked, not run: crates that compile C are given a stub compiler that writes empty objects, which is enough
//! for `cargo check` and catches every error in code behind `cfg(windows)` and `cfg(target_os = "macos")`.

use crate::consent::Consent;
use crate::process::{Done, cargo, finish, line_of, output, program, root};
use std::path::{Path, PathBuf};

const TARGETS: &[&str] = &["x86_64-pc-windows-msvc", "aarch64-apple-darwin"];

/// Checks every target.
pub(crate) fn check(consent: Consent) -> Done {
    let stubs = stubs()?;
    let installed = output(program("rustup").args(["target", "list", "--installed"])).unwrap_or_default();
    for target in TARGETS {
        if !installed.lines().any(|line| line.trim() == *target) {
            let mut add = program("rustup");
            add.args(["target", "add", target]);
            consent.obtain(
                &format!("The standard library for {target} is missing."),
                &line_of(&add),
            )?;
            finish(&mut add).map_err(|trouble| {
                format!("{trouble}\nThe other systems' standard libraries come through rustup.")
            })?;
        }
        let mut command = cargo();
        command.args(["check", "--workspace", "--locked", "--target", target]);
        let name = target.replace('-', "_");
        for (variable, stub) in [("CC", "cc"), ("CXX", "cc"), ("AR", "ar"), ("RC", "rc")] {
            command.env(format!("{variable}_{name}"), stubs.join(stub));
        }
        command.env("SDKROOT", &stubs);
        finish(&mut command)?;
    }
    println!(
        "Type-checked for {}. Nothing was run there.",
        TARGETS.join(" and ")
    );
    Ok(())
}

/// A compiler and an archiver that write empty files where they were told to write.
fn stubs() -> Done<PathBuf> {
    let folder = root().join("target/stub-compilers");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let cc = "#!/bin/sh\n\
              # Writes an empty object wherever -o (or /Fo, -Fo) points.\n\
              out=\n\
              for word in \"$@\"; do\n\
              \x20 if [ \"$next\" = 1 ]; then out=$word; next=; continue; fi\n\
              \x20 case $word in -o) next=1 ;; -o*) out=${word#-o} ;; -Fo*|/Fo*) out=${word#?Fo} ;; esac\n\
              done\n\
              case \" $* \" in *' -E '*|*' /E '*|*' -EP '*) exit 0 ;; esac\n\
              [ -n \"$out\" ] && : > \"$out\"\n\
              exit 0\n";
    let ar = "#!/bin/sh\n\
              # Writes an empty archive: the first word that ends in .a or .lib.\n\
              for word in \"$@\"; do\n\
              \x20 word=${word#-OUT:}; word=${word#-out:}; word=${word#/OUT:}; word=${word#/out:}\n\
              \x20 case $word in *.a|*.lib) printf '!<arch>\\n' > \"$word\"; exit 0 ;; esac\n\
              done\n\
              exit 0\n";
    let rc = "#!/bin/sh\n\
              # Asked who it is it names LLVM's; else it writes an empty file after /fo.\n\
              case \" $* \" in *' /? '*) echo 'OVERVIEW: Resource Converter'; echo '/no-preprocess'; exit 0 ;; esac\n\
              for word in \"$@\"; do\n\
              \x20 if [ \"$next\" = 1 ]; then : > \"$word\"; next=; continue; fi\n\
              \x20 case $word in /fo) next=1 ;; /fo?*) : > \"${word#/fo}\" ;; esac\n\
              done\n\
              exit 0\n";
    write_program(&folder.join("cc"), cc)?;
    write_program(&folder.join("rc"), rc)?;
    write_program(&folder.join("ar"), ar)?;
    Ok(folder)
}

fn write_program(path: &Path, text: &str) -> Done {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let runnable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(path, runnable).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}
