//! The words the judge knows, by meaning and language: `vocabulary/*.txt`.
//!
//! A line is `language: phrase, phrase`; `except:` names labels that hold such a phrase and mean something else,
//! `finds:` and `leaves:` are examples that must and must not match, checked when they load.

use super::words::Label;
use std::collections::HashSet;
use std::sync::LazyLock;

/// Phrases, ready to be looked for.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    /// Of scripts that write spaces: whole words.
    spaced: HashSet<String>,
    /// The most words one of them has.
    longest: usize,
    /// Of scripts that write none: found anywhere.
    dense: HashSet<String>,
    /// What holds such a phrase and means something else.
    pub(super) except: Option<Box<Vocabulary>>,
    /// Examples.
    pub(super) finds: Vec<&'static str>,
    pub(super) leaves: Vec<&'static str>,
}

/// Where a phrase stands in a label.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The word it begins at; characters before it where no spaces are written.
    pub(super) at: usize,
    /// Nothing else stands there.
    pub(super) whole: bool,
    /// It names what the thing is: the label is short, or begins with it.
    pub(super) names: bool,
    /// It is at least half of the label.
    pub(super) most: bool,
    /// It is at least two thirds of the label.
    pub(super) nearly: bool,
    /// It ends the label.
    pub(super) last: bool,
}

impl Vocabulary {
    pub(super) fn read(text: &'static str) -> Self {
        let mut all = Self::default();
        let mut except = Self::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let Some((language, phrases)) = line.split_once(": ") else {
                continue;
            };
            let phrases = phrases.split(", ");
            match language {
                "except" => except.extend(phrases),
                "finds" => all.finds.extend(phrases),
                "leaves" => all.leaves.extend(phrases),
                _ => all.extend(phrases),
            }
        }
        all.except = (!except.is_empty()).then(|| Box::new(except));
        all
    }

    pub(super) fn extend<'a>(&mut self, phrases: impl Iterator<Item = &'a str>) {
        for phrase in phrases {
            let label = Label::new(phrase);
            if label.words.is_empty() {
                continue;
            }
            if label.is_dense() {
                self.dense.insert(label.text.trim().to_owned());
            } else {
                self.longest = self.longest.max(label.words.len());
                self.spaced.insert(label.words.join(" "));
            }
        }
    }

    /// Takes another's exceptions in.
    pub(super) fn absorb(&mut self, other: Option<&Self>) {
        if let Some(except) = other.and_then(|other| other.except.as_deref()) {
            self.spaced.extend(except.spaced.iter().cloned());
            self.dense.extend(except.dense.iter().cloned());
            self.longest = self.longest.max(except.longest);
        }
    }

    fn is_empty(&self) -> bool {
        self.spaced.is_empty() && self.dense.is_empty()
    }

    /// Whether a phrase stands in the label at a place that `fits`; never where an exception stands as well.
    pub(super) fn any(&self, label: &Label, fits: impl Fn(Place) -> bool) -> bool {
        let excepted = |except: &Self| except.find(label, |place| place.names);
        self.find(label, fits) && !self.except.as_deref().is_some_and(excepted)
    }

    fn find(&self, label: &Label, fits: impl Fn(Place) -> bool) -> bool {
        let total = label.words.len();
        for at in 0..total {
            let mut phrase = String::new();
            for length in 1..=self.longest.min(total - at) {
                if length > 1 {
                    phrase.push(' ');
                }
                phrase.push_str(&label.words[at + length - 1]);
                if self.spaced.contains(&phrase)
                    && fits(Place {
                        at,
                        whole: length == total,
                        names: label.names_at(at),
                        most: length * 2 >= total,
                        nearly: length * 3 >= total * 2,
                        last: at + length == total,
                    })
                {
                    return true;
                }
            }
        }
        let text = label.text.trim();
        self.dense.iter().any(|phrase| {
            text.find(phrase.as_str()).is_some_and(|byte| {
                let at = text[..byte].chars().count();
                let (part, all) = (phrase.chars().count(), text.chars().count());
                fits(Place {
                    at,
                    whole: part == all,
                    names: label.names_at_character(at),
                    most: part * 2 >= all,
                    nearly: part * 3 >= all * 2,
                    last: at + part == all,
                })
            })
        })
    }

    /// Where phrases of it begin: words before them, characters where no spaces are written.
    pub(super) fn places(&self, label: &Label) -> Vec<usize> {
        let places = std::cell::RefCell::new(Vec::new());
        self.find(label, |place| {
            places.borrow_mut().push(place.at);
            false
        });
        places.into_inner()
    }

    pub(super) fn mentioned(&self, label: &Label) -> bool {
        self.any(label, |_| true)
    }

    /// A phrase stands in it with whatever ending a language gives it; short ones are left out.
    pub(super) fn within(&self, label: &Label) -> bool {
        let long = |phrase: &&String| phrase.chars().count() >= 6;
        self.mentioned(label)
            || self
                .spaced
                .iter()
                .filter(long)
                .any(|phrase| label.text.contains(phrase.as_str()))
    }

    pub(super) fn names(&self, label: &Label) -> bool {
        self.any(label, |place| place.names)
    }

    pub(super) fn is(&self, label: &Label) -> bool {
        let phrases = if label.is_dense() {
            &self.dense
        } else {
            &self.spaced
        };
        let known = phrases.contains(label.text.trim());
        known
            && !self
                .except
                .as_deref()
                .is_some_and(|except| except.find(label, |place| place.names))
    }

    /// It stands at the beginning or at the end, as verbs do.
    pub(super) fn leads(&self, label: &Label) -> bool {
        self.any(label, |place| place.at == 0 || place.last)
    }

    pub(super) fn ends(&self, label: &Label) -> bool {
        self.any(label, |place| place.last)
    }

    pub(super) fn begins(&self, label: &Label) -> bool {
        self.any(label, |place| place.at == 0)
    }
}

