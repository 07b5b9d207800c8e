// What a step is called: data in, a sentence's name and values out.

import { middle, type Point } from '../pictures/mapping';
import type { Action, Direction, FailureCode, Outcome, OutcomeCode, PauseReason, UnclearCode } from '../protocol';
import type { RunView, Shot, StepRow } from './run';
import { exists, inARow, say, t, type Sentence, type PlainKey, type Values, type WordKey } from '../words/words';
import type { AskWords } from '../words/ask-words';

type Tense = 'doing' | 'done' | 'do';
type Type = Action['type'];

/** What is known of the element beside the action itself. */
export type About = Pick<StepRow, 'label' | 'place' | 'appLabel' | 'secretCharacters'>;

/** Typed text up to this length stands in the sentence; a longer one is quoted under it. */
const SHORT_TEXT = 24;

/** `Tapping ‘Send’`. */
export const doing = (action: Action, about: About = {}): Sentence => sentence('doing', action, about);

/** `Tapped ‘Send’`. */
export const done = (action: Action, about: About = {}): Sentence => sentence('done', action, about);

/** `Tap ‘Send’`: what is only proposed, was refused or did not work. */
export const todo = (action: Action, about: About = {}): Sentence => sentence('do', action, about);

/** Done is said of what is known to be done, and of nothing else; being done, of what may still come to its end. */
export function titleOf(row: StepRow, run: RunView): Sentence {
  if (row.outcome?.ok) return done(row.action, row);
  return row.outcome || run.stage === 'ended' ? todo(row.action, row) : doing(row.action, row);
}

function sentence(tense: Tense, action: Action, about: About): Sentence {
  switch (action.type) {
    case 'tap':
    case 'double_tap':
    case 'long_press':
    case 'drag':
    case 'hover':
      return pointing(tense, action.type, about, {});
    case 'set_value':
      return pointing(tense, action.type, about, { value: action.value });
    case 'type':
      return typing(tense, action.text, about);
    case 'swipe':
      return { key: `${tense}.swipe.${swipeDirection(action)}` };
    case 'scroll':
      return { key: `${tense}.scroll.${action.direction}` };
    case 'keyevent':
      return key(tense, action.type, keyName(action.keycode));
    case 'key_combination':
      return key(tense, action.type, action.keys.map(keyName).join('+'));
    case 'launch_app':
    case 'focus_app': {
      const app = about.appLabel ?? action.app ?? '';
      return app ? { key: `${tense}.${action.type}.app`, values: { app } } : bare(tense, action.type);
    }
    case 'open_url':
      return action.url
        ? { key: `${tense}.open_url.url`, values: { url: shortUrl(action.url) } }
        : bare(tense, action.type);
    case 'run_script':
      return { key: about.place === 'this_computer' ? `${tense}.run_script.computer` : `${tense}.run_script.bare` };
    case 'wait':
      return { key: `${tense}.wait.bare`, values: { n: Math.max(1, Math.round(action.durationMs / 1000)) } };
    default:
      return bare(tense, action.type);
  }
}

/** An action of a newer backend has no words of its own. */
const bare = (tense: Tense, type: Exclude<Type, 'swipe' | 'scroll'>): Sentence => {
  const key = `${tense}.${type}.bare` as const;
  return { key: exists(key) ? key : `${tense}.tap.bare` };
};

type Pointing = 'tap' | 'double_tap' | 'long_press' | 'drag' | 'hover' | 'set_value';

function pointing(tense: Tense, type: Pointing, about: About, values: Values): Sentence {
  if (about.label) return { key: `${tense}.${type}.label`, values: { ...values, label: shorten(about.label, 60) } };
  if (about.place) return { key: `${tense}.${type}.place`, values: { ...values, place: t(`places.${about.place}`) } };
  return { key: `${tense}.${type}.bare`, values };
}

/** A saved password by its name: what stood in its place is known to the phone alone. */
const SAVED = /^\s*\{\{\s*secret:\s*(.+?)\s*\}\}\s*$/i;

function typing(tense: Tense, text: string, about: About): Sentence {
  if (about.secretCharacters !== undefined) {
    const saved = SAVED.exec(text)?.[1];
    return saved ? { key: `${tense}.type.saved`, values: { name: saved } } : { key: `${tense}.type.secret` };
  }
  if (text.length <= SHORT_TEXT) return { key: `${tense}.type.short`, values: { text } };
  return about.label
    ? { key: `${tense}.type.label`, values: { label: shorten(about.label, 60) } }
    : { key: `${tense}.type.bare` };
}

const key = (tense: Tense, type: 'keyevent' | 'key_combination', name: string): Sentence =>
  name ? { key: `${tense}.${type}.key`, values: { key: name } } : bare(tense, type);

/** The text to quote under a step, when it did not fit into its sentence. */
export const quote = (row: StepRow): string | null =>
  row.action.type === 'type' && row.secretCharacters === undefined && row.action.text.length > SHORT_TEXT
    ? row.action.text
    : null;

