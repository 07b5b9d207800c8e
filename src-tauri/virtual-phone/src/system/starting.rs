//! Which activity answers an intent, and starting it.

use super::System;
use super::activity::{ActivityDeclaration, Manifest};
use super::world::World;
use crate::android::{Component, Intent, NotStarted, Package, StartedActivity};
use crate::apps;

const VIEW: &str = "android.intent.action.VIEW";
const MAIN: &str = "android.intent.action.MAIN";
const LAUNCHER: &str = "android.intent.category.LAUNCHER";
const HOME: &str = "android.intent.category.HOME";

/// What an intent would start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Match {
    manifest: &'static Manifest,
    declared: &'static ActivityDeclaration,
}

impl Match {
    pub(super) fn component(&self) -> Component {
        Component {
            package: self.manifest.package.to_owned(),
            class: self.declared.class.to_owned(),
        }
    }
}

/// The class name in full: `.Main` of `com.a` is `com.a.Main`.
fn full_class(package: &str, class: &str) -> String {
    if class.starts_with('.') {
        format!("{package}{class}")
    } else {
        class.to_owned()
    }
}

/// An activity named by `package/class`.
fn find_component(component: &str, world: &World) -> Option<Match> {
    let (package, class) = component.split_once('/')?;
    let manifest = apps::manifest(package).filter(|manifest| world.is_installed(manifest.package))?;
    let class = full_class(package, class);
    let declared = manifest
        .activities
        .iter()
        .find(|declared| declared.class == class)?;
    Some(Match { manifest, declared })
}

/// The activities that answer an intent which names none.
fn find_answers(intent: &Intent, world: &World) -> impl Iterator<Item = Match> {
    apps::all()
        .iter()
        .filter(|manifest| world.is_installed(manifest.package))
        .filter(|manifest| {
            intent
                .package
                .as_ref()
                .is_none_or(|package| package == manifest.package)
        })
        .flat_map(|manifest| {
            manifest
                .activities
                .iter()
                .map(move |declared| Match { manifest, declared })
        })
        .filter(|candidate| candidate.declared.exported && answers(candidate.declared, intent))
}

fn answers(declared: &ActivityDeclaration, intent: &Intent) -> bool {
    let action = intent.action.as_deref().unwrap_or(MAIN);
    let scheme = intent
        .data
        .as_deref()
        .and_then(|data| data.split_once(':'))
        .map(|(scheme, _)| scheme);
    if action == MAIN {
        let category = |name: &str| intent.categories.iter().any(|category| category == name);
        return if category(HOME) {
            declared.actions.contains(&HOME)
        } else {
            declared.launcher && (intent.categories.is_empty() || category(LAUNCHER))
        };
    }
    let by_action = declared.actions.contains(&action);
    match scheme {
        Some(scheme) => declared.schemes.contains(&scheme) && (action == VIEW || by_action),
        None => by_action,
    }
}

pub(super) fn resolve(intent: &Intent, world: &World) -> Option<Match> {
    match &intent.component {
        Some(component) => find_component(component, world),
        None => find_answers(intent, world).next(),
    }
}

pub(super) fn answering(intent: &Intent, world: &World) -> Vec<Component> {
    match &intent.component {
        Some(component) => find_component(component, world)
            .map(|found| found.component())
            .into_iter()
            .collect(),
        None => find_answers(intent, world)
            .map(|found| found.component())
            .collect(),
    }
}

pub(super) fn packages(world: &World) -> Vec<Package> {
    apps::all()
        .iter()
        .filter(|manifest| world.is_installed(manifest.package))
        .map(|manifest| Package {
            name: manifest.package.to_owned(),
            label: manifest.label.to_owned(),
            launcher: manifest
                .activities
                .iter()
                .find(|declared| declared.launcher)
                .map(|declared| Component {
                    package: manifest.package.to_owned(),
                    class: declared.class.to_owned(),
                }),
            system: manifest.system,
            version: world.apps.store.version(manifest.package, manifest.version),
        })
        .collect()
}

impl System {
    /// Starts what an intent resolves to. `outside`: the caller is another app or the shell, and may only start what is
    /// exported.
    pub(super) fn begin(&mut self, intent: &Intent, outside: bool) -> Result<StartedActivity, NotStarted> {
        let found = resolve(intent, &self.world).ok_or(match intent.component {
            Some(_) => NotStarted::NoSuchClass,
            None => NotStarted::Unresolved,
        })?;
        if outside && !found.declared.exported {
            return Err(NotStarted::NotExported);
        }
        let component = found.component();
        let message = format!("START u0 {{cmp={}/{}}}", component.package, component.class);
        self.world
            .log
            .write(self.world.now, "ActivityTaskManager", &message);
        let already_in_front = self.show(&found, intent);
        self.settle_front();
        Ok(StartedActivity {
            component,
            already_in_front,
        })
    }

    /// True when it was in front before.
    fn show(&mut self, found: &Match, intent: &Intent) -> bool {
        let (package, class) = (found.manifest.package, found.declared.class);
        let in_front = self
            .tasks
            .top()
            .is_some_and(|top| top.activity.package() == package && top.activity.class() == class);
        if in_front {
            if let Some(top) = self.tasks.top_mut() {
                top.activity.arrive(intent, &mut self.world);
            }
            return true;
        }
        let tasks = &self.tasks.all;
        let of_package = |root: &super::tasks::OpenActivity| root.activity.package() == package;
        let task = tasks
            .iter()
            .rfind(|task| task.root().is_some_and(of_package))
            .map(|task| task.number);
        if let Some(number) = task {
            let same_root = tasks.iter().any(|task| {
                task.number == number && task.root().is_some_and(|root| root.activity.class() == class)
            });
            self.tasks.bring(number);
            if same_root && found.declared.launcher {
                // An icon brings the task back as it was left; a link is a new page of the same screen.
                if intent.data.is_some()
                    && let Some(task) = self.tasks.all.last_mut()
                {
                    task.stack.truncate(1);
                    if let Some(root) = task.stack.first_mut() {
                        root.activity.arrive(intent, &mut self.world);
                    }
                }
                return false;
            }
        }
        let Some(activity) = (found.manifest.open)(class, intent, &mut self.world) else {
            return false;
        };
        if task.is_some() {
            self.tasks.push(activity)
        } else {
            self.tasks.add(activity)
        }
        false
    }
}
