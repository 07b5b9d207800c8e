// What is seen of the phone that is being connected, as a checklist of three: found, allowed, ready. Data in, sentences out.

import type { System } from '../kit/operating-system';
import type { Failure, Phone, PhoneId } from '../protocol';
import { isUnnamed } from '../state/phone-name';
import { t, type Sentence } from '../words/words';

/** Nothing was seen for so many milliseconds: what usually is the reason is said. */
export const SLOW_MS = 20_000;
/** How long "ready" is shown before the next page. */
export const READY_SHOWN_MS = 1_200;

export interface ChecklistItem {
  name: 'found' | 'allow' | 'ready';
  stage: 'done' | 'now' | 'needs' | 'later';
  title: Sentence;
  body: Sentence[];
  /** What can be opened for help. */
  help: 'no_message' | 'no_phone' | null;
  /** What can be done here and now. */
  fix: 'program' | 'permissions' | null;
}

/** Nearer to ready is told first: a phone forgotten in its start menu says nothing about the one just plugged in. */
const ORDER: Phone['state'][] = ['device', 'unauthorized', 'authorizing', 'connecting', 'no permissions', 'offline'];
const rank = (phone: Phone): number => (ORDER.indexOf(phone.state) + ORDER.length + 1) % (ORDER.length + 1);

/** The phone that is being connected: a real one that was not ready `before`. */
export const connectingPhone = (phones: Phone[], before: ReadonlySet<PhoneId>): Phone | undefined =>
  phones
    .filter((phone) => !phone.demo && !before.has(phone.id))
    .reduce<Phone | undefined>((best, phone) => (best && rank(best) < rank(phone) ? best : phone), undefined);

/** Real phones that need nothing any more. */
export const readyPhones = (phones: Phone[]): ReadonlySet<PhoneId> =>
  new Set(phones.filter((phone) => !phone.demo && phone.state === 'device').map((phone) => phone.id));

export const isOneOf = (failure: Failure | null | undefined, ...codes: string[]): boolean =>
  failure !== null && failure !== undefined && codes.includes(failure.code);

export function checklist(
  phone: Phone | undefined,
  { missing, slow, system }: { missing: boolean; slow: boolean; system: System },
): ChecklistItem[] {
  return [found(phone, missing, slow), allow(phone, system), ready(phone)];
}

const item = (name: ChecklistItem['name'], stage: ChecklistItem['stage'], title: Sentence, ...body: Sentence[]): ChecklistItem => ({
  name,
  stage,
  title,
  body,
  help: null,
  fix: null,
});

/** At the cable it is the one that was just plugged in, whatever it is called. */
const called = (phone: Phone): string => (isUnnamed(phone) ? t('onboarding.cable.your_phone') : phone.name);

function found(phone: Phone | undefined, missing: boolean, slow: boolean): ChecklistItem {
  if (phone) {
    const over = phone.transport === 'wifi' ? 'found_wifi' : 'found';
    const values = { phone: called(phone) };
    return item('found', 'done', { key: `onboarding.cable.${over}` }, { key: `onboarding.cable.${over}_body`, values });
  }
  if (missing) {
    const program = item(
      'found',
      'needs',
      { key: 'onboarding.program.missing' },
      { key: 'onboarding.program.missing_body' },
    );
    return { ...program, fix: 'program' };
  }
  const body: Sentence = { key: slow ? 'onboarding.cable.slow_body' : 'onboarding.cable.looking_body' };
  return { ...item('found', 'now', { key: 'onboarding.cable.looking' }, body), help: 'no_phone' };
}

function allow(phone: Phone | undefined, system: System): ChecklistItem {
  const title: Sentence = { key: 'onboarding.cable.allow' };
  if (!phone) return item('allow', 'later', title, { key: 'onboarding.cable.allow_later' });
  const trouble: Sentence = { key: 'onboarding.cable.trouble' };
  switch (phone.state) {
    case 'device':
      return item(
        'allow',
        'done',
        { key: 'onboarding.cable.allowed' },
        { key: 'onboarding.cable.allowed_body', values: { phone: called(phone) } },
      );
    case 'unauthorized':
      return {
        ...item('allow', 'now', title, { key: 'onboarding.cable.allow_body' }, { key: 'onboarding.cable.allow_tick' }),
        help: 'no_message',
      };
    case 'authorizing':
    case 'connecting':
      return {
        ...item('allow', 'now', { key: 'onboarding.cable.answering' }, { key: `states.${phone.state}.help` }),
        help: 'no_message',
      };
    case 'no permissions':
      return system === 'linux'
        ? { ...item('allow', 'needs', trouble, { key: 'onboarding.permissions.body' }), fix: 'permissions' }
        : item('allow', 'needs', trouble, { key: 'states.no permissions.help' });
    default:
      return item('allow', 'needs', trouble, { key: `states.${phone.state}.help` });
  }
}

const ready = (phone: Phone | undefined): ChecklistItem =>
  phone?.state === 'device'
    ? item(
        'ready',
        'done',
        { key: 'onboarding.cable.ready' },
        { key: 'onboarding.cable.ready_body', values: { phone: called(phone) } },
      )
    : item('ready', 'later', { key: 'onboarding.cable.ready' }, { key: 'onboarding.cable.ready_later' });
