// Which transcript each scene plays, and which drawn screen its phones and pictures show.

import type {
  Amount,
  Ask,
  AskKind,
  ClipState,
  Evidence,
  FailureCode,
  FrameId,
  Loosening,
  News,
  NoSound,
  Opening,
  Phone,
  PhoneId,
  PhoneState,
  PointingTest,
  Remedy,
  Settings,
} from '../protocol';
import type { ScreenName } from './screens';
import type { Around } from './wireless';

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
  /** Where the phones' pictures come from, where it is not the best there is. */
  rungs?: Record<PhoneId, { rung: number; why: number }>;
  keyEndsIn?: string;
  /** Only questions of these kinds. */
  only?: AskKind[];
  /** What they show otherwise than the transcript has it. */
  evidence?: { [K in keyof Evidence]?: Evidence[K] | undefined };
  /** What else of them is otherwise. */
  asked?: Pick<Ask, 'choices' | 'reason'>;
  again?: string[];
  /** News after the transcript's. */
  then?: News[];
  /** What is plugged in later, one state after the other. */
  plugs?: Phone[];
  around?: Around;
  /** Whether there are runs of the past: made up ones, or those of the transcript alone. */
  past?: boolean;
  /** The tasks that are kept; none where nobody says. */
  automations?: 'some' | 'trouble';
  /** They cannot be read. */
  unread?: boolean;
  /** What is asked of the past and of automations is never answered. */
  slow?: boolean;
  /** Their pictures were erased. */
  removed?: boolean;
  /** An examined phone has troubles. */
  ill?: boolean;
  /** Why no phone is heard here. */
  silent?: NoSound;
  /** Changes of the settings that wait in the approval window, each with what it loosens. */
  changes?: Loosening[][];
  /** What is kept could not be opened. */
  opening?: Opening;
  /** What the connection's test finds of where the AI points. */
  aim?: PointingTest;
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

const pixel = (state: PhoneState): Phone => ({
  id: 'new',
  name: 'Pixel 8',
  state,
  transport: 'usb',
  demo: false,
  size: [1080, 2400],
});

const phones = (...all: Phone[]): News => ({ news: 'phones', phones: all, looking: false });

/** Somebody's first start, with this phone at the cable. */
const first = (state?: PhoneState, more: Partial<Scene> = {}): Scene => ({
  fixture: 'empty',
  then: [state ? phones(pixel(state)) : phones()],
  screens: { new: 'sunset', wifi: 'sunset', 'demo-1': 'teal' },
  ...more,
});

const MISSING: News = { news: 'trouble', failure: { code: 'adb_missing' } };

const AROUND: Pick<Settings, 'adbProgram' | 'adbServers' | 'wireless'> = {
  adbProgram: '',
  adbServers: ['192.168.1.30:5037'],
  wireless: [
    { name: 'Shop phone', address: '192.168.1.21:37123', service: 'adb-SHOP-a1b2c3' },
    { name: 'Anna’s tablet', address: '192.168.1.22:1', service: 'adb-TABLET-d4e5f6' },
  ],
};

/** Answers to some of the questions of `asks.jsonl`: the others wait. */
function answered(): News[] {
  const at = (n: number): number => Date.UTC(2024, 4, 14, 9, 41, n);
  const end = (run: string, phone: string, seq: number, n: number, ask: string, outcome: object): News =>
    ({ news: 'run', event: { run, phone, seq, at: at(n), what: 'answered', ask, ...outcome } }) as unknown as News;
  return [
    end('run-code', 'k-code', 6, 20, 'ask-code', { outcome: 'supplied', characters: 6 }),
    end('run-send', 'k-send', 6, 24, 'ask-send', { outcome: 'allowed' }),
    end('run-delete', 'k-delete', 6, 26, 'ask-delete', { outcome: 'denied' }),
    end('run-shell', 'k-shell', 6, 30, 'ask-shell', { outcome: 'timed_out' }),
    end('run-install', 'k-install', 6, 31, 'ask-install', { outcome: 'withdrawn' }),
  ];
}

const usd = (text: string, minor: number): Amount => ({ text, minor, currency: '$' });

/** No question waits: only what the scene names. */
const NOTHING: Scene = { fixture: 'phones', only: [], after: 8_000 };

/** Settings with something that is always allowed: used, not used for long, and of an older kind. */
function standing(): News {
  const day = 86_400_000;
  const now = Date.UTC(2024, 4, 14, 9, 41);
  const rule = (label: string, days: number, more: object = {}): object => ({
    kind: 'send', app: 'com.android.messages', appLabel: 'Messages', phone: 'mum', since: now - 60 * day,
    element: { signer: 'sum 57f52fdb', version: '1', page: 'chat', resourceId: 'send', role: 'button', label, used: now - days * day },
    ...more,
  });
  const old = { kind: 'act', app: 'com.android.settings', appLabel: 'Settings', phone: 'anna', since: now - 90 * day };
  return {
    news: 'settings',
    settings: {
      provider: { kind: 'demo' },
      askBefore: { sending: true, deleting: true, installing: true, shell: true },
      level: 'when_it_matters',
      limits: { steps: 50, minutes: 30, dollarsADay: 5, repeats: 3 },
      demoPhones: 0,
      scripts: { onThisComputer: false, programs: [] },
      rules: { never: [], ask: [], allowed: [rule('Send', 2), rule('Archive', 41, { appLabel: 'Mail' }), old] },
      ...AROUND,
    },
  } as unknown as News;
}

const shut = (code: FailureCode, ...remedies: Remedy[]): Scene => ({
  fixture: 'one',
  opening: {
    opening: 'failed',
    failure: { code, detail: 'the database says: database disk image is malformed' },
    folder: '/home/anna/.local/share/pocketdeck',
    remedies,
  },
});