macro_rules! vocabularies {
    ($($name:ident $file:literal)*) => {
        $(pub(super) static $name: LazyLock<Vocabulary> =
            LazyLock::new(|| Vocabulary::read(include_str!(concat!("vocabulary/", $file))));)*

        fn all() -> Vec<(&'static str, &'static Vocabulary)> {
            vec![$(($file, &*$name)),*]
        }
    };
}

vocabularies! {
    PAY "pay.txt"
    PAY_YES "pay_yes.txt"
    PAY_TOPIC "pay_topic.txt"
    SEND "send.txt"
    COMPOSE "compose.txt"
    VOICE "voice.txt"
    MESSAGE "message.txt"
    SEARCH "search.txt"
    DELETE "delete.txt"
    BIN "bin.txt"
    DELETE_TOPIC "delete_topic.txt"
    INSTALL "install.txt"
    SIGN "sign.txt"
    JOIN "join.txt"
    AGREE "agree.txt"
    TERMS "terms.txt"
    SIGN_TOPIC "sign_topic.txt"
    GRANT "grant.txt"
    PERMISSION_TOPIC "permission_topic.txt"
    SPECIAL_ACCESS "special_access.txt"
    CUTOFF "cutoff.txt"
    YES "yes.txt"
    NO "no.txt"
    NEUTRAL "neutral.txt"
    SECRET "code_words.txt"
    REVEAL "reveal.txt"
    ASSISTANT "assistant.txt"
    RESET "never_reset.txt"
    FORMAT "never_format.txt"
    STORAGE "storage_topic.txt"
    PROTECTION "never_protection.txt"
    GUARD "guard.txt"
    LOCK "never_lock.txt"
    NONE "none.txt"
    ADMIN "never_admin.txt"
    ACTIVATE "activate.txt"
    SOURCES "never_sources.txt"
    CERTIFICATE "certificate_topic.txt"
    TURN_OFF "turn_off.txt"
    DONE "done.txt"
    PASSWORD "password.txt"
    ANSWER "answer.txt"
    GET "get.txt"
    SAVE "save.txt"
    BASKET "basket.txt"
    HOW_TO "how_to.txt"
    FILTER "filter.txt"
    HISTORY "history.txt"
    PUBLIC_LINK "public_link.txt"
    SHARE_TOPIC "share_topic.txt"
    RSVP_TOPIC "rsvp_topic.txt"
    PROVIDER "provider.txt"
    CALL_TOO "call_too.txt"
    CONTROL "control.txt"
    DEBUGGING "debugging.txt"
    CONSENT "consent.txt"
    DEED "deed.txt"
    PAID_THING "paid_thing.txt"
    PAID_USE "paid_use.txt"
    FORM_THING "form_thing.txt"
    BOOKED_THING "booked_thing.txt"
    CALL_OFF "call_off.txt"
    ABOUT_THING "about_thing.txt"
    NETWORK "network.txt"
    SLIDE "slide.txt"
    MAYBE "maybe.txt"
    LOOK "look.txt"
    MILD "mild.txt"
    LOOK_LAST "look_last.txt"
    PUT "put.txt"
    PUT_LAST "put_last.txt"
    SOFT "soft.txt"
    LOGIN "login.txt"
    WORLD "world.txt"
    OPENS "opens.txt"
    ACT "act.txt"
    INCOMING "incoming.txt"
    PASTIME "pastime.txt"
    PRACTISE "practise.txt"
    FOLLOWS "follows.txt"
    REVIEWED "reviewed.txt"
    STEP "step.txt"
    ONWARD "onward.txt"
    TELLS "tells.txt"
    SHOWN "shown.txt"
    TAB_OF "tab_of.txt"
    CART "cart.txt"
    DOOR "door.txt"
    FORGOT "forgot.txt"
    PATTERN "pattern.txt"
    POLL "poll.txt"
    DECLINE "decline.txt"
    AT_ONCE "at_once.txt"
    UNSET "unset.txt"
    RECORDS "records.txt"
    ENTERS "enters.txt"
    FORWARD "forward.txt"
    ALERTS "alerts.txt"
    SEND_LATER "send_later.txt"
    CASHIER "cashier.txt"
    STEPS "steps.txt"
    OFF_WE_GO "off_we_go.txt"
    LOCKED "locked.txt"
    PUBLIC_TEXT "public_text.txt"
    NEWER "newer.txt"
    STAR "star.txt"
    WRITES_TO "writes_to.txt"
    LAST_STEP "last_step.txt"
    HERE "here.txt"
    DOES_NOTHING "does_nothing.txt"
    DOES_PAY "does_pay.txt"
    DOES_SEND "does_send.txt"
    DOES_DELETE "does_delete.txt"
    DOES_SIGN "does_sign.txt"
    DOES_GRANT "does_grant.txt"
    DOES "does.txt"
}

