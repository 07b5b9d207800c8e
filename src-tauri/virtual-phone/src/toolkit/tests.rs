//! Views in their places.

use super::geometry::{Metrics, Rect};
use super::layout::lay_out;
use super::memory::{Memory, name};
use super::scene::{Direction, Scene};
use super::tree::write_document;
use super::view::{CrossAxisAlignment, Inset, View, button, column, gap, row, scroll, spring, stack, text};
use crate::toolkit::color::Color;

const PHONE: Metrics = Metrics {
    density: 2.0,
    font_scale: 1.0,
};
const AREA: Rect = Rect::sized(0, 0, 400, 800);

fn scene(view: View) -> Scene {
    lay_out(view.wide().tall(), AREA, &PHONE, &Memory::default())
}

fn place(scene: &Scene, id: &str) -> Rect {
    scene.nodes[scene.find_id(id).unwrap()].rect
}

fn block(id: &'static str, height: f32) -> View {
    gap(10.0).height(height).id(id)
}

#[test]
fn columns_and_rows_put_children_one_after_the_other() {
    let scene = scene(column([
        row([gap(20.0).id("a"), spring().id("b"), gap(20.0).id("c")])
            .gap(5.0)
            .cross(CrossAxisAlignment::Center)
            .height(50.0)
            .id("row"),
        block("d", 30.0).margin(10.0, 0.0, 10.0, 0.0),
        spring().id("rest"),
        block("foot", 40.0),
    ]));
    assert_eq!(place(&scene, "a"), Rect::sized(0, 30, 40, 40));
    assert_eq!(place(&scene, "b"), Rect::new(50, 50, 350, 50));
    assert_eq!(place(&scene, "c"), Rect::new(360, 30, 400, 70));
    assert_eq!(place(&scene, "d"), Rect::sized(20, 100, 20, 60));
    assert_eq!(place(&scene, "rest"), Rect::new(0, 160, 400, 720));
    assert_eq!(place(&scene, "foot").bottom, 800);
}

#[test]
fn what_has_a_place_of_its_own_takes_no_room() {
    let corner = Inset {
        right: Some(10.0),
        bottom: Some(10.0),
        ..Inset::default()
    };
    let scene = scene(stack([
        block("page", 400.0),
        gap(30.0).id("fab").at(corner),
        gap(1.0).id("over").cover(),
    ]));
    assert_eq!(place(&scene, "page").top, 0);
    assert_eq!(place(&scene, "fab"), Rect::new(320, 720, 380, 780));
    assert_eq!(place(&scene, "over").left, 0);
}

#[test]
fn a_text_takes_the_lines_it_needs_and_gives_way_in_a_row() {
    let long = "A text that is much longer than the room that is left for it in this row";
    let scene = scene(column([row([
        text(long, 16.0, Color::BLACK).grow().id("long"),
        text("$23.40", 16.0, Color::BLACK).rigid().id("price"),
    ])
    .cross(CrossAxisAlignment::Center)]));
    let (long, price) = (place(&scene, "long"), place(&scene, "price"));
    assert_eq!(price.right, 400);
    assert_eq!(long.right, price.left);
    assert!(long.height() > 2 * price.height(), "several lines");
}

fn list(memory: &Memory) -> Scene {
    let rows = ["r0", "r1", "r2", "r3", "r4", "r5"].map(|id| block(id, 100.0).click(id));
    let view = column([block("head", 50.0), scroll(rows).id("list").key("list")]);
    lay_out(view.wide().tall(), AREA, &PHONE, memory)
}

#[test]
fn a_list_shows_what_its_memory_says_and_clips_the_rest() {
    let mut memory = Memory::default();
    let scene = list(&memory);
    let scrolling = scene.nodes[scene.find_id("list").unwrap()].scrolling.unwrap();
    assert_eq!(scrolling.most, 500.0);
    assert!(scene.nodes[scene.find_id("r4").unwrap()].visible.is_empty());
    memory.scrolled.insert(name("list"), 350.0);
    let scene = list(&memory);
    let node = |id| &scene.nodes[scene.find_id(id).unwrap()];
    assert_eq!(node("r0").rect.top, 100 - 350);
    assert!(node("r0").visible.is_empty());
    assert_eq!(node("r1").visible, Rect::new(0, 100, 20, 150));
    memory.scrolled.insert(name("list"), 9999.0);
    assert_eq!(
        list(&memory).nodes.last().unwrap().rect.bottom,
        800,
        "not beyond its end"
    );
}