/** Which way the content went: a finger drawn up shows what is below. */
export function swipeDirection(swipe: { x1: number; y1: number; x2: number; y2: number }): Direction {
  const across = swipe.x2 - swipe.x1;
  const down = swipe.y2 - swipe.y1;
  if (Math.abs(across) > Math.abs(down)) return across > 0 ? 'left' : 'right';
  return down > 0 ? 'up' : 'down';
}

const KEY_NAMES: Record<string, PlainKey> = {
  BACK: 'keys.back',
  HOME: 'keys.home',
  APP_SWITCH: 'keys.recents',
  ENTER: 'keys.enter',
  NUMPAD_ENTER: 'keys.enter',
  DEL: 'keys.backspace',
  FORWARD_DEL: 'keys.delete',
  TAB: 'keys.tab',
  ESCAPE: 'keys.escape',
  SPACE: 'keys.space',
  DPAD_UP: 'keys.up',
  DPAD_DOWN: 'keys.down',
  DPAD_LEFT: 'keys.left',
  DPAD_RIGHT: 'keys.right',
  DPAD_CENTER: 'keys.select',
  VOLUME_UP: 'keys.volume_up',
  VOLUME_DOWN: 'keys.volume_down',
  VOLUME_MUTE: 'keys.mute',
  POWER: 'keys.power',
  WAKEUP: 'keys.wake',
  SLEEP: 'keys.sleep',
  MENU: 'keys.menu',
  SEARCH: 'keys.search',
  CAMERA: 'keys.camera',
  MEDIA_PLAY_PAUSE: 'keys.play_pause',
  COPY: 'keys.copy',
  PASTE: 'keys.paste',
  PAGE_UP: 'keys.page_up',
  PAGE_DOWN: 'keys.page_down',
  CTRL_LEFT: 'keys.ctrl',
  CTRL_RIGHT: 'keys.ctrl',
  ALT_LEFT: 'keys.alt',
  ALT_RIGHT: 'keys.alt',
  SHIFT_LEFT: 'keys.shift',
  SHIFT_RIGHT: 'keys.shift',
};

const KEY_NUMBERS: Record<string, string> = {
  3: 'HOME',
  4: 'BACK',
  19: 'DPAD_UP',
  20: 'DPAD_DOWN',
  21: 'DPAD_LEFT',
  22: 'DPAD_RIGHT',
  23: 'DPAD_CENTER',
  24: 'VOLUME_UP',
  25: 'VOLUME_DOWN',
  26: 'POWER',
  61: 'TAB',
  62: 'SPACE',
  66: 'ENTER',
  67: 'DEL',
  82: 'MENU',
  84: 'SEARCH',
  111: 'ESCAPE',
  112: 'FORWARD_DEL',
  187: 'APP_SWITCH',
  223: 'SLEEP',
  224: 'WAKEUP',
};

