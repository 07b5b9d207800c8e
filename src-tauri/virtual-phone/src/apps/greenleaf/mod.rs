//! Greenleaf, a grocery shop: searching, the usual order, the basket, a time, checkout, paying – as drawn.

mod basket;
mod checkout;
mod data;
mod goods;
mod home;
mod parts;
mod placed;
mod product;
mod shelf;
mod slots;

pub(crate) use data::Data;

use crate::android::Intent;
use crate::system::{Activity, ActivityDeclaration, Icon, Manifest, Sign, World};
use crate::toolkit::color::Color;

const PACKAGE: &str = "com.greenleaf.shop";
const HOME: &str = "com.greenleaf.shop.MainActivity";
const SEARCH: &str = "com.greenleaf.shop.SearchActivity";
const SHELF: &str = "com.greenleaf.shop.CategoryActivity";
const USUAL: &str = "com.greenleaf.shop.UsualOrderActivity";
const PRODUCT: &str = "com.greenleaf.shop.ProductActivity";
const BASKET: &str = "com.greenleaf.shop.BasketActivity";
const SLOTS: &str = "com.greenleaf.shop.DeliverySlotActivity";
const CHECKOUT: &str = "com.greenleaf.shop.CheckoutActivity";
const PLACED: &str = "com.greenleaf.shop.OrderPlacedActivity";
const ORDERS: &str = "com.greenleaf.shop.OrdersActivity";

pub(crate) static MANIFEST: Manifest = Manifest {
    package: PACKAGE,
    label: "Greenleaf",
    version: "4.12.1",
    system: false,
    icon: Some(Icon {
        sign: Sign::Outline(lucide_icons::Icon::Leaf),
        disc: Color::rgb(0x1F7A45),
        ink: Color::WHITE,
    }),
    activities: &[
        ActivityDeclaration::main(HOME).links(&["greenleaf"]),
        ActivityDeclaration::inner(SEARCH),
        ActivityDeclaration::inner(SHELF),
        ActivityDeclaration::inner(USUAL),
        ActivityDeclaration::inner(PRODUCT),
        ActivityDeclaration::inner(BASKET),
        ActivityDeclaration::inner(SLOTS),
        ActivityDeclaration::inner(CHECKOUT),
        ActivityDeclaration::inner(PLACED),
        ActivityDeclaration::inner(ORDERS),
    ],
    open,
};

fn open(class: &str, _: &Intent, _: &mut World) -> Option<Box<dyn Activity>> {
    match class {
        HOME => Some(Box::new(home::Home)),
        SEARCH => Some(Box::new(shelf::Search::default())),
        SHELF => Some(Box::new(shelf::Shelf::new(goods::Category::Fruit))),
        USUAL => Some(Box::new(shelf::UsualOrder)),
        PRODUCT => Some(Box::new(product::Product::new(0))),
        BASKET => Some(Box::new(basket::Basket)),
        SLOTS => Some(Box::new(slots::Slots::default())),
        CHECKOUT => Some(Box::new(checkout::Checkout::default())),
        ORDERS => Some(Box::new(placed::Orders)),
        PLACED => Some(Box::new(placed::Placed)),
        _ => None,
    }
}
