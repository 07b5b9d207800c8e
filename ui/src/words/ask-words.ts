// By what name a question has its sentences, and what an app is called. Pure: the program's own copy is `words.rs`.

import type { Ask, AskKind } from '../protocol';

/** A group of sentences under `ask`: a kind, or what a kind is in particular. */
export type AskWords = AskKind | 'marked' | 'unread' | 'call' | 'incoming' | 'shown';

/** One of our own about a step nobody understands is no cry for help; a call is no message; a password that would be shown is
 *  not one that is wanted. */
export function wordsOf({ kind, reason, action }: Pick<Ask, 'kind' | 'reason' | 'action'>): AskWords {
  const rule = reason.by === 'rule' ? reason.rule : null;
  if (kind === 'unknown' && rule !== null) return rule === 'model_flag' ? 'marked' : 'unread';
  if (kind === 'password' && rule === 'reveals_secret') return 'shown';
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

/** Android's own programs, which nobody knows by name: what they show is Android's. */
const ANDROID = /^(android|com\.(google\.)?android\.(permissioncontroller|packageinstaller|systemui))$/;

/** The question with its app called as a person calls it. */
export const named = (ask: Ask): Ask => (ANDROID.test(ask.app) ? { ...ask, appLabel: 'Android' } : ask);
