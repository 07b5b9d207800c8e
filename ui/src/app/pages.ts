// The pages of the sidebar, in the order of their keys (⌘1, Ctrl+2). An entry appears here together with its page.

import Automations from '@lucide/svelte/icons/repeat';
import History from '@lucide/svelte/icons/history';
import Settings from '@lucide/svelte/icons/settings-2';
import Approvals from '@lucide/svelte/icons/shield-check';
import type { Component } from 'svelte';
import Phones from '../kit/PhonesIcon.svelte';
import type { Route } from '../state/route';
import type { PlainKey } from '../words/words';

interface Page {
  route: Route;
  name: PlainKey;
  icon: Component<{ size?: number | string; strokeWidth?: number | string }>;
}

export const PAGES: Page[] = [
  { route: { page: 'phones' }, name: 'nav.phones', icon: Phones as Page['icon'] },
  { route: { page: 'automations' }, name: 'nav.automations', icon: Automations as Page['icon'] },
  { route: { page: 'history' }, name: 'nav.history', icon: History as Page['icon'] },
  { route: { page: 'approvals' }, name: 'nav.approvals', icon: Approvals },
  { route: { page: 'settings' }, name: 'nav.settings', icon: Settings as Page['icon'] },
];
