// Which page is shown, written in the address after `#`.

import type { AutomationId, PhoneId, RunId } from '../protocol';

export const CONNECT_STEPS = ['debugging', 'cable', 'wifi', 'ai', 'ready'] as const;
export type ConnectStep = (typeof CONNECT_STEPS)[number];

/** Settings open on the AI where no tab is named. */
export const SETTINGS_TABS = ['safety', 'passwords', 'phones', 'notifications', 'privacy', 'general'] as const;
export type SettingsTab = (typeof SETTINGS_TABS)[number];

export type Route =
  | { page: 'phones' }
  | { page: 'phone'; phone: PhoneId }
  /** One past run, or those of one phone. */
  | { page: 'history'; run?: RunId; phone?: PhoneId }
  /** All of them, or one. */
  | { page: 'automations'; id?: AutomationId }
  | { page: 'approvals' }
  | { page: 'settings'; tab?: SettingsTab }
  | { page: 'connect'; step: ConnectStep };

export function readRoute(hash: string): Route {
  const [page, rest] = hash.replace(/^#\/?/, '').split(/\/(.*)/s);
  if (page === 'settings') {
    const tab = SETTINGS_TABS.find((one) => one === rest);
    return tab ? { page: 'settings', tab } : { page: 'settings' };
  }
  if (page === 'approvals') return { page };
  if (page === 'history') return history(rest);
  if (page === 'automations') return rest ? { page, id: safeDecode(rest) } : { page };
  if (page === 'connect') return { page: 'connect', step: CONNECT_STEPS.find((one) => one === rest) ?? 'debugging' };
  if (page === 'phone' && rest) return { page: 'phone', phone: safeDecode(rest) };
  return { page: 'phones' };
}

function history(rest: string | undefined): Route {
  const [what, id] = (rest ?? '').split(/\/(.*)/s);
  if (what === 'run' && id) return { page: 'history', run: safeDecode(id) };
  return what === 'phone' && id ? { page: 'history', phone: safeDecode(id) } : { page: 'history' };
}

export function writeRoute(route: Route): string {
  if (route.page === 'history') {
    if (route.run !== undefined) return `#/history/run/${encodeURIComponent(route.run)}`;
    return route.phone === undefined ? '#/history' : `#/history/phone/${encodeURIComponent(route.phone)}`;
  }
  if (route.page === 'automations' && route.id !== undefined) return `#/automations/${encodeURIComponent(route.id)}`;
  if (route.page === 'phone') return `#/phone/${encodeURIComponent(route.phone)}`;
  if (route.page === 'connect') return `#/connect/${route.step}`;
  return route.page === 'settings' && route.tab ? `#/settings/${route.tab}` : `#/${route.page}`;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
