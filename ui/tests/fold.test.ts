import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Event, News } from '../src/protocol';
import { isLive } from '../src/state/run';
import { asking, emptyView, fold, latestRun, type View } from '../src/state/view';
import { describe as describeRow } from '../src/run/event-sentences';
import { say } from '../src/words/words';
import { transcript, transcripts, viewOf } from './harness';

const runOf = (name: string, phone: string) => {
  const run = latestRun(viewOf(transcript(name)), phone);
  if (!run) throw new Error(`no run on ${phone}`);
  return run;
};

/** What a person can see of a view. */
const seen = (view: View) => ({
  ...view,
  runs: Object.values(view.runs)
    .filter((run) => run.seq > 0)
    .sort((a, b) => a.run.localeCompare(b.run)),
});

describe('a run is folded into', () => {
  it('steps with their thought, pictures, outcome and time', () => {
    const rows = runOf('phone', 'mum').rows;
    expect(rows.map((row) => row.kind)).toEqual(['step', 'step', 'step', 'step', 'answer', 'step']);
    expect(rows[4]).toMatchObject({ askKind: 'send', outcome: { outcome: 'allowed' } });
    expect(rows[5]).toMatchObject({
      step: 5,
      label: 'Send',
      thought: expect.stringMatching(/^The message is written/),
      before: { frame: 'run-mum/5', width: 1080, height: 2400 },
      after: { frame: 'run-mum/6' },
      outcome: { ok: true, code: 'done' },
      tookMs: 2000,
    });
  });

  it('what it does now, and what it cost so far', () => {
    const run = runOf('phone', 'mum');
    expect(run).toMatchObject({ stage: 'thinking', step: 6, tokens: 5 * 1640 });
    expect(run.dollars).toBeCloseTo(0.025);
  });

  it('what a question beside the task cost, with the step it was asked for', () => {
    const view = viewOf(transcript('phones'));
    const usage = { inputTokens: 90, outputTokens: 10, dollars: 0.5 };
    const outcome = { ok: true, code: 'done' as const, usage };
    const after = fold(view, event(view, 'shop', { what: 'acted', step: 1, outcome, tookMs: 80 }));
    const [was, is] = [view, after].map((one) => latestRun(one, 'shop'));
    expect(is?.tokens).toBe((was?.tokens ?? 0) + 100);
    expect(is?.dollars).toBeCloseTo((was?.dollars ?? 0) + 0.5);
  });

  it('an unknown price as soon as one request has none', () => {
    const [first, ...rest] = transcript('phone').filter((one) => one.news === 'run' && one.event.what === 'decided');
    const free = structuredClone(first) as Extract<News, { news: 'run' }>;
    if (free.event.what === 'decided') delete free.event.usage.dollars;
    const view = viewOf([renumber(free, 1), ...rest.map((one, i) => renumber(one, i + 2))]);
    expect(Object.values(view.runs).every((run) => run.dollars === null && run.tokens > 0)).toBe(true);
  });

  it('an open question, and none once it ended', () => {
    const view = viewOf(transcript('phones'));
    expect(asking(view).map((run) => run.asks[0]?.kind)).toEqual(['payment']);
    const ask = asking(view)[0]?.asks[0];
    const denied = fold(view, event(view, 'shop', { what: 'answered', ask: ask?.id ?? '', outcome: 'denied' }));
    expect(asking(denied)).toEqual([]);
    expect(latestRun(denied, 'shop')?.rows.at(-1)).toMatchObject({ kind: 'answer', askKind: 'payment' });
  });

  it('more time for a question', () => {
    const view = viewOf(transcript('phones'));
    const later = fold(view, event(view, 'shop', { what: 'extended', ask: 'ask-run-shop', deadline: 99 }));
    expect(latestRun(later, 'shop')?.asks[0]?.deadline).toBe(99);
  });

  it.each([
    ['t1', { stage: 'thinking', unclear: 'missing_target' }],
    ['t2', { stage: 'thinking', retry: { failure: { code: 'model_slow' } } }],
    ['t3', { stage: 'paused', paused: { reason: { why: 'person' } } }],
    ['t4', { stage: 'paused', paused: { reason: { why: 'timed_out' }, askKind: 'install' } }],
    ['t5', { stage: 'yours' }],
    ['t10', { stage: 'paused', paused: { reason: { why: 'phone_gone' } } }],
    ['t15', { stage: 'ended', ending: { how: 'interrupted', unknown_effect: true } }],
    ['t16', { stage: 'ended', ending: { how: 'failed' } }],
    ['t17', { stage: 'ended', ending: { how: 'stopped' } }],
    ['t18', { stage: 'thinking', capture: 'protected', shot: null }],
  ])('the trouble of %s', (phone, expected) => {
    expect(runOf('troubles', phone)).toMatchObject(expected);
  });

  it('what a script prints stands with its step', () => {
    const view = viewOf(transcript('phones'));
    const told = ['one\n', 'two\n'].reduce(
      (next, text) => fold(next, event(next, 'anna', { what: 'printed', step: 4, stream: 'stdout', text })),
      view,
    );
    const row = latestRun(told, 'anna')?.rows.findLast((one) => one.kind === 'step' && one.step === 4);
    expect(row).toMatchObject({ printed: 'one\ntwo\n' });
  });

  it.each([
    [true, 'Finished: You said no. Nothing was paid.'],
    [undefined, 'Done: You said no. Nothing was paid.'],
  ])('an end after a no, declined: %j, is told as %j', (declined, title) => {
    const ending = { how: 'finished' as const, message: 'You said no. Nothing was paid.', declined };
    const view = fold(viewOf(transcript('asks')), event(viewOf(transcript('asks')), 'k-payment', { what: 'ended', ending }));
    const row = latestRun(view, 'k-payment')?.rows.at(-1);
    expect(row?.kind === 'ended' && say(describeRow(row).title)).toBe(title);
  });

  it('what a refused step was about, where that is known', () => {
    const tap = { type: 'tap', target: { element: 14 } } as const;
    const told = [
      { what: 'refused', step: 2, action: { ...tap, reason: 'Again' }, code: 'denied_before', label: 'Pay $23.40' },
      { what: 'refused', step: 2, action: tap, code: 'screen_changed', place: 'bottom' },
      { what: 'refused', step: 3, action: { type: 'launch_app', app: 'com.shop' }, code: 'not_allowed', appLabel: 'Shop' },
      { what: 'refused', step: 3, action: { type: 'tap', target: { text: 'Order now' } }, code: 'target_not_found' },
    ] as const;
    const view = told.reduce((next, what) => fold(next, event(next, 'k-payment', what as never)), viewOf(transcript('asks')));
    const rows = latestRun(view, 'k-payment')?.rows.filter((row) => row.kind === 'refused') ?? [];
    expect(rows.map((row) => row.label)).toEqual(['Pay $23.40', undefined, undefined, 'Order now']);
    expect(rows.map((row) => say(describeRow(row).title))).toEqual([
      'Not done: tap ‘Pay $23.40’',
      'Not done: tap near the bottom',
      'Not done: open Shop',
      'Not done: tap ‘Order now’',
    ]);
  });

  it('what was repeated without the AI, and why no longer', () => {
    const tap = { type: 'tap' } as const;
    const told = [
      { what: 'replayed', step: 7, by: 'id' },
      { what: 'acting', step: 7, action: tap },
      { what: 'replayed', step: 8, by: 'asked_ai' },
      { what: 'acting', step: 8, action: tap },
      { what: 'diverged', step: 9, why: 'other_page' },
      { what: 'acting', step: 9, action: tap },
    ] as const;
    const view = told.reduce((next, what) => fold(next, event(next, 'anna', what as never)), viewOf(transcript('phones')));
    const rows = latestRun(view, 'anna')?.rows.slice(-4) ?? [];
    expect(rows.map((row) => [row.kind, row.kind === 'step' ? (row.repeated ?? false) : row.kind === 'diverged' && row.why])).toEqual([
      ['step', true],
      ['step', false],
      ['diverged', 'other_page'],
      ['step', false],
    ]);
  });

  it('rows for everything that is told', () => {
    const kinds = transcripts
      .flatMap((name) => Object.values(viewOf(transcript(name)).runs))
      .flatMap((run) => run.rows.map((row) => row.kind));
    expect([...new Set(kinds)].sort()).toEqual([
      'answer',
      'ended',
      'handed_back',
      'paused',
      'refused',
      'resumed',
      'said',
      'step',
      'taken_over',
      'unclear',
      'voided',
    ]);
  });
});

