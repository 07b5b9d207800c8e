//! Money and accounts in the words of many places.

use crate::common;
use crate::long;
use proptest::prelude::*;
use screen::{accounts, amounts, amounts_on};

/// Text, and what is read of it: `text | hundredths or ? | currency`, several separated by ` ; `, none as ``.
#[track_caller]
fn check(text: &str, expected: &str) {
    let read: Vec<String> = amounts(text)
        .into_iter()
        .map(|a| {
            format!(
                "{} | {} | {}",
                a.text,
                a.minor.map_or("?".into(), |m| m.to_string()),
                a.currency
            )
        })
        .collect();
    assert_eq!(read.join(" ; "), expected, "{text:?}");
}

#[test]
fn signs_codes_and_words_of_many_places() {
    check("$23.40", "$23.40 | 2340 | $");
    check("Pay $23.40", "$23.40 | 2340 | $");
    check("US$ 1,234.50", "US$ 1,234.50 | 123450 | US$");
    check("€12", "€12 | 1200 | €");
    check("12,50 €", "12,50 € | 1250 | €");
    check("12,50€ inkl. MwSt.", "12,50€ | 1250 | €");
    check("1.234,56 €", "1.234,56 € | 123456 | €");
    check("£5", "£5 | 500 | £");
    check("£5·99", "£5·99 | 599 | £");
    check("¥1,200", "¥1,200 | 120000 | ¥");
    check("￥ 1200", "￥ 1200 | 120000 | ￥");
    check("₹1,23,456.00", "₹1,23,456.00 | 12345600 | ₹");
    check("Rs. 499", "Rs. 499 | 49900 | Rs.");
    check("23.40 USD", "23.40 USD | 2340 | USD");
    check("USD 23.40", "USD 23.40 | 2340 | USD");
    check("USD23.40", "USD23.40 | 2340 | USD");
    check("$23.40 USD", "$23.40 USD | 2340 | USD");
    check("CHF 10.–", "CHF 10.– | 1000 | CHF");
    check("CHF 1'234.50", "CHF 1'234.50 | 123450 | CHF");
    check("10,- €", "10,- € | 1000 | €");
    check("99:-", "");
    check("99:- kr", "99:- kr | 9900 | kr");
    check("1.299,- Kč", "1.299,- Kč | 129900 | Kč");
    check("R$ 10,00", "R$ 10,00 | 1000 | R$");
    check("R 10,00", "R 10,00 | 1000 | R");
    check("1 234,50 kr", "1 234,50 kr | 123450 | kr");
    check("1\u{a0}234,50\u{a0}kr.", "1\u{a0}234,50\u{a0}kr. | 123450 | kr.");
    check(
        "1\u{202f}234\u{202f}567,89 zł",
        "1\u{202f}234\u{202f}567,89 zł | 123456789 | zł",
    );
    check("450 ₽", "450 ₽ | 45000 | ₽");
    check("450 руб.", "450 руб. | 45000 | руб.");
    check("₩15,000", "₩15,000 | 1500000 | ₩");
    check("15.000원", "15.000원 | 1500000 | 원");
    check("合计12.50元", "12.50元 | 1250 | 元");
    check("1,200円", "1,200円 | 120000 | 円");
    check("Rp15.000", "Rp15.000 | 1500000 | Rp");
    check("150.000₫", "150.000₫ | 15000000 | ₫");
    check("AED 25.50", "AED 25.50 | 2550 | AED");
    check("3 Euro", "3 Euro | 300 | Euro");
    check("5 dollars", "5 dollars | 500 | dollars");
    check("1.5 BTC", "1.5 BTC | 150 | BTC");
    check("$.50", "");
    check("$0.5", "$0.5 | 50 | $");
}

#[test]
fn digits_of_every_script() {
    check("￥１，２００", "￥１，２００ | 120000 | ￥");
    check("١٢٫٥٠ ر.س", "١٢٫٥٠ ر.س | 1250 | ر.س");
    check("١٬٢٣٤٫٥٠ ريال", "١٬٢٣٤٫٥٠ ريال | 123450 | ريال");
    check("₹१,२३,४५६.५०", "₹१,२३,४५६.५० | 12345650 | ₹");
    check("฿๑๒๐", "฿๑๒๐ | 12000 | ฿");
}