const clips = (clip: ClipState): News[] => [{ news: 'clip', phone: 'mum', clip }];

export const SCENES: Record<string, Scene> = {
  shut_broken: shut('store_broken', 'again', 'fresh', 'folder'),
  shut_newer: shut('store_newer', 'again', 'fresh', 'folder'),
  shut_folder: shut('store_folder', 'again', 'folder'),
  shut_full: shut('disk_full', 'again', 'folder'),
  shut_locked: shut('journal_locked', 'again'),
  shut_address: shut('adb_address', 'own_server'),
  welcome: first(undefined, { plugs: [pixel('unauthorized'), pixel('authorizing'), pixel('device')] }),
  onboarding: first('unauthorized', { plugs: [pixel('authorizing'), pixel('device')] }),
  onboarding_wifi: first(undefined, {
    around: {
      network: 'Maple House Wi‑Fi',
      nearby: [{ service: 'studio-1', address: '192.168.1.20:37123', pairs: true }],
    },
  }),
  onboarding_nobody: first(),
  onboarding_offline: first('offline'),
  onboarding_permissions: first('no permissions'),
  onboarding_ready: first('device'),
  settings_no_mirror: at('one', { around: { serverless: true } }),
  onboarding_missing: first(undefined, { then: [MISSING, phones()], around: { program: null } }),
  onboarding_refused: first(undefined, {
    then: [MISSING, phones()],
    around: { program: null, fetching: 'download_wrong' },
  }),
  onboarding_old: first(undefined, { around: { program: { path: '/usr/bin/adb', version: '28.0.2', pairs: false } } }),
  reach: at('phones', {
    then: [
      {
        news: 'settings',
        settings: {
          provider: { kind: 'demo' },
          askBefore: { sending: true, deleting: true, installing: true, shell: true },
          level: 'when_it_matters',
          limits: { steps: 50, minutes: 30, dollarsADay: 5, repeats: 3 },
          demoPhones: 0,
          scripts: { onThisComputer: false, programs: [] },
          ...AROUND,
        },
      },
    ],
  }),
  phones: at('phones', { keyEndsIn: '7Qx2' }),
  miscounting: at('phones', { keyEndsIn: '7Qx2', aim: { aim: 'otherwise', space: 'thousandths' } }),
  blind: at('phones', { keyEndsIn: '7Qx2', aim: { aim: 'no_point' } }),
  phone: at('phone', { screens: { ...SCREENS, mum: 'chat' } }),
  many: at('many', { late: { 'many-3': 9000 }, none: { 'many-4': 1, 'many-5': 2, 'many-6': 3 } }),
  one: at('one'),
  captures: at('one', { rungs: { demo: { rung: 0, why: 1 } } }),
  clip: at('phone', { screens: { ...SCREENS, mum: 'chat' }, then: clips({ state: 'recording', since: Date.UTC(2024, 4, 14, 9, 39, 48), sound: 'android_too_old' }) }),
  clip_saved: at('phone', { screens: { ...SCREENS, mum: 'chat' }, then: clips({ state: 'saved', paths: ['/home/anna/Videos/Mum’s Galaxy 2024-05-14 09.41.00.mp4'], sound: 'recorded' }) }),
  clip_failed: at('phone', { screens: { ...SCREENS, mum: 'chat' }, then: clips({ state: 'failed', failure: { code: 'no_video' } }) }),
  soundless: at('phones', { silent: 'android_too_old' }),
  recording: at('one', { rungs: { demo: { rung: 1, why: 2 } } }),
  history: at('phones', { past: true }),
  history_empty: at('one'),
  history_loading: at('phones', { past: true, slow: true }),
  history_removed: at('phones', { past: true, removed: true, frames: {} }),
  automations: at('phones', { past: true, automations: 'some' }),
  automations_trouble: at('phones', { past: true, automations: 'trouble' }),
  automations_unread: at('phones', { past: true, unread: true }),
  ill: at('one', { ill: true }),
  lying: at('one', { screens: { demo: 'lying' } }),
  finished: at('finished', { screens: { mum: 'chat' } }),
  troubles: at('troubles'),
  approvals: at('asks', { after: 48_000, then: answered() }),
  payment: asks('payment'),
  again: asks('payment', { evidence: { maybeDone: true } }),
  several: asks('payment', { evidence: { amount: undefined, otherAmounts: [usd('$23.40', 2340), usd('$21.15', 2115), usd('$2.25', 225)] } }),
  unread_amount: asks('payment', { evidence: { amount: undefined, label: 'Pay now' } }),
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
  copied: asks('clipboard', {
    asked: { choices: ['deny', 'approve', 'take_over', 'more_time'], reason: { by: 'rule', rule: 'clipboard_read' } },
  }),
  oauth: asks('oauth'),
  camera: asks('camera'),
  contacts: asks('contacts'),
  permission: asks('permission'),
  biometric: asks('biometric'),
  unreadable: asks('unreadable'),
  act: asks('act'),
  mandate: asks('mandate'),
  change: { ...NOTHING, changes: [[{ what: 'switch', off: 'sending' }]] },
  change_level: { ...NOTHING, changes: [[{ what: 'level', to: 'hard_stops' }]] },
  change_adb: { ...NOTHING, changes: [[{ what: 'adb', path: '/home/anna/Downloads/platform-tools/adb' }]] },
  change_many: {
    ...NOTHING,
    changes: [[{ what: 'scripts' }, { what: 'program', path: '/usr/bin/sha256sum' }, { what: 'server', address: '192.168.1.30:5037' }]],
  },
  standing: at('phones', { then: [standing()] }),
  waiting: at('phones', { then: [{ ...standing(), waiting: [{ what: 'switch', off: 'sending' }] } as News] }),
  unknown: asks('unknown'),
};