/// What does not hold of the examples, by vocabulary.
pub(super) fn broken() -> Vec<String> {
    let of = |(file, vocabulary): (&'static str, &'static Vocabulary)| vocabulary.broken(file);
    all().into_iter().flat_map(of).collect()
}

impl Vocabulary {
    fn broken(&self, file: &str) -> Vec<String> {
        let mut broken = Vec::new();
        if self.is_empty() {
            broken.push(format!("{file} has no words"));
        }
        for (labels, wanted) in [(&self.finds, true), (&self.leaves, false)] {
            let wrong = labels
                .iter()
                .filter(|label| self.names(&Label::new(label)) != wanted);
            broken.extend(wrong.map(|label| format!("{file}: {label:?}")));
        }
        broken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_vocabulary_finds_and_leaves_what_it_says() {
        assert_eq!(broken(), Vec::<String>::new());
    }

    #[test]
    fn a_vocabulary_that_does_not_hold_is_seen() {
        for (text, broken) in [
            ("en: pay\nfinds: Pay\nleaves: Delete\n", 0),
            ("en: pay\nfinds: Delete\n", 1),
            ("en: pay\nleaves: Pay now\n", 1),
            ("# nothing\n", 1),
        ] {
            assert_eq!(Vocabulary::read(text).broken("it").len(), broken, "{text}");
        }
    }
}
