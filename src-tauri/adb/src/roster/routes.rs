//! Which lines lead to which phone.

use super::merge;
use crate::connect::server::Device;
use crate::phone::AdbPhone;
use crate::scrcpy::FetchedServer;
use protocol::{Connection, PhoneId, PhoneState};
use std::collections::HashMap;
use std::sync::Arc;

/// Over which lines one phone is reached.
#[derive(Default)]
struct PhoneRoutes<'a> {
    own: Vec<&'a Device>,
    /// The best of those that can be used.
    best: Option<(&'a Connection, &'a Device)>,
}

/// Every phone is reached by its best way; `connections` has one for each device whose phone is known. A phone that no line
/// is known to lead to is gone until one is, whoever answers now where it was last.
pub(super) fn reroute<'a>(
    devices: impl Iterator<Item = &'a Device>,
    connections: &'a [Option<Connection>],
    phones: &mut HashMap<PhoneId, Arc<AdbPhone>>,
    fetched: &FetchedServer,
) {
    let mut routes: HashMap<&PhoneId, PhoneRoutes<'_>> = HashMap::new();
    for (device, connection) in devices.zip(connections) {
        let Some(connection) = connection else { continue };
        let routes = routes.entry(&connection.phone).or_default();
        routes.own.push(device);
        let better = |held: &Connection| merge::rank(connection) < merge::rank(held);
        if connection.state == PhoneState::Device && routes.best.is_none_or(|(held, _)| better(held)) {
            routes.best = Some((connection, device));
        }
    }
    for (id, routes) in &routes {
        if let Some((_, device)) = routes.best
            && !phones.contains_key(*id)
        {
            let phone = AdbPhone::with((*id).clone(), device.clone(), fetched.clone());
            phones.insert((*id).clone(), Arc::new(phone));
        }
    }
    for (id, phone) in phones {
        match routes.get(id) {
            Some(routes) => phone.reroute(routes.best.map(|(_, device)| device), &routes.own),
            None => phone.reroute(None, &[]),
        }
    }
}
