//! From views to places: flexbox (taffy), in whole pixels.

use super::geometry::{Metrics, Rect};
use super::memory::{Memory, NodeKey};
use super::scene::{Node, Scene, Scrolling};
use super::text;
use super::view::{
    Axis, Content, CrossAxisAlignment, Edges, Inset, LayoutStyle, Length, MainAxisAlignment, View,
};
use std::hash::{DefaultHasher, Hash, Hasher};
use taffy::prelude::{
    AlignItems, AvailableSpace, Dimension, FlexDirection, JustifyContent, LengthPercentage,
    LengthPercentageAuto, NodeId, Position, Size, Style, TaffyTree,
};

struct LayoutNode {
    view: View,
    id: NodeId,
    children: Vec<LayoutNode>,
}

struct LayoutBuilder<'a> {
    tree: TaffyTree<Content>,
    metrics: &'a Metrics,
}

/// Lays a tree of views out in an area of the display.
pub(crate) fn lay_out(view: View, area: Rect, metrics: &Metrics, memory: &Memory) -> Scene {
    let mut planner = LayoutBuilder {
        tree: TaffyTree::new(),
        metrics,
    };
    let mut scene = Scene::empty(area);
    let Some(root) = planner.plant(view, None) else {
        return scene;
    };
    let space = Size {
        width: AvailableSpace::Definite(area.width() as f32),
        height: AvailableSpace::Definite(area.height() as f32),
    };
    let measured = planner
        .tree
        .compute_layout_with_measure(root.id, space, |input, _, content, style| {
            let measure = |_, space| measure(space, content.map(|c| &*c), metrics);
            taffy::compute_leaf_layout(input, style, |_, _| 0.0, measure)
        });
    if measured.is_ok() {
        let mut placer = Placer {
            tree: &planner.tree,
            metrics,
            memory,
            scene: &mut scene,
        };
        placer.place(root, (area.left, area.top), area, None, 0);
    }
    scene
}

impl LayoutBuilder<'_> {
    fn plant(&mut self, mut view: View, parent: Option<&View>) -> Option<LayoutNode> {
        let style = self.style(&view, parent);
        let children = std::mem::take(&mut view.children);
        let children: Vec<LayoutNode> = children
            .into_iter()
            .filter_map(|child| self.plant(child, Some(&view)))
            .collect();
        let ids: Vec<NodeId> = children.iter().map(|child| child.id).collect();
        let id = if ids.is_empty() {
            self.tree
                .new_leaf_with_context(style, view.content.clone())
                .ok()?
        } else {
            self.tree.new_with_children(style, &ids).ok()?
        };
        Some(LayoutNode { view, id, children })
    }

    fn style(&self, view: &View, parent: Option<&View>) -> Style {
        let shape = &view.shape;
        let (down, scrolled) = parent.map_or((true, false), |p| {
            (p.shape.axis != Axis::Across, p.scroll.is_some())
        });
        let gives_way = !scrolled && if down { shape.grow > 0.0 } else { shape.shrink };
        let least = |dp: f32, may_vanish: bool| match (dp > 0.0, may_vanish) {
            (true, _) => self.auto(dp),
            (false, true) => LengthPercentageAuto::length(0.0),
            (false, false) => LengthPercentageAuto::auto(),
        };
        let (place, inset) = match shape.place {
            Some(place) => (Position::Absolute, self.inset(&place)),
            None => (Position::Relative, taffy::Rect::auto()),
        };
        Style {
            position: place,
            inset,
            size: Size {
                width: self.length(shape.width),
                height: self.length(shape.height),
            },
            min_size: Size {
                width: least(shape.min_width, shape.shrink || view.scroll == Some(Axis::Across)),
                height: least(
                    shape.min_height,
                    down && gives_way || view.scroll == Some(Axis::Down),
                ),
            },
            max_size: Size {
                width: shape
                    .max_width
                    .map_or(LengthPercentageAuto::auto(), |dp| self.auto(dp)),
                height: shape
                    .max_height
                    .map_or(LengthPercentageAuto::auto(), |dp| self.auto(dp)),
            },
            margin: self.edges(&shape.margin).map(LengthPercentageAuto::from),
            padding: self.edges(&shape.pad),
            gap: Size {
                width: self.fixed(shape.gap),
                height: self.fixed(shape.gap),
            },
            flex_direction: match view.scroll.unwrap_or(shape.axis) {
                Axis::Across => FlexDirection::Row,
                _ => FlexDirection::Column,
            },
            flex_grow: shape.grow,
            flex_shrink: if gives_way { 1.0 } else { 0.0 },
            flex_basis: if shape.grow > 0.0 {
                Dimension::length(0.0)
            } else {
                Dimension::auto()
            },
            align_items: cross(shape),
            justify_content: main(shape),
            ..Style::DEFAULT
        }
    }

    fn fixed(&self, dp: f32) -> LengthPercentage {
        LengthPercentage::length(self.metrics.px(dp) as f32)
    }

    fn auto(&self, dp: f32) -> LengthPercentageAuto {
        LengthPercentageAuto::length(self.metrics.px(dp) as f32)
    }

    fn length(&self, length: Length) -> Dimension {
        match length {
            Length::Fit => Dimension::auto(),
            Length::Dp(dp) => Dimension::length(self.metrics.px(dp) as f32),
            Length::Part(part) => Dimension::percent(part),
        }
    }

    fn edges(&self, edges: &Edges) -> taffy::Rect<LengthPercentage> {
        taffy::Rect {
            left: self.fixed(edges.left),
            right: self.fixed(edges.right),
            top: self.fixed(edges.top),
            bottom: self.fixed(edges.bottom),
        }
    }

    fn inset(&self, place: &Inset) -> taffy::Rect<LengthPercentageAuto> {
        let side = |dp: Option<f32>| dp.map_or(LengthPercentageAuto::auto(), |dp| self.auto(dp));
        taffy::Rect {
            left: side(place.left),
            right: side(place.right),
            top: side(place.top),
            bottom: side(place.bottom),
        }
    }
}

