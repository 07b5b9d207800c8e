// What a key of this computer means: on the phone, and in the window.

import type { Hand, Key } from '../protocol';

type Press = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'altKey' | 'metaKey' | 'shiftKey'>;

const PHONE_KEYS: Record<string, Key> = {
  Enter: 'enter',
  Backspace: 'backspace',
  Delete: 'delete',
  Tab: 'tab',
  Escape: 'escape',
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

/** A key that a composing keyboard takes for itself, such as the Enter that confirms a word: it is part of the text. WebKit on macOS
 * tells that one after the composition ended, as key 229. */
export const isComposed = ({ isComposing, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  isComposing || keyCode === 229;

/** Ctrl+Alt+Esc: the keys are the person's own again. */
export const givesKeysBack = (press: Press): boolean => press.key === 'Escape' && press.ctrlKey && press.altKey;

/** A key the phone has; letters come as text instead, so that accents and other scripts arrive whole. */
export function phoneKey(press: Press): Hand | null {
  if (press.ctrlKey || press.metaKey || press.altKey) return null;
  const key = PHONE_KEYS[press.key];
  return key ? { hand: 'key', key } : null;
}

/** ⌘ on macOS, Ctrl elsewhere. */
export const isMac = /mac/i.test(globalThis.navigator?.platform ?? '');

export const withCommand = (press: Pick<Press, 'metaKey' | 'ctrlKey'>): boolean =>
  isMac ? press.metaKey && !press.ctrlKey : press.ctrlKey && !press.metaKey;

export type Shortcut = 'composer' | 'pause' | 'pause_all' | 'help' | 'back' | `page_${number}`;

/** The window's own shortcuts, wherever the focus is; `/`, `?` and Esc only outside of text. */
export function shortcut(press: Press, inText: boolean): Shortcut | null {
  if (press.key === '/' && !inText && !press.ctrlKey && !press.metaKey && !press.altKey) return 'composer';
  if (press.key === '?' && !inText && !press.ctrlKey && !press.metaKey && !press.altKey) return 'help';
  if (press.key === 'Escape' && !inText && !press.ctrlKey && !press.metaKey && !press.altKey) return 'back';
  if (!withCommand(press) || press.altKey) return null;
  if (press.code === 'Period' || press.key === '.') return press.shiftKey ? 'pause_all' : 'pause';
  if (press.shiftKey) return null;
  if (press.key.toLowerCase() === 'k') return 'composer';
  return /^[1-9]$/.test(press.key) ? `page_${Number(press.key)}` : null;
}

export type PhoneShortcut = 'take_over' | 'screenshot' | 'rotate' | 'keyboard';

const SINGLE: Record<string, PhoneShortcut> = { t: 'take_over', s: 'screenshot', r: 'rotate', k: 'keyboard' };

/** T, S, R and K on the phone page, while no text field has the focus. */
export function phoneShortcut(press: Press, inText: boolean): PhoneShortcut | null {
  if (inText || press.ctrlKey || press.metaKey || press.altKey || press.shiftKey) return null;
  return SINGLE[press.key.toLowerCase()] ?? null;
}

/** Whether keys typed at this element are text. */
export const takesText = (element: EventTarget | null): boolean =>
  element instanceof HTMLElement &&
  (element.isContentEditable ||
    element instanceof HTMLTextAreaElement ||
    (element instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit'].includes(element.type)));
