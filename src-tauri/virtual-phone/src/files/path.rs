//! Paths, as text.

/// `path` seen from `directory`, without `.`, `..` and doubled slashes. (`..` is taken as text: `cd` and the tree agree.)
pub(crate) fn absolute(directory: &str, path: &str) -> String {
    let joined = if path.starts_with('/') {
        path.to_owned()
    } else {
        format!("{directory}/{path}")
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in joined.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// The last part: `b` of `/a/b/`.
pub(crate) fn file_name(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    trimmed.rsplit('/').next().unwrap_or(trimmed)
}

/// Everything before the last part: `/a` of `/a/b`.
pub(crate) fn parent(path: &str) -> &str {
    match path.trim_end_matches('/').rfind('/') {
        None | Some(0) => "/",
        Some(at) => &path[..at],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_made_absolute_and_taken_apart() {
        for (directory, path, expected) in [
            ("/", "sdcard", "/sdcard"),
            ("/data/local/tmp", "../x/./y", "/data/local/x/y"),
            ("/a", "/b//c/", "/b/c"),
            ("/a", "../../..", "/"),
        ] {
            assert_eq!(absolute(directory, path), expected);
        }
        assert_eq!((file_name("/a/b/"), parent("/a/b/")), ("b", "/a"));
        assert_eq!((file_name("/"), parent("/x")), ("", "/"));
    }
}
