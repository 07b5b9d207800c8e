// A question of the past: a sentence, an icon, a tone, and what it was about. Pure: data in, a sentence's name out.

import { describe, type EventSummary } from '../run/event-sentences';
import { dayName } from '../words/format';
import type { Ask, AskEnd, AskRecord } from '../protocol';
import type { AskOutcome, Row } from '../state/run';
import type { Sentence } from '../words/words';
import { wordsOf } from '../words/ask-words';

/** How it ended. Nothing for one that waits: it has its own place. */
export function outcomeSummary({ ask, end, voided, unreadable }: AskRecord): EventSummary | null {
  if (unreadable) {
    const ended: Sentence[] = end ? describe(answerOf(ask, end)).notes : [];
    return { title: { key: 'approvals.unreadable' }, notes: ended, icon: 'question', tone: 'plain' };
  }
  if (!end) return null;
  const { reach } = end;
  const summary = describe(answerOf(ask, end));
  const notes: Sentence[] = [...summary.notes];
  if (end.outcome === 'allowed' && reach === 'task') notes.push({ key: 'approvals.reach.task' });
  if (end.outcome === 'allowed' && reach === 'always') {
    notes.push({ key: 'approvals.reach.always', values: { app: ask.appLabel, phone: ask.phoneName } });
  }
  return voided
    ? { ...summary, notes: [...notes, { key: 'rows.voided' }], icon: 'again', tone: 'amber' }
    : { ...summary, notes };
}

function answerOf(ask: Ask, { at, reach: _, ...outcome }: AskEnd): Extract<Row, { kind: 'answer' }> {
  return { kind: 'answer', at, askKind: wordsOf(ask), outcome: outcome as AskOutcome };
}

/** What it was about, as the screen said it: money first, and of several amounts the one that was picked. */
export function about({ evidence }: Ask, picked?: string): string[] {
  const { amount, otherAmounts = [], payee, recipient, label, text, hint } = evidence;
  const whom = payee ?? recipient;
  const first = picked ?? amount?.text ?? otherAmounts.map((other) => other.text).join(', ');
  const found = [first, whom ?? '', first === '' && whom === undefined ? (label ?? hint ?? '') : ''];
  if (text !== undefined && first === '') found.push(text.length > 80 ? `${text.slice(0, 79)}…` : text);
  return found.filter((one) => one !== '');
}

export interface Day {
  name: string;
  records: AskRecord[];
}

/** Those that ended, and those nobody can read, by the day they were asked on; the newest day first. */
export function byDay(records: AskRecord[], now: number): Day[] {
  const days: Day[] = [];
  for (const record of records) {
    if (!record.end && !record.unreadable) continue;
    const name = dayName(record.ask.askedAt, now);
    const last = days.at(-1);
    if (last?.name === name) last.records.push(record);
    else days.push({ name, records: [record] });
  }
  return days;
}