#[test]
fn two_readings_leave_the_value_open() {
    check("1.234 €", "1.234 € | ? | €");
    check("€1,789", "€1,789 | ? | €");
    check("$1.234", "$1.234 | ? | $");
    check("1.234 kr", "1.234 kr | ? | kr");
    // No cents have three digits where the comma groups.
    check("$1,234", "$1,234 | 123400 | $");
    check("£12,345", "£12,345 | 1234500 | £");
    // One reading, but no whole number of hundredths; too large; thousands and millions.
    check("€0.0045", "€0.0045 | ? | €");
    check("€0.450", "€0.450 | 45 | €");
    check("$999999999999999999999", "$999999999999999999999 | ? | $");
    check(
        "$92233720368547758.07",
        "$92233720368547758.07 | 9223372036854775807 | $",
    );
    check("$92233720368547758.08", "$92233720368547758.08 | ? | $");
    check("$1.5M", "$1.5M | ? | $");
    check("3万円", "3万円 | ? | 円");
    check("2,5 Mio. €", "2,5 Mio. € | ? | €");
}

#[test]
fn minus_and_brackets() {
    check("-$5.00", "-$5.00 | -500 | $");
    check("$-5.00", "$-5.00 | -500 | $");
    check("−5,00 €", "−5,00 € | -500 | €");
    check("EUR -5.00", "EUR -5.00 | -500 | EUR");
    check("($5.00)", "($5.00) | -500 | $");
    check("Total ($5.00 each)", "$5.00 | 500 | $");
    check("$10-$20", "$10 | 1000 | $ ; $20 | 2000 | $");
    check("$10 – $20", "$10 | 1000 | $ ; $20 | 2000 | $");
    check("10-20 €", "20 € | 2000 | €");
    check("Save-5 €", "5 € | 500 | €");
}

#[test]
fn several_and_whose_sign_it_is() {
    check(
        "Subtotal $20.45, Delivery $2.95",
        "$20.45 | 2045 | $ ; $2.95 | 295 | $",
    );
    check("2 $23.40", "$23.40 | 2340 | $");
    check("2 × $5.80 = $11.60", "$5.80 | 580 | $ ; $11.60 | 1160 | $");
    check("Qty 2 US$ 5.00", "US$ 5.00 | 500 | US$");
    check("Menge 2 EUR 5,00", "EUR 5,00 | 500 | EUR");
    check("12,50 € 3 Artikel", "12,50 € | 1250 | €");
    check("5 € 10 €", "5 € | 500 | € ; 10 € | 1000 | €");
    check("USD 5 CHF 10", "USD 5 | 500 | USD ; CHF 10 | 1000 | CHF");
    check("2x12,50 €", "12,50 € | 1250 | €");
    check("Order 4821 $23.40", "$23.40 | 2340 | $");
    check("Pay, $23.40", "$23.40 | 2340 | $");
    check("5, 100 kr", "100 kr | 10000 | kr");
    check("$5/month", "$5 | 500 | $");
    check("Whole milk, $5.80, 2 × ½ gal", "$5.80 | 580 | $");
}

#[test]
fn numbers_that_are_no_money() {
    for text in [
        "",
        "$",
        "€",
        "kr",
        "23.40",
        "Pay now",
        "+1 (555) 010-2030",
        "555 010 2030",
        "7:05",
        "7:05 kr",
        "12.05.2024",
        "12.05.2024 €",
        "2024-05-12",
        "05/12/24 €",
        "20 %",
        "20%",
        "Order #4821",
        "#4821 €",
        "AB12 €",
        "192.168.1.1",
        "v2.3.4",
        "5 Ft.",
        "5 feet",
        "10 krona stories",
        "Top 10 europe",
        "5'11\"",
        "TRY 3 DAYS",
        "ALL 5",
        "R 10",
        "12 km",
        "Fr. 12",
        "5 rest",
    ] {
        let expected = if text == "5 Ft." { "5 Ft | 500 | Ft" } else { "" };
        check(text, expected);
    }
}