fn cross(shape: &LayoutStyle) -> AlignItems {
    match shape.cross {
        CrossAxisAlignment::Start => AlignItems::FLEX_START,
        CrossAxisAlignment::Center => AlignItems::CENTER,
        CrossAxisAlignment::End => AlignItems::FLEX_END,
        CrossAxisAlignment::Stretch => AlignItems::STRETCH,
    }
}

fn main(shape: &LayoutStyle) -> JustifyContent {
    match shape.main {
        MainAxisAlignment::Start => JustifyContent::FLEX_START,
        MainAxisAlignment::Center => JustifyContent::CENTER,
        MainAxisAlignment::End => JustifyContent::FLEX_END,
        MainAxisAlignment::Between => JustifyContent::SPACE_BETWEEN,
    }
}

// How large a leaf's content is in the space inside its padding.
fn measure(space: Size<AvailableSpace>, content: Option<&Content>, metrics: &Metrics) -> Size<f32> {
    let width = match space.width {
        AvailableSpace::Definite(width) => Some(width),
        AvailableSpace::MaxContent | AvailableSpace::MinContent => None,
    };
    match content {
        Some(Content::Text { spans, style }) => {
            let (width, height) = text::measure(spans, style, metrics, width);
            Size {
                width: width.ceil(),
                height: height.ceil(),
            }
        }
        Some(Content::Field(field)) => {
            let shown = if field.text.is_empty() {
                field.hint.clone()
            } else {
                field.shown()
            };
            let wrap = width.filter(|_| field.multiline);
            let (width, height) = text::measure(&[text::Span::plain(shown)], &field.style, metrics, wrap);
            Size {
                width: width.ceil(),
                height: height.ceil(),
            }
        }
        _ => Size {
            width: 0.0,
            height: 0.0,
        },
    }
}

struct Placer<'a> {
    tree: &'a TaffyTree<Content>,
    metrics: &'a Metrics,
    memory: &'a Memory,
    scene: &'a mut Scene,
}

impl Placer<'_> {
    fn place(
        &mut self,
        planted: LayoutNode,
        origin: (i32, i32),
        clip: Rect,
        parent: Option<usize>,
        index: usize,
    ) {
        let LayoutNode { view, id, children } = planted;
        let Ok(layout) = self.tree.layout(id) else { return };
        let shift = (
            self.metrics.px(view.shape.shift.0),
            self.metrics.px(view.shape.shift.1),
        );
        let left = origin.0 + layout.location.x as i32 + shift.0;
        let top = origin.1 + layout.location.y as i32 + shift.1;
        let rect = Rect::sized(left, top, layout.size.width as i32, layout.size.height as i32);
        let key = self.key(&view, parent, index);
        let scrolling = view
            .scroll
            .map(|axis| self.scrolling(&view, axis, key, &rect, &children));
        let inner = if view.scroll.is_some() {
            rect.intersection(&clip)
        } else {
            clip
        };
        let moved = scrolling
            .as_ref()
            .map_or((0, 0), |scrolling| match scrolling.axis {
                Axis::Across => (scrolling.offset as i32, 0),
                _ => (0, scrolling.offset as i32),
            });
        let number = self.scene.nodes.len();
        self.scene.nodes.push(Node {
            view,
            rect,
            visible: rect.intersection(&clip),
            clip,
            key,
            parent,
            index,
            end: number + 1,
            scrolling,
        });
        for (index, child) in children.into_iter().enumerate() {
            self.place(
                child,
                (rect.left - moved.0, rect.top - moved.1),
                inner,
                Some(number),
                index,
            );
        }
        self.scene.nodes[number].end = self.scene.nodes.len();
    }

    fn key(&self, view: &View, parent: Option<usize>, index: usize) -> NodeKey {
        let mut hasher = DefaultHasher::new();
        match (&view.key, parent) {
            (Some(key), _) => key.hash(&mut hasher),
            (None, Some(parent)) => (self.scene.nodes[parent].key, index, view.id).hash(&mut hasher),
            (None, None) => view.id.hash(&mut hasher),
        }
        hasher.finish()
    }

    fn scrolling(
        &self,
        view: &View,
        axis: Axis,
        key: NodeKey,
        rect: &Rect,
        children: &[LayoutNode],
    ) -> Scrolling {
        let reach = children
            .iter()
            .filter_map(|child| self.tree.layout(child.id).ok())
            .map(|child| match axis {
                Axis::Across => child.location.x + child.size.width + child.margin.right,
                _ => child.location.y + child.size.height + child.margin.bottom,
            })
            .fold(0.0, f32::max);
        let (end, length) = match axis {
            Axis::Across => (view.shape.pad.right, rect.width()),
            _ => (view.shape.pad.bottom, rect.height()),
        };
        let most = (reach + self.metrics.px(end) as f32 - length as f32).max(0.0);
        let remembered = self
            .memory
            .scrolled
            .get(&key)
            .copied()
            .unwrap_or(0.0)
            .clamp(0.0, most);
        let offset = if view.from_end {
            most - remembered
        } else {
            remembered
        };
        Scrolling {
            axis,
            most,
            offset: offset.round(),
        }
    }
}
