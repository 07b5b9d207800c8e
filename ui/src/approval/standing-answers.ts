// What the person always allows: what it is called, and whether it still answers. Pure.

import { day } from '../words/format';
import type { Phone, Rule } from '../protocol';
import { knownName } from '../state/phone-name';
import { say, type Sentence } from '../words/words';

/** Unused for so long, a rule asks again: as the judge counts it. */
const UNUSED_MS = 30 * 24 * 60 * 60 * 1000;

export interface DescribedRule {
  title: string;
  note: Sentence;
  /** It answers questions; else it is only listed, to be removed. */
  holds: boolean;
}

export function describeRule(rule: Rule, phones: Phone[], now: number): DescribedRule {
  const { element, app, appLabel, phone, since = 0 } = rule;
  const where = appLabel || (app ?? '');
  const what = titleOf(element?.label, where, element !== undefined);
  const name = phone === undefined ? undefined : (knownName(phones, phone) ?? phone);
  const title = name === undefined ? what : say({ key: 'settings.standing_on', values: { what, phone: name } });
  if (!element) return { title, note: { key: 'settings.standing_old' }, holds: false };
  const used = element.used ?? 0;
  const values = { date: day(Math.max(used, since), now) };
  if (now - used > UNUSED_MS) return { title, note: { key: 'settings.standing_expired', values }, holds: false };
  return { title, note: { key: used > since ? 'settings.standing_used' : 'settings.standing_unused', values }, holds: true };
}

function titleOf(label: string | undefined, app: string, single: boolean): string {
  if (!single) return say({ key: 'settings.standing_old_name', values: { app } });
  return label
    ? say({ key: 'settings.standing_named', values: { label, app } })
    : say({ key: 'settings.standing_nameless', values: { app } });
}
