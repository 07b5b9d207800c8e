//! What the shop sells.

/// A shelf of the shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Category {
    Fruit,
    Vegetables,
    Bakery,
    Dairy,
    Fish,
    Drinks,
}

impl Category {
    pub(super) const ALL: [Self; 6] = [
        Self::Fruit,
        Self::Vegetables,
        Self::Bakery,
        Self::Dairy,
        Self::Fish,
        Self::Drinks,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Fruit => "Fruit",
            Self::Vegetables => "Vegetables",
            Self::Bakery => "Bakery",
            Self::Dairy => "Dairy & eggs",
            Self::Fish => "Fish",
            Self::Drinks => "Drinks",
        }
    }

    pub(super) const fn picture(self) -> &'static str {
        match self {
            Self::Fruit => "🍓",
            Self::Vegetables => "🥬",
            Self::Bakery => "🥖",
            Self::Dairy => "🧀",
            Self::Fish => "🐟",
            Self::Drinks => "☕",
        }
    }
}

/// One of the goods. Price in cents for one unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Good {
    pub(super) name: &'static str,
    pub(super) unit: &'static str,
    pub(super) price: u32,
    pub(super) picture: &'static str,
    pub(super) kind: Category,
}

const fn good(
    name: &'static str,
    unit: &'static str,
    price: u32,
    picture: &'static str,
    kind: Category,
) -> Good {
    Good {
        name,
        unit,
        price,
        picture,
        kind,
    }
}

/// All goods.
pub(super) const GOODS: [Good; 26] = [
    good("Whole milk", "½ gal", 290, "🥛", Category::Dairy),
    good("Free-range eggs", "12 pack", 465, "🥚", Category::Dairy),
    good("Bananas", "6 pack", 120, "🍌", Category::Fruit),
    good("Baguette", "1 loaf", 180, "🥖", Category::Bakery),
    good("Avocado", "1 piece", 150, "🥑", Category::Fruit),
    good("Ground coffee", "4 oz", 240, "☕", Category::Drinks),
    good("Carrots", "1 lb", 160, "🥕", Category::Vegetables),
    good("Lettuce", "1 head", 150, "🥬", Category::Vegetables),
    good("Strawberries", "1 lb", 395, "🍓", Category::Fruit),
    good("Apples", "2 lb", 345, "🍎", Category::Fruit),
    good("Lemons", "4 pack", 220, "🍋", Category::Fruit),
    good("Oranges", "2 lb", 380, "🍊", Category::Fruit),
    good("Tomatoes", "1 lb", 275, "🍅", Category::Vegetables),
    good("Potatoes", "3 lb", 310, "🥔", Category::Vegetables),
    good("Mushrooms", "8 oz", 255, "🍄", Category::Vegetables),
    good("Broccoli", "1 head", 230, "🥦", Category::Vegetables),
    good("Sourdough bread", "1 loaf", 520, "🍞", Category::Bakery),
    good("Croissants", "4 pack", 440, "🥐", Category::Bakery),
    good("Pretzels", "6 pack", 360, "🥨", Category::Bakery),
    good("Oat cookies", "12 pack", 415, "🍪", Category::Bakery),
    good("Cheddar", "8 oz", 535, "🧀", Category::Dairy),
    good("Butter", "8 oz", 425, "🧈", Category::Dairy),
    good("Salmon fillet", "½ lb", 990, "🐟", Category::Fish),
    good("Prawns", "½ lb", 845, "🦐", Category::Fish),
    good("Green tea", "20 bags", 330, "🍵", Category::Drinks),
    good("Apple juice", "1 qt", 285, "🧃", Category::Drinks),
];

/// The weekly order: which goods, how many.
pub(super) const USUAL: [(usize, u32); 8] = [(0, 2), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1)];

/// The one of the usual goods that changes its price when the order is to cost something else.
pub(super) const YIELDING: usize = 5;
