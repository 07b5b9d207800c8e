//! Trees made wrong: what a broken wire, an odd maker or a hostile app could send, and what must hold whatever comes.

use protocol::ElementState;
use screen::{Tracker, Tree};
use std::collections::HashSet;

/// Small real-looking trees to begin with.
pub(crate) const SEEDS: [&str; 6] = [
    "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\"><node index=\"0\" text=\"Pay $23.40\" resource-id=\"com.example:id/pay\" class=\"android.widget.Button\" package=\"com.example\" content-desc=\"\" checkable=\"false\" checked=\"false\" clickable=\"true\" enabled=\"true\" focusable=\"true\" focused=\"false\" scrollable=\"false\" long-clickable=\"false\" password=\"false\" selected=\"false\" bounds=\"[40,2150][1040,2290]\" /></hierarchy>",
    "<hierarchy rotation=\"1\"><node class=\"android.widget.LinearLayout\" clickable=\"true\" bounds=\"[0,0][1080,200]\"><node text=\"Wi&#8209;Fi &amp; more\" class=\"android.widget.TextView\" bounds=\"[60,20][600,90]\"/><node class=\"android.widget.Switch\" checkable=\"true\" checked=\"true\" bounds=\"[900,40][1040,160]\"/></node></hierarchy>",
    "<hierarchy><node class=\"androidx.recyclerview.widget.RecyclerView\" scrollable=\"true\" resource-id=\"a:id/list\" bounds=\"[0,300][1080,2400]\"><node clickable=\"true\" resource-id=\"a:id/row\" bounds=\"[0,300][1080,480]\"><node text=\"Order 1001\" bounds=\"[0,310][500,380]\"/></node><node clickable=\"true\" resource-id=\"a:id/row\" bounds=\"[0,480][1080,660]\"><node text=\"Order 1002\" bounds=\"[0,490][500,560]\"/></node></node></hierarchy>",
    "<hierarchy><node class=\"android.widget.EditText\" password=\"true\" text=\"hunter2\" focused=\"true\" bounds=\"[0,0][900,100]\"/><node class=\"android.widget.EditText\" hint=\"Name\" text=\"&#55357;&#56832;\" bounds=\"[0,120][900,220]\"/><node class=\"android.widget.SeekBar\" text=\"75.0\" bounds=\"[0,240][900,300]\"/></hierarchy>",
    "<displays><display id=\"0\"><window title=\"a\"><hierarchy><android.webkit.WebView bounds=\"[0,0][1080,2000]\"><android.view.View text=\"Terms\" clickable=\"true\" bounds=\"[0,0][500,80]\"/></android.webkit.WebView></hierarchy></window></display></displays>",
    "java.io.FileNotFoundException: /data/system/theme_config\n<hierarchy><node visible-to-user=\"false\" text=\"x\" bounds=\"[0,0][9,9]\"/><node bounds=\"[-50,-50][20,20]\" content-desc=\"\u{7ffb}\u{8bd1}\" clickable=\"true\"/></hierarchy>UI hierchary dumped to: /dev/tty",
];

/// What is put in.
const PIECES: [&str; 28] = [
    "<",
    ">",
    "/>",
    "</node>",
    "<node ",
    "<hierarchy>",
    "</hierarchy>",
    "\"",
    "'",
    "&",
    "&#55357;",
    "&#0;",
    "&amp;",
    "=",
    "bounds=\"[0,0][99999999999,1]\"",
    "bounds=\"[-2147483648,-2147483648][2147483647,2147483647]\"",
    "bounds=\"[5,5][1,1]\"",
    "text=\"",
    "clickable=\"true\" ",
    "scrollable=\"true\" ",
    "checkable=\"true\" ",
    "password=\"true\" ",
    "<!--",
    "<![CDATA[",
    "\u{0}",
    "\u{202e}",
    "\u{1f600}",
    "<?xml",
];

/// A small generator of numbers, so that a case is known by its seed.
pub(crate) struct SeededRng(u64);

