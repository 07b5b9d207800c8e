//! The person's settings: one row of JSON, kind to versions older and newer than this one.
//!
//! Reading takes what it understands; a field it does not understand counts as its default, which is the careful
//! choice throughout. Writing touches only what was changed, so a newer version finds its own fields again. Whoever changes
//! what is there already ([`Store::change_settings`]) reads and writes in one transaction: nobody's change is lost to
//! another's.

use crate::{Store, StoreError};
use protocol::{Settings, SettingsPatch};
use rusqlite::{Connection, OptionalExtension};
use serde_json::{Map, Value, json};

impl Store {
    /// All settings; the defaults where none were changed yet.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn settings(&self) -> Result<Settings, StoreError> {
        self.database()
            .read(|connection| Ok(read(&stored(connection)?)))
            .await
    }

    /// Changes what the patch names, and gives all settings as they are then.
    ///
    /// # Errors
    /// [`StoreError::BadSettings`] when they would not read back as they are (a number that is none); nothing was
    /// written.
    pub async fn patch_settings(&self, patch: SettingsPatch) -> Result<Settings, StoreError> {
        self.change_settings(move |_| patch).await
    }

    /// Changes the settings by what they are at this moment: nothing comes between `wanted` and the writing of what it
    /// gives, in this process or another.
    ///
    /// # Errors
    /// As [`Store::patch_settings`].
    pub async fn change_settings(
        &self,
        wanted: impl FnOnce(&Settings) -> SettingsPatch + Send + 'static,
    ) -> Result<Settings, StoreError> {
        self.database()
            .write(move |transaction| {
                let stored = stored(transaction)?;
                let patch = wanted(&read(&stored));
                let (object, settings) = change(stored, patch)?;
                transaction.execute(
                    "INSERT INTO settings (one, json) VALUES (1, ?1) ON CONFLICT (one) DO UPDATE SET json = ?1",
                    [Value::Object(object).to_string()],
                )?;
                Ok(settings)
            })
            .await
    }
}

fn stored(connection: &Connection) -> Result<Map<String, Value>, StoreError> {
    let json: Option<String> = connection
        .query_row("SELECT json FROM settings", (), |row| row.get(0))
        .optional()?;
    match json.map(|json| serde_json::from_str(&json)) {
        None => Ok(Map::new()),
        Some(Ok(Value::Object(object))) => Ok(renewed(object)),
        Some(_) => {
            tracing::warn!("the stored settings cannot be read; the defaults hold");
            Ok(Map::new())
        }
    }
}

/// What earlier versions wrote otherwise, as it is written now.
fn renewed(mut object: Map<String, Value>) -> Map<String, Value> {
    if let Some(Value::Object(provider)) = object.get_mut("provider")
        && provider.get("kind").and_then(Value::as_str) == Some("openai_compatible")
    {
        // A server of the person's own was a kind of its own, with a price of two numbers or none.
        provider.insert("kind".to_owned(), "model".into());
        provider.insert("maker".to_owned(), "custom".into());
        let price = (provider.remove("inputPrice"), provider.remove("outputPrice"));
        if let (Some(input), Some(output)) = price {
            provider.insert("price".to_owned(), json!({"input": input, "output": output}));
        }
    }
    object
}

/// What this version understands of them.
fn read(object: &Map<String, Value>) -> Settings {
    let understood = object
        .iter()
        .filter(|(name, value)| one(name, value).is_some())
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    serde_json::from_value(Value::Object(understood)).unwrap_or_default()
}

/// One field alone, if this version understands it.
fn one(name: &str, value: &Value) -> Option<Settings> {
    let alone = Map::from_iter([(name.to_owned(), value.clone())]);
    serde_json::from_value(Value::Object(alone)).ok()
}

