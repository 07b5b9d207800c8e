//! Pages made of rows.

use protocol::{Bounds, CaptureResult, Element, ElementState, PhoneId, Role, Screen, Totals};

/// An element of an app, as wide as the page, in this row of it.
pub(crate) fn row(package: &str, index: u32, role: Role, label: &str, states: &[ElementState]) -> Element {
    let top = i32::try_from(index).unwrap() * 150;
    Element {
        index,
        track_id: index.to_string(),
        role,
        label: label.to_owned(),
        description: None,
        value: None,
        states: states.to_vec(),
        bounds: Bounds {
            left: 40,
            top,
            right: 1040,
            bottom: top + 130,
        },
        resource_id: String::new(),
        package: package.to_owned(),
    }
}

/// A page of an app that was read.
pub(crate) fn screen(package: &str, activity: &str, elements: Vec<Element>) -> Screen {
    Screen {
        phone: PhoneId("phone".to_owned()),
        current_app: package.to_owned(),
        window: Some(format!("{package}/.{activity}")),
        width: 1080,
        height: 2400,
        captured_at: 0,
        capture: CaptureResult::Ok,
        frame: None,
        elements,
        tree_read: true,
        tree_bounds: None,
        totals: Totals::default(),
        keyboard_shown: false,
    }
}