impl SeededRng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() >> 33).unwrap_or(0) % n.max(1)
    }
}

/// One broken input: now and then bytes without sense, else a tree with some wounds. `out` is emptied first.
pub(crate) fn mutate(rng: &mut SeededRng, seeds: &[&str], out: &mut Vec<u8>) {
    out.clear();
    if rng.below(64) == 0 {
        let length = rng.below(200);
        out.extend((0..length).map(|_| u8::try_from(rng.next() >> 56).unwrap_or(0)));
        return;
    }
    let from = seeds[rng.below(seeds.len())].as_bytes();
    out.extend_from_slice(from);
    for _ in 0..=rng.below(4) {
        let (at, wide) = (rng.below(out.len()), rng.below(40));
        let end = (at + wide).min(out.len());
        match rng.below(9) {
            0 => drop(out.drain(at..end)),
            1 => out.truncate(at),
            2 => {
                let part = out[at..end].to_vec();
                out.splice(at..at, part);
            }
            3 if !out.is_empty() => out[at] ^= 1 << rng.below(8),
            4 if !out.is_empty() => out[at] = b"<>\"'=/&[]-,0 9"[rng.below(14)],
            5 => {
                let other = seeds[rng.below(seeds.len())].as_bytes();
                let start = rng.below(other.len());
                let stop = (start + rng.below(300)).min(other.len());
                out.splice(at..at, other[start..stop].iter().copied());
            }
            6 => {
                let digits: Vec<usize> = (at..out.len())
                    .filter(|n| out[*n].is_ascii_digit())
                    .take(6)
                    .collect();
                for place in digits {
                    out[place] = b"0123456789-"[rng.below(11)];
                }
            }
            _ => {
                let piece = PIECES[rng.below(PIECES.len())];
                out.splice(at..at, piece.bytes());
            }
        }
    }
}

/// Reads it as a phone's answer is read, and says what does not hold. Gives whether there was a tree.
pub(crate) fn check(bytes: &[u8]) -> Result<bool, String> {
    let text = String::from_utf8_lossy(bytes);
    let Ok(tree) = Tree::read(&text, 1080, 2400, 200) else {
        return Ok(false);
    };
    let mut elements = tree.elements.clone();
    sound(&tree)?;
    // And followed: twice the same screen has the same ids, none twice.
    let mut tracker = Tracker::new();
    tracker.follow(&mut elements, 1080, 2400);
    let first: Vec<String> = elements.iter().map(|e| e.track_id.clone()).collect();
    if first.iter().collect::<HashSet<_>>().len() != first.len() {
        return Err("a track id stands twice".into());
    }
    elements.clone_from(&tree.elements);
    tracker.follow(&mut elements, 1080, 2400);
    if elements.iter().map(|e| &e.track_id).ne(first.iter()) {
        return Err("the same screen has other ids".into());
    }
    Ok(true)
}

/// What holds of every list of elements: numbered without a gap, on the screen, nothing of a password, totals right.
fn sound(tree: &Tree) -> Result<(), String> {
    for (n, e) in (1..).zip(&tree.elements) {
        let b = e.bounds;
        let inside = 0 <= b.left
            && b.left < b.right
            && b.right <= 1080
            && 0 <= b.top
            && b.top < b.bottom
            && b.bottom <= 2400;
        if e.index != n || !inside {
            return Err(format!("element {n}: {e:?}"));
        }
        if e.states.contains(&ElementState::Password) && e.value.is_some() {
            return Err(format!("element {n} tells a password"));
        }
        if e.label.chars().any(char::is_control) || e.label.trim() != e.label {
            return Err(format!("element {n}: its label is not clean: {:?}", e.label));
        }
    }
    let all = usize::try_from(tree.totals.total_elements).unwrap_or(0);
    let left_out = usize::try_from(tree.totals.truncated_elements).unwrap_or(0);
    if all != tree.elements.len() + left_out || tree.elements.len() > 200 {
        return Err(format!("totals {:?} of {}", tree.totals, tree.elements.len()));
    }
    Ok(())
}
