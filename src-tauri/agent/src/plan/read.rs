//! Reading text off a screen: the lines inside a rectangle, and page after page of a list without repeats.

use protocol::{Bounds, Element, ElementState, Screen};

/// How far two edges may be apart and still be the same edge, moved: a stroke ends between two pixels.
const TOLERANCE: i32 = 6;

/// One text on a screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextLine {
    pub(crate) text: String,
    pub(crate) bounds: Bounds,
}

/// The texts whose middle lies in `region`, in reading order. Passwords are never among them.
pub(crate) fn lines(screen: &Screen, region: Bounds) -> Vec<TextLine> {
    let inside: Vec<&Element> = screen
        .elements
        .iter()
        .filter(|e| is_inside(e.bounds, region) && !e.states.contains(&ElementState::Password))
        .collect();
    inside
        .iter()
        .filter(|element| !is_told_by_parts(element, &inside))
        .map(|element| TextLine {
            text: text_of(element),
            bounds: element.bounds,
        })
        .filter(|line| !line.text.is_empty())
        .collect()
}

fn is_inside(b: Bounds, region: Bounds) -> bool {
    let (x, y) = (i32::midpoint(b.left, b.right), i32::midpoint(b.top, b.bottom));
    x >= region.left && x < region.right && y >= region.top && y < region.bottom
}

fn text_of(element: &Element) -> String {
    let value = element.value.as_deref().unwrap_or("").trim();
    let label = element.label.trim();
    if element.states.contains(&ElementState::Editable) {
        let text = if value.is_empty() { label } else { value };
        return text.to_owned();
    }
    if value.is_empty() || label == value {
        return label.to_owned();
    }
    if label.is_empty() {
        return value.to_owned();
    }
    format!("{label}: {value}")
}

/// A row whose label is made of its parts' labels, when these are read one by one.
fn is_told_by_parts(whole: &Element, all: &[&Element]) -> bool {
    let mut told = 0;
    for part in all {
        let held = part.index != whole.index
            && part.bounds != whole.bounds
            && part.bounds.left >= whole.bounds.left
            && part.bounds.top >= whole.bounds.top
            && part.bounds.right <= whole.bounds.right
            && part.bounds.bottom <= whole.bounds.bottom;
        let label = part.label.trim();
        if held && !label.is_empty() && whole.label.contains(label) {
            told += label.chars().count();
        }
    }
    told * 10 >= whole.label.trim().chars().count() * 8 && told > 0
}

/// The text of a list, collected page by page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pages {
    /// What stood still above the list while it moved.
    head: Vec<TextLine>,
    body: Vec<TextLine>,
    /// The lines of the page before, those that stood still taken out.
    last: Vec<TextLine>,
    /// What stood still below it.
    foot: Vec<TextLine>,
    /// The page before as it was read.
    raw: Vec<TextLine>,
    /// A page had nothing in common with the one before: something between them may have been missed.
    pub(crate) gap: bool,
    pub(crate) count: u32,
}

impl Pages {
    /// Takes a page, which should have moved up by `stroke` pixels. False: nothing on it moved since the one before, and
    /// nothing was taken.
    pub(crate) fn take(&mut self, page: Vec<TextLine>, stroke: i32) -> bool {
        if self.count == 0 {
            self.count = 1;
            self.body.clone_from(&page);
            self.last.clone_from(&page);
            self.raw = page;
            return true;
        }
        if page == self.raw {
            return false;
        }
        let still = |line: &&TextLine| self.raw.contains(line);
        let top = page.iter().take_while(still).count();
        let bottom = page[top..].iter().rev().take_while(still).count();
        if self.count == 1 {
            self.part(&page[..top], &page[page.len() - bottom..]);
        }
        let moved: Vec<TextLine> = page
            .iter()
            .filter(|line| !self.head.contains(line) && !self.foot.contains(line))
            .cloned()
            .collect();
        let shared = overlap(&self.last, &moved, stroke);
        self.gap |= shared == 0 && !moved.is_empty() && !self.last.is_empty();
        self.body.extend(moved.iter().skip(shared).cloned());
        self.last = moved;
        self.raw = page;
        self.count += 1;
        true
    }

