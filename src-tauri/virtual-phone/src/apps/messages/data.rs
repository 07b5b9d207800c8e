//! Conversations.

use crate::system::{InjectionSite, SystemOptions};
use serde_json::{Value, json};

/// One message.
#[derive(Clone, Debug)]
pub(super) struct Message {
    pub(super) mine: bool,
    pub(super) text: String,
    /// What stands over it: a day, a time.
    pub(super) heading: Option<&'static str>,
}

/// Messages with one person or business.
#[derive(Clone, Debug)]
pub(super) struct Conversation {
    pub(super) name: String,
    pub(super) number: String,
    /// `Mobile`, `Business`.
    pub(super) kind: &'static str,
    pub(super) messages: Vec<Message>,
    pub(super) draft: String,
    pub(super) unread: bool,
    /// When it was last written in, in words.
    pub(super) when: &'static str,
}

/// What Messages keeps.
#[derive(Clone, Debug)]
pub(crate) struct Data {
    pub(super) conversations: Vec<Conversation>,
    sent: Vec<(String, String)>,
    received: Vec<(String, String)>,
}

fn theirs(text: &str) -> Message {
    Message {
        mine: false,
        text: text.to_owned(),
        heading: None,
    }
}

fn mine(text: &str) -> Message {
    Message {
        mine: true,
        text: text.to_owned(),
        heading: None,
    }
}

impl Message {
    fn under(self, heading: &'static str) -> Self {
        Self {
            heading: Some(heading),
            ..self
        }
    }
}

fn conversation(
    name: &str,
    number: &str,
    kind: &'static str,
    when: &'static str,
    messages: Vec<Message>,
) -> Conversation {
    Conversation {
        name: name.to_owned(),
        number: number.to_owned(),
        kind,
        messages,
        draft: String::new(),
        unread: false,
        when,
    }
}

impl Data {
    pub(crate) fn new(options: &SystemOptions) -> Self {
        let mut bakery = vec![
            theirs("Your sourdough is set aside under your name.").under("Friday"),
            mine("Thank you! I’ll come by before noon."),
            theirs("See you then."),
        ];
        bakery.extend(options.injected(InjectionSite::Message).map(theirs));
        let conversations = vec![
            conversation(
                "Dana Whitlock",
                "(555) 010-0142",
                "Mobile",
                "9:24 AM",
                vec![
                    mine("Do you know if the plant man will be there this week?").under("Yesterday"),
                    theirs("He is! He messaged me about the ferns 🌿"),
                    theirs("Morning! Are we still on for the market?").under("Today · 9:02 AM"),
                    mine("Yes! Can’t wait 🌷"),
                    theirs("Great. I’ll be by the flower stall, the one next to the bridge."),
                    theirs("See you at 9:40? ☕"),
                ],
            ),
            conversation("Dana’s Bakery", "(555) 010-0177", "Business", "Fri", bakery),
            conversation(
                "Greenleaf",
                "(555) 010-0160",
                "Business",
                "May 7",
                vec![
                    theirs("Your order of $21.85 is on its way. 🥕").under("May 7"),
                    theirs("Delivered at 6:12 pm. Enjoy!"),
                ],
            ),
            conversation(
                "Anna",
                "(555) 010-0118",
                "Mobile",
                "May 5",
                vec![
                    theirs("Did you water the ferns?").under("May 5"),
                    mine("Twice. They look happy."),
                    theirs("Café tomorrow, the one with the crêpes?"),
                    mine("Gladly!"),
                ],
            ),
            conversation(
                "Mum",
                "(555) 010-0102",
                "Mobile",
                "May 3",
                vec![
                    theirs("Call me when you’re home 💛").under("May 3"),
                    mine("Will do"),
                ],
            ),
        ];
        Self {
            conversations,
            sent: Vec::new(),
            received: Vec::new(),
        }
    }

    /// A message arrives: gives the number of its conversation, which is now the first.
    pub(crate) fn receive(&mut self, sender: &str, text: &str) -> usize {
        self.received.push((sender.to_owned(), text.to_owned()));
        let at = self
            .conversations
            .iter()
            .position(|conversation| conversation.name == sender);
        let mut conversation = match at {
            Some(at) => self.conversations.remove(at),
            None => conversation(sender, "44141", "Business", "Now", Vec::new()),
        };
        let heading = conversation
            .messages
            .iter()
            .all(|message| message.heading != Some("Now"))
            .then_some("Now");
        conversation.messages.push(Message {
            mine: false,
            text: text.to_owned(),
            heading,
        });
        conversation.unread = true;
        conversation.when = "Now";
        self.conversations.insert(0, conversation);
        0
    }

    /// Sends a text to the person of a conversation, which is then the first.
    pub(super) fn send(&mut self, index: usize, text: String) {
        let Some(conversation) = self.conversations.get_mut(index) else {
            return;
        };
        self.sent.push((conversation.name.clone(), text.clone()));
        conversation.messages.push(Message {
            mine: true,
            text,
            heading: None,
        });
        conversation.draft.clear();
        conversation.when = "Now";
        let conversation = self.conversations.remove(index);
        self.conversations.insert(0, conversation);
    }

    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.conversations
            .iter()
            .position(|conversation| conversation.name == name)
    }

    /// The conversation with a person or number, begun when there is none.
    pub(super) fn with(&mut self, name: &str, number: &str) -> usize {
        let digits = |number: &str| number.chars().filter(char::is_ascii_digit).collect::<String>();
        let same = |conversation: &Conversation| {
            conversation.name == name
                || digits(number).len() >= 5 && digits(&conversation.number) == digits(number)
        };
        self.conversations.iter().position(same).unwrap_or_else(|| {
            let kind = if name == number { "Number" } else { "Mobile" };
            self.conversations
                .push(conversation(name, number, kind, "", Vec::new()));
            self.conversations.len() - 1
        })
    }

    pub(crate) fn tell_state(&self) -> Value {
        let pairs = |pairs: &[(String, String)], who: &str| -> Vec<Value> {
            pairs
                .iter()
                .map(|(name, text)| json!({who: name, "text": text}))
                .collect()
        };
        let named = |wanted: fn(&Conversation) -> bool| -> Vec<&str> {
            self.conversations
                .iter()
                .filter(|c| wanted(c))
                .map(|c| c.name.as_str())
                .collect()
        };
        json!({
            "sent": pairs(&self.sent, "to"),
            "received": pairs(&self.received, "from"),
            "draft": self.conversations.iter().find(|c| !c.draft.is_empty()).map(|c| c.draft.as_str()),
            "unread": named(|conversation| conversation.unread),
            "conversations": named(|_| true),
        })
    }
}
