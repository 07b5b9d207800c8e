// A phone gets another place among the others.

import '../words/task-words';
import type { AppState } from '../state/app-state.svelte';
import type { Phone } from '../protocol';
import { nameOf } from '../state/phone-name';
import { t } from '../words/words';
import { moved } from './labels';

/** Puts it at this place, counted from 0, and says so: who does it by keys does not see the list. */
export async function putAt(app: AppState, phone: Phone, to: number): Promise<void> {
  const { phones } = app.view;
  const failure = await app.tryPatch((now) => ({ phones: moved(now.phones ?? [], phones, phone.id, to) }));
  if (failure) app.report(failure);
  else app.announce(t('labels.moved', { phone: nameOf(phone), place: to + 1, total: phones.length }));
}