#[test]
fn revealing_moves_a_list_no_more_than_needed() {
    let mut memory = Memory::default();
    let scene = list(&memory);
    let row = |scene: &Scene, id| scene.find_id(id).unwrap();
    assert_eq!(scene.reveal(row(&scene, "r1"), 0), None);
    let (key, offset) = scene.reveal(row(&scene, "r4"), 0).unwrap();
    assert_eq!((key, offset), (name("list"), 300.0));
    memory.scrolled.insert(key, offset);
    let scene = list(&memory);
    assert_eq!(scene.nodes[row(&scene, "r4")].rect.bottom, 800);
    assert_eq!(scene.reveal(row(&scene, "r0"), 0), Some((name("list"), 0.0)));
}

#[test]
fn a_touch_goes_through_what_does_not_take_it() {
    let label = text("over", 16.0, Color::BLACK).id("label").at(Inset {
        left: Some(0.0),
        top: Some(0.0),
        ..Inset::default()
    });
    let scene = scene(column([stack([
        block("field", 40.0).width(100.0).click("field"),
        label,
    ])
    .click("card")
    .id("card")]));
    let hit = |x: f32, y: f32| {
        scene
            .hit(x, y, |node| node.is_clickable())
            .map(|at| scene.nodes[at].view.id)
    };
    assert_eq!(
        hit(10.0, 10.0),
        Some("field"),
        "through the label, to what lies under it"
    );
    assert_eq!(hit(300.0, 10.0), Some("card"));
    assert_eq!(hit(300.0, 700.0), None);
}

#[test]
fn keys_move_the_focus_to_the_nearest_that_way() {
    let cell = |id: &'static str| gap(40.0).id(id).click(id);
    let scene = scene(column([
        row([cell("a"), cell("b"), cell("c")]).gap(20.0),
        row([cell("d"), cell("e").enabled(false), cell("f")]).gap(20.0),
    ]));
    let from = |id| scene.find_id(id);
    let go = |id, direction| {
        scene
            .neighbour(from(id), direction)
            .map(|at| scene.nodes[at].view.id)
    };
    for (id, direction, expected) in [
        ("a", Direction::Right, Some("b")),
        ("a", Direction::Down, Some("d")),
        ("c", Direction::Down, Some("f")),
        ("f", Direction::Left, Some("d")),
        ("a", Direction::Left, None),
        ("a", Direction::Next, Some("b")),
        ("c", Direction::Next, Some("d")),
        ("f", Direction::Next, Some("a")),
        ("a", Direction::Previous, Some("f")),
    ] {
        assert_eq!(go(id, direction), expected, "{direction:?} of {id}");
    }
    assert_eq!(
        scene
            .neighbour(None, Direction::Down)
            .map(|at| scene.nodes[at].view.id),
        Some("a")
    );
}

#[test]
fn a_control_without_a_name_is_marked_as_the_dumper_does() {
    let tree = |view: View| write_document(&scene(view), &Memory::default(), "p", 0);
    assert!(tree(column([block("x", 40.0).click("x")])).contains("<node NAF=\"true\" index=\"0\""));
    assert!(!tree(column([block("x", 40.0).click("x").desc("Named")])).contains("NAF"));
    let inside = row([text("Named", 16.0, Color::BLACK)]).click("x");
    assert!(!tree(column([inside])).contains("NAF"));
    assert!(!tree(column([block("x", 40.0).click("x").enabled(false)])).contains("NAF"));
}

#[test]
fn characters_xml_cannot_hold_become_dots() {
    let odd = "a\u{1}b\u{7f}c\u{fdd0}d\u{ffff}e\tf";
    let tree = write_document(
        &scene(column([button(odd, 16.0, Color::BLACK)])),
        &Memory::default(),
        "p",
        0,
    );
    assert!(tree.contains("text=\"a.b.c.d.e&#9;f\""), "{tree}");
}