describe('of several runs of a phone', () => {
  const started = (run: string, at: number): News => ({
    news: 'run',
    event: { run, phone: 'p', seq: 1, at, what: 'started', goal: run, model: '', demoAi: true },
  });

  it.each([[['old', 'new']], [['new', 'old']]])('the newest stays, told as %j', (order) => {
    const at: Record<string, number> = { old: 1, new: 2 };
    const view = viewOf(order.map((run) => started(run, at[run] as number)));
    expect(latestRun(view, 'p')?.goal).toBe('new');
    expect(Object.keys(view.runs)).toEqual(['new']);
  });
});

describe('the fold', () => {
  it.each(transcripts)('never changes what it was given: %s', (name) => {
    let view: View = emptyView;
    for (const news of transcript(name)) {
      const before = structuredClone(view);
      const after = fold(view, news);
      expect(view).toEqual(before);
      view = after;
    }
  });

  it.each(transcripts)('ignores what was told before: %s', (name) => {
    const news = transcript(name);
    const runs = news.filter((one) => one.news === 'run');
    const view = viewOf(news);
    expect(runs.reduce(fold, view)).toEqual(view);
  });

  it.each(transcripts)('does not depend on the order events come in: %s', (name) => {
    const news = transcript(name);
    const runs = news.filter((one) => one.news === 'run');
    const rest = news.filter((one) => one.news !== 'run');
    const expected = seen(viewOf([...rest, ...runs]));
    fc.assert(
      fc.property(shuffled(runs, 40), (order) => {
        expect(seen(viewOf([...rest, ...order, ...order]))).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  it('is total: any news, known or not, gives a view', () => {
    const all = transcripts.flatMap(transcript);
    const strange = fc.record({
      news: fc.constant('run'),
      event: fc.record({
        run: fc.constantFrom('run-mum', 'other'),
        phone: fc.constantFrom('mum', 'shop'),
        seq: fc.integer({ min: -1, max: 200 }),
        at: fc.nat(),
        what: fc.constantFrom('looked', 'acted', 'answered', 'extended', 'resumed', 'not_invented_yet'),
        step: fc.nat(9),
        ask: fc.string(),
        outcome: fc.constantFrom('denied', 'supplied'),
      }),
    });
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...all), strange)), (news) => {
        const view = viewOf(news as News[]);
        for (const run of Object.values(view.runs)) expect(typeof isLive(run)).toBe('boolean');
        expect(Array.isArray(view.phones)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('does not wait for ever for an event that never comes', () => {
    const base = transcript('phone').filter((one) => one.news === 'run' && one.event.phone === 'mum');
    const said = Array.from({ length: 70 }, (_, i): News => ({
      news: 'run',
      event: { run: 'run-mum', phone: 'mum', seq: 1000 + i, at: 0, what: 'said', text: String(i) },
    }));
    const run = latestRun(viewOf([...base, ...said]), 'mum');
    expect(run?.rows.filter((row) => row.kind === 'said')).toHaveLength(70);
  });

  it('keeps the newest trouble of each kind, told apart from the one put away', () => {
    const trouble = (code: 'adb_silent' | 'disk_full'): News => ({ news: 'trouble', failure: { code } });
    const { troubles } = viewOf([trouble('adb_silent'), trouble('disk_full'), trouble('adb_silent')]);
    expect(troubles.map((one) => [one.failure.code, one.id])).toEqual([
      ['disk_full', 2],
      ['adb_silent', 3],
    ]);
  });

  it('an ended run does not come back to life', () => {
    const view = viewOf(transcript('finished'));
    const after = fold(
      view,
      event(view, 'mum', { what: 'looked', step: 9, app: '', width: 1, height: 1, capture: 'ok', elements: 0 }),
    );
    expect(isLive(latestRun(after, 'mum'))).toBe(false);
  });
});

type Body<T> = T extends Event ? Omit<T, 'run' | 'phone' | 'seq' | 'at'> : never;

function event(view: View, phone: string, what: Body<Event>): News {
  const run = latestRun(view, phone);
  if (!run) throw new Error(phone);
  return { news: 'run', event: { run: run.run, phone, seq: run.seq + 1, at: 0, ...what } as Event };
}

function renumber(news: News | undefined, seq: number): News {
  if (news?.news !== 'run') throw new Error('not of a run');
  return { news: 'run', event: { ...news.event, seq, run: 'run', phone: 'p' } };
}

/** The same news with each moved by less than `reach` places. */
const shuffled = (news: News[], reach: number): fc.Arbitrary<News[]> =>
  fc.array(fc.integer({ min: 0, max: reach }), { minLength: news.length, maxLength: news.length }).map((moves) =>
    news
      .map((one, i) => ({ one, at: i + (moves[i] ?? 0) }))
      .sort((a, b) => a.at - b.at)
      .map(({ one }) => one),
  );
