// `host:port` as people type it.

/** The address, tidied; null when it is none. A name, an IPv4 address or a bracketed IPv6 one, and a port. */
export function readAddress(text: string): string | null {
  const match = /^(\[[\da-f:.%]+\]|[\w.-]+):(\d{1,5})$/i.exec(text.trim());
  const port = Number(match?.[2]);
  return match && port >= 1 && port <= 65_535 ? `${match[1]}:${port}` : null;
}

/** Six digits, as soon as there are six: blanks and dashes are how codes are written. */
export const readCode = (text: string): string => text.replaceAll(/\D/g, '').slice(0, 6);
