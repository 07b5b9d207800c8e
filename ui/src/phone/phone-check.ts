// What an examination found, as shapes and sentences.

import type { Finding, Verdict } from '../protocol';
import type { Shape } from '../kit/status-shape';
import { tenths } from '../words/format';
import type { Sentence } from '../words/words';

const SHAPES: Record<Verdict, Shape> = { fine: 'ready', attention: 'needs', failed: 'stopped', unknown: 'offline' };

export const shapeOf = (verdict: Verdict): Shape => SHAPES[verdict];

/** The one fact of a finding that a person may want to know. */
export function fact({ check, values }: Finding): Sentence | null {
  if (check === 'latency' && values.ms) return { key: 'doctor.facts.latency', values: { ms: values.ms } };
  if (check === 'android' && values.version) {
    return { key: 'doctor.facts.android', values: { version: values.version } };
  }
  if (check === 'storage' && values.freeMb) return { key: 'doctor.facts.storage', values: { size: giga(values.freeMb) } };
  if (check === 'battery' && values.percent) {
    return { key: 'doctor.facts.battery', values: { percent: values.percent } };
  }
  return null;
}

const giga = (megabytes: string): string => tenths(Number(megabytes) / 1024);

/** All of it in one sentence, the worst first. */
export function summary(found: Finding[]): { verdict: Verdict; shape: Shape; sentence: Sentence } {
  const count = (verdict: Verdict): number => found.filter((one) => one.verdict === verdict).length;
  for (const verdict of ['failed', 'attention', 'unknown'] as const) {
    const n = count(verdict);
    if (n > 0) return { verdict, shape: shapeOf(verdict), sentence: { key: `doctor.summary.${verdict}`, values: { n } } };
  }
  return { verdict: 'fine', shape: 'ready', sentence: { key: 'doctor.summary.fine' } };
}
