//! Words found in labels: whole words where a script writes spaces, anywhere where it does not.
//!
//! A word makes a thing act where it *says the deed*: it is the whole label, begins it or one of its clauses, or ends it
//! in a language whose verbs stand last. "Payment methods" says no deed, "Pay $4" does.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Longer labels tell something; they say no deed. In words, and in characters where no spaces are written.
const SAYS: usize = 7;
const SAYS_DENSE: usize = 24;
/// Languages whose verbs stand last, as their headings call them.
const VERB_LAST: &[&str] = &[
    "de", "nl", "af", "tr", "az", "uz", "kk", "ky", "mn", "hi", "bn", "ta", "te", "mr", "gu", "pa", "kn",
    "ml", "ur", "ne", "si", "fa", "hu", "eu", "ka", "am",
];
/// Words before a verb that turn it round, and what does before and after one where no spaces are written.
const NOT: &[&str] = &[
    "not", "don", "t", "nicht", "nie", "kein", "ne", "pas", "no", "não", "non", "niet", "geen", "не", "ni",
    "nem", "nu", "inte", "ikke", "ej", "ei", "älä", "jangan", "đừng", "không", "ekki", "nē",
];
const NOT_BEFORE: &[&str] = &["不", "别", "別", "取消", "ไม่", "未", "ບໍ່"];
const NOT_AFTER: &[&str] = &["しない", "ません", "안함", "안할", "않", "지마"];
/// Words and signs between two clauses of a label: "Confirm and pay".
const AND: &[&str] = &[
    "and", "und", "et", "y", "e", "en", "i", "и", "та", "і", "ve", "och", "og", "ja", "dan", "và", "și",
    "és", "და", "և", "و", "then",
];
const PARTS: &[char] = &[
    ',', ';', '.', '!', '?', '·', '•', '–', '—', '|', '(', ':', '\n', '،', '、', '。', '&', '+',
];

/// A label, ready to be searched.
#[derive(Clone, Debug, Default)]
pub(crate) struct Label {
    /// In lower case, letters, marks and digits only.
    pub(crate) words: Vec<String>,
    /// The words at which a clause begins.
    begins: Vec<usize>,
    /// The same without spaces, digits and what they count: where phrases of scripts without spaces are looked for.
    run: String,
}

impl Label {
    pub(crate) fn new(text: &str) -> Self {
        let mut reading = Reading {
            label: Self::default(),
            word: String::new(),
            parted: true,
        };
        // Each program that judges reads all the lists once: most of their letters are plain ones.
        for c in text.chars() {
            if c.is_ascii() {
                reading.read(c.to_ascii_lowercase());
            } else {
                c.to_lowercase().for_each(|c| reading.read(c));
            }
        }
        reading.read(' ');
        reading.label
    }

    fn push(&mut self, word: String, parted: bool) {
        if parted || self.words.last().is_some_and(|last| AND.contains(&last.as_str())) {
            self.begins.push(self.words.len());
        }
        let mut digit = false;
        for c in word.chars() {
            let unit = digit && "元円圓块원".contains(c);
            digit = c.is_numeric();
            if !digit && !unit {
                self.run.push(c);
            }
        }
        self.words.push(word);
    }

    /// There is nothing to read.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Another label's words stand in it, one after the other.
    pub(crate) fn holds(&self, other: &Self) -> bool {
        if other.is_empty() {
            return false;
        }
        let spaced = || {
            self.words
                .windows(other.words.len())
                .any(|words| words == other.words)
        };
        if is_dense(&other.run) {
            self.run.contains(&other.run)
        } else {
            spaced()
        }
    }

    /// How many words there are; two characters count as one where no spaces are written.
    pub(crate) fn length(&self) -> usize {
        if is_dense(&self.run) {
            self.run.chars().count().div_ceil(2)
        } else {
            self.words.len()
        }
    }
}

/// A label on its way.
struct Reading {
    label: Label,
    word: String,
    parted: bool,
}

