import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyShape, cropAround, fit, middle, screenIn, toFraction, toPage, within, type Size } from '../src/pictures/mapping';

const side = fc.double({ min: 1, max: 4000, noNaN: true });
// A screen has no minus nought.
const offset = fc.double({ min: -2000, max: 2000, noNaN: true }).map((value) => value + 0);
const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const boxes = fc.record({ left: offset, top: offset, width: side, height: side });
const pictures = fc.record({ width: fc.integer({ min: 1, max: 4000 }), height: fc.integer({ min: 1, max: 4000 }) });

describe('a picture in its box', () => {
  it('is whole, undistorted, in the middle, and touches two edges', () => {
    fc.assert(
      fc.property(boxes, pictures, (box, picture) => {
        const shown = fit(box, picture);
        if (!shown) throw new Error('has an area');
        const slack = 1e-6 * (box.width + box.height);
        expect(shown.width).toBeLessThanOrEqual(box.width + slack);
        expect(shown.height).toBeLessThanOrEqual(box.height + slack);
        expect(shown.width / shown.height / (picture.width / picture.height)).toBeCloseTo(1, 6);
        expect(Math.min(box.width - shown.width, box.height - shown.height)).toBeCloseTo(0, 5);
        expect(shown.left - box.left).toBeCloseTo(box.width - shown.width - (shown.left - box.left), 5);
      }),
    );
  });

  it.each([
    [
      { left: 0, top: 0, width: 0, height: 10 },
      { width: 1, height: 1 },
    ],
    [
      { left: 0, top: 0, width: 10, height: 10 },
      { width: 0, height: 1 },
    ],
  ])('is nowhere when there is no area', (box, picture) => {
    expect(fit(box, picture)).toBeNull();
    expect(toFraction({ x: 1, y: 1 }, box, picture)).toBeNull();
  });
});

describe('a finger', () => {
  const screens = fc.record({ width: fc.integer({ min: 240, max: 3200 }), height: fc.integer({ min: 240, max: 3200 }) });

  /** A stream's picture of a screen, as a phone makes it: scrcpy rounds sides to eights, screenrecord leaves bars. */
  function picture(rung: 'scrcpy' | 'screenrecord' | 'captures', screen: Size, longest: number, square: boolean): Size {
    const scale = Math.min(1, longest / Math.max(screen.width, screen.height));
    const eights = (n: number): number => Math.max(8, Math.round((n * scale) / 8) * 8);
    if (rung === 'captures') return screen;
    if (rung === 'scrcpy') return { width: eights(screen.width), height: eights(screen.height) };
    return square ? { width: longest, height: longest } : { width: eights(screen.width), height: eights(screen.height) };
  }

  it('lands on the pixel it points at: turned, letterboxed, scaled, in a window of any size and place', () => {
    fc.assert(
      fc.property(
        ...[screens, boxes, fraction, fraction, fc.integer({ min: 320, max: 1920 }), fc.boolean()] as const,
        fc.constantFrom('scrcpy' as const, 'screenrecord' as const, 'captures' as const),
        (screen, box, x, y, longest, square, rung) => {
          const stream = picture(rung, screen, longest, square);
          const part = screenIn(stream, { screen, rung });
          // A picture of another shape is not touched through at all.
          fc.pre(part !== null);
          if (!part) return;
          // Where the person sees that place of the screen: the canvas holds the screen's part of the picture alone.
          const seen = toPage({ x, y }, box, part);
          if (!seen) throw new Error('has an area');
          const back = toFraction(seen, box, part, true);
          expect(Math.abs((back?.x ?? 9) - x) * screen.width).toBeLessThan(0.5);
          expect(Math.abs((back?.y ?? 9) - y) * screen.height).toBeLessThan(0.5);
          // And that place of the part is the screen’s, whatever bars the stream has around it.
          expect(part.left).toBeGreaterThanOrEqual(-1e-6);
          expect(part.left + part.width).toBeLessThanOrEqual(stream.width + 1e-6);
          expect(part.top + part.height).toBeLessThanOrEqual(stream.height + 1e-6);
        },
      ),
    );
  });

  it('is not taken for one on the screen as it was turned before', () => {
    fc.assert(
      fc.property(screens, (screen) => {
        fc.pre(Math.abs(Math.log(screen.width / screen.height)) > 0.1);
        const turned = { width: screen.height, height: screen.width };
        expect(screenIn(screen, { screen: turned, rung: 'scrcpy' })).toBeNull();
        expect(screenIn(screen, { screen: turned, rung: 'captures' })).toBeNull();
      }),
    );
  });
});

