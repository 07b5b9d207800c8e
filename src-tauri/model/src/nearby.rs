//! Model servers on this computer: Ollama and LM Studio, found by themselves. Loopback only, and quick to give up.

use crate::address::{Address, PlainHttp};
use crate::best::mark_best;
use crate::catalog::{fetch, read};
use crate::http::Http;
use crate::preset::preset;
use crate::transport::Request;
use futures::future::join_all;
use protocol::{Maker, NearbyServer, OfferedModel};
use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use std::time::Duration;

/// For one answer of a server that may not be there.
const LIMIT: Duration = Duration::from_secs(2);
/// Models that are asked what they can do.
const ASKED: usize = 24;

/// The servers that answer where they usually listen.
pub async fn nearby() -> Vec<NearbyServer> {
    nearby_at(&[
        (Maker::Ollama, preset(Maker::Ollama).base_url),
        (Maker::LmStudio, preset(Maker::LmStudio).base_url),
    ])
    .await
}

/// The same at other addresses; one that is not on this computer is not asked.
pub async fn nearby_at(places: &[(Maker, &str)]) -> Vec<NearbyServer> {
    let servers = places.iter().map(|(maker, base_url)| look(*maker, base_url));
    join_all(servers).await.into_iter().flatten().collect()
}

async fn look(maker: Maker, base_url: &str) -> Option<NearbyServer> {
    let root = base_url.trim_end_matches('/');
    let root = root.strip_suffix("/v1").unwrap_or(root);
    let address = Address::read(root, PlainHttp::Refused)
        .ok()
        .filter(|address| address.is_loopback)?;
    let http = Http::new(&address, LIMIT).ok()?;
    let ask = async |path: &str, body: Option<Value>| {
        let request = Request {
            url: address.at(path),
            headers: HeaderMap::new(),
            body: body.map(|body| body.to_string().into()),
        };
        fetch(&http, request, LIMIT).await.ok()
    };
    let mut models = if maker == Maker::Ollama {
        // Its own list: https://github.com/ollama/ollama/blob/main/docs/api.md
        read(
            maker,
            true,
            &ask("/api/tags", None)
                .await
                .filter(|list| list["models"].is_array())?,
        )
    } else {
        // LM Studio's own list says which look at pictures: https://lmstudio.ai/docs/app/api/endpoints/rest
        let own = ask("/api/v0/models", None).await;
        let list = match own.filter(|list| list["data"].is_array()) {
            Some(list) => list,
            None => ask("/v1/models", None)
                .await
                .filter(|list| list["data"].is_array())?,
        };
        read(maker, true, &list)
    };
    if maker == Maker::Ollama {
        let shown = models.iter().take(ASKED).map(|model| {
            let body = json!({"model": model.id});
            ask("/api/show", Some(body))
        });
        let shown = join_all(shown).await;
        for (model, shown) in models.iter_mut().zip(shown) {
            if let Some(shown) = shown {
                complete(model, &shown);
            }
        }
        mark_best(&mut models);
    }
    Some(NearbyServer {
        maker,
        base_url: format!("{root}/v1"),
        models,
    })
}

/// What Ollama says of one model: what it can do, and how much it reads.
fn complete(model: &mut OfferedModel, shown: &Value) {
    if let Some(can) = shown["capabilities"].as_array() {
        let can = |word: &str| Some(can.iter().any(|item| item.as_str() == Some(word)));
        model.picture = can("vision");
        model.tool = can("tools");
    }
    let info = shown["model_info"].as_object();
    let context = info.and_then(|info| info.iter().find(|(name, _)| name.ends_with(".context_length")));
    model.context = context.and_then(|(_, n)| n.as_u64()).or(model.context);
}
