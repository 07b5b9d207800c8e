// Numbers as people type them.

/** `5`, `5.50` and `5,50`; null when it is no number from `min` to `max`, or has more decimals than allowed. */
export function readNumber(text: string, min: number, max: number, decimals: number): number | null {
  const plain = text.trim().replace(',', '.');
  const shape = decimals > 0 ? new RegExp(`^\\d+(\\.\\d{0,${decimals}})?$`) : /^\d+$/;
  if (!shape.test(plain)) return null;
  const value = Number(plain);
  return value >= min && value <= max ? value : null;
}

/** The same number as it stands in its field: money always with its cents. */
export const writeNumber = (value: number | undefined, decimals: number): string => {
  if (value === undefined) return '';
  return decimals === 2 ? value.toFixed(2) : String(value);
};