    /// What stood still while the second page came is no part of the list.
    fn part(&mut self, head: &[TextLine], foot: &[TextLine]) {
        self.head = head.to_vec();
        self.foot = foot.to_vec();
        let rest = |line: &TextLine| !head.contains(line) && !foot.contains(line);
        self.body.retain(rest);
        self.last.retain(rest);
    }

    /// Everything, a line each.
    pub(crate) fn text(&self) -> String {
        let lines = self.head.iter().chain(&self.body).chain(&self.foot);
        lines
            .map(|line| line.text.as_str())
            .collect::<Vec<_>>()
            .join("\n")
    }
}

/// How many lines at the beginning of `new` are those at the end of `old`, moved up by one and the same way. Rows that
/// read alike are told apart by where they stand: where several readings fit, that counts which is nearest to the stroke.
fn overlap(old: &[TextLine], new: &[TextLine], stroke: i32) -> usize {
    let most = old.len().min(new.len());
    let fitting = |count: usize| {
        let before = &old[old.len() - count..];
        let pairs = || before.iter().zip(&new[..count]);
        // A row that is cut off at an edge has moved with one of its own edges only.
        let ways = moved(&before[0], &new[0]).into_iter().filter(move |way| *way > 0);
        let fits = ways.filter(|way| {
            pairs().all(|(before, after)| {
                before.text == after.text && moved(before, after).iter().any(|m| (m - way).abs() <= TOLERANCE)
            })
        });
        fits.map(|way| (way - stroke).abs()).min().map(|off| (off, count))
    };
    let nearest = (1..=most).rev().filter_map(fitting).min_by_key(|(off, _)| *off);
    nearest.map_or(0, |(_, count)| count)
}

/// How far up a line's upper and lower edge went.
fn moved(before: &TextLine, after: &TextLine) -> [i32; 2] {
    [
        before.bounds.top - after.bounds.top,
        before.bounds.bottom - after.bounds.bottom,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list of rows 100 high seen through a window of 450 from `scrolled` on, under a fixed title.
    fn page(rows: &[&str], scrolled: i32) -> Vec<TextLine> {
        let line = |text: &str, top: i32, bottom: i32| TextLine {
            text: text.to_owned(),
            bounds: Bounds {
                left: 0,
                top,
                right: 400,
                bottom,
            },
        };
        let mut lines = vec![line("Title", 0, 50)];
        for (n, row) in rows.iter().enumerate() {
            let top = 50 + i32::try_from(n).unwrap() * 100 - scrolled;
            let (top, bottom) = (top.max(50), (top + 100).min(500));
            if bottom - top > 10 {
                lines.push(line(row, top, bottom));
            }
        }
        lines.push(line("Buy", 500, 550));
        lines
    }

    fn check(rows: &[&str], stops: &[i32], gap: bool) {
        let mut pages = Pages::default();
        let mut before = 0;
        for stop in stops {
            pages.take(page(rows, *stop), stop - before);
            before = *stop;
        }
        let expected = format!("Title\n{}\nBuy", rows.join("\n"));
        assert_eq!((pages.text(), pages.gap), (expected, gap), "{stops:?}");
        assert!(!pages.take(page(rows, before), 300), "nothing moved");
    }

    #[test]
    fn a_list_is_read_without_repeats() {
        let ten = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
        check(&ten, &[0, 300, 550], false);
        check(&ten, &[0, 333, 550], false);
        check(&ten, &[0, 120, 240, 360, 480, 550], false);
        // Rows that read alike are not one row.
        check(&["same"; 10], &[0, 270, 550], false);
        check(
            &["a", "a", "b", "a", "a", "b", "a", "a", "b", "a"],
            &[0, 250, 500, 550],
            false,
        );
        // What a stroke flew over is owned up to, where nothing is left in common.
        let mut pages = Pages::default();
        for stop in [0, 500] {
            pages.take(page(&ten, stop), 300);
        }
        assert!(pages.gap);
    }
}
