//! Music: a list of tracks and a player whose time goes on with the phone's.

use crate::apps::photos;
use crate::system::{Activity, ActivityDeclaration, Icon, Manifest, Sign, World};
use crate::toolkit::color::Color;
use crate::toolkit::view::{
    CrossAxisAlignment, MainAxisAlignment, ScreenMessage, View, class, column, gap, icon, picture, row,
    scroll, slider, spring, stack, text,
};
use serde_json::{Value, json};
use std::time::Duration;

const PACKAGE: &str = "com.android.music";
const CLASS: &str = "com.android.music.MusicBrowserActivity";

pub(crate) static MANIFEST: Manifest = Manifest {
    package: PACKAGE,
    label: "Music",
    version: "14",
    system: true,
    icon: Some(Icon {
        sign: Sign::Outline(lucide_icons::Icon::Music),
        disc: Color::rgb(0xE4553F),
        ink: Color::WHITE,
    }),
    activities: &[ActivityDeclaration::main(CLASS)],
    open: |_, _, _| Some(Box::new(Player { told: 0 })),
};

/// Title, whose picture it has, length in seconds.
const TRACKS: [(&str, u32, u64); 8] = [
    ("Morning on the bridge", 1, 192),
    ("Ferns", 2, 221),
    ("Tulip rows", 0, 174),
    ("Low tide", 3, 248),
    ("Market day", 4, 163),
    ("Lemon tree song", 5, 205),
    ("Lake, early", 6, 231),
    ("Windows at night", 7, 258),
];

/// What Music keeps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Data {
    track: Option<usize>,
    /// Playing since then, the time before counted in; none: paused.
    since: Option<Duration>,
    played: Duration,
}

impl Data {
    fn position(&self, now: Duration) -> Duration {
        self.since
            .map_or(self.played, |since| self.played + now.saturating_sub(since))
    }

    fn length(&self) -> Duration {
        Duration::from_secs(
            self.track
                .and_then(|track| TRACKS.get(track))
                .map_or(0, |(.., seconds)| *seconds),
        )
    }

    fn pause(&mut self, now: Duration) {
        self.played = self.position(now).min(self.length());
        self.since = None;
    }

    fn play(&mut self, track: usize, now: Duration) {
        *self = Self {
            track: Some(track % TRACKS.len()),
            since: Some(now),
            played: Duration::ZERO,
        };
    }

    pub(crate) fn tell_state(&self) -> Value {
        let track = self
            .track
            .and_then(|track| TRACKS.get(track))
            .map(|(title, ..)| *title);
        json!({"track": track, "playing": self.since.is_some()})
    }
}

#[derive(Debug)]
struct Player {
    /// The second that was shown last.
    told: u64,
}

#[derive(Clone, Copy, Debug)]
enum Msg {
    Play(usize),
    Toggle,
    Step(usize),
    Seek(f32),
}

fn clock(time: Duration) -> String {
    format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60)
}

fn track(world: &World, index: usize) -> View {
    let theme = &world.theme;
    let Some((title, painting, seconds)) = TRACKS.get(index) else {
        return gap(0.0);
    };
    let current = world.apps.music.track == Some(index);
    let ink = if current { theme.accent } else { theme.text };
    let words = column([
        text(*title, 17.0, ink).medium().lines(1).id("line1"),
        text("Alder Street Trio", 14.5, theme.text_2).lines(1).id("line2"),
    ]);
    row([
        picture(*painting, photos::paint)
            .size(52.0, 52.0)
            .radius(10.0)
            .id("icon"),
        words.gap(2.0).grow(),
        text(clock(Duration::from_secs(*seconds)), 14.5, theme.text_2)
            .lines(1)
            .rigid()
            .id("duration"),
    ])
    .class(class::RELATIVE)
    .gap(16.0)
    .cross(CrossAxisAlignment::Center)
    .height(74.0)
    .pad_xy(22.0, 0.0)
    .wide()
    .selected(current)
    .click(Msg::Play(index))
}

