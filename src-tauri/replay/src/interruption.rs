//! What lies over a page now and then, and is known: a rating prompt, an update notice, Android's permission dialog.

use crate::words::same;
use judge::mentions;
use protocol::{Element, Screen};
use screen::is_actionable;

/// What is known to lie over pages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Interruption<'a> {
    /// It goes when this is pressed, and nothing comes of it.
    Closes(&'a Element),
    /// Android's own question: the person's to answer.
    Permission,
}

/// What such a prompt speaks of.
const TOPICS: &[&str] = &[
    "rate this app",
    "rate our app",
    "rate us",
    "rate your experience",
    "enjoying",
    "leave a review",
    "write a review",
    "update available",
    "new version",
    "update the app",
    "bewerte",
    "bewerten",
    "update verfügbar",
    "neue version",
    "notez cette application",
    "notez l'application",
    "mise à jour disponible",
    "nouvelle version",
    "valora esta aplicación",
    "califica",
    "actualización disponible",
    "nueva versión",
    "valuta l'app",
    "aggiornamento disponibile",
    "nuova versione",
    "avalie",
    "atualização disponível",
    "nova versão",
    "beoordeel",
    "update beschikbaar",
    "nieuwe versie",
    "оцените",
    "доступно обновление",
    "новая версия",
    "给我们评分",
    "为我们评分",
    "评价",
    "发现新版本",
    "新版本",
    "アプリを評価",
    "新しいバージョン",
    "평가",
    "새 버전",
];

/// What puts it off, the plainest first: whole labels. None of them agrees to anything.
const CLOSERS: &[&str] = &[
    "not now",
    "maybe later",
    "remind me later",
    "later",
    "no thanks",
    "no, thanks",
    "skip",
    "dismiss",
    "close",
    "nicht jetzt",
    "später",
    "vielleicht später",
    "nein danke",
    "nein, danke",
    "schließen",
    "pas maintenant",
    "plus tard",
    "non merci",
    "fermer",
    "ahora no",
    "más tarde",
    "no, gracias",
    "cerrar",
    "non ora",
    "più tardi",
    "no, grazie",
    "chiudi",
    "agora não",
    "mais tarde",
    "fechar",
    "niet nu",
    "later herinneren",
    "sluiten",
    "не сейчас",
    "позже",
    "закрыть",
    "以后再说",
    "稍后",
    "暂不更新",
    "取消",
    "关闭",
    "後で",
    "今はしない",
    "閉じる",
    "나중에",
    "닫기",
];

/// The known interruption on a screen, where there is one and one thing alone puts it off.
pub(crate) fn known(screen: &Screen) -> Option<Interruption<'_>> {
    let program = screen.current_app.rsplit('.').next().unwrap_or_default();
    if matches!(program, "permissioncontroller" | "packageinstaller") {
        return Some(Interruption::Permission);
    }
    let speaks = |element: &Element| !is_actionable(element) && mentions(&element.label, TOPICS);
    if !screen.elements.iter().any(speaks) {
        return None;
    }
    CLOSERS.iter().find_map(|word| {
        let closes = |element: &&Element| is_actionable(element) && same(element.label.trim(), word);
        let mut hits = screen.elements.iter().filter(closes);
        match (hits.next(), hits.next()) {
            (Some(only), None) => Some(Interruption::Closes(only)),
            _ => None,
        }
    })
}
