//! The launcher: home screen, list of all apps, recent apps.

mod drawer;
mod home;
mod recents;
mod wallpaper;

pub(crate) use recents::Card;
pub(crate) use wallpaper::wallpaper;

use crate::system::{Activity, ActivityDeclaration, Manifest, World};
use recents::Recents;

const PACKAGE: &str = "com.android.launcher3";
const HOME: &str = "com.android.launcher3.uioverrides.QuickstepLauncher";
const RECENTS: &str = "com.android.quickstep.RecentsActivity";

pub(crate) static MANIFEST: Manifest = Manifest {
    package: PACKAGE,
    label: "Launcher",
    version: "14",
    system: true,
    icon: None,
    activities: &[
        ActivityDeclaration::open(HOME, &["android.intent.category.HOME"]),
        ActivityDeclaration::inner(RECENTS),
    ],
    open: |class, _, world| (class == HOME).then(|| home(world)),
};

/// The home screen.
pub(crate) fn home(_: &mut World) -> Box<dyn Activity> {
    Box::new(home::Home::default())
}

/// The recent apps, newest first.
pub(crate) fn recents(cards: Vec<Card>) -> Box<dyn Activity> {
    Box::new(Recents::new(cards))
}

/// Installed apps that have an icon, by name.
fn listed(world: &World) -> Vec<&'static Manifest> {
    let shown = |manifest: &&Manifest| manifest.icon.is_some() && world.is_installed(manifest.package);
    let mut apps: Vec<_> = super::all().iter().copied().filter(shown).collect();
    apps.sort_by_key(|manifest| manifest.label);
    apps
}
