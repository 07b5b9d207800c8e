//! Takes what the phone's screens use out of its fonts, so that the program carries no more: the emoji named in
//! `assets/emoji.txt`, the icons named in the sources, and text's outlines without what fits them to coarse pixels.
//!
//! The emoji font is one strike of PNG pictures (`CBDT`, located by `CBLC`); the others are outlines (`glyf`, located by
//! `loca`). Glyph numbers stay as they are: what is not wanted becomes empty, and no emoji's character leads to it any more.
//! Other tables are copied, but for the icons' ligatures and the names of glyphs. Layout of the tables: OpenType.

use lucide_icons::Icon;
use std::collections::BTreeSet;
use std::error::Error;
use std::path::Path;
use std::{env, fs, io};

const LIST: &str = "assets/emoji.txt";
/// Where icons are named.
const SOURCES: &str = "src";
const SHAPE: &str = "a font has another shape than expected";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={LIST}");
    println!("cargo::rerun-if-changed={SOURCES}");
    println!("cargo::rerun-if-changed=build.rs");
    let out = env::var("OUT_DIR")?;
    let list = fs::read_to_string(LIST)?;
    let wanted: BTreeSet<char> = list.chars().filter(|c| *c as u32 >= 0x2600).collect();
    let emoji = emoji(damascene_fonts_emoji::NOTO_COLOR_EMOJI, &wanted).ok_or(SHAPE)?;
    fs::write(Path::new(&out).join("emoji.ttf"), emoji)?;
    let mut named = BTreeSet::new();
    icons_named(Path::new(SOURCES), &mut named)?;
    let wanted: BTreeSet<char> = ('\u{e000}'..='\u{f8ff}')
        .filter(|c| Icon::try_from(*c).is_ok_and(|icon| named.contains(&format!("{icon:?}"))))
        .collect();
    let icons = outlined(
        lucide_icons::LUCIDE_FONT_BYTES,
        Some(&wanted),
        &[b"GSUB", b"post"],
    )
    .ok_or(SHAPE)?;
    fs::write(Path::new(&out).join("icons.ttf"), icons)?;
    for (name, font) in [
        ("regular.ttf", damascene_fonts_roboto::ROBOTO_REGULAR),
        ("medium.ttf", damascene_fonts_roboto::ROBOTO_MEDIUM),
        ("bold.ttf", damascene_fonts_roboto::ROBOTO_BOLD),
    ] {
        let text = outlined(font, None, &[b"cvt ", b"fpgm", b"prep", b"gasp", b"post"]).ok_or(SHAPE)?;
        fs::write(Path::new(&out).join(name), text)?;
    }
    Ok(())
}

/// Every name that stands behind `Icon::` in a folder's sources.
fn icons_named(folder: &Path, named: &mut BTreeSet<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            icons_named(&path, named)?;
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path)?;
            named.extend(text.split("Icon::").skip(1).map(|rest| {
                let end = rest
                    .find(|c: char| !c.is_ascii_alphanumeric())
                    .unwrap_or(rest.len());
                rest[..end].to_owned()
            }));
        }
    }
    Ok(())
}

/// A font of outlines without the programs that fit them to pixels, and without some tables; only the wanted characters'
/// where any are named.
fn outlined(font: &[u8], wanted: Option<&BTreeSet<char>>, without: &[&[u8; 4]]) -> Option<Vec<u8>> {
    let tables = tables(font)?;
    let find = |tag: &[u8; 4]| tables.iter().find(|(name, _)| name == tag).map(|(_, data)| *data);
    let cmap = find(b"cmap")?;
    let glyphs: Option<BTreeSet<u32>> = match wanted {
        // The first is the box of what is missing.
        Some(wanted) => std::iter::once(Some(0))
            .chain(wanted.iter().map(|c| glyph(cmap, *c as u32)))
            .collect::<Option<BTreeSet<u32>>>()
            .map(Some)?,
        None => None,
    };
    // `indexToLocFormat`: long offsets, or halves of them.
    let long = u16_at(find(b"head")?, 50)? == 1;
    let (locations, outlines) = outlines(find(b"loca")?, find(b"glyf")?, long, glyphs.as_ref())?;
    let rewritten: Vec<Table<'_>> = tables
        .iter()
        .filter(|(tag, _)| !without.contains(&tag))
        .map(|(tag, data)| match tag {
            b"loca" => (*tag, locations.as_slice()),
            b"glyf" => (*tag, outlines.as_slice()),
            _ => (*tag, *data),
        })
        .collect();
    Some(assemble(font.get(..4)?, &rewritten))
}

