import { cleanup, fireEvent, render } from '@testing-library/svelte';
import axe from 'axe-core';
import { tick } from 'svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fact, summary } from '../src/phone/phone-check';
import PhoneHeader from '../src/phone/PhoneHeader.svelte';
import { PhoneSound } from '../src/phone/sound/phone-sound.svelte';
import '../src/phone/PhoneCheck.svelte';
import type { Examining, Finding, Phone, Verdict } from '../src/protocol';
import { exists, say } from '../src/words/words';
import { has, part, parts, stubApp } from './harness';

afterEach(cleanup);

const finding = (more: Partial<Finding> = {}): Finding => ({ check: 'latency', verdict: 'fine', values: {}, ...more });
const turns = (): Promise<void> => new Promise((done) => setTimeout(done, 20));

async function open(): Promise<ReturnType<typeof stubApp> & { tell: (now: Examining) => Promise<void> }> {
  const harness = stubApp('one');
  const phone = harness.app.view.phones[0] as Phone;
  render(PhoneHeader, { props: { phone, run: undefined, fill: () => undefined, sound: new PhoneSound(harness.backend, () => undefined) }, context: harness.context });
  await fireEvent.click(part('check-phone'));
  await turns();
  const tell = async (now: Examining): Promise<void> => {
    harness.backend.examine.mock.lastCall?.[1](now);
    await tick();
  };
  return { ...harness, tell };
}

const lines = (): string[] => parts('check-line').map((line) => line.textContent?.replaceAll(/\s+/g, ' ').trim() ?? '');

describe('checking a phone', () => {
  it('tells what is looked at, then each finding as it is known, then all of it', async () => {
    const { backend, tell, app } = await open();
    expect(backend.examine).toHaveBeenCalledExactlyOnceWith(app.view.phones[0]?.id, expect.anything());
    expect(part('check-now').textContent).toContain('Contacting the phone');
    expect(part('check-again').hasAttribute('disabled')).toBe(true);
    await tell({ stage: 'looking', check: 'latency' });
    expect(part('check-now').textContent).toContain('Checking: Response time');
    await tell({ stage: 'found', finding: finding({ values: { ms: '14' } }) });
    expect(lines()).toEqual(['Response time 14 ms works']);
    await tell({ stage: 'looking', check: 'input' });
    await tell({
      stage: 'found',
      finding: finding({ check: 'input', verdict: 'failed', advice: 'security_settings_xiaomi' }),
    });
    expect(lines()[1]).toMatch(/^Tapping doesn’t work In Settings, Additional settings, Developer options/);
    expect(parts('check-line')[1]?.querySelector('[data-shape]')?.getAttribute('data-shape')).toBe('stopped');
    await tell({ stage: 'done' });
    expect(part('check-now').textContent).toContain('1 thing doesn’t work.');
    expect(part('check-now').getAttribute('role')).toBe('status');
    expect((await axe.run(document.body, { rules: { 'color-contrast': { enabled: false } } })).violations).toEqual([]);
  });

  it('says why it cannot be checked now', async () => {
    const { backend, tell } = await open();
    await tell({ stage: 'failed', failure: { code: 'phone_busy' } });
    expect(part('check-now').textContent).toContain('A task is using this phone. Stop it first');
    expect(part('check-again').hasAttribute('disabled')).toBe(false);
    // A call that is rejected says it as well.
    backend.examine.mockRejectedValueOnce({ code: 'phone_gone' });
    await fireEvent.click(part('check-again'));
    await turns();
    expect(part('check-now').textContent).toContain('The phone is no longer connected.');
  });

  it('begins anew, and hears no more of the turn before', async () => {
    const { backend, tell } = await open();
    const [, before] = backend.examine.mock.lastCall ?? [];
    await tell({ stage: 'found', finding: finding() });
    await tell({ stage: 'done' });
    expect(part('check-now').textContent).toContain('Everything works.');
    await fireEvent.click(part('check-again'));
    expect(backend.examine).toHaveBeenCalledTimes(2);
    expect(lines()).toEqual([]);
    before?.({ stage: 'found', finding: finding() });
    await tick();
    expect(lines()).toEqual([]);
    await tell({ stage: 'found', finding: finding() });
    expect(lines()).toHaveLength(1);
  });

  it('ends when it is closed, and the focus is where it was', async () => {
    const { backend } = await open();
    expect(document.activeElement).toBe(part('check-close'));
    await fireEvent.click(part('check-close'));
    await turns();
    expect(has('check')).toBe(false);
    expect(backend.examineStop).toHaveBeenCalledOnce();
    expect(document.activeElement).toBe(part('phone-more'));
  });

  it('hands out its details when something is wrong, and only then', async () => {
    const write = vi.fn(async () => undefined);
    vi.stubGlobal('navigator', Object.create(navigator, { clipboard: { value: { writeText: write } } }));
    const { tell } = await open();
    await tell({ stage: 'found', finding: finding() });
    await tell({ stage: 'done' });
    expect(has('check-copy')).toBe(false);
    await fireEvent.click(part('check-again'));
    await tell({ stage: 'found', finding: finding({ verdict: 'failed', values: { said: 'Killed' } }) });
    await tell({ stage: 'done' });
    await fireEvent.click(part('check-copy'));
    expect(write).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('Killed'));
    vi.unstubAllGlobals();
  });
});

describe('what was found', () => {
  it.each<[Verdict[], string, string]>([
    [['fine', 'fine'], 'ready', 'Everything works.'],
    [['fine', 'unknown'], 'offline', 'Everything else works, but 1 thing couldn’t be checked.'],
    [['attention', 'unknown', 'attention'], 'needs', 'It works. 2 things could be better.'],
    [['attention', 'failed', 'failed'], 'stopped', '2 things don’t work.'],
  ])('%j is in one sentence', (verdicts, shape, sentence) => {
    const end = summary(verdicts.map((verdict) => finding({ verdict })));
    expect([end.shape, say(end.sentence)]).toEqual([shape, sentence]);
  });

  it('has a fact that a person may want, where there is one', () => {
    const told = (more: Partial<Finding>): string | null => {
      const sentence = fact(finding(more));
      return sentence && exists(sentence.key) ? say(sentence) : null;
    };
    expect(told({ check: 'storage', values: { freeMb: '1536' } })).toBe('1.5 GB free');
    expect(told({ check: 'android', values: { version: '15' } })).toBe('Android 15');
    expect(told({ check: 'battery', values: { percent: '82' } })).toBe('82%');
    expect(told({ check: 'battery' })).toBe(null);
    expect(told({ check: 'typing', values: { shown: 'x' } })).toBe(null);
  });
});