/// A drawn screen, and its amounts: `element text | hundredths or ?`.
#[track_caller]
fn check_screen(drawing: &str, expected: &str) {
    let on = common::screen(&format!("FrameLayout [0,0][1080,2400]\n{drawing}"));
    let read: Vec<String> = amounts_on(&on.elements)
        .into_iter()
        .map(|(at, a)| {
            format!(
                "{at} {} | {}",
                a.text,
                a.minor.map_or("?".into(), |m| m.to_string())
            )
        })
        .collect();
    assert_eq!(read.join(" ; "), expected, "{drawing}");
}

#[test]
fn an_amount_in_pieces_is_put_together() {
    check_screen(
        "  TextView [0,0][90,90] \"$\"\n  TextView [90,0][400,90] \"23.40\"",
        "2 $23.40 | 2340",
    );
    check_screen(
        "  TextView [0,0][90,90] \"23,40\"\n  TextView [90,0][400,90] \"€\"",
        "1 23,40 € | 2340",
    );
    // In the words of one row.
    let row = "  LinearLayout [0,0][1080,90] click\n    TextView [0,0][300,90] \"Total\"\n    TextView [800,0][820,90] \"$\"\n    TextView [820,0][999,90] \"23\"\n";
    check_screen(row, "1 $23 | 2300");
    check_screen(
        &format!("{row}    TextView [1000,0][1040,50] \"40\""),
        "1 $23 40 | ?",
    );
    check_screen(
        "  TextView [0,0][90,90] \"$5\"\n  TextView [90,0][400,90] \"12\"",
        "1 $5 12 | ?",
    );
    // Another line is another thing, and so is what has cents already.
    check_screen(
        "  TextView [0,0][90,90] \"$5\"\n  TextView [0,90][400,180] \"12\"",
        "1 $5 | 500",
    );
    check_screen(
        "  TextView [0,0][90,90] \"$5.50\"\n  TextView [90,0][400,90] \"12\"",
        "1 $5.50 | 550",
    );
    check_screen(
        "  TextView [0,0][90,90] \"$\"\n  TextView [0,90][400,180] \"12\"",
        "",
    );
    check_screen(
        common::CHECKOUT.split_once("2400]\n").unwrap().1,
        "4 $5.80 | 580 ; 5 $4.65 | 465 ; 8 $23.40 | 2340 ; 12 $23.40 | 2340",
    );
}

/// Text, and the accounts in it: `text | ending`.
#[track_caller]
fn check_accounts(text: &str, expected: &str) {
    let read: Vec<String> = accounts(text)
        .into_iter()
        .map(|a| format!("{} | {}", a.text, a.ending))
        .collect();
    assert_eq!(read.join(" ; "), expected, "{text:?}");
}

#[test]
fn cards_and_accounts() {
    check_accounts("Visa •••• 4821", "•••• 4821 | 4821");
    check_accounts("Visa •••• 4821, Expires 08/27", "•••• 4821 | 4821");
    check_accounts("**** 4821", "**** 4821 | 4821");
    check_accounts("•••• •••• •••• 4821", "•••• •••• •••• 4821 | 4821");
    check_accounts(
        "**** **** **** 4821 and ••77",
        "**** **** **** 4821 | 4821 ; ••77 | 77",
    );
    check_accounts("xx4821", "xx4821 | 4821");
    check_accounts("XXXX-4821", "XXXX-4821 | 4821");
    check_accounts("…4821", "…4821 | 4821");
    check_accounts("...4821", "...4821 | 4821");
    check_accounts("·· ٤٨٢١", "·· ٤٨٢١ | 4821");
    check_accounts("Card ending in 4821", "4821 | 4821");
    check_accounts("Karte endet auf 4821.", "4821 | 4821");
    check_accounts("尾号4821", "4821 | 4821");
    check_accounts(
        "DE89 3704 0044 0532 0130 00",
        "DE89 3704 0044 0532 0130 00 | 3000",
    );
    check_accounts("DE89370400440532013000", "DE89370400440532013000 | 3000");
    check_accounts(
        "IBAN GB82 WEST 1234 5698 7654 32 BIC WESTGB",
        "GB82 WEST 1234 5698 7654 32 | 5432",
    );
    check_accounts(
        "DE89 •••• •••• •••• •••• 3000",
        "DE89 •••• •••• •••• •••• 3000 | 3000",
    );
    check_accounts("4111 1111 1111 1111", "4111 1111 1111 1111 | 1111");
    check_accounts("Account no. 12345678", "12345678 | 5678");
    check_accounts("Konto: 1234567", "1234567 | 4567");
}

