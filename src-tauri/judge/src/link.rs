//! Links: where they lead, and what they may carry away.

use crate::command::{decode, table};
use crate::facts::words_of;
use protocol::{AskKind, RuleName};
use std::collections::HashSet;

/// What opening a link comes down to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkRisk {
    /// It only shows something that was asked for.
    Shows,
    /// Asked, unless the person's switch says otherwise: about what, and by which rule.
    Asks(AskKind, RuleName),
    /// Asked, whatever switches say.
    Always(AskKind, RuleName),
    /// A hard rule, by its name.
    Never(RuleName),
}

/// Signs that stand in a link and may end the sentence it stands in.
const ENDS: &[char] = &['.', ',', ';', ':', '!', '?', ')', ']', '\'', '"'];
/// What erases a phone where it is dialled or broadcast.
const ERASES: &str = "*2767*3855# *#*#7780#*#* *#*#7594#*#* master_clear factory_reset";
/// What a link does by being opened, as its parts, names and values say: addresses speak English nearly everywhere. What
/// shows a form first – to pay, to book, to transfer – is none of these.
const DEEDS: &str = "accept activate agree allow approve authorise authorize cancel close confirm deactivate decline delete deny \
                     disable enable follow grant join leave like logoff logout optin optout reactivate reject remove reset respond \
                     resubscribe revoke rsvp send signoff signout subscribe toggle trash unblock unfollow unlink unlock unsub \
                     unsubscribe verify vote";
/// Values that answer what a link asks.
const ANSWERS: &str = "yes no";
/// What "action" says of a link that only shows.
const LOOKS: &str = "list view show search index details read open";
/// Words of a part of a link that says what it does; the title of an article has more.
const SHORT: usize = 3;
/// Names of the value that says what a link does.
const DEED_NAMES: &str = "action act cmd do op operation";
/// Endings of files that are endings of sites too.
const FILES: &str = "zip mov md sh py rs pl ps app";
const OPAQUE: LinkRisk = LinkRisk::Always(AskKind::Act, RuleName::LinkOpaque);
const CARRIES: LinkRisk = LinkRisk::Always(AskKind::Act, RuleName::LinkThatCarries);

/// Where a link stands that is to be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// Nowhere on the page in front, or the run wrote it there itself.
    None,
    /// On the page in front, as it is.
    Page,
    /// In a letter or a message: such a link is often for one person and once, and signs in or answers by being opened.
    Letter,
}

/// What opening this link risks.
///
/// `task` is the person's own text, `offer` where the page in front shows this very link, `read` every text read on
/// the phone in this run.
#[must_use]
pub fn risk(url: &str, task: &str, offer: Offer, read: &[String]) -> LinkRisk {
    if let Some(rule) = never(url) {
        return LinkRisk::Never(rule);
    }
    let (scheme, rest) = url.trim().split_once(':').unwrap_or_default();
    let scheme = scheme.to_ascii_lowercase();
    match known(&format!("{scheme}:")) {
        // Codes for the network stand among a number's digits.
        Some(LinkRisk::Asks(kind, rule)) if percent(rest).contains(['*', '#']) => {
            return LinkRisk::Always(kind, rule);
        }
        Some(risk) => return risk,
        None if is_map(&scheme) && carries(rest, task, read) => return CARRIES,
        None if is_map(&scheme) => return LinkRisk::Shows,
        None => {}
    }
    let odd = |c: char| c.is_control() || c.is_whitespace() || c == '\\';
    let Some(rest) = rest
        .strip_prefix("//")
        .filter(|rest| matches!(&*scheme, "http" | "https") && !rest.contains(odd))
    else {
        return OPAQUE;
    };
    let (authority, tail) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let host = authority.split(':').next().unwrap_or_default();
    let host = host.trim_end_matches('.').to_lowercase();
    if host.is_empty() || authority.contains(['@', '%', '[']) {
        return OPAQUE;
    }
    if let Some(risk) = known(&host) {
        return risk;
    }
    if percent(tail).to_lowercase().contains(".apk") {
        return LinkRisk::Always(AskKind::Install, RuleName::LinkToInstall);
    }
    let site = task.split(|c: char| c.is_whitespace() || ",;()<>\"'!?".contains(c));
    let site = site.filter_map(|word| below(&host, word)).next();
    if site.is_none() && offer == Offer::None {
        return LinkRisk::Asks(AskKind::Act, RuleName::LinkNotAskedFor);
    }
    // What stands before the site that was named is told to it too.
    let told = site.unwrap_or_default() + tail;
    let read: Vec<String> = read.iter().map(|text| without(text, rest)).collect();
    let parts = |c: char| "/?&=#;,.".contains(c);
    if carries(&told, task, &read) || rest.split(parts).any(is_opaque) {
        return CARRIES;
    }
    // The person's own link does what the person wants.
    let is_sent = offer == Offer::Letter && !matches!(tail, "" | "/");
    if (is_sent || acts(tail)) && !stands_in(url.trim(), task) {
        return LinkRisk::Asks(AskKind::Act, RuleName::LinkNotAskedFor);
    }
    LinkRisk::Shows
}

