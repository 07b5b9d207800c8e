//! Takes the emoji named in `assets/emoji.txt` out of the emoji font, so that the program carries those pictures only.
//!
//! The font is one strike of PNG pictures (`CBDT`, located by `CBLC`). Glyph numbers stay as they are: the pictures that
//! are not wanted become empty, and no character leads to them any more; every other table is copied. Layout of the
//! tables: OpenType, `cblc`, `cbdt` and `cmap`.

use std::collections::BTreeSet;
use std::error::Error;
use std::path::Path;
use std::{env, fs};

const LIST: &str = "assets/emoji.txt";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={LIST}");
    println!("cargo::rerun-if-changed=build.rs");
    let list = fs::read_to_string(LIST)?;
    let wanted: BTreeSet<char> = list.chars().filter(|c| *c as u32 >= 0x2600).collect();
    let font = damascene_fonts_emoji::NOTO_COLOR_EMOJI;
    let subset = subset(font, &wanted).ok_or("the emoji font has another shape than expected")?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("emoji.ttf"), subset)?;
    Ok(())
}

fn subset(font: &[u8], wanted: &BTreeSet<char>) -> Option<Vec<u8>> {
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
