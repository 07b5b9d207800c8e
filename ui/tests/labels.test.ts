import { cleanup, fireEvent, render } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import PhonePage from '../src/app/PhonePage.svelte';
import '../src/phone/RenamePhone.svelte';
import { moved, renamed } from '../src/phone/labels';
import type { Phone, PhoneLabel } from '../src/protocol';
import { has, part, settle, stubApp } from './harness';

const phones = (ids: string): Phone[] =>
  [...ids].map((id) => ({ id, name: id.toUpperCase(), state: 'device', transport: 'usb', demo: false }));

/** `a b=Shop c`: in this order, and what is called otherwise. */
const read = (text: string): PhoneLabel[] =>
  text.split(' ').filter(Boolean).map((one) => ({ phone: one.split('=')[0] ?? '', name: one.split('=')[1] ?? '' }));
const written = (labels: PhoneLabel[]): string => labels.map(({ phone, name }) => phone + (name && `=${name}`)).join(' ');

describe('a name', () => {
  const check = (before: string, here: string, phone: string, name: string, expected: string): void =>
    expect(written(renamed(read(before), phones(here), phone, name))).toBe(expected);

  it.each([
    ['keeps every phone where it is', '', 'abc', 'b', ' Shop ', 'a b=Shop c'],
    ['leaves the others theirs', 'a=Mum b', 'ab', 'b', 'Shop', 'a=Mum b=Shop'],
    ['that is none is the phone’s own again', 'b=Shop a', 'ba', 'b', '  ', 'b a'],
    ['of a phone that is away stays', 'z=Away', 'a', 'a', 'Mum', 'z=Away a=Mum'],
  ])('%s', (_, ...all) => check(...all));
});

describe('a place', () => {
  const check = (before: string, here: string, phone: string, to: number, expected: string): void =>
    expect(written(moved(read(before), phones(here), phone, to))).toBe(expected);

  it.each<[string, string, string, string, number, string]>([
    ['is one further up', '', 'abc', 'c', 1, 'a c b'],
    ['is one further down, with its name', 'a=Mum b c', 'abc', 'a', 1, 'b a=Mum c'],
    ['is that of the neighbour that is here, past one that is away', 'a z=Away b', 'ab', 'b', 0, 'b a z=Away'],
    ['is far away', 'a=Mum b c d', 'abcd', 'd', 0, 'd a=Mum b c'],
    ['is its own', '', 'abc', 'b', 1, 'a b c'],
    ['is none before the first', '', 'ab', 'a', -1, 'a b'],
    ['at the end is the last', '', 'ab', 'b', 2, 'a b'],
    ['of a phone that is gone is none', '', 'ab', 'x', 0, 'a b'],
  ])('%s', (_, ...all) => check(...all));
});

describe('a phone’s menu', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
  });

  async function open(id: string) {
    const harness = stubApp('phones');
    harness.app.route = { page: 'phone', phone: id };
    render(PhonePage, { props: { id }, context: harness.context });
    await settle();
    return { ...harness, order: harness.app.view.phones.map((phone) => phone.id) };
  }

  it('renames it', async () => {
    const { backend, order } = await open('mum');
    await fireEvent.click(part('phone-rename'));
    await settle();
    const field = part('rename-field') as HTMLInputElement;
    expect(field.value).toBe('Mum’s Galaxy');
    await fireEvent.input(field, { target: { value: 'Kitchen phone' } });
    await fireEvent.submit(field.form as HTMLFormElement);
    await settle();
    expect(has('rename')).toBe(false);
    const phones = order.map((phone) => ({ phone, name: phone === 'mum' ? 'Kitchen phone' : '' }));
    expect(backend.patchSettings).toHaveBeenCalledExactlyOnceWith({ phones });
    expect(document.activeElement).toBe(part('phone-more'));
  });

  it('keeps what nobody changed', async () => {
    const { backend } = await open('mum');
    await fireEvent.click(part('phone-rename'));
    await settle();
    await fireEvent.submit((part('rename-field') as HTMLInputElement).form as HTMLFormElement);
    await fireEvent.click(part('phone-rename'));
    await settle();
    await fireEvent.click(part('rename-cancel'));
    await settle();
    expect(backend.patchSettings).not.toHaveBeenCalled();
  });

  it('moves it, says where it stands then, and no further than the ends', async () => {
    const { app, backend, order } = await open('mum');
    const at = order.indexOf('mum');
    expect(at).toBeGreaterThan(0);
    await fireEvent.click(part('phone-up'));
    await settle();
    const [first] = backend.patchSettings.mock.calls[0] ?? [];
    expect(first?.phones?.map(({ phone }) => phone)).toEqual(order.with(at, order[at - 1] as string).with(at - 1, 'mum'));
    await vi.advanceTimersByTimeAsync(3000);
    expect(app.spoken).toBe(`Mum’s Galaxy is now ${at} of ${order.length}.`);
    cleanup();
    await open(order[0] as string);
    expect((part('phone-up') as HTMLButtonElement).disabled).toBe(true);
    expect((part('phone-down') as HTMLButtonElement).disabled).toBe(false);
  });
});