impl Reading {
    /// The next letter, in lower case.
    fn read(&mut self, c: char) {
        // Turkish İ in lower case is an i and a dot of its own; Arabic may write its vowels or leave them out.
        if matches!(c, '\u{307}' | '\u{640}' | '\u{64b}'..='\u{652}' | '\u{ad}' | '\u{200b}'..='\u{200f}') {
            return;
        }
        let is_letter = c.is_ascii_alphanumeric()
            || !c.is_ascii() && (c.is_alphanumeric() && !matches!(c, 'ʻ' | 'ʼ') || is_mark(c));
        if is_letter {
            self.word.push(if c == 'ё' { 'е' } else { c });
            return;
        }
        if !self.word.is_empty() {
            self.label.push(std::mem::take(&mut self.word), self.parted);
            self.parted = false;
        }
        self.parted |= PARTS.contains(&c);
    }
}

/// Where a phrase stands in a label: it is all there is; it begins it, or one of its clauses; it ends it as verbs do; the label
/// is short enough to say a deed.
#[derive(Clone, Copy, Debug)]
struct PhrasePosition {
    whole: bool,
    first: bool,
    begins: bool,
    ends: bool,
    short: bool,
}

#[derive(Debug)]
struct Phrase {
    words: Vec<String>,
    verb_last: bool,
}

/// The words of one kind: `language: phrase, phrase`; the line `not:` names what holds such a word and means no deed.
#[derive(Debug, Default)]
struct Lexicon {
    spaced: HashMap<String, Vec<Phrase>>,
    dense: Vec<String>,
    not: Option<Box<Self>>,
}

impl Lexicon {
    fn read(text: &str) -> Self {
        let (mut all, mut not) = (Self::default(), Self::default());
        for (language, phrases) in text.lines().filter_map(|line| line.split_once(": ")) {
            let lexicon = if language == "not" { &mut not } else { &mut all };
            let verb_last = VERB_LAST.contains(&language);
            phrases
                .split(", ")
                .for_each(|phrase| lexicon.add(phrase, verb_last));
        }
        all.not = Some(Box::new(not));
        all
    }

    fn add(&mut self, phrase: &str, verb_last: bool) {
        let label = Label::new(phrase);
        if is_dense(&label.run) {
            self.dense.push(label.run);
        } else if let Some(first) = label.words.first().cloned() {
            let words = label.words;
            self.spaced
                .entry(first)
                .or_default()
                .push(Phrase { words, verb_last });
        }
    }

    /// Whether a phrase stands somewhere in the label that `fits`, and the label is not named after the deed.
    fn find(&self, label: &Label, fits: impl Fn(PhrasePosition) -> bool) -> bool {
        let (words, total) = (&label.words, label.words.len());
        let spaced = words.iter().enumerate().any(|(at, word)| {
            self.spaced.get(word).into_iter().flatten().any(|phrase| {
                let end = at + phrase.words.len();
                let negated = at
                    .checked_sub(1)
                    .and_then(|before| words.get(before))
                    .is_some_and(|word| NOT.contains(&word.as_str()));
                words.get(at..end) == Some(&phrase.words)
                    && fits(PhrasePosition {
                        whole: phrase.words.len() == total,
                        first: at == 0,
                        begins: label.begins.contains(&at),
                        ends: phrase.verb_last && end == total && !negated,
                        short: total <= SAYS,
                    })
            })
        });
        let dense = || {
            self.dense.iter().any(|phrase| {
                let Some(at) = label.run.find(phrase.as_str()) else {
                    return false;
                };
                let (before, after) = (&label.run[..at], &label.run[at + phrase.len()..]);
                let negated = NOT_BEFORE.iter().any(|not| before.ends_with(not))
                    || NOT_AFTER.iter().any(|not| after.contains(not));
                let (first, ends) = (before.is_empty(), after.is_empty());
                let short = label.run.chars().count() <= SAYS_DENSE;
                !negated
                    && fits(PhrasePosition {
                        whole: first && ends,
                        first,
                        begins: first,
                        ends,
                        short,
                    })
            })
        };
        spaced || !label.run.is_empty() && dense()
    }

    fn is_noun(&self, label: &Label) -> bool {
        self.not
            .as_deref()
            .is_some_and(|not| not.find(label, |place| place.short))
    }
}

/// The words of one kind, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Words(pub(crate) usize);