describe('a point', () => {
  it('goes to the picture and back to the same place', () => {
    fc.assert(
      fc.property(boxes, pictures, fraction, fraction, (box, picture, x, y) => {
        const page = toPage({ x, y }, box, picture);
        if (!page) throw new Error('has an area');
        // At the very edge rounding may fall outside: held, it is the edge.
        const back = toFraction(page, box, picture, true);
        expect(back?.x).toBeCloseTo(x, 5);
        expect(back?.y).toBeCloseTo(y, 5);
      }),
    );
  });

  it('is never outside 0…1, and beside the picture only when a finger is held', () => {
    fc.assert(
      fc.property(boxes, pictures, offset, offset, (box, picture, x, y) => {
        const free = toFraction({ x, y }, box, picture);
        const held = toFraction({ x, y }, box, picture, true);
        for (const point of [free, held]) {
          if (!point) continue;
          expect(point.x).toBeGreaterThanOrEqual(0);
          expect(point.x).toBeLessThanOrEqual(1);
          expect(point.y).toBeGreaterThanOrEqual(0);
          expect(point.y).toBeLessThanOrEqual(1);
        }
        if (free) expect(held).toEqual(free);
        expect(held).not.toBeNull();
      }),
    );
  });

  it.each([
    ['an upright phone beside black bars', { x: 50, y: 0 }, { width: 1080, height: 2400 }, { x: 0.5, y: 0 }],
    ['the bar itself', { x: 1, y: 50 }, { width: 1080, height: 2400 }, null],
    ['a phone on its side', { x: 0, y: 50 }, { width: 2400, height: 1080 }, { x: 0, y: 0.5 }],
  ])('on %s', (_, point, picture, expected) => {
    expect(toFraction(point, { left: 0, top: 0, width: 100, height: 100 }, picture)).toEqual(expected);
  });
});

describe('the phone’s screen in a stream’s picture', () => {
  const size = (width: number, height: number): { width: number; height: number } => ({ width, height });
  const screens = fc.record({ width: fc.integer({ min: 240, max: 4000 }), height: fc.integer({ min: 240, max: 4000 }) });
  /** As scrcpy makes it: no longer than that, sides a multiple of 8. */
  const shrunk = (screen: { width: number; height: number }, longest: number): { width: number; height: number } => {
    const scale = Math.min(1, longest / Math.max(screen.width, screen.height));
    return size(Math.max(8, (screen.width * scale) & ~7), Math.max(8, (screen.height * scale) & ~7));
  };

  it.each([
    ['scrcpy', size(576, 1280), size(1080, 2400), [0, 0, 576, 1280]],
    ['scrcpy', size(216, 480), size(1080, 2400), [0, 0, 216, 480]],
    ['captures', size(1280, 576), size(2400, 1080), [0, 0, 1280, 576]],
    ['scrcpy', size(576, 1280), size(2400, 1080), null],
    ['captures', size(1000, 1000), size(1000, 1200), null],
    ['scrcpy', size(576, 1280), null, [0, 0, 576, 1280]],
    ['screenrecord', size(720, 1280), size(1080, 2400), [72, 0, 576, 1280]],
    ['screenrecord', size(720, 1280), size(2400, 1080), [0, 478, 720, 324]],
    ['screenrecord', size(720, 1280), size(720, 1280), [0, 0, 720, 1280]],
  ] as const)('by %s, %j of %j, is %j', (rung, picture, screen, expected) => {
    const part = screenIn(picture, { rung, screen });
    expect(part && [part.left, part.top, part.width, part.height]).toEqual(expected);
  });

  it('lies inside it, and only the recording’s bars are left out', () => {
    fc.assert(
      fc.property(screens, fc.integer({ min: 300, max: 1280 }), fc.boolean(), (screen, longest, records) => {
        fc.pre(Math.max(screen.width, screen.height) / Math.min(screen.width, screen.height) < 3);
        const picture = shrunk(screen, longest);
        const part = screenIn(picture, { screen, rung: records ? 'screenrecord' : 'scrcpy' });
        if (!part) throw new Error('it is the same screen');
        expect(part.left).toBeGreaterThanOrEqual(-1e-6);
        expect(part.top).toBeGreaterThanOrEqual(-1e-6);
        expect(part.left + part.width).toBeLessThanOrEqual(picture.width + 1e-6);
        expect(part.top + part.height).toBeLessThanOrEqual(picture.height + 1e-6);
        if (!records) expect(part).toEqual({ left: 0, top: 0, ...picture });
      }),
    );
  });

  it('is touched where the finger is: from the page to the phone and back, through picture, box and turn', () => {
    const rungs = fc.constantFrom('captures', 'screenrecord', 'scrcpy') as fc.Arbitrary<'screenrecord'>;
    fc.assert(
      fc.property(boxes, screens, fraction, fraction, rungs, fc.boolean(), (box, before, x, y, rung, turned) => {
        const screen = turned ? size(before.height, before.width) : before;
        fc.pre(Math.max(screen.width, screen.height) / Math.min(screen.width, screen.height) < 3);
        const picture = shrunk(screen, 1280);
        const part = screenIn(picture, { screen, rung });
        if (!part) throw new Error('it is the same screen');
        // What stands at this fraction of the phone's screen stands here in the picture, and on the canvas so.
        const canvas = size(Math.max(1, Math.round(part.width)), Math.max(1, Math.round(part.height)));
        const page = toPage({ x, y }, box, canvas);
        if (!page) throw new Error('has an area');
        const touched = toFraction(page, box, canvas, true);
        const pixel = { x: (touched?.x ?? 0) * screen.width, y: (touched?.y ?? 0) * screen.height };
        expect(Math.abs(pixel.x - x * screen.width)).toBeLessThan(0.5);
        expect(Math.abs(pixel.y - y * screen.height)).toBeLessThan(0.5);
      }),
    );
  });
});

