//! The actions that point at something: none is ever done at a default place.

use super::required::output;
use crate::fields::Fields;
use crate::notes::Refusal;
use crate::point_fields::{NEEDS, PointFieldNames, SPOT, region};
use protocol::{Act, Target, WarningCode};

/// The two ends of a drag.
const FROM: PointFieldNames<'_> = PointFieldNames {
    x: "x1",
    y: "y1",
    target: "target",
    pairs: &[],
    inlined: false,
};
const TO: PointFieldNames<'_> = PointFieldNames {
    x: "x2",
    y: "y2",
    target: "toTarget",
    pairs: &[],
    inlined: false,
};

/// One finger at one spot. A mouse's right button is a long press; its middle one has no equal.
pub(super) fn touch(kind: &str, fields: &mut Fields<'_>) -> Result<Act, Refusal> {
    let spot = fields.spot(&SPOT)?;
    let button = fields.name("button").unwrap_or_default().to_lowercase();
    if button == "middle" {
        return Err(Refusal::no_touch_equivalent(
            "a touch screen has no middle button",
        ));
    }
    let long = kind == "long_press" || (kind == "tap" && button == "right");
    if long && kind == "tap" {
        fields.notes.warn(
            WarningCode::RightButton,
            Some("button"),
            "the right button was read as a long press",
        );
    }
    if long {
        let duration_ms = fields.number_or("durationMs", 800.0);
        return spot.act(NEEDS, |x, y, target| Act::LongPress {
            x,
            y,
            target,
            duration_ms,
        });
    }
    spot.act(NEEDS, |x, y, target| match kind {
        "double_tap" => Act::DoubleTap { x, y, target },
        "hover" => Act::Hover { x, y, target },
        _ => Act::Tap { x, y, target },
    })
}

pub(super) fn swipe(fields: &mut Fields<'_>) -> Result<Act, Refusal> {
    let ends = ["x1", "y1", "x2", "y2"].map(|name| fields.number(name));
    let duration_ms = fields.number_or("durationMs", 300.0);
    let [x1, y1, x2, y2] = ends.map(|end| end.unwrap_or(0.0));
    let act = Act::Swipe {
        x1,
        y1,
        x2,
        y2,
        duration_ms,
    };
    if ends.iter().any(Option::is_none) {
        return Err(Refusal::missing_target(
            "a swipe needs x1, y1, x2 and y2 as numbers",
            act,
        ));
    }
    Ok(act)
}

pub(super) fn drag(fields: &mut Fields<'_>) -> Result<Act, Refusal> {
    let from = fields.spot(&FROM)?;
    let to = fields.spot(&TO)?;
    let duration_ms = fields.number_or("durationMs", 500.0);
    if fields
        .name("button")
        .is_some_and(|button| button.eq_ignore_ascii_case("middle"))
    {
        return Err(Refusal::no_touch_equivalent(
            "a touch screen has no middle button",
        ));
    }
    let why = if from.points() {
        (!to.points()).then(|| to.why("x2 and y2 as numbers, or a `toTarget`"))
    } else {
        Some(from.why("x1 and y1 as numbers, or a `target`"))
    };
    let filled = |n: Option<f64>, target: &Option<Target>| if target.is_none() { n.or(Some(0.0)) } else { n };
    let act = Act::Drag {
        x1: filled(from.x, &from.target),
        y1: filled(from.y, &from.target),
        x2: filled(to.x, &to.target),
        y2: filled(to.y, &to.target),
        duration_ms,
        target: from.target,
        to_target: to.target,
    };
    why.map_or(Ok(act.clone()), |why| Err(Refusal::missing_target(why, act)))
}

/// Into the focused field, or into a target; a target that cannot be read is not passed over.
pub(super) fn type_text(fields: &mut Fields<'_>) -> Result<Act, Refusal> {
    let text = fields.exact_text_or("text", "")?;
    let spot = fields.spot(&PointFieldNames { pairs: &[], ..SPOT })?;
    if spot.target.is_none() && (spot.x.is_some() || spot.y.is_some()) {
        let why = "text goes into a `target` or the focused field, not to x and y";
        fields.notes.warn(WarningCode::IgnoredPoint, Some("x"), why);
    }
    let act = Act::Type {
        text,
        target: spot.target,
    };
    spot.trouble.map_or(Ok(act.clone()), |trouble| {
        Err(Refusal::missing_target(
            format!("the field to type into cannot be found: {trouble}"),
            act,
        ))
    })
}

/// Without a point the middle of the screen is meant, and each coordinate may be missing by itself.
pub(super) fn scroll(fields: &mut Fields<'_>) -> Result<Act, Refusal> {
    let spot = fields.spot(&SPOT)?;
    for (name, coordinate) in [("x", spot.x), ("y", spot.y)] {
        if coordinate.is_none() && spot.target.is_none() && fields.find(name).is_some() {
            fields.notes.defaulted(name);
        }
    }
    let act = Act::Scroll {
        direction: fields.choice("direction"),
        amount: fields
            .number("amount")
            .filter(|amount| *amount > 0.0)
            .unwrap_or_else(|| {
                fields.notes.defaulted("amount");
                3.0
            }),
        x: spot.x,
        y: spot.y,
        target: spot.target,
    };
    spot.trouble.map_or(Ok(act.clone()), |trouble| {
        Err(Refusal::missing_target(
            format!("the region to scroll cannot be found: {trouble}"),
            act,
        ))
    })
}

pub(super) fn set_value(fields: &mut Fields<'_>) -> Result<Act, Refusal> {
    let value = fields.exact_text_or("value", "")?;
    let spot = fields.spot(&PointFieldNames { pairs: &[], ..SPOT })?;
    match spot.target {
        Some(target) => Ok(Act::SetValue { target, value }),
        None => Err(Refusal::missing_target(
            "`set_value` needs a `target`",
            Act::SetValue {
                target: Target::default(),
                value,
            },
        )),
    }
}

pub(super) fn read_text(fields: &mut Fields<'_>) -> Result<Act, Refusal> {
    let output = output("read_text", fields)?;
    let corners = ["x1", "y1", "x2", "y2"].map(|name| fields.number(name));
    let (region, trouble) = match fields.find("box").map(region) {
        None => (None, ""),
        Some(Ok(region)) => (Some(region), ""),
        Some(Err(why)) => (None, why),
    };
    let given = region.is_some() || corners.iter().all(Option::is_some);
    let [x1, y1, x2, y2] = if region.is_some() {
        [None; 4]
    } else {
        corners.map(|corner| corner.or(Some(0.0)))
    };
    let act = Act::ReadText {
        region,
        x1,
        y1,
        x2,
        y2,
        output,
        auto_scroll: fields.flag("autoScroll"),
        result: fields.result(),
    };
    if given {
        Ok(act)
    } else {
        Err(Refusal::missing_target(
            format!("`read_text` needs a `box`, or x1, y1, x2 and y2. {trouble}"),
            act,
        ))
    }
}