impl Words {
    fn lexicon(self) -> Option<&'static Lexicon> {
        ALL.get(self.0)
    }

    fn any(self, label: &Label, fits: impl Fn(PhrasePosition) -> bool) -> bool {
        self.lexicon()
            .is_some_and(|lexicon| lexicon.find(label, fits) && !lexicon.is_noun(label))
    }

    /// The label says the deed.
    pub(crate) fn acts(self, label: &Label) -> bool {
        self.any(label, |p| p.whole || p.short && (p.begins || p.ends))
    }

    /// The label is this word and nothing else.
    pub(crate) fn is(self, label: &Label) -> bool {
        self.lexicon()
            .is_some_and(|lexicon| lexicon.find(label, |place| place.whole))
    }

    /// The label begins with such a word, however long it is.
    pub(crate) fn begins(self, label: &Label) -> bool {
        self.any(label, |place| place.whole || place.first)
    }

    /// Such a word stands in it, wherever.
    pub(crate) fn mentioned(self, label: &Label) -> bool {
        self.any(label, |_| true)
    }
}

/// Whether any of `phrases` stands in `text` as whole words, wherever.
#[must_use]
pub fn mentions(text: &str, phrases: &[&str]) -> bool {
    let mut lexicon = Lexicon::default();
    phrases.iter().for_each(|phrase| lexicon.add(phrase, false));
    lexicon.find(&Label::new(text), |_| true)
}

/// Vowel signs and tone marks: parts of words.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{653}'..='\u{65f}'
        // Of the Indic scripts, Thai, Lao, Burmese and Khmer.
        | '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}' | '\u{981}'..='\u{983}' | '\u{9bc}'..='\u{9d7}'
        | '\u{a01}'..='\u{a03}' | '\u{a3c}'..='\u{a51}' | '\u{a81}'..='\u{a83}' | '\u{abc}'..='\u{acd}'
        | '\u{b3c}'..='\u{b57}' | '\u{bbe}'..='\u{bd7}' | '\u{c3e}'..='\u{c56}' | '\u{cbc}'..='\u{cd6}'
        | '\u{d3b}'..='\u{d57}' | '\u{dca}'..='\u{ddf}' | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}'
        | '\u{eb1}'..='\u{ebc}' | '\u{ec8}'..='\u{ece}' | '\u{102b}'..='\u{103e}' | '\u{17b4}'..='\u{17d3}')
}

/// Thai, Lao, Burmese, Khmer, Chinese, Japanese and Korean (whose endings cling to the word) write no space where one would be
/// needed.
fn is_dense(text: &str) -> bool {
    text.chars().any(|c| {
        matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{1100}'..='\u{11ff}'
            | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}')
    })
}

macro_rules! words {
    ($($name:ident $file:ident $at:literal;)*) => {
        $(pub(crate) const $name: Words = Words($at);)*
        static ALL: LazyLock<Vec<Lexicon>> =
            LazyLock::new(|| vec![$(Lexicon::read(include_str!(concat!("words/", stringify!($file), ".txt")))),*]);
    };
}