/** `KEYCODE_BACK`, `BACK` and `4` are all Back; an unknown key keeps its own name, a bare number has none. */
export function keyName(keycode: string): string {
  const trimmed = keycode
    .trim()
    .toUpperCase()
    .replace(/^KEYCODE_/, '');
  const name = KEY_NUMBERS[trimmed] ?? trimmed;
  const known = KEY_NAMES[name];
  if (known) return t(known);
  if (/^\d*$/.test(name)) return '';
  const words = name.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function shortUrl(url: string): string {
  return shorten(url.replace(/^[a-z]+:\/\//i, '').replace(/\/$/, ''), 40);
}

const shorten = (text: string, most: number): string => {
  const one = text.replaceAll(/\s+/g, ' ').trim();
  return one.length <= most ? one : `${one.slice(0, most - 1).trimEnd()}…`;
};

/** Why a step did not work, or null when it did. */
export function outcomeNote(outcome: Outcome | undefined): Sentence | null {
  if (!outcome || outcome.ok) return null;
  return { key: known('outcomes', outcome.code) };
}

/** Codes are open words: a new one has the general sentence. */
export function known(group: 'outcomes' | 'refusals', code: string): WordKey {
  const key = `${group}.${code}`;
  return exists(key) ? key : `${group}.other`;
}

/** The picture that shows a step best: where the finger went, or what came of it. */
export function stepPicture(row: StepRow): Shot | null {
  return (isPointed(row) ? (row.before ?? row.after) : (row.after ?? row.before)) ?? null;
}

/** What is done is done at a place, and nothing more comes of it than a finger's mark. */
const isPointed = ({ action }: StepRow): boolean =>
  ['tap', 'double_tap', 'long_press', 'drag', 'hover', 'set_value'].includes(action.type);

/** Where the finger of the newest step was, until the next one: the marker over the live picture. A text that was typed
 * brought its keyboard and moved its field away: its mark goes with the step's end. */
export function markerOf(run: RunView | undefined): { at: Point; step: number } | null {
  if (!run || run.stage === 'ended' || run.stage === 'yours') return null;
  const row = run.rows.findLast((one): one is StepRow => one.kind === 'step');
  if (!row?.ring || !row.before || (row.outcome && !isPointed(row))) return null;
  return { at: middle(row.ring, row.before), step: row.step };
}

/** The sentence of the row that is still going on, or null when nothing is. */
export function nowSentence(run: RunView): Sentence | null {
  switch (run.stage) {
    case 'starting':
      return { key: 'now.starting' };
    case 'looking':
      return { key: 'now.looking' };
    case 'thinking':
      return { key: 'now.thinking' };
    case 'checking':
      return { key: 'now.checking' };
    case 'asking':
      return { key: 'now.asking' };
    case 'acting':
      return actingSentence(run);
    default:
      return null;
  }
}

/** The step that is being done, else what the run does just now: the line under a tile. */
export function actingSentence(run: RunView): Sentence | null {
  const row = run.rows.findLast((one): one is StepRow => one.kind === 'step');
  return row ? doing(row.action, row) : null;
}

/** A step without an outcome in a run that is over, or paused by the phone's going. */
export const isUnknown = (row: StepRow, run: RunView): boolean => row.outcome === undefined && run.stage === 'ended';

/** What a person does better themselves, where the phone takes it from nobody else: the offer to take over. */
const OFFERS: Partial<Record<OutcomeCode, WordKey>> = {
  cannot_type: 'offers.cannot_type',
  touch_forbidden: 'offers.touch_forbidden',
};

const refusal = (row: StepRow): WordKey | undefined => (row.outcome?.ok === false ? OFFERS[row.outcome.code] : undefined);

/** The offer under a step, until somebody took it or the AI found another way. */
export function offerOf(row: StepRow, run: RunView): Sentence | null {
  const key = refusal(row);
  if (!key || run.stage === 'ended' || run.stage === 'yours') return null;
  const later = run.rows.slice(run.rows.indexOf(row) + 1);
  const over = later.some(
    (one) =>
      one.kind === 'taken_over' ||
      (one.kind === 'step' &&
        (refusal(one) !== undefined || (one.outcome?.ok === true && one.action.type === row.action.type))),
  );
  return over ? null : { key };
}

/** What could not be asked just now is tried again, as the program counts it (`waits_for_phone`). */
const TRIED: FailureCode[] = ['phone_slow', 'phone_refused', 'adb_silent'];

/** How adb lists a phone that can be used once the person has seen to it (`code_of_state`). */
const UNUSABLE: FailureCode[] = [
  'phone_connecting',
  'phone_no_permissions',
  'phone_bootloader',
  'phone_recovery',
  'phone_rescue',
  'phone_sideload',
  'phone_host',
  'phone_detached',
];

/** A pause that ends by itself once the person has seen to the phone has a name of its own. */
const pauseName = (reason: PauseReason): PauseReason['why'] | 'locked' | 'unauthorized' | 'tried' | 'unusable' => {
  if (reason.why !== 'look') return reason.why;
  if (reason.failure.code === 'phone_locked') return 'locked';
  if (TRIED.includes(reason.failure.code)) return 'tried';
  if (UNUSABLE.includes(reason.failure.code)) return 'unusable';
  return reason.failure.code === 'phone_unauthorized' ? 'unauthorized' : 'look';
};

/** What a pause is called, in a banner. */
export function pauseSentence({ reason, askKind }: NonNullable<RunView['paused']>): Sentence {
  const name = pauseName(reason);
  if (name === 'locked' || name === 'unauthorized') return { key: `paused.${name}.title` };
  switch (reason.why) {
    case 'limit':
      return { key: limitKey(reason.limit) };
    case 'timed_out':
      return { key: unansweredKey(askKind) };
    case 'unapproved':
      return reason.undo
        ? { key: 'paused.unapproved.undo', values: { button: reason.undo } }
        : { key: 'paused.unapproved.title' };
    case 'model':
    case 'journal':
    case 'look':
      return { key: `paused.${name === 'tried' || name === 'unusable' ? name : reason.why}.title`, values: { why: t(`failures.${reason.failure.code}`) } };
    default:
      return { key: `paused.${reason.why}.title` };
  }
}

function limitKey(limit: string): WordKey {
  const key = `paused.limit.${limit}`;
  return exists(key) ? key : 'paused.limit.other';
}

function unansweredKey(askKind: AskWords | undefined): WordKey {
  const key = `unanswered.${askKind}`;
  return exists(key) ? key : 'paused.timed_out.title';
}

/** The same in a few words, under a tile. */
export const pauseShort = (reason: PauseReason): Sentence => ({ key: `paused.${pauseName(reason)}.short` });

/** `The AI’s instruction was unclear. Asking it again.` and why. */
export const unclearSentence = (code: UnclearCode): Sentence => ({ key: `unclear.${code}` });

/** One short sentence for a step, to be spoken; a second where it did not work. */
export function spoken(row: StepRow): string {
  const note = outcomeNote(row.outcome);
  if (note) return inARow([say(todo(row.action, row)), say(note)]);
  return say(row.outcome ? done(row.action, row) : doing(row.action, row));
}
