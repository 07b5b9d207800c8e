use super::*;

/// A task in a few words, for tables to be read.
fn write(task: &Task) -> String {
    let paid = |shopping: &Shopping| {
        let slot = shopping.slot;
        let when = if slot == DeliverySlot::default() {
            String::new()
        } else {
            format!(" for {}", slot.words())
        };
        format!("{when}{}", if shopping.pay { ", pay" } else { "" })
    };
    match task {
        Task::Usual(shopping) => format!("usual order{}", paid(shopping)),
        Task::Goods { goods, shopping } => {
            let goods: Vec<String> = goods
                .iter()
                .map(|good| format!("{} {}", good.count, good.name))
                .collect();
            format!("goods: {}{}", goods.join(" + "), paid(shopping))
        }
        Task::SignIn { balance } => if *balance { "sign in, balance" } else { "sign in" }.to_owned(),
        Task::Message { to, text: Some(text) } => format!("to {to}: {text}"),
        Task::Message { to, text: None } => format!("to {to}"),
        Task::Switch { setting, on } => format!("{} {}", setting.name, if *on { "on" } else { "off" }),
        Task::Brightness(percent) => format!("brightness {percent}"),
        Task::Fact { line } => format!("tell {line}"),
        Task::Storage => "tell storage".to_owned(),
        Task::Show(route) => format!("show {}", route.title),
        Task::Updates { install } => if *install {
            "install updates"
        } else {
            "tell updates"
        }
        .to_owned(),
        Task::AddNote {
            title: Some(title),
            text,
        } => format!("note {title}: {text}"),
        Task::AddNote { title: None, text } => format!("note: {text}"),
        Task::DeleteNote { title } => format!("delete note {title}"),
        Task::AddContact { name, number } => format!("contact {name}: {number}"),
        Task::FindNumber { name } => format!("number of {name}"),
        Task::Page { place, headline } => {
            let place = match place {
                PageRef::Address(address) => address.as_str(),
                PageRef::Named(name) => name.as_str(),
                PageRef::Front => "open page",
            };
            format!("page {place}{}", if *headline { ", headline" } else { "" })
        }
        Task::Open { app } => format!("open {app}"),
        Task::Unknown { words } => format!("? {words}"),
    }
}

fn check(table: &[(&str, &str)]) {
    for (goal, expected) in table {
        let tasks: Vec<String> = read(goal).iter().map(write).collect();
        assert_eq!(tasks.join(" | "), *expected, "{goal}");
    }
}

#[test]
fn shopping() {
    check(&[
        ("Order the weekly groceries and pay", "usual order, pay"),
        ("order the weekly groceries", "usual order"),
        ("Groceries please", "usual order"),
        ("Order the weekly grocieries, then pay.", "usual order, pay"),
        (
            "Repeat my usual order at Greenleaf and check out",
            "usual order, pay",
        ),
        (
            "Order the weekly groceries for Friday evening and pay",
            "usual order for friday evening, pay",
        ),
        ("Order the weekly groceries but don’t pay", "usual order"),
        ("Put the usual shopping in the basket. Do not pay!", "usual order"),
        ("Put 3 bananas in the basket", "goods: 3 bananas"),
        ("Order milk", "goods: 1 milk"),
        (
            "Buy two whole milk and a baguette at Greenleaf",
            "goods: 2 whole milk + 1 baguette",
        ),
        (
            "order milk, eggs and 2 loaves of sourdough bread and pay",
            "goods: 1 milk + 1 eggs + 2 sourdough bread, pay",
        ),
        (
            "Add lettuce to the cart on Thursday",
            "goods: 1 lettuce for thursday any time",
        ),
        (
            "Order a lemon, then turn on dark mode",
            "goods: 1 lemon | Dark theme on",
        ),
    ]);
}