words! {
    // Deeds.
    PAY pay 0;                  // pays, orders, transfers
    ORDER order 1;              // books, rents, starts what is charged: pays where an amount stands beside it
    CONFIRM confirm 2;          // confirms, and does not merely go on
    PAY_CODE pay_code 3;        // shows a code that a cashier charges
    SEND send 4;                // sends, posts, calls, invites, votes
    DELETE delete 5;            // deletes, empties, leaves, calls off
    SIGN sign 6;                // signs out, signs in with an account there is; signs; agrees
    SIGN_IN sign_in 7;          // signs in
    JOIN join 8;                // makes an account
    GRANT grant 9;              // gives a permission
    INSTALL install 10;         // installs, updates
    REVEAL reveal 11;           // shows what is hidden
    PUBLIC public 12;           // opens to everybody who has the link
    CUTOFF cutoff 13;           // would cut this computer off
    YES yes 14;                 // says yes to what the page asks
    OFF off 15;                 // turns off, takes away; none
    // What only moves.
    NO no 16;                   // goes back, closes, cancels, puts off
    DENY deny 17;               // says no to somebody who asks for something
    MAYBE maybe 18;             // neither
    OPENS opens 19;             // opens what only shows
    SEARCH search 20;           // looks for something
    UNDO undo 21;               // takes back what was done
    // What a page or a field is about.
    PAY_TOPIC pay_topic 22;
    SIGN_TOPIC sign_topic 23;
    PERMISSION_TOPIC permission_topic 24;
    SPECIAL special 25;         // accessibility, overlays, notification access: what sees or does everything
    SECRET secret 26;           // codes, passwords, card numbers
    CODE code 27;
    CARD card 28;
    CART cart 29;
    MESSAGE message 30;
    SLIDE slide 31;
    SLIDE_UP slide_up 32;
    RINGS rings 33;
    ASSISTANT assistant 34;     // speaks to whoever reads the page for a person
    DONE done 35;               // what the page was about has happened
    WAS_PAID was_paid 36;
    WAS_SENT was_sent 37;
    WAS_DELETED was_deleted 38;
    // Never.
    RESET never_reset 39;
    FORMAT never_format 40;
    PROTECTION never_protection 41;
    GUARD never_guard 42;
    LOCK never_lock 43;
    ADMIN never_admin 44;
    SOURCES never_sources 45;
    NETWORK network 46;         // what connects the phone
    UPDATE update 47;           // in a shop for apps: gets one, or its newest version
    CLOSE close 48;             // of what only moves: closes, which may end what was begun
    ANSWER answers 49;          // of what only moves: answers as well, and is told to whoever asked
    HOLD hold 50;               // tells that holding a thing does something
    WITHHOLD withhold 51;       // tells a person to keep to themselves what stands beside it
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What one is told to do at a field or on a button, in the languages with the most speakers and their neighbours: a list of
    /// what only moves in one language holds no such word of another.
    const COMMON: &str = "
        tap enter type write add ask say start send open use get set put run go take make give try see read buy pay call
        tippen eingeben schreiben hinzufügen fragen starten senden öffnen nimm zahlen anrufen los
        tik typ voer schrijf voeg vraag stuur bel betaal koop begin
        appuyer appuyez saisir saisissez écrire écrivez ajouter demander commencer démarrer envoyer payer appeler
        toca pulsa introduce escribe añadir agregar pregunta empezar comenzar enviar pagar llamar ordenar pedir
        toque digite escreva adicionar pergunte começar iniciar ligar comprar
        tocca inserisci scrivi aggiungi chiedi inizia avvia invia paga chiama
        tryck mata ange skriv lägg fråga starta skicka betala ring köp svara
        tast indtast skrive tilføj spørg send ringe svar
        kirjoita syötä lisää kysy aloita lähetä maksa soita
        naciśnij wpisz podaj napisz dodaj zapytaj zacznij wyślij zapłać zadzwoń
        klepněte zadejte napište přidat zeptat spustit odeslat zaplatit zavolat
        apăsați introduceți scrie adaugă întreabă începe trimite plătește sună
        koppintson írja hozzáadás kérdezz indítás küldés fizetés hívás
        πατήστε εισαγάγετε γράψτε προσθήκη ρωτήστε έναρξη αποστολή πληρωμή κλήση
        нажмите введите напишите добавить спросить начать отправить оплатить позвонить
        натисніть введіть напишіть додати запитати почати надіслати сплатити
        dokun dokunun gir girin yaz yazın ekle sor başlat gönder öde
        ketuk masukkan tulis tambah tanya mulai kirim bayar panggil
        nhập viết hỏi gửi gọi
        डालें लिखें जोड़ें पूछें भेजें اكتب أدخل أضف اسأل ابدأ أرسل ادفع اتصل
        输入 写 添加 问 开始 发送 支付 呼叫 入力 書く 追加 送信 支払う 입력 쓰기 추가 보내기 결제";

    #[test]
    fn what_only_moves_in_one_language_does_nothing_else_in_another() {
        let deeds = [
            PAY, ORDER, CONFIRM, SEND, DELETE, SIGN, SIGN_IN, JOIN, GRANT, INSTALL, YES,
        ];
        let mut wrong = Vec::new();
        for (moves, text) in [
            (OPENS, include_str!("words/opens.txt")),
            (SEARCH, include_str!("words/search.txt")),
            (NO, include_str!("words/no.txt")),
        ] {
            let lines = text.lines().filter_map(|line| line.split_once(": "));
            for phrase in lines.flat_map(|(_, phrases)| phrases.split(", ")) {
                let label = Label::new(phrase);
                wrong.extend(deeds.iter().any(|deed| deed.is(&label)).then_some(phrase));
            }
            let common = COMMON.split_whitespace();
            // "Lisää" is more as well as add, and stands where a menu does.
            wrong.extend(common.filter(|word| *word != "lisää" && moves.is(&Label::new(word))));
        }
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}
