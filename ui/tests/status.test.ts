import { describe, expect, it } from 'vitest';
import { ago, calendarDay, clock, day, dayName, moment, money, tenths } from '../src/words/format';
import { language } from '../src/words/language.svelte';
import { readNumber, writeNumber } from '../src/kit/number-text';
import type { FailureCode, Phone, Settings } from '../src/protocol';
import { readRoute, writeRoute, type Route } from '../src/state/route';
import { isReady, safetySentence, spentText, statusOf } from '../src/state/status';
import { pauseSentence, pauseShort } from '../src/state/step-sentences';
import { latestRun } from '../src/state/view';
import { say } from '../src/words/words';
import { NOW, transcript, viewOf } from './harness';

const settings = (): Settings => {
  const found = viewOf(transcript('phones')).settings;
  if (!found) throw new Error('no settings');
  return found;
};

/** A phone of a transcript, as its tile says it. */
function tile(name: string, id: string): string[] {
  const view = viewOf(transcript(name));
  const phone = view.phones.find((one) => one.id === id) as Phone;
  const { shape, word, detail, button } = statusOf(phone, latestRun(view, id), NOW);
  return [shape, say(word), detail ? say(detail) : '', button ?? ''];
}

describe('a tile says', () => {
  it.each([
    ['phones', 'anna', ['working', 'Working – step 4', 'Tapping ‘Battery’', '']],
    ['phones', 'shop', ['needs', 'Needs you', 'Approve a $23.40 payment', 'review']],
    ['phones', 'mum', ['ready', 'Ready', 'Nothing new from Dana.', '']],
    ['phones', 'moto', ['ready', 'Ready', 'Nothing running', '']],
    ['phones', 'nexus', ['offline', 'Offline', 'Unlock your phone and tap Allow', '']],
    ['many', 'many-9', ['connecting', 'Connecting', 'Waiting for the phone to respond', '']],
    ['troubles', 't1', ['working', 'Working – step 2', 'Asking the AI again…', '']],
    ['troubles', 't2', ['working', 'Working – step 2', 'The AI isn’t responding. Trying again…', '']],
    ['troubles', 't3', ['paused', 'Paused', 'You paused it', 'resume']],
    ['troubles', 't4', ['needs', 'Needs you', 'A question ran out of time', 'ask_again']],
    ['troubles', 't5', ['yours', 'You’re in control', '', '']],
    ['troubles', 't10', ['needs', 'Needs you', 'Phone disconnected. The task is paused.', 'resume']],
    ['troubles', 't13', ['needs', 'Needs you', 'This app hides its screen', 'take_over']],
    ['troubles', 't16', ['stopped', 'Stopped', expect.stringMatching(/^The phone doesn’t allow taps/), '']],
    ['troubles', 't20', ['needs', 'Needs you', 'The phone is locked', 'resume']],
    ['troubles', 't17', ['ready', 'Ready', 'You stopped the last task', '']],
  ])('%s %s', (name, id, expected) => expect(tile(name, id)).toEqual(expected));
});

it.each([
  ['usb', 'Plug the cable in again'],
  ['wifi', 'on the same Wi‑Fi'],
] as const)('a phone over %s that cannot be reached says what brings it back', (transport, help) => {
  const [phone] = viewOf(transcript('phones')).phones;
  const { detail } = statusOf({ ...phone!, state: 'offline', transport }, undefined, NOW);
  expect(say(detail!)).toContain(help);
});

it('a phone is ready when it is connected and nothing runs on it', () => {
  const view = viewOf(transcript('phones'));
  const ready = view.phones.filter((phone) => isReady(phone, latestRun(view, phone.id)));
  expect(ready.map((phone) => phone.id)).toEqual(['mum', 'moto']);
});

describe('the composer says what is asked first', () => {
  const off = { sending: false, deleting: false, installing: false, shell: false };
  it.each([
    [{}, 'Asks before payments, installs and 3 more'],
    [{ askBefore: { ...off, installing: true } }, 'Asks before payments and installs'],
    [{ askBefore: { ...off, deleting: true, shell: true } }, 'Asks before payments, deletions and 1 more'],
    [{ askBefore: off }, 'Asks before payments'],
    [{ level: 'hard_stops' as const }, 'Asks before payments'],
    [{ level: 'everything' as const }, 'Asks before every step'],
  ])('%j', (patch, expected) => expect(say(safetySentence({ ...settings(), ...patch }))).toBe(expected));
});

describe('spending', () => {
  it('is written in money, or not at all', () => {
    expect(spentText({ tokens: 9, dollars: 0.42, limit: 5 })).toBe('$0.42 of $5');
    expect(spentText({ tokens: 9, dollars: 0.42, limit: 5.5 })).toBe('$0.42 of $5.50');
    expect(spentText({ tokens: 9, limit: 5 })).toBeNull();
  });
});

it.each([
  [52_000, '0:52'],
  [252_000, '4:12'],
  [3_723_000, '1:02:03'],
  [-5, '0:00'],
])('%d ms is %s', (ms, text) => expect(clock(ms)).toBe(text));