fn player(world: &World) -> Option<View> {
    let theme = &world.theme;
    let music = &world.apps.music;
    let index = music.track?;
    let (title, painting, _) = TRACKS.get(index)?;
    let (position, length) = (music.position(world.now).min(music.length()), music.length());
    let part = position.as_secs_f32() / length.as_secs_f32().max(1.0);
    let press = |sign, desc: &str, id, size: f32, message: Msg| {
        stack([icon(sign, size * 0.5, theme.text)])
            .class(class::IMAGE_BUTTON)
            .centered()
            .size(size, size)
            .radius(size / 2.0)
            .desc(desc)
            .id(id)
            .click(message)
            .flat()
    };
    let playing = music.since.is_some();
    let sign = if playing {
        lucide_icons::Icon::Pause
    } else {
        lucide_icons::Icon::Play
    };
    let word = if playing { "Pause" } else { "Play" };
    let mut toggle = press(sign, word, "pause", 56.0, Msg::Toggle).fill(theme.soft);
    toggle.skin.press = None;
    let head = row([
        picture(*painting, photos::paint).size(52.0, 52.0).radius(10.0),
        text(*title, 17.5, theme.text)
            .medium()
            .lines(1)
            .grow()
            .id("trackname"),
        press(
            lucide_icons::Icon::SkipBack,
            "Previous",
            "prev",
            44.0,
            Msg::Step(TRACKS.len() - 1),
        ),
        toggle,
        press(
            lucide_icons::Icon::SkipForward,
            "Next",
            "next",
            44.0,
            Msg::Step(1),
        ),
    ]);
    let times = row([
        text(clock(position), 13.5, theme.text_2).id("currenttime"),
        spring(),
        text(clock(length), 13.5, theme.text_2).id("totaltime"),
    ]);
    let bar = slider(part, Msg::Seek)
        .desc("Seek")
        .id("progress")
        .key("seek")
        .height(30.0);
    Some(
        column([
            head.gap(10.0).cross(CrossAxisAlignment::Center),
            bar,
            times.main(MainAxisAlignment::Between),
        ])
        .gap(4.0)
        .pad_each(20.0, 14.0, 20.0, 14.0)
        .fill(theme.surface)
        .radii([26.0, 26.0, 0.0, 0.0]),
    )
}

impl Activity for Player {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        CLASS
    }

    fn bars(&self, world: &World) -> crate::system::Bars {
        let bars = crate::system::Bars::on(world.theme.background);
        if world.apps.music.track.is_some() {
            bars.navigation(world.theme.surface)
        } else {
            bars
        }
    }

    fn view(&self, world: &World) -> View {
        let theme = &world.theme;
        let tracks = (0..TRACKS.len()).map(|index| track(world, index));
        let mut views = vec![
            text("Music", 32.0, theme.text)
                .id("toolbar_title")
                .pad_each(24.0, 34.0, 0.0, 16.0),
            scroll(tracks).id("list").key("tracks"),
        ];
        views.extend(player(world));
        column(views)
    }

    fn tick(&mut self, world: &mut World) -> bool {
        let music = &mut world.apps.music;
        if music.since.is_none() {
            return false;
        }
        let position = music.position(world.now);
        if position >= music.length() {
            let next = music.track.map_or(0, |track| track + 1);
            music.play(next, world.now);
            return true;
        }
        std::mem::replace(&mut self.told, position.as_secs()) != position.as_secs()
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        let now = world.now;
        let music = &mut world.apps.music;
        match act.get::<Msg>() {
            Some(Msg::Play(index)) => music.play(*index, now),
            Some(Msg::Toggle) if music.since.is_some() => music.pause(now),
            Some(Msg::Toggle) => music.since = Some(now),
            Some(Msg::Step(by)) => {
                let next = music.track.map_or(0, |track| track + by);
                music.play(next, now);
            }
            Some(Msg::Seek(part)) => {
                music.played = music.length().mul_f32(part.clamp(0.0, 1.0));
                music.since = music.since.map(|_| now);
            }
            None => {}
        }
    }
}
