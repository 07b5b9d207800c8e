// What a stream says of itself, in the words of the web view's decoder.

/** The settings for a record as in an `avcC` box; null where it is too short to be one. */
export function configOf(avcc: Uint8Array<ArrayBuffer>): VideoDecoderConfig | null {
  const [version, profile, constraints, level] = avcc;
  if (version !== 1 || profile === undefined || constraints === undefined || level === undefined) return null;
  const hex = [profile, constraints, level].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return { codec: `avc1.${hex}`, description: avcc, optimizeForLatency: true };
}

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at]);