/// A place on a map, and the way to it.
fn is_map(scheme: &str) -> bool {
    matches!(scheme, "geo" | "google.navigation")
}

/// Opening it does something, rather than show it: "/device/approve?t=91", "/api/cancelOrder", "?answer=accept".
fn acts(tail: &str) -> bool {
    let tail = percent(tail);
    let (path, query) = tail.split_once(['?', '#']).unwrap_or((&tail, ""));
    let is = |known: &str, word: &str| known.split(' ').any(|known| known == word);
    // A part that begins with a deed tells one to do it, however long it is; a title speaks of it later.
    let says = |part: &str| {
        let words = words_of(part);
        let deed = |word: &String| is(DEEDS, word);
        let joined = || words.windows(2).any(|two| deed(&two.concat()));
        words.first().is_some_and(deed) || words.len() <= SHORT && (words.iter().any(deed) || joined())
    };
    let tells = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let value = value.to_lowercase();
        let does = is(DEED_NAMES, &name.to_lowercase()) && !is(LOOKS, &value);
        does || says(name) || says(&value) || is(ANSWERS, &value) || is(ANSWERS, name)
    };
    path.split('/').any(says) || query.split(['&', ';', '#']).any(tells)
}

/// The link that these words open where a site is looked for: an address, with or without what it begins with; in a browser
/// also a bare name and any scheme. `None` for words that are only looked for.
#[must_use]
pub fn typed(text: &str, in_browser: bool) -> Option<String> {
    let text = text.trim();
    let first = text.split_whitespace().next()?;
    if first != text && !first.contains(['/', '?']) {
        return None;
    }
    // A blank after the host is part of the address: a browser writes it as `%20`.
    let text = &text.replace(char::is_whitespace, "%20");
    if text.contains("://") {
        return Some(text.to_owned());
    }
    let (host, _) = text.split_at(text.find(['/', '?', '#', ':']).unwrap_or(text.len()));
    let (name, end) = host.rsplit_once('.').unwrap_or_default();
    let is_site = !name.is_empty() && end.len() > 1 && end.chars().all(char::is_alphabetic);
    let scheme = text.split_once(':').map(|(scheme, _)| scheme).unwrap_or_default();
    let is_scheme = !scheme.is_empty() && scheme.chars().all(|c| c.is_ascii_alphabetic());
    match in_browser {
        true if is_site => Some(format!("https://{text}")),
        true if is_scheme => Some(text.to_owned()),
        _ => None,
    }
}

/// The hard rule that opening this link breaks, if it does.
#[must_use]
pub fn never(url: &str) -> Option<RuleName> {
    let url = percent(&percent(url)).to_lowercase();
    let erases = ERASES.split(' ').any(|code| url.contains(code));
    erases.then_some(RuleName::FactoryReset)
}

/// A text shows this very link, whole: the beginning of another is another.
pub(crate) fn stands_in(url: &str, text: &str) -> bool {
    let goes_on = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(c);
    let whole = |at: usize| {
        let (before, after) = (&text[..at], &text[at + url.len()..]);
        let begins = !before
            .chars()
            .next_back()
            .is_some_and(|c| goes_on(c) && !matches!(c, '(' | '[' | '\''));
        begins && !after.trim_start_matches(ENDS).starts_with(goes_on)
    };
    !url.is_empty() && text.match_indices(url).any(|(at, _)| whole(at))
}

