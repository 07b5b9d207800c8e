// What the approval window shows for one question. Pure: what may be approved is decided here and tested as a table.
// The backend decides again; this only ever takes Approve away.

import type { Amount, Ask, AskKind, Choice, Mandate } from '../protocol';
import { todo } from '../state/step-sentences';
import { inARow, say, type Sentence } from '../words/words';
import { headline, wordsOf } from '../words/ask-words';

/** What the person must know of a payment's amount before a yes. */
export type AmountTrouble = 'differs' | 'several' | 'unread';

/** How the person gives what is asked for. */
export type Gives = 'yes' | 'code' | 'password' | 'clipboard';

export interface Question {
  gives: Gives;
  header: Sentence;
  question: Sentence;
  /** Set in the largest type, when one single amount is known. */
  amount: string | null;
  trouble: AmountTrouble | null;
  /** The amounts the person picks one of, each as the phone writes it: without one picked there is no yes. */
  amounts: string[];
  /** The label of the yes, or null when there is none to give here. */
  approve: Sentence | null;
  /** Take over stands where the yes would: there is none, or the person is wanted in person. */
  takeOverFirst: boolean;
  mayTakeOver: boolean;
  mayExtend: boolean;
  nothing: Sentence;
  /** A yes may hold for this one thing from now on. */
  mayAlways: boolean;
  /** What may be put on the phone instead of a plain yes. */
  pick: 'picture' | 'file' | null;
  /** Where the phone is: an emulator is told with the words of the yes, any other phone shares its own place. */
  place: 'told' | 'own' | null;
  /** Words may be added to any answer. Where they often are the answer, their field stands open. */
  words: 'open' | 'closed';
  /** What the task itself names, to be agreed to before it begins. */
  mandates: Mandate[];
  /** Words from the phone or the AI shown letter for letter, and what they are. */
  verbatim: { name: Sentence; text: string; code: boolean } | null;
}

const GIVES: Partial<Record<AskKind, Gives>> = { code: 'code', password: 'password', clipboard: 'clipboard' };

export function questionOf(ask: Ask): Question {
  const { kind } = ask;
  const words = wordsOf(ask);
  const gives = ask.choices.includes('supply') ? (GIVES[kind] ?? 'code') : 'yes';
  const trouble = kind === 'payment' ? amountTrouble(ask) : null;
  const approve = approveLabel(ask, gives, trouble);
  return {
    gives,
    header: { key: `ask.${words}.header` },
    question: questionSentence(ask),
    amount: kind === 'payment' && !trouble ? (ask.evidence.amount?.text ?? null) : null,
    trouble,
    amounts: trouble === 'several' ? amountsOf(ask) : [],
    approve,
    takeOverFirst: may(ask, 'take_over') && (approve === null || words === 'unknown'),
    mayTakeOver: may(ask, 'take_over'),
    mayExtend: may(ask, 'more_time'),
    nothing: { key: `ask.${words}.nothing` },
    mayAlways: approve !== null && may(ask, 'approve_always'),
    pick: may(ask, 'give') && kind !== 'location' ? (kind === 'camera' ? 'picture' : 'file') : null,
    place: kind === 'location' ? (may(ask, 'give') ? 'told' : 'own') : null,
    words: approve !== null && OPEN_WORDS.some((one) => one === words) ? 'open' : 'closed',
    mandates: ask.reason.by === 'task' ? ask.reason.deeds : [],
    verbatim: verbatim(ask),
  };
}

const OPEN_WORDS: AskKind[] = ['contacts', 'calendar', 'notification', 'location', 'unknown'];

/** A question as it is spoken when it appears: what it is, where, and about how much. */
export const announced = ({ phoneName, appLabel }: Ask, { header, question, amount }: Question): string =>
  inARow([say(header), [phoneName, appLabel].filter((name) => name !== '').join(', '), say(question), amount ?? '']);

/** Android’s own question, where its dialog shows one: it names the app, which ours could not. */
export function questionSentence(ask: Ask): Sentence {
  const { kind, evidence, appLabel, phoneName } = ask;
  if (kind === 'permission' && evidence.hint) return { key: 'approval.quoted', values: { text: evidence.hint } };
  if (kind === 'code' && !may(ask, 'supply')) return { key: 'approval.code_elsewhere', values: { app: appLabel } };
  return headline(ask) ?? { key: `ask.${wordsOf(ask)}.question`, values: { app: appLabel, phone: phoneName } };
}

/** What a yes that holds from now on would allow, in words, before it is given. */
export function alwaysSentence({ evidence, appLabel, phoneName }: Ask): Sentence {
  const where = { app: appLabel, phone: phoneName };
  return evidence.label
    ? { key: 'approval.always_named', values: { ...where, label: evidence.label } }
    : { key: 'approval.always_unnamed', values: where };
}

/** What the person chose beside the yes. */
export interface Chosen {
  always: boolean;
  /** A file is picked. */
  file: boolean;
  /** The amount that is picked. */
  amount: string | null;
}

/** The label of the yes as it stands: with a file or an amount picked, or holding from now on, it says so. */
export function yesLabel(question: Question, { always, file, amount }: Chosen): Sentence | null {
  if (!question.approve) return null;
  if (file) return { key: 'approval.give' };
  if (amount !== null) return { key: 'ask.payment.approve', values: { amount } };
  return always ? { key: 'approval.always_approve' } : question.approve;
}

