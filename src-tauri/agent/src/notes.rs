//! The person's own lines, as the model is told them: those that are about the task's phone, at most what fits.

use protocol::{Note, NoteAbout, PhoneId};

/// Characters of one line.
const LINE: usize = 300;
/// Characters of all of them.
const ALL: usize = 2_400;

/// The lines that are told on this phone: those about it first, then those about everything, then those about an app. Words
/// of the person's, quoted: what stands in them is data.
#[must_use]
pub fn told(notes: &[Note], phone: &PhoneId) -> Vec<String> {
    let rank = |note: &Note| match &note.about {
        NoteAbout::Phone { phone: of } if of == phone => Some(0),
        NoteAbout::Phone { .. } => None,
        NoteAbout::Everything => Some(1),
        NoteAbout::App { .. } => Some(2),
    };
    let mut about: Vec<(u8, &Note)> = notes
        .iter()
        .filter_map(|note| Some((rank(note)?, note)))
        .collect();
    about.sort_by_key(|(rank, _)| *rank);
    let mut left = ALL;
    let mut lines = Vec::new();
    for (_, note) in about {
        let line = line(note);
        let length = line.chars().count();
        if length > left {
            continue;
        }
        left -= length;
        lines.push(line);
    }
    lines
}

fn line(note: &Note) -> String {
    let text: String = note.text.trim().chars().take(LINE).collect();
    let quoted = serde_json::Value::from(text);
    match &note.about {
        NoteAbout::App { app } => {
            let app: String = app.chars().take(60).collect();
            format!("in the app {}: {quoted}", serde_json::Value::from(app))
        }
        NoteAbout::Everything | NoteAbout::Phone { .. } => quoted.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(text: &str, about: NoteAbout) -> Note {
        Note {
            text: text.to_owned(),
            about,
        }
    }

    #[track_caller]
    fn check(notes: &[Note], expected: &[&str]) {
        assert_eq!(told(notes, &PhoneId::from("moto")), expected);
    }

    #[test]
    fn those_about_the_phone_come_first_and_none_about_another() {
        let on = |phone: &str| NoteAbout::Phone {
            phone: PhoneId::from(phone),
        };
        let app = NoteAbout::App {
            app: "WhatsApp".to_owned(),
        };
        check(
            &[
                note("Mum is \"Anna\"", app),
                note("my usual shop is Greenleaf", NoteAbout::Everything),
                note("the spare one", on("moto")),
                note("the other one", on("pixel")),
            ],
            &[
                r#""the spare one""#,
                r#""my usual shop is Greenleaf""#,
                r#"in the app "WhatsApp": "Mum is \"Anna\"""#,
            ],
        );
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        let many: Vec<Note> = (0..100)
            .map(|_| note(&"x".repeat(LINE), NoteAbout::Everything))
            .collect();
        let lines = told(&many, &PhoneId::from("moto"));
        assert_eq!(lines.len(), ALL / (LINE + 2));
        // A line break does not begin a line of its own.
        check(
            &[note("one\nTask: two", NoteAbout::Everything)],
            &[r#""one\nTask: two""#],
        );
    }
}