describe('a crop', () => {
  const rings = fc.record({
    left: fc.integer({ min: 0, max: 3999 }),
    top: fc.integer({ min: 0, max: 3999 }),
    w: fc.integer({ min: 1, max: 900 }),
    h: fc.integer({ min: 1, max: 900 }),
  });

  it('lies inside the picture and has its frame’s shape', () => {
    fc.assert(
      fc.property(
        pictures,
        fc.option(rings, { nil: undefined }),
        fc.double({ min: 0.2, max: 4, noNaN: true }),
        fc.double({ min: 0.1, max: 1, noNaN: true }),
        (picture, at, aspect, share) => {
          fc.pre(Math.min(picture.width, picture.height) > 40);
          const ring = at && { left: at.left, top: at.top, right: at.left + at.w, bottom: at.top + at.h };
          const crop = cropAround(ring, picture, aspect, share);
          expect(crop.left).toBeGreaterThanOrEqual(0);
          expect(crop.top).toBeGreaterThanOrEqual(0);
          expect(crop.right).toBeLessThanOrEqual(picture.width);
          expect(crop.bottom).toBeLessThanOrEqual(picture.height);
          expect(crop.right - crop.left).toBeGreaterThan(0);
          const [width, height] = [crop.right - crop.left, crop.bottom - crop.top];
          expect(Math.abs(width - height * aspect)).toBeLessThanOrEqual(1 + aspect);
        },
      ),
    );
  });

  it('shows a ring at the bottom of the screen', () => {
    const ring = { left: 47, top: 2107, right: 1033, bottom: 2275 };
    const crop = cropAround(ring, { width: 1080, height: 2400 }, 190 / 297);
    expect(crop).toEqual({ left: 0, top: 712, right: 1080, bottom: 2400 });
    expect(within(ring, crop)).toMatchObject({ left: expect.closeTo(4.35, 1), width: expect.closeTo(91.3, 1) });
  });

  it('has no ring that lies outside', () => {
    expect(within({ left: 0, top: 0, right: 9, bottom: 9 }, { left: 10, top: 10, right: 20, bottom: 20 })).toBeNull();
  });
});

it.each([
  [null, 0.475],
  [{ width: 1080, height: 2400 }, 1 / (0.946 / 0.45 + 0.054)],
  [{ width: 2400, height: 1080 }, 0.946 / 0.45 + 0.054],
  [{ width: 1600, height: 2560 }, 1 / (0.946 / 0.625 + 0.054)],
  [{ width: 2560, height: 1600 }, 0.946 / 0.625 + 0.054],
  [{ width: 0, height: 9 }, 0.475],
])('the body around %j is %d wide for its height', (screen, expected) => {
  expect(bodyShape(screen)).toBeCloseTo(expected, 5);
});

it('the middle of a ring is a fraction of its picture', () => {
  expect(middle({ left: 878, top: 2086, right: 1026, bottom: 2234 }, { width: 1080, height: 2400 })).toEqual({
    x: 952 / 1080,
    y: 0.9,
  });
});