/// The stored object with the patch in it, and what it reads as.
fn change(
    mut object: Map<String, Value>,
    patch: SettingsPatch,
) -> Result<(Map<String, Value>, Settings), StoreError> {
    let expected = apply(read(&object), patch.clone());
    let Ok(Value::Object(changes)) = serde_json::to_value(&patch) else {
        return Err(StoreError::BadSettings);
    };
    for (name, new) in changes {
        let new = match object.get(&name) {
            Some(old) => with_unknown(new, old, &understood(&name, old)),
            None => new,
        };
        object.insert(name, new);
    }
    let settings = read(&object);
    if settings == expected {
        Ok((object, settings))
    } else {
        Err(StoreError::BadSettings)
    }
}

/// The settings a patch leads to.
#[must_use]
pub fn apply(settings: Settings, patch: SettingsPatch) -> Settings {
    Settings {
        provider: patch.provider.unwrap_or(settings.provider),
        ask_before: patch.ask_before.unwrap_or(settings.ask_before),
        level: patch.level.unwrap_or(settings.level),
        rules: patch.rules.unwrap_or(settings.rules),
        limits: patch.limits.unwrap_or(settings.limits),
        demo_phones: patch.demo_phones.unwrap_or(settings.demo_phones),
        scripts: patch.scripts.unwrap_or(settings.scripts),
        adb_program: patch.adb_program.unwrap_or(settings.adb_program),
        adb_servers: patch.adb_servers.unwrap_or(settings.adb_servers),
        wireless: patch.wireless.unwrap_or(settings.wireless),
        notices: patch.notices.unwrap_or(settings.notices),
        language: patch.language.unwrap_or(settings.language),
        keep: patch.keep.unwrap_or(settings.keep),
        credentials: patch.credentials.unwrap_or(settings.credentials),
        phones: patch.phones.unwrap_or(settings.phones),
        notes: patch.notes.unwrap_or(settings.notes),
        when_closed: patch.when_closed.unwrap_or(settings.when_closed),
    }
}

/// What this version would write for a field it has just read.
fn understood(name: &str, value: &Value) -> Value {
    one(name, value)
        .and_then(|settings| serde_json::to_value(settings).ok())
        .and_then(|settings| settings.get(name).cloned())
        .unwrap_or(Value::Null)
}

