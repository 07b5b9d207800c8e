// Which page is shown, written in the address after `#`.

import type { PhoneId } from './protocol';

export type Route = { page: 'phones' } | { page: 'phone'; phone: PhoneId } | { page: 'settings' };

export function readRoute(hash: string): Route {
  const [page, rest] = hash.replace(/^#\/?/, '').split(/\/(.*)/s);
  if (page === 'settings') return { page: 'settings' };
  if (page === 'phone' && rest) return { page: 'phone', phone: safeDecode(rest) };
  return { page: 'phones' };
}

export function writeRoute(route: Route): string {
  return route.page === 'phone' ? `#/phone/${encodeURIComponent(route.phone)}` : `#/${route.page}`;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
