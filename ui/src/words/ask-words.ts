// By what name a question has its sentences, and what an app is called. Pure: the program's own copy is `words.rs`.

import type { Ask, AskKind } from '../protocol';
import type { Sentence } from './words';

/** A group of sentences under `ask`: a kind, or what a kind is in particular. */
export type AskWords = AskKind | 'marked' | 'unread' | 'call' | 'incoming' | 'shown' | 'copied';

/** One of our own about a step nobody understands is no cry for help; a call is no message; a password that would be shown is
 *  not one that is wanted, and what the phone tells by itself nobody has to paste. */
export function wordsOf({ kind, reason, action }: Pick<Ask, 'kind' | 'reason' | 'action'>): AskWords {
  const rule = reason.by === 'rule' ? reason.rule : null;
  if (kind === 'unknown' && rule !== null) return rule === 'model_flag' ? 'marked' : 'unread';
  if (kind === 'password' && rule === 'reveals_secret') return 'shown';
  if (kind === 'clipboard' && rule === 'clipboard_read') return 'copied';
  if (kind !== 'send') return kind;
  // Earlier versions wrote `answers_call` and `call_key`.
  if (rule === 'answers' || rule === 'answers_call') return 'incoming';
  return rule === 'calls' || rule === 'call_key' || calls(action) ? 'call' : kind;
}

const CALLS = /^\s*(tel|sip|sips|callto):/i;

function calls(action: Ask['action']): boolean {
  if (action?.type === 'open_url') return CALLS.test(action.url);
  return action?.type === 'shell' && /\b(tel:|intent\.action\.(CALL|DIAL)\b)/.test(action.command);
}

/** A button that says itself how many things it deletes: “Delete 34 items”. A number elsewhere counts nothing. */
const COUNTED = /^\p{L}+\s+(\d{1,6})\s+\p{L}+$/u;

/** A question that names the act itself, by what was read from the screen; null where the kind's own sentence says it best. */
export function headline({ evidence, ...ask }: Ask): Sentence | null {
  const { label, recipient } = evidence;
  const words = wordsOf(ask);
  if (words === 'send' && recipient) return { key: 'headlines.send_to', values: { recipient } };
  if (words === 'call' && recipient) return { key: 'headlines.call_to', values: { recipient } };
  if (words === 'delete') {
    const n = COUNTED.exec(label ?? '')?.[1];
    return n === undefined ? null : { key: 'headlines.delete_many', values: { n: Number(n) } };
  }
  if (words !== 'act' || !label || !ask.action) return null;
  const { action } = ask;
  if (action.type === 'set_value') return { key: 'headlines.set_value', values: { label, value: action.value } };
  return action.type === 'tap' || action.type === 'double_tap' || action.type === 'long_press'
    ? { key: `headlines.${action.type}`, values: { label } }
    : null;
}

/** Android's own programs, which nobody knows by name: what they show is Android's. */
const ANDROID = /^(android|com\.(google\.)?android\.(permissioncontroller|packageinstaller|systemui))$/;

/** The question with its app called as a person calls it. */
export const named = (ask: Ask): Ask => (ANDROID.test(ask.app) ? { ...ask, appLabel: 'Android' } : ask);
