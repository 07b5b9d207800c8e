// Which transcript each scene plays, and which drawn screen its phones and pictures show.

import type { AskKind, FrameId, PhoneId } from '../protocol';
import type { ScreenName } from './screens';

export interface Scene {
  /** A file of `fixtures/`, without its ending. */
  fixture: string;
  /** Milliseconds from the transcript's last event to now. */
  after?: number;
  screens?: Record<PhoneId, ScreenName>;
  frames?: Record<FrameId, ScreenName>;
  /** Phones without a picture: 1 black, 2 protected, 3 failed. */
  none?: Record<PhoneId, 1 | 2 | 3>;
  /** Phones whose newest picture is this old. */
  late?: Record<PhoneId, number>;
  keyEndsIn?: string;
  /** Only questions of these kinds. */
  only?: AskKind[];
  again?: string[];
}

const SCREENS: Record<PhoneId, ScreenName> = {
  anna: 'settings',
  shop: 'checkout',
  mum: 'teal',
  moto: 'sunset',
};

const CHAT: Record<FrameId, ScreenName> = {
  'run-mum/1': 'teal',
  'run-mum/2': 'messages',
  'run-mum/3': 'people',
  'run-mum/4': 'chat',
  'run-mum/5': 'chat',
  'run-mum/6': 'chat',
};

const FRAMES: Record<FrameId, ScreenName> = { 'run-shop/1': 'checkout', 'run-anna/1': 'code', 'ask/1': 'chat' };

const asks = (only: AskKind, more: Partial<Scene> = {}): Scene => ({
  fixture: 'asks',
  only: [only],
  after: 48_000,
  frames: FRAMES,
  ...more,
});

const at = (fixture: string, more: Partial<Scene> = {}): Scene => ({
  fixture,
  screens: SCREENS,
  frames: { ...CHAT, ...FRAMES },
  ...more,
});

export const SCENES: Record<string, Scene> = {
  phones: at('phones', { keyEndsIn: '7Qx2' }),
  phone: at('phone', { screens: { ...SCREENS, mum: 'chat' } }),
  many: at('many', { late: { 'many-3': 9000 }, none: { 'many-4': 1, 'many-5': 2, 'many-6': 3 } }),
  one: at('one'),
  lying: at('one', { screens: { demo: 'lying' } }),
  finished: at('finished', { screens: { mum: 'chat' } }),
  troubles: at('troubles'),
  payment: asks('payment'),
  differs: { fixture: 'differs', after: 48_000, frames: FRAMES },
  queue: { fixture: 'asks', only: ['payment', 'code'], after: 48_000, frames: FRAMES },
  code: asks('code', { after: 142_000 }),
  code_again: asks('code', { after: 142_000, again: ['ask-code'] }),
  password: asks('password'),
  send: asks('send'),
  delete: asks('delete'),
  install: asks('install'),
  shell: asks('shell'),
  script: asks('script'),
  computer_script: asks('computer_script'),
  clipboard: asks('clipboard'),
  oauth: asks('oauth'),
  permission: asks('permission'),
  biometric: asks('biometric'),
  unreadable: asks('unreadable'),
  act: asks('act'),
  unknown: asks('unknown'),
};