it('times gone by are told in the largest unit', () => {
  const back = (minutes: number): string => ago(NOW - minutes * 60_000, NOW);
  expect([back(0), back(20), back(180), back(3 * 24 * 60)]).toEqual([
    'this minute',
    '20 min. ago',
    '3 hr. ago',
    '3 days ago',
  ]);
  expect(money(12)).toBe('$12.00');
  // Half a cent, whose nearest binary fraction is below it: a day never costs less than a task in it.
  expect(money(0.015)).toBe('$0.02');
});

it('a day of another year says which', () => {
  const at = Date.UTC(2024, 4, 7, 9, 38);
  const later = Date.UTC(2025, 4, 14);
  expect([day(at, NOW), day(at, later), dayName(at, later)]).toEqual(['May 7', 'May 7, 2024', 'May 7, 2024']);
  expect([moment(at, NOW), moment(at, later)].map((one) => one.replaceAll('\u202f', ' '))).toEqual(['May 7, 9:38 AM', 'May 7, 2024, 9:38 AM']);
  expect([calendarDay('2026-11-20'), calendarDay('last autumn')]).toEqual(['November 20, 2026', 'last autumn']);
});

it('numbers are written as the language writes them', () => {
  language.fix('de-DE', null, 'ltr', false);
  expect([tenths(0.84), tenths(12)]).toEqual(['0,8', '12,0']);
  language.fix('en-US', null, 'ltr', false);
  expect(tenths(1.25)).toBe('1.3');
});

describe('a number is read', () => {
  it.each([
    ['5', 5],
    ['5.50', 5.5],
    ['5,5', 5.5],
    [' 7 ', 7],
    ['5.555', null],
    ['-1', null],
    ['', null],
    ['1e3', null],
    ['1001', null],
  ])('%j as %s', (text, value) => expect(readNumber(text, 0, 1000, 2)).toBe(value));
  it('and written', () => {
    expect([writeNumber(5, 2), writeNumber(50, 0), writeNumber(1.75, 4), writeNumber(undefined, 2)]).toEqual([
      '5.00',
      '50',
      '1.75',
      '',
    ]);
  });
});

it.each([
  ['', { page: 'phones' }],
  ['#/settings', { page: 'settings' }],
  ['#/nowhere', { page: 'phones' }],
  ['#/settings/phones', { page: 'settings', tab: 'phones' }],
  ['#/settings/nowhere', { page: 'settings' }],
  ['#/connect', { page: 'connect', step: 'debugging' }],
  ['#/connect/wifi', { page: 'connect', step: 'wifi' }],
  ['#/connect/nowhere', { page: 'connect', step: 'debugging' }],
  ['#/phone/', { page: 'phones' }],
  ['#/phone/10.0.2.7%3A5555%2Fa', { page: 'phone', phone: '10.0.2.7:5555/a' }],
  ['#/phone/%', { page: 'phone', phone: '%' }],
])('the address %s is %j', (hash, route) => expect(readRoute(hash)).toEqual(route));

it.each<Route>([
  { page: 'phone', phone: 'a/b #1 ü' },
  { page: 'settings' },
  { page: 'settings', tab: 'phones' },
  { page: 'connect', step: 'cable' },
])('the address of %j reads back as itself', (route) => expect(readRoute(writeRoute(route))).toEqual(route));

describe('a phone that cannot be looked at', () => {
  // Those that the program tries again by itself, and one that it does not.
  it.each<[FailureCode, string]>([
    ['phone_slow', 'tried'],
    ['phone_refused', 'tried'],
    ['adb_silent', 'tried'],
    ['phone_locked', 'locked'],
    ['phone_unauthorized', 'unauthorized'],
    ['phone_connecting', 'unusable'],
    ['phone_no_permissions', 'unusable'],
    ['phone_bootloader', 'unusable'],
    ['phone_recovery', 'unusable'],
    ['phone_rescue', 'unusable'],
    ['phone_sideload', 'unusable'],
    ['phone_host', 'unusable'],
    ['phone_detached', 'unusable'],
    ['capture_failed', 'look'],
  ])('%s', (code, name) => {
    const reason = { why: 'look', failure: { code } } as const;
    expect([pauseSentence({ reason }).key, pauseShort(reason).key]).toEqual([`paused.${name}.title`, `paused.${name}.short`]);
    expect(say(pauseSentence({ reason })).includes('automatically')).toBe(name !== 'look');
  });
});

it('a pause because a question ran out of time says so, and what was not done', () => {
  const said = (askKind: 'payment' | 'camera'): string => say(pauseSentence({ reason: { why: 'timed_out', ask: 'ask' }, askKind }));
  expect(said('payment')).toBe('Nobody answered in time. Nothing was paid. The task is paused.');
  expect(said('camera')).toBe('There was no answer in time, so nothing was done. The task is paused.');
});

describe('what was done without a Yes', () => {
  const reason = { why: 'unapproved', kind: 'payment' } as const;

  it('is undone where the page can, by its own word for it', () => {
    expect(say(pauseSentence({ reason: { ...reason, undo: 'Cancel order' } }))).toContain('“Cancel order”');
  });

  it('is looked at where the page cannot', () => {
    expect(pauseSentence({ reason }).key).toBe('paused.unapproved.title');
  });
});