/// `loca` and `glyf` with only the wanted outlines in them. None: one that is wanted is made of others.
fn outlines(
    loca: &[u8],
    glyf: &[u8],
    long: bool,
    wanted: Option<&BTreeSet<u32>>,
) -> Option<(Vec<u8>, Vec<u8>)> {
    let start = |at: usize| {
        if long {
            u32_at(loca, 4 * at).map(|offset| offset as usize)
        } else {
            u16_at(loca, 2 * at).map(|half| 2 * half as usize)
        }
    };
    let count = loca.len() / if long { 4 } else { 2 };
    let (mut locations, mut kept) = (Vec::new(), Vec::<u8>::new());
    for at in 0..count {
        let offset = u32::try_from(kept.len()).ok()?;
        if long {
            locations.extend(offset.to_be_bytes());
        } else {
            locations.extend(u16::try_from(offset / 2).ok()?.to_be_bytes());
        }
        let number = u32::try_from(at).ok()?;
        if at + 1 < count && wanted.is_none_or(|wanted| wanted.contains(&number)) {
            let outline = glyf.get(start(at)?..start(at + 1)?)?;
            let is_made_of_others = outline.first().is_some_and(|first| first & 0x80 != 0);
            if is_made_of_others && wanted.is_some() {
                return None;
            }
            if outline.is_empty() || is_made_of_others {
                kept.extend_from_slice(outline);
            } else {
                // Number of contours, box, the contours' ends, the program's length, the program.
                let program = 10 + 2 * u16_at(outline, 0)? as usize;
                let length = u16_at(outline, program)? as usize;
                kept.extend_from_slice(outline.get(..program)?);
                kept.extend_from_slice(&[0, 0]);
                kept.extend_from_slice(outline.get(program + 2 + length..)?);
            }
            kept.resize(kept.len().next_multiple_of(4), 0);
        }
    }
    Some((locations, kept))
}

/// A font with only the wanted emoji in it.
fn emoji(font: &[u8], wanted: &BTreeSet<char>) -> Option<Vec<u8>> {
    let tables = tables(font)?;
    let find = |tag: &[u8; 4]| tables.iter().find(|(name, _)| name == tag).map(|(_, data)| *data);
    let cmap = find(b"cmap")?;
    let known: Vec<(u32, u32)> = wanted
        .iter()
        .filter_map(|c| Some((*c as u32, glyph(cmap, *c as u32)?)))
        .collect();
    if known.len() < wanted.len() {
        return None;
    }
    let glyphs: BTreeSet<u32> = known.iter().map(|(_, glyph)| *glyph).collect();
    let characters = characters(&known);
    let (locations, pictures) = pictures(find(b"CBLC")?, find(b"CBDT")?, &glyphs)?;
    let rewritten: Vec<([u8; 4], &[u8])> = tables
        .iter()
        .map(|(tag, data)| match tag {
            b"CBLC" => (*tag, locations.as_slice()),
            b"CBDT" => (*tag, pictures.as_slice()),
            b"cmap" => (*tag, characters.as_slice()),
            _ => (*tag, *data),
        })
        .collect();
    Some(assemble(font.get(..4)?, &rewritten))
}

fn u16_at(data: &[u8], at: usize) -> Option<u32> {
    Some(u32::from(u16::from_be_bytes(
        data.get(at..at + 2)?.try_into().ok()?,
    )))
}

fn u32_at(data: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(data.get(at..at + 4)?.try_into().ok()?))
}

type Table<'a> = ([u8; 4], &'a [u8]);

fn tables(font: &[u8]) -> Option<Vec<Table<'_>>> {
    (0..u16_at(font, 4)? as usize)
        .map(|i| {
            let record = 12 + 16 * i;
            let tag = font.get(record..record + 4)?.try_into().ok()?;
            let start = u32_at(font, record + 8)? as usize;
            let length = u32_at(font, record + 12)? as usize;
            Some((tag, font.get(start..start + length)?))
        })
        .collect()
}