#[test]
fn what_is_no_account() {
    for text in [
        "",
        "4821",
        "* 4821",
        "Order 4821",
        "...",
        "•••• ",
        "Wait… 3 items",
        "** 12.50",
        "•• 12:30",
        "#4821",
        "DE89 3704 0044 0532 0130 02",
        "4111 1111 1111 1112",
        "Fax1234",
        "maxx 12",
        "DE",
        "12345678",
        "5.. 12",
        "Loading....... 100%",
        "xx large 12",
        "Account 12",
    ] {
        check_accounts(text, "");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(long::times(2_000)))]

    #[test]
    fn any_text_is_read_and_every_piece_stands_in_it(text in "\\PC{0,60}") {
        whole(&text)?;
    }

    #[test]
    fn any_moneylike_text_too(text in "([0-9]{1,4}|[.,' \u{a0}:/-]|\\$|€|kr|USD|US\\$|R\\$|CHF|•|\\*|x|M|万|\\(|\\)|٣){0,24}") {
        whole(&text)?;
    }

    #[test]
    fn what_is_written_is_read_back(cents in 0..10_000_000_000_i64) {
        let (units, rest) = (cents / 100, cents % 100);
        let grouped = |separator: &str| {
            let digits = units.to_string();
            let mut out = String::new();
            for (n, c) in digits.chars().enumerate() {
                if n > 0 && (digits.len() - n) % 3 == 0 {
                    out.push_str(separator);
                }
                out.push(c);
            }
            out
        };
        for text in [
            format!("${}.{rest:02}", grouped(",")),
            format!("${units}.{rest:02}"),
            format!("{},{rest:02} €", grouped(".")),
            format!("{},{rest:02} kr", grouped("\u{202f}")),
            format!("{},{rest:02} zł", grouped(" ")),
            format!("CHF {}.{rest:02}", grouped("’")),
        ] {
            let read = amounts(&text);
            prop_assert_eq!(read.len(), 1, "{}", text);
            prop_assert_eq!(read[0].minor, Some(cents), "{}", text);
            prop_assert_eq!(&read[0].text, &text);
        }
    }

    #[test]
    fn one_cent_is_another_amount(cents in 0..1_000_000_i64, by in 1..100_i64) {
        let text = |cents: i64| format!("Pay ${}.{:02} now", cents / 100, cents % 100);
        prop_assert_ne!(amounts(&text(cents)), amounts(&text(cents + by)));
    }
}

/// Nothing panics, nothing is read twice, and what is read stands in the text in order.
fn whole(text: &str) -> Result<(), TestCaseError> {
    let pieces = |found: Vec<String>| {
        let mut rest = text;
        for piece in found {
            prop_assert!(!piece.is_empty());
            let at = rest.find(&piece);
            prop_assert!(at.is_some(), "{piece:?} in {rest:?}");
            rest = &rest[at.unwrap() + piece.len()..];
        }
        Ok(())
    };
    for amount in amounts(text) {
        prop_assert!(!amount.currency.is_empty() && amount.text.contains(&amount.currency));
    }
    pieces(amounts(text).into_iter().map(|a| a.text).collect())?;
    pieces(accounts(text).into_iter().map(|a| a.text).collect())
}
