// The rows of a timeline that are no steps: a sentence, an icon, a tone.

import '../words/task-words';
import type { StandingAnswer } from '../protocol';
import { isDeclined, type Row } from '../state/run';
import { known, pauseSentence, todo } from '../state/step-sentences';
import { inARow, say, type Sentence } from '../words/words';

export type EventIconName = 'yes' | 'no' | 'question' | 'hand' | 'words' | 'pause' | 'play' | 'again' | 'stop';

export interface EventSummary {
  title: Sentence;
  quote?: string;
  notes: Sentence[];
  icon: EventIconName;
  tone: 'plain' | 'good' | 'bad' | 'amber';
}

type EndedRow = Extract<Row, { kind: 'ended' }>;

export function describe(row: Exclude<Row, { kind: 'step' }>): EventSummary {
  switch (row.kind) {
    case 'answer':
      return answer(row);
    case 'voided':
      return { title: { key: 'rows.voided' }, notes: [], icon: 'again', tone: 'amber' };
    case 'unasked':
      return { title: unasked(row.standing), notes: [], icon: 'yes', tone: 'plain' };
    case 'unclear':
      return {
        title: { key: 'unclear.title' },
        notes: [{ key: `unclear.${row.code}` }],
        icon: 'question',
        tone: 'plain',
      };
    case 'diverged':
      return { title: { key: `rows.diverged.${row.why}` }, notes: [], icon: 'question', tone: 'amber' };
    case 'refused':
      return {
        title: { key: 'refused.title', values: { what: lowered(say(todo(row.action, row))) } },
        notes: [{ key: known('refusals', row.code) }],
        icon: 'no',
        tone: 'bad',
      };
    case 'said':
      return { title: { key: 'rows.said' }, quote: row.text, notes: [], icon: 'words', tone: 'plain' };
    case 'paused':
      return {
        title: pauseSentence(row),
        notes: [],
        icon: 'pause',
        tone: row.reason.why === 'person' ? 'plain' : 'amber',
      };
    case 'resumed':
      return { title: { key: 'rows.resumed' }, notes: [], icon: 'play', tone: 'plain' };
    case 'taken_over':
    case 'handed_back':
      return { title: { key: `rows.${row.kind}` }, notes: [], icon: 'hand', tone: 'plain' };
    case 'unreadable':
      return { title: { key: 'rows.unreadable' }, notes: [], icon: 'question', tone: 'plain' };
    case 'ended':
      return { ...ended(row), ...(row.maybeRunning ? { tone: 'bad' } : {}), notes: endNotes(row) };
  }
}

/** As it stands after a colon. */
const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** What answered instead of the person: something they said before. */
function unasked(standing: StandingAnswer): Sentence {
  if (standing.by === 'mandate') return { key: 'rows.unasked_mandate' };
  const label = standing.rule.element?.label;
  return label ? { key: 'rows.unasked_rule', values: { label } } : { key: 'rows.unasked_rule_plain' };
}

function answer({ askKind, outcome }: Extract<Row, { kind: 'answer' }>): EventSummary {
  switch (outcome.outcome) {
    case 'allowed':
      return { title: { key: `ask.${askKind}.allowed` }, notes: [], icon: 'yes', tone: 'good' };
    case 'supplied':
      return {
        title: { key: `ask.${askKind}.allowed` },
        notes: [
          {
            key: askKind === 'clipboard' ? 'answers.pasted_note' : 'answers.supplied_note',
            values: { n: outcome.characters },
          },
        ],
        icon: 'yes',
        tone: 'good',
      };
    case 'timed_out':
      return {
        title: { key: 'answers.timed_out' },
        notes: [{ key: 'answers.timed_out_note' }],
        icon: 'question',
        tone: 'amber',
      };
    case 'denied':
      return { title: { key: `ask.${askKind}.denied` }, notes: [], icon: 'no', tone: 'plain' };
    case 'withdrawn':
      return { title: { key: 'rows.withdrawn' }, notes: [], icon: 'no', tone: 'plain' };
  }
}

/** Nothing is praised as done where the person had the last word and it was no. */
function ended({ ending }: EndedRow): Omit<EventSummary, 'notes'> {
  const declined = isDeclined(ending);
  switch (ending.how) {
    case 'finished': {
      const key = declined ? 'ended.declined' : 'ended.finished';
      const title: Sentence = ending.message ? { key: `${key}_with`, values: { message: ending.message } } : { key };
      return declined ? { title, icon: 'stop', tone: 'plain' } : { title, icon: 'yes', tone: 'good' };
    }
    case 'stopped':
      return { title: { key: 'ended.stopped' }, icon: 'stop', tone: 'plain' };
    case 'failed':
      return { title: { key: 'ended.failed' }, icon: 'no', tone: 'bad' };
    case 'interrupted':
      return { title: { key: 'ended.interrupted' }, icon: 'stop', tone: 'amber' };
  }
}

/** That it ended, where its answer stands elsewhere. */
export function brieflyEnded(row: EndedRow): Sentence {
  if (row.ending.how !== 'finished') return ended(row).title;
  return { key: isDeclined(row.ending) ? 'ended.declined' : 'ended.finished' };
}

/** The same in whole sentences, with why and what nobody knows. */
export function endSentences(row: EndedRow): string {
  const { title, notes } = describe(row);
  return inARow([title, ...notes].map(say));
}

function endNotes({ ending, maybeRunning }: EndedRow): Sentence[] {
  const notes: Sentence[] = [];
  if (ending.how === 'failed') notes.push({ key: `failures.${ending.failure.code}` });
  if (ending.how === 'interrupted' && ending.unknown_effect) notes.push({ key: 'ended.unknown_effect' });
  if (maybeRunning) notes.push({ key: 'ended.maybe_running' });
  return notes;
}