/// The glyph of a character, from the `cmap` subtable of format 12.
fn glyph(cmap: &[u8], character: u32) -> Option<u32> {
    let subtable = (0..u16_at(cmap, 2)? as usize).find_map(|i| {
        let subtable = cmap.get(u32_at(cmap, 8 + 8 * i)? as usize..)?;
        (u16_at(subtable, 0)? == 12).then_some(subtable)
    })?;
    (0..u32_at(subtable, 12)? as usize).find_map(|i| {
        let group = 16 + 12 * i;
        let (first, last) = (u32_at(subtable, group)?, u32_at(subtable, group + 4)?);
        let start = u32_at(subtable, group + 8)?;
        (first <= character && character <= last).then(|| start + character - first)
    })
}

/// A `cmap` of one subtable (Windows, full Unicode, format 12) with one group for each character.
fn characters(known: &[(u32, u32)]) -> Vec<u8> {
    let mut table = Vec::new();
    for value in [0u16, 1, 3, 10] {
        table.extend_from_slice(&value.to_be_bytes());
    }
    table.extend_from_slice(&12u32.to_be_bytes());
    for value in [12u16, 0] {
        table.extend_from_slice(&value.to_be_bytes());
    }
    let count = known.len() as u32;
    for value in [16 + 12 * count, 0, count] {
        table.extend_from_slice(&value.to_be_bytes());
    }
    for (character, glyph) in known {
        for value in [character, character, glyph] {
            table.extend_from_slice(&value.to_be_bytes());
        }
    }
    table
}

/// `CBLC` and `CBDT` with only the wanted pictures in them.
fn pictures(cblc: &[u8], cbdt: &[u8], wanted: &BTreeSet<u32>) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut locations = cblc.to_vec();
    let mut kept = cbdt.get(..4)?.to_vec();
    for strike in 0..u32_at(cblc, 4)? as usize {
        let record = 8 + 48 * strike;
        let list = u32_at(cblc, record)? as usize;
        for i in 0..u32_at(cblc, record + 8)? as usize {
            let entry = list + 8 * i;
            let (first, last) = (u16_at(cblc, entry)?, u16_at(cblc, entry + 2)?);
            let subtable = list + u32_at(cblc, entry + 4)? as usize;
            if u16_at(cblc, subtable)? != 1 {
                return None;
            }
            let old_base = u32_at(cblc, subtable + 4)? as usize;
            let new_base = kept.len();
            put(&mut locations, subtable + 4, new_base)?;
            for glyph in first..=last {
                let slot = subtable + 8 + 4 * (glyph - first) as usize;
                put(&mut locations, slot, kept.len() - new_base)?;
                if wanted.contains(&glyph) {
                    let from = old_base + u32_at(cblc, slot)? as usize;
                    let to = old_base + u32_at(cblc, slot + 4)? as usize;
                    kept.extend_from_slice(cbdt.get(from..to)?);
                }
                put(&mut locations, slot + 4, kept.len() - new_base)?;
            }
        }
    }
    Some((locations, kept))
}

fn put(data: &mut [u8], at: usize, value: usize) -> Option<()> {
    data.get_mut(at..at + 4)?
        .copy_from_slice(&u32::try_from(value).ok()?.to_be_bytes());
    Some(())
}

/// A font file of these tables. Check sums are left zero: no reader in the phone looks at them.
fn assemble(version: &[u8], tables: &[Table<'_>]) -> Vec<u8> {
    let count = tables.len() as u16;
    let power = count.ilog2() as u16;
    let search = (1 << power) * 16u16;
    let mut head = version.to_vec();
    for value in [count, search, power, count * 16 - search] {
        head.extend_from_slice(&value.to_be_bytes());
    }
    let mut body = Vec::new();
    let body_start = 12 + 16 * tables.len();
    for (tag, data) in tables {
        head.extend_from_slice(tag);
        for value in [0, (body_start + body.len()) as u32, data.len() as u32] {
            head.extend_from_slice(&value.to_be_bytes());
        }
        body.extend_from_slice(data);
        body.resize(body.len().next_multiple_of(4), 0);
    }
    head.extend_from_slice(&body);
    head
}