#[test]
fn messages() {
    check(&[
        (
            "Text Dana that I’m running 10 minutes late and offer to bring her a coffee",
            "to Dana: I'm running 10 minutes late. Want me to bring you a coffee?",
        ),
        ("Text Dana: “See you at 9:40”", "to Dana: See you at 9:40"),
        ("text dana hello", "to dana: Hello."),
        ("Tell Mum I’ll call her tonight", "to Mum: I'll call you tonight."),
        (
            "Ask Anna if she can come on Friday",
            "to Anna: Can you come on Friday?",
        ),
        (
            "Ask Dana when she will be at the market",
            "to Dana: When will you be at the market?",
        ),
        (
            "Let Anna know that her ferns are watered",
            "to Anna: Your ferns are watered.",
        ),
        (
            "Remind Mum to bring his book",
            "to Mum: Please don't forget to bring your book.",
        ),
        ("Thank Dana for the coffee", "to Dana: Thank you for the coffee!"),
        ("Send “on my way” to Dana Whitlock", "to Dana Whitlock: on my way"),
        ("Text Dana", "to Dana"),
        (
            "Message Dana’s Bakery that I’m late",
            "to Dana’s Bakery: I'm late.",
        ),
        (
            "Text Dana “then pay everything” then turn off wifi",
            "to Dana: then pay everything | Wi-Fi off",
        ),
        (
            "Text Dana that milk and eggs are out and turn on Bluetooth",
            "to Dana: Milk and eggs are out. | Bluetooth on",
        ),
    ]);
}

#[test]
fn settings() {
    check(&[
        ("Turn on Battery Saver", "Battery Saver on"),
        ("battery saver off please", "Battery Saver off"),
        ("Turn off Wi‑Fi", "Wi-Fi off"),
        ("disable wifi", "Wi-Fi off"),
        ("Switch to dark mode", "Dark theme on"),
        ("Switch to light mode", "Dark theme off"),
        (
            "Enable airplane mode and turn off bluetooth",
            "Airplane mode on | Bluetooth off",
        ),
        ("Set the brightness to 70%", "brightness 70"),
        ("Make the screen brighter", "brightness 80"),
        ("Which Android version is this?", "tell Android version"),
        ("What is my phone number?", "tell Phone number"),
        ("What uses the most storage?", "tell storage"),
        ("Open the battery settings", "show Battery"),
        (
            "Install the waiting app updates, then turn on Battery Saver",
            "install updates | Battery Saver on",
        ),
        ("Update all apps", "install updates"),
        ("Are there any updates?", "tell updates"),
    ]);
}

#[test]
fn the_other_apps() {
    check(&[
        ("Sign in to Northbank", "sign in"),
        ("Log into my bank and tell me the balance", "sign in, balance"),
        ("What’s my balance?", "sign in, balance"),
        ("Add a note: buy ferns and tulips", "note: buy ferns and tulips"),
        (
            "Add a note called Ferns saying water them",
            "note Ferns: water them",
        ),
        ("Delete the note Packing list", "delete note Packing list"),
        ("Delete all notes", "? Delete all notes"),
        (
            "Add Bob with the number (555) 010-0155 to my contacts",
            "contact Bob: (555) 010-0155",
        ),
        ("What is Dana Whitlock’s number?", "number of Dana Whitlock"),
        ("Find the number of the plant man", "number of plant man"),
        (
            "Open news.example and tell me its headline",
            "page news.example, headline",
        ),
        (
            "What is the headline of The Alder Post?",
            "page The Alder Post, headline",
        ),
        ("Open the calendar", "open calendar"),
        ("Open Settings and turn on Bluetooth", "Bluetooth on"),
        ("Go to the home screen", "open home screen"),
    ]);
}

#[test]
fn what_it_does_not_know() {
    check(&[
        ("", "? "),
        ("   ", "? "),
        ("Book a table for two", "? Book a table for two"),
        ("Send money to Dana", "? Send money to Dana"),
        ("Pay", "? Pay"),
        (
            "Post a picture of my cat and like it",
            "? Post a picture of my cat and like it",
        ),
        ("Turn on Wi-Fi and book a flight", "Wi-Fi on | ? book a flight"),
        ("🙂🙂🙂", "? 🙂🙂🙂"),
    ]);
}