/// What the table says of a scheme or host.
fn known(one: &str) -> Option<LinkRisk> {
    let told = table::risks_of(&[one]);
    let (kind, rule) = *told.risks.first().filter(|_| one.contains(['.', ':']))?;
    Some(if told.always {
        LinkRisk::Always(kind, rule)
    } else {
        LinkRisk::Asks(kind, rule)
    })
}

/// What stands in a host before the site a word of the task names; `None` where it names none, or another.
fn below(host: &str, word: &str) -> Option<String> {
    let word = word.to_lowercase();
    let site = bare(&word).split(['/', ':']).next()?.trim_end_matches('.');
    // "3.50" is a number, "holiday.zip" a file, unless it is written as an address.
    let (name, end) = site.rsplit_once('.')?;
    let letters = end.starts_with("xn--") || end.chars().all(char::is_alphabetic) && end.len() > 1;
    let is_file = FILES.split(' ').any(|file| file == end) && bare(&word) == word;
    let is_site = !name.is_empty() && letters && !is_file && !word.contains('@');
    let before = host.strip_suffix(site).filter(|_| is_site)?;
    let whole = before.is_empty() || before.ends_with('.');
    whole.then(|| before.trim_end_matches("www.").to_owned())
}

fn bare(link: &str) -> &str {
    let link = link.trim_start_matches("https:").trim_start_matches("http:");
    link.trim_start_matches('/').trim_start_matches("www.")
}

/// The text without the link itself, as a page or an address bar shows it.
fn without(text: &str, link: &str) -> String {
    let link = bare(link);
    let shows = |word: &str| word.contains('.') && (link.starts_with(word) || word.starts_with(link));
    let words = text.split_whitespace().filter(|word| !shows(bare(word)));
    words.collect::<Vec<_>>().join(" ")
}

/// Whether six characters in a row of what was read stand in it: plain, split, encoded or backwards; or a number of four or
/// five, by itself. What the person wrote is theirs to send.
fn carries(told: &str, task: &str, read: &[String]) -> bool {
    let values = told
        .split('&')
        .map(|pair| pair.split_once('=').map_or(pair, |(_, value)| value));
    let once = percent(told);
    let plain = [
        percent(&once),
        percent(&values.collect::<String>()),
        told.to_owned(),
        once,
    ];
    let mut texts: Vec<String> = plain
        .iter()
        .flat_map(|text| decode::decoded(text, false))
        .collect();
    texts.extend(plain);
    let mut told: HashSet<String> = texts.iter().flat_map(|text| parts(text)).collect();
    for part in parts(task) {
        told.remove(&part);
    }
    read.iter()
        .any(|text| parts(text).any(|part| told.contains(&part)))
}

/// Every six letters or digits in a row, whatever stands between them, and what is shorter, has digits and stands alone.
fn parts(text: &str) -> impl Iterator<Item = String> {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    let letters: Vec<char> = letters.flat_map(char::to_lowercase).collect();
    let sixes: Vec<String> = letters.windows(6).map(|six| six.iter().collect()).collect();
    let numbers = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    let short = |part: &String| matches!(part.chars().count(), 4 | 5) && part.contains(char::is_numeric);
    sixes.into_iter().chain(numbers.filter(short))
}

/// Longer than 40 characters, and nothing a person would read.
fn is_opaque(value: &str) -> bool {
    let kinds: HashSet<char> = value.chars().collect();
    let unbroken = value.split(['-', '_', '+', '%']).any(|part| part.len() > 40);
    value.len() > 40 && (unbroken || kinds.len() > 23)
}

/// `%41` as the letter it is.
fn percent(text: &str) -> String {
    let letters = decode::unescape(&text.replace('\\', "").replace('%', "\\x"));
    let bytes = letters.chars().map(|c| u8::try_from(u32::from(c)).ok());
    let bytes: Option<Vec<u8>> = bytes.collect();
    bytes
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .unwrap_or(letters)
}
