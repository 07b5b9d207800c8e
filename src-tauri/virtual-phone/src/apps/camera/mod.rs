//! Camera: asks Android's permission at its first start, then shows a view and takes pictures of it.

use crate::apps::parts::solid_button;
use crate::apps::photos;
use crate::system::{Activity, ActivityDeclaration, Bars, Icon, Manifest, Sign, SystemRequest, World};
use crate::toolkit::color::Color;
use crate::toolkit::text::Align;
use crate::toolkit::view::{
    CrossAxisAlignment, MainAxisAlignment, ScreenMessage, View, class, column, icon, picture, row, stack,
    text,
};
use serde_json::{Value, json};

const PACKAGE: &str = "com.android.camera2";
const CLASS: &str = "com.android.camera.CameraLauncher";
const PERMISSION: &str = "android.permission.CAMERA";

pub(crate) static MANIFEST: Manifest = Manifest {
    package: PACKAGE,
    label: "Camera",
    version: "14",
    system: true,
    icon: Some(Icon {
        sign: Sign::Outline(lucide_icons::Icon::Camera),
        disc: Color::rgb(0x3A3D45),
        ink: Color::WHITE,
    }),
    activities: &[ActivityDeclaration::main(CLASS).answers(&["android.media.action.STILL_IMAGE_CAMERA"])],
    open: |_, _, _| {
        Some(Box::new(Camera {
            asked: false,
            scene: 0,
        }))
    },
};

/// What Camera keeps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Data {
    /// Pictures taken.
    pub(crate) pictures: u32,
}

impl Data {
    pub(crate) fn tell_state(&self) -> Value {
        json!({"pictures": self.pictures})
    }
}

#[derive(Debug)]
struct Camera {
    asked: bool,
    /// 0 the room, 1 the other way.
    scene: u32,
}

#[derive(Clone, Copy, Debug)]
enum Msg {
    Ask,
    Shoot,
    Turn,
    Photos,
}

fn ask(world: &mut World) {
    world.call(SystemRequest::Permission {
        package: PACKAGE,
        label: "Camera",
        permission: PERMISSION,
    });
}

impl Activity for Camera {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        CLASS
    }

    fn bars(&self, _: &World) -> Bars {
        Bars::on(Color::BLACK)
    }

    fn resume(&mut self, world: &mut World) {
        if world.permission(PACKAGE, PERMISSION).is_none() && !std::mem::replace(&mut self.asked, true) {
            ask(world);
        }
    }

    fn view(&self, world: &World) -> View {
        if world.permission(PACKAGE, PERMISSION) != Some(true) {
            let words = "Camera can’t show anything without permission to use the camera.";
            return column([
                icon(lucide_icons::Icon::CameraOff, 48.0, Color::WHITE.alpha(0.7)),
                text(words, 16.5, Color::WHITE.alpha(0.85))
                    .align(Align::Center)
                    .line(24.0)
                    .id("message"),
                solid_button(&world.theme, "Allow", Msg::Ask)
                    .height(48.0)
                    .id("allow"),
            ])
            .centered()
            .gap(20.0)
            .pad_xy(48.0, 0.0)
            .fill(Color::BLACK);
        }
        let round = |sign, desc: &str, id, message: Msg| {
            stack([icon(sign, 24.0, Color::WHITE)])
                .class(class::IMAGE_BUTTON)
                .centered()
                .size(54.0, 54.0)
                .fill(Color::WHITE.alpha(0.16))
                .radius(27.0)
                .desc(desc)
                .id(id)
                .click(message)
                .flat()
        };
        let shutter = stack([stack([]).size(62.0, 62.0).fill(Color::WHITE).radius(31.0)])
            .class(class::IMAGE_BUTTON)
            .centered()
            .size(78.0, 78.0)
            .radius(39.0)
            .edge(4.0, Color::WHITE)
            .desc("Shutter")
            .id("shutter_button")
            .click(Msg::Shoot)
            .flat();
        let controls = row([
            round(
                lucide_icons::Icon::Image,
                "Photos",
                "rounded_thumbnail_view",
                Msg::Photos,
            ),
            shutter,
            round(
                lucide_icons::Icon::SwitchCamera,
                "Switch camera",
                "camera_toggle_button",
                Msg::Turn,
            ),
        ])
        .cross(CrossAxisAlignment::Center)
        .main(MainAxisAlignment::Between)
        .pad_xy(48.0, 24.0)
        .wide();
        let finder = picture(photos::FIRST_VIEW + self.scene, photos::paint)
            .radius(20.0)
            .grow()
            .id("preview_content");
        column([column([finder.wide()]).grow().wide().pad_xy(0.0, 8.0), controls]).fill(Color::BLACK)
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        match act.get::<Msg>() {
            Some(Msg::Ask) => ask(world),
            Some(Msg::Shoot) => {
                world.apps.camera.pictures += 1;
                world.apps.photos.take(self.scene);
                world.show_toast("Picture saved");
            }
            Some(Msg::Turn) => self.scene = 1 - self.scene,
            Some(Msg::Photos) => world.launch("com.android.gallery3d"),
            None => {}
        }
    }
}
