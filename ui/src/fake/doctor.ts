// An examination, played.

import type { Check, Examining, Finding } from '../protocol';

const fine = (check: Check, values: Finding['values'] = {}): Finding => ({ check, verdict: 'fine', values });

const WELL: Finding[] = [
  fine('latency', { ms: '14' }),
  fine('android', { version: '15', brand: 'google', model: 'Pixel 8' }),
  fine('storage', { freeMb: '76800' }),
  fine('battery', { percent: '82' }),
  fine('animations', { scale: '1' }),
  fine('clock', { seconds: '0' }),
  fine('lock'),
  fine('keyboard', { keyboard: 'com.google.android.inputmethod.latin/.LatinIME' }),
  fine('input', { ms: '96' }),
  fine('capture', { ms: '410', width: '1080', height: '2400' }),
  fine('tree', { ms: '2210', nodes: '84' }),
  fine('typing', { by: 'clipboard' }),
];

/** A phone that has most of what phones have. */
const ILL: Record<string, Finding> = {
  latency: { check: 'latency', verdict: 'attention', advice: 'better_connection', values: { ms: '640' } },
  storage: { check: 'storage', verdict: 'attention', advice: 'free_storage', values: { freeMb: '310' } },
  animations: { check: 'animations', verdict: 'attention', advice: 'animations_off', values: { scale: '1.5' } },
  input: {
    check: 'input',
    verdict: 'failed',
    advice: 'security_settings_xiaomi',
    values: { said: 'java.lang.SecurityException: Injecting to another application requires INJECT_EVENTS permission' },
  },
  clock: { check: 'clock', verdict: 'unknown', values: {} },
  typing: { check: 'typing', verdict: 'unknown', advice: 'touches_first', values: {} },
};

/** Tells it as a phone would, one check after the other; `heard` ends it. */
export async function examine(
  well: boolean,
  tell: (now: Examining) => void,
  heard: () => boolean,
  every: number,
): Promise<void> {
  for (const found of WELL) {
    if (!heard()) return;
    tell({ stage: 'looking', check: found.check });
    await new Promise((done) => setTimeout(done, every));
    if (heard()) tell({ stage: 'found', finding: (well ? undefined : ILL[found.check]) ?? found });
  }
  if (heard()) tell({ stage: 'done' });
}