const may = (ask: Ask, choice: Choice): boolean => ask.choices.includes(choice);

function approveLabel(ask: Ask, gives: Gives, trouble: AmountTrouble | null): Sentence | null {
  if (gives !== 'yes') return { key: `ask.${gives}.approve` };
  if (!may(ask, 'approve')) return null;
  if (ask.kind === 'payment') {
    // What nobody read and nobody can see is not approved.
    if (trouble === 'unread' && !ask.evidence.frame) return null;
    const amount = ask.evidence.amount?.text;
    return amount && trouble !== 'several'
      ? { key: 'ask.payment.approve', values: { amount } }
      : { key: 'approval.approve_payment' };
  }
  // There is no field to type it into: the person does on the phone what it asks.
  if (ask.kind === 'code') return { key: 'ask.biometric.approve' };
  if (ask.kind === 'permission' && ask.evidence.allows) return { key: `approval.allows.${ask.evidence.allows}` };
  return { key: `ask.${wordsOf(ask)}.approve` };
}

/** The amount is the one the phone's own text says. Of several the person picks theirs; what was not read they read. */
function amountTrouble(ask: Ask): AmountTrouble | null {
  const { evidence, claim } = ask;
  if (amountsOf(ask).length > 0) return 'several';
  if (!evidence.amount) return 'unread';
  return claim.amount && !sameAmount(evidence.amount, claim.amount) ? 'differs' : null;
}

/** Letter for letter, each once: the backend takes no other. */
const amountsOf = ({ evidence }: Ask): string[] => [
  ...new Set((evidence.otherAmounts ?? []).map((amount) => amount.text)),
];

/** Hundredths are compared where both are certain; else the texts, blanks aside. */
export function sameAmount(a: Amount, b: Amount): boolean {
  const plain = (text: string): string => text.replaceAll(/\s+/g, '');
  if (a.minor !== undefined && b.minor !== undefined) {
    return a.minor === b.minor && plain(a.currency) === plain(b.currency);
  }
  return plain(a.text) === plain(b.text);
}

function verbatim(ask: Ask): Question['verbatim'] {
  const { action, evidence, kind } = ask;
  if (kind === 'shell') {
    const text = evidence.text ?? (action?.type === 'shell' ? action.command : undefined);
    return text ? { name: { key: 'approval.command' }, text, code: true } : null;
  }
  if (kind === 'script' || kind === 'computer_script') {
    const text = evidence.text ?? (action?.type === 'run_script' ? action.script : undefined);
    return text ? { name: { key: 'approval.script' }, text, code: true } : null;
  }
  if (!evidence.text) return null;
  return { name: { key: kind === 'send' ? 'approval.message' : 'approval.text' }, text: evidence.text, code: false };
}

/** What would be done on a yes, for the kinds whose question does not say it. */
export function stepOf(ask: Ask): Sentence | null {
  if (!ask.action || ['shell', 'script', 'computer_script', 'clipboard', 'copied', 'code', 'password'].includes(wordsOf(ask))) return null;
  const about = ask.evidence.label === undefined ? {} : { label: ask.evidence.label };
  return ask.action.type === 'request_human_auth' ? null : todo(ask.action, about);
}

/** One mandate: what is done, to whom, with which words, how often. */
export function mandateSentence({ kind, recipient, text = '', count, appLabel, app }: Mandate): Sentence {
  const values = { app: appLabel || app, text, n: count };
  if (kind === 'delete') return { key: 'approval.deeds.delete', values };
  return recipient
    ? { key: 'approval.deeds.send_to', values: { ...values, recipient } }
    : { key: 'approval.deeds.send_out', values };
}

/** Where a script runs and for how long at most, where that is not the phone. */
export const scriptPlace = ({ action, kind }: Ask): Sentence | null =>
  kind === 'computer_script' && action?.type === 'run_script'
    ? { key: 'approval.script_place', values: { n: Math.min(600, Math.max(1, Math.round(action.timeoutSec))) } }
    : null;

/** Codes have 4 to 10 characters. */
export const LEAST_CODE = 4;
export const MOST_CODE = 10;

/** How long the screen seems to say that the code is: a guess from its words, which draws cells and refuses nothing. */
export const guessedLength = ({ evidence: { codeLength: said = 0 } }: Ask): number | null =>
  said >= LEAST_CODE && said <= MOST_CODE ? said : null;

/** Without a word from the screen, six. */
export const codeLength = (ask: Ask): number => guessedLength(ask) ?? 6;

/** Where the cells of a code part into two halves, as such codes are written: 6 → 3, 8 → 4; odd ones do not part. */
export const codeSplit = (length: number): number | null => (length % 2 === 0 && length >= 6 ? length / 2 : null);

/** Approve sleeps this long after a question appeared. */
export const SLEEP_MS = 800;

/** The moments that are spoken: seconds left. */
export function spokenLeft(before: number, now: number): Sentence | null {
  const passed = (mark: number): boolean => before > mark && now <= mark;
  if (passed(10_000)) return { key: 'approval.left.ten_seconds' };
  if (passed(30_000)) return { key: 'approval.left.half_minute' };
  if (passed(60_000)) return { key: 'approval.left.minute' };
  return null;
}
