// What is seen of the phone that is being connected, as three lines: found, allowed, ready. Data in, sentences out.

import type { System } from '../kit/operating-system';
import type { Failure, Phone, PhoneId } from '../protocol';
import { isUnnamed } from '../state/phone-name';
import { t, type Sentence } from '../words/words';

/** Nothing was seen for so many milliseconds: what usually is the reason is said. */
export const SLOW_MS = 20_000;
/** How long "ready" is shown before the next page. */
export const LINGER_MS = 1_200;

export interface Line {
  name: 'found' | 'allow' | 'ready';
  stage: 'done' | 'now' | 'needs' | 'later';
  title: Sentence;
  body: Sentence[];
  /** What can be opened for help. */
  help: 'no_message' | 'no_phone' | null;
  /** What can be done here and now. */
  mend: 'program' | 'permissions' | null;
}

/** Nearer to ready is told first: a phone forgotten in its start menu says nothing about the one just plugged in. */
const ORDER: Phone['state'][] = ['device', 'unauthorized', 'authorizing', 'connecting', 'no permissions', 'offline'];
const rank = (phone: Phone): number => (ORDER.indexOf(phone.state) + ORDER.length + 1) % (ORDER.length + 1);

/** The phone that is being connected: a real one that was not ready `before`. */
export const watched = (phones: Phone[], before: ReadonlySet<PhoneId>): Phone | undefined =>
  phones
    .filter((phone) => !phone.demo && !before.has(phone.id))
    .reduce<Phone | undefined>((best, phone) => (best && rank(best) < rank(phone) ? best : phone), undefined);

/** Real phones that need nothing any more. */
export const readyOnes = (phones: Phone[]): ReadonlySet<PhoneId> =>
  new Set(phones.filter((phone) => !phone.demo && phone.state === 'device').map((phone) => phone.id));

export const isOneOf = (failure: Failure | null | undefined, ...codes: string[]): boolean =>
  failure !== null && failure !== undefined && codes.includes(failure.code);

export function lines(
  phone: Phone | undefined,
  { missing, slow, system }: { missing: boolean; slow: boolean; system: System },
): Line[] {
  return [found(phone, missing, slow), allow(phone, system), ready(phone)];
}

const line = (name: Line['name'], stage: Line['stage'], title: Sentence, ...body: Sentence[]): Line => ({
  name,
  stage,
  title,
  body,
  help: null,
  mend: null,
});

/** At the cable it is the one that was just plugged in, whatever it is called. */
const called = (phone: Phone): string => (isUnnamed(phone) ? t('onboarding.cable.your_phone') : phone.name);

function found(phone: Phone | undefined, missing: boolean, slow: boolean): Line {
  if (phone) {
    const over = phone.transport === 'wifi' ? 'found_wifi' : 'found';
    const values = { phone: called(phone) };
    return line('found', 'done', { key: `onboarding.cable.${over}` }, { key: `onboarding.cable.${over}_body`, values });
  }
  if (missing) {
    const told = line(
      'found',
      'needs',
      { key: 'onboarding.program.missing' },
      { key: 'onboarding.program.missing_body' },
    );
    return { ...told, mend: 'program' };
  }
  const body: Sentence = { key: slow ? 'onboarding.cable.slow_body' : 'onboarding.cable.looking_body' };
  return { ...line('found', 'now', { key: 'onboarding.cable.looking' }, body), help: 'no_phone' };
}

function allow(phone: Phone | undefined, system: System): Line {
  const title: Sentence = { key: 'onboarding.cable.allow' };
  if (!phone) return line('allow', 'later', title, { key: 'onboarding.cable.allow_later' });
  const trouble: Sentence = { key: 'onboarding.cable.trouble' };
  switch (phone.state) {
    case 'device':
      return line(
        'allow',
        'done',
        { key: 'onboarding.cable.allowed' },
        { key: 'onboarding.cable.allowed_body', values: { phone: called(phone) } },
      );
    case 'unauthorized':
      return {
        ...line('allow', 'now', title, { key: 'onboarding.cable.allow_body' }, { key: 'onboarding.cable.allow_tick' }),
        help: 'no_message',
      };
    case 'authorizing':
    case 'connecting':
      return {
        ...line('allow', 'now', { key: 'onboarding.cable.answering' }, { key: `states.${phone.state}.help` }),
        help: 'no_message',
      };
    case 'no permissions':
      return system === 'linux'
        ? { ...line('allow', 'needs', trouble, { key: 'onboarding.permissions.body' }), mend: 'permissions' }
        : line('allow', 'needs', trouble, { key: 'states.no permissions.help' });
    default:
      return line('allow', 'needs', trouble, { key: `states.${phone.state}.help` });
  }
}

const ready = (phone: Phone | undefined): Line =>
  phone?.state === 'device'
    ? line(
        'ready',
        'done',
        { key: 'onboarding.cable.ready' },
        { key: 'onboarding.cable.ready_body', values: { phone: called(phone) } },
      )
    : line('ready', 'later', { key: 'onboarding.cable.ready' }, { key: 'onboarding.cable.ready_later' });
