// Whether this window decodes H.264: shown by decoding two pictures and looking at them. `isConfigSupported` says yes
// in web views that then fail at every picture.

import { AVCC, QUARTERS, SIDE, UNITS } from './clip';
import { configOf } from './codec';

/** A decoder that has not answered by then is as good as none. */
const LIMIT_MS = 4000;
/** How far a colour may be off: ranges and matrices are read differently, quarters are not mixed up by that. */
const SLACK = 60;

let tried: Promise<boolean> | undefined;
let isLate = false;

/**
 * The answer, found once for as long as the window is open. One that comes too late counts from then on; until it
 * comes nobody waits a second time.
 */
export function decodes(): Promise<boolean> {
  tried ??= decodesClip().catch(() => false);
  if (isLate) return Promise.race([tried, Promise.resolve(false)]);
  return withinLimit(tried);
}

async function withinLimit(answer: Promise<boolean>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<false>((done) => {
    timer = setTimeout(() => {
      isLate = true;
      done(false);
    }, LIMIT_MS);
  });
  const first = await Promise.race([answer, limit]);
  clearTimeout(timer);
  return first;
}

/** Decodes the clip and compares its pixels. */
export async function decodesClip(): Promise<boolean> {
  const config = typeof VideoDecoder === 'function' ? configOf(bytes(AVCC)) : null;
  if (!config) return false;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = SIDE;
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  if (!pen) return false;
  return new Promise((done) => {
    let right = 0;
    const decoder = new VideoDecoder({
      output: (frame) => {
        const expected = QUARTERS[right];
        if (expected && shows(pen, frame, expected)) right += 1;
        else end(false);
        if (right === QUARTERS.length) end(true);
      },
      error: () => end(false),
    });
    const end = (answer: boolean): void => {
      if (decoder.state !== 'closed') decoder.close();
      done(answer);
    };
    try {
      decoder.configure(config);
      UNITS.forEach((unit, at) =>
        decoder.decode(
          new EncodedVideoChunk({ type: at === 0 ? 'key' : 'delta', timestamp: at * 16_667, data: bytes(unit) }),
        ),
      );
    } catch {
      end(false);
    }
  });
}

/** Whether the middle of each quarter has its colour. A picture that cannot be drawn, or looked at, has not. */
function shows(pen: CanvasRenderingContext2D, frame: VideoFrame, quarters: (typeof QUARTERS)[number]): boolean {
  try {
    pen.drawImage(frame, 0, 0, SIDE, SIDE);
    return quarters.every((colour, at) => {
      const x = (at % 2 === 0 ? 0.25 : 0.75) * SIDE;
      const y = (at < 2 ? 0.25 : 0.75) * SIDE;
      const { data } = pen.getImageData(x, y, 1, 1);
      return colour.every((value, channel) => Math.abs((data[channel] ?? 0) - value) <= SLACK);
    });
  } catch {
    return false;
  } finally {
    frame.close();
  }
}

const bytes = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
