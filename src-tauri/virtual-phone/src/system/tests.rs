//! What only the inside knows: where a touch would go.

use super::window_stack::{LayerKind, WindowStack};
use super::{Basket, System, SystemOptions};
use crate::android::{Android, Intent};
use crate::apps;

fn stage_of(system: &mut System) -> &WindowStack {
    system.window_stack();
    system.window_stack.as_ref().unwrap()
}

/// Every screen an app declares, upright and turned.
fn screens() -> Vec<(String, System)> {
    let mut screens = Vec::new();
    for manifest in apps::all() {
        for declared in manifest.activities {
            for rotation in [0, 1] {
                let start = format!("{}/{}", manifest.package, declared.class);
                let options = SystemOptions {
                    start: Some(start.clone()),
                    basket: Basket::Usual,
                    rotation,
                    ..SystemOptions::default()
                };
                screens.push((format!("{start} turned {rotation}"), System::new(options)));
            }
        }
    }
    screens
}

#[test]
fn the_middle_of_whatever_can_be_pressed_presses_it() {
    let mut checked = 0;
    for (name, mut system) in screens() {
        for layer in &stage_of(&mut system).layers {
            let scene = &layer.scene;
            for (index, node) in scene.nodes.iter().enumerate() {
                if !node.is_clickable() || node.visible.is_empty() {
                    continue;
                }
                let (x, y) = node.visible.center();
                let hit = scene.hit(x as f32, y as f32, |node| node.is_clickable()).unwrap();
                let within = scene.ancestors(hit).any(|at| at == index);
                let above = &scene.nodes[hit];
                // A button that floats over a list lies over some row of it, as on a phone.
                let floats = scene
                    .ancestors(hit)
                    .any(|at| scene.nodes[at].view.shape.place.is_some());
                assert!(
                    within || floats,
                    "{name}: {:?} is under {:?}",
                    node.view.id,
                    above.view.id
                );
                checked += 1;
            }
        }
    }
    assert!(checked > 500, "only {checked} were looked at");
}

#[test]
fn every_declared_screen_opens_and_is_drawn() {
    for (name, mut system) in screens() {
        let layer = stage_of(&mut system)
            .layers
            .iter()
            .find(|layer| layer.kind == LayerKind::Base)
            .unwrap();
        assert!(layer.scene.nodes.len() > 6, "{name} shows nothing");
        let picture = system.picture();
        let first = &picture.rgba[..4];
        assert!(
            picture.rgba.chunks_exact(4).any(|pixel| pixel != first),
            "{name} is one colour"
        );
    }
}

#[test]
fn every_icon_opens_the_screen_it_promises() {
    let mut system = System::new(SystemOptions::default());
    let listed = system
        .packages()
        .into_iter()
        .filter_map(|package| Some((package.name, package.launcher?)));
    let listed: Vec<_> = listed.collect();
    assert_eq!(listed.len(), 16);
    for (package, launcher) in listed {
        let component = Some(format!("{package}/{}", launcher.class));
        system
            .start(&Intent {
                component,
                ..Intent::default()
            })
            .unwrap();
        let top = system.tasks.base().unwrap();
        assert_eq!(
            (top.activity.package(), top.activity.class()),
            (package.as_str(), launcher.class.as_str())
        );
    }
}