/// `new`, and of `old` what this version does not understand. A variant of another kind takes nothing over.
fn with_unknown(mut new: Value, old: &Value, understood: &Value) -> Value {
    if let (Some(new), Some(old), Some(understood)) =
        (new.as_object_mut(), old.as_object(), understood.as_object())
        && new.get("kind") == old.get("kind")
    {
        for (name, value) in old {
            if !understood.contains_key(name) && !new.contains_key(name) {
                new.insert(name.clone(), value.clone());
            }
        }
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{AskBefore, ChosenModel, Level, Limits, Price, Provider, ScriptSettings};

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[track_caller]
    fn check(stored: Value, patch: SettingsPatch, expected: &Value) {
        let (written, settings) = change(object(stored), patch).unwrap();
        assert_eq!(Value::Object(written.clone()), *expected);
        assert_eq!(read(&written), settings);
    }

    fn own_server(price: Option<Price>) -> Provider {
        Provider::Model {
            chosen: ChosenModel {
                base_url: Some("https://a/v1".to_owned()),
                model: "m".to_owned(),
                price,
                ..ChosenModel::default()
            },
        }
    }

    #[test]
    fn what_is_missing_or_not_understood_has_its_default() {
        assert_eq!(read(&Map::new()), Settings::default());
        let settings = read(&object(json!({
            "level": "of a newer version",
            "provider": {"kind": "of a newer version"},
            "askBefore": {"sending": false, "flying": true},
            "limits": {"steps": 7},
            "demoPhones": 2,
            "theme": "dark",
        })));
        let expected = Settings {
            ask_before: AskBefore {
                sending: false,
                ..AskBefore::default()
            },
            limits: Limits {
                steps: 7,
                ..Limits::default()
            },
            demo_phones: 2,
            ..Settings::default()
        };
        assert_eq!(settings, expected);
    }

    #[test]
    fn a_change_touches_nothing_else() {
        let newer = json!({"level": "of a newer version", "theme": {"name": "dark"}, "demoPhones": 2});
        let patch = SettingsPatch {
            demo_phones: Some(1),
            ..SettingsPatch::default()
        };
        check(
            newer.clone(),
            patch,
            &json!({"level": "of a newer version", "theme": {"name": "dark"}, "demoPhones": 1}),
        );
        let patch = SettingsPatch {
            level: Some(Level::Everything),
            ..SettingsPatch::default()
        };
        check(
            newer,
            patch,
            &json!({"level": "everything", "theme": {"name": "dark"}, "demoPhones": 2}),
        );
    }

    #[test]
    fn inside_a_change_unknown_fields_stay_and_known_ones_go() {
        let stored = json!({"provider": {
            "kind": "model", "maker": "custom", "baseUrl": "https://b/v1", "model": "n",
            "price": {"input": 3.0, "output": 4.0}, "region": "eu"
        }});
        let patch = SettingsPatch {
            provider: Some(own_server(None)),
            ..SettingsPatch::default()
        };
        check(
            stored.clone(),
            patch,
            &json!({"provider": {
                "kind": "model", "maker": "custom", "model": "m", "baseUrl": "https://a/v1", "region": "eu"
            }}),
        );
        let patch = SettingsPatch {
            provider: Some(Provider::Demo),
            ..SettingsPatch::default()
        };
        check(stored, patch, &json!({"provider": {"kind": "demo"}}));
    }

    #[test]
    fn a_server_of_earlier_versions_is_still_the_one_in_use() {
        let older = |prices: Value| {
            let mut provider = json!({
                "kind": "openai_compatible", "baseUrl": "https://a/v1", "model": "m", "region": "eu"
            });
            let prices = prices.as_object().unwrap().clone();
            provider.as_object_mut().unwrap().extend(prices);
            renewed(object(json!({"provider": provider, "theme": "dark"})))
        };
        let priced = Some(Price {
            input: 1.5,
            output: 6.0,
            ..Price::default()
        });
        for (prices, expected) in [
            (json!({"inputPrice": 1.5, "outputPrice": 6.0}), priced),
            (json!({"inputPrice": 1.5}), None),
            (json!({}), None),
        ] {
            let stored = older(prices);
            assert_eq!(read(&stored).provider, own_server(expected));
            // Nothing is written for having been read, and what this version does not understand stays.
            assert_eq!(stored["provider"]["region"], json!("eu"));
            assert_eq!(stored["theme"], json!("dark"));
            assert_eq!(renewed(stored.clone()), stored);
        }
    }

    #[test]
    fn scripts_on_this_computer_are_off_until_they_are_switched_on() {
        assert_eq!(read(&Map::new()).scripts, ScriptSettings::default());
        assert!(!ScriptSettings::default().on_this_computer && ScriptSettings::default().programs.is_empty());
        let patch = SettingsPatch {
            scripts: Some(ScriptSettings {
                on_this_computer: true,
                programs: vec!["/usr/bin/date".to_owned()],
            }),
            ..SettingsPatch::default()
        };
        check(
            json!({"scripts": {"onThisComputer": false, "programs": ["/a"], "network": "none"}}),
            patch,
            &json!({"scripts": {"onThisComputer": true, "programs": ["/usr/bin/date"], "network": "none"}}),
        );
        // What is not understood counts as off.
        let settings = read(&object(json!({"scripts": {"onThisComputer": "yes"}})));
        assert_eq!(settings.scripts, ScriptSettings::default());
    }

    #[test]
    fn what_would_not_read_back_is_refused() {
        let patch = SettingsPatch {
            provider: Some(own_server(Some(Price {
                input: f64::NAN,
                ..Price::default()
            }))),
            ..SettingsPatch::default()
        };
        assert!(matches!(change(Map::new(), patch), Err(StoreError::BadSettings)));
        let limits = Limits {
            dollars_a_day: f64::INFINITY,
            ..Limits::default()
        };
        let patch = SettingsPatch {
            limits: Some(limits),
            ..SettingsPatch::default()
        };
        assert!(matches!(change(Map::new(), patch), Err(StoreError::BadSettings)));
    }
}
