// Stored pictures as addresses an `<img>` can show. A few are kept; the oldest are given back.

import type { Backend } from '../backend';
import type { Bounds, FrameId } from '../protocol';

const MOST = 120;
const caches = new WeakMap<object, Map<string, Promise<string>>>();

/** The address of a stored picture, or of a part of it. Rejected when the picture is gone. */
export function pictureUrl(
  backend: Pick<Backend, 'picture'>,
  frame: FrameId,
  longestSide: number | null,
  crop: Bounds | null,
): Promise<string> {
  const kept = caches.get(backend) ?? new Map<string, Promise<string>>();
  caches.set(backend, kept);
  const key = JSON.stringify([frame, longestSide, crop]);
  const known = kept.get(key);
  if (known) {
    kept.delete(key);
    kept.set(key, known);
    return known;
  }
  const asked = backend
    .picture(frame, longestSide, crop)
    .then((jpeg) => URL.createObjectURL(new Blob([jpeg], { type: 'image/jpeg' })));
  asked.catch(() => kept.delete(key));
  kept.set(key, asked);
  for (const [old, url] of kept) {
    if (kept.size <= MOST) break;
    kept.delete(old);
    void url.then((address) => URL.revokeObjectURL(address)).catch(() => undefined);
  }
  return asked;
}
