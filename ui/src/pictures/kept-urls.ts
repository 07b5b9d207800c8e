// Pictures as addresses an `<img>` can show. A few are kept; the oldest are given back.

const MOST = 120;
const caches = new WeakMap<object, Map<string, Promise<string>>>();

/** The address of what `ask` gives, asked once while it is kept. Rejected when that is, or no byte came: then it is asked again. */
export function keptUrl(of: object, what: unknown[], type: string, ask: () => Promise<ArrayBuffer>): Promise<string> {
  const kept = caches.get(of) ?? new Map<string, Promise<string>>();
  caches.set(of, kept);
  const key = JSON.stringify(what);
  const known = kept.get(key);
  if (known) {
    kept.delete(key);
    kept.set(key, known);
    return known;
  }
  const asked = ask().then((bytes) => {
    if (bytes.byteLength === 0) throw new Error('no picture');
    return URL.createObjectURL(new Blob([bytes], { type }));
  });
  asked.catch(() => kept.delete(key));
  kept.set(key, asked);
  for (const [old, url] of kept) {
    if (kept.size <= MOST) break;
    kept.delete(old);
    void url.then((address) => URL.revokeObjectURL(address)).catch(() => undefined);
  }
  return asked;
}
