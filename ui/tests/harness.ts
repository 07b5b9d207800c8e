// The test harness: transcripts, a backend that notes what it is asked, and a clock that stands still.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { tick } from 'svelte';
import { vi, type Mock } from 'vitest';
import type { Backend } from '../src/backend';
import { Clock } from '../src/kit/clock.svelte';
import { AppState, appContext } from '../src/state/app-state.svelte';
import type { Ask, Closing, Dropped, Hand, News, OpenAsks, Opening, PhoneId, Tried } from '../src/protocol';
import { MAKERS } from '../src/fake/makers';
import { asking, emptyView, fold, type View } from '../src/state/view';

const FOLDER = join(import.meta.dirname, '../fixtures');

export const transcripts = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => name.replace('.jsonl', ''));

export const transcript = (name: string): News[] =>
  readFileSync(join(FOLDER, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as News);

/** Tells a transcript as the program does: after the window asked, not while it asks. */
export async function tellTranscript(tell: (news: News) => void, name: string): Promise<void> {
  await undefined;
  transcript(name).forEach(tell);
}

export const viewOf = (news: News[]): View => news.reduce(fold, emptyView);

/** The question of that kind in `asks.jsonl`, or the one of another transcript. */
export function askOf(kind: Ask['kind'], name = 'asks'): Ask {
  const ask = asking(viewOf(transcript(name)))
    .flatMap((run) => run.asks)
    .find((one) => one.kind === kind);
  if (!ask) throw new Error(`no ${kind} in ${name}`);
  return ask;
}

export type Stub = { [K in Exclude<keyof Backend, 'hasStreams'>]: Mock<Backend[K]> } & {
  hasStreams: boolean;
  /** Tells the approval window. */
  asks: (open: OpenAsks) => void;
  /** Files over the main window. */
  drops: (files: Dropped) => void;
  /** The main window is being closed. */
  closes: (closing: Closing) => void;
  /** Tells the main window. */
  news: (news: News) => void;
  /** Tells it how far opening is. */
  opens: (opening: Opening) => void;
};

/** Every call succeeds with nothing, unless a test says otherwise. */
export function stubBackend(): Stub {
  let tellAsks: (open: OpenAsks) => void = () => undefined;
  let tellNews: (news: News) => void = () => undefined;
  let tellDrops: (files: Dropped) => void = () => undefined;
  let tellClosing: (closing: Closing) => void = () => undefined;
  let tellOpening: (opening: Opening) => void = () => undefined;
  return {
    watchOpening: vi.fn(async (tell) => {
      tellOpening = tell;
      tell({ opening: 'open' });
    }),
    remedy: vi.fn(async () => undefined),
    takeBack: vi.fn(async () => undefined),
    watch: vi.fn(async (tell) => {
      tellNews = tell;
    }),
    hasStreams: true,
    mirrorStart: vi.fn(async () => 1),
    mirrorAck: vi.fn(async () => undefined),
    mirrorKey: vi.fn(async () => undefined),
    mirrorAim: vi.fn(async () => undefined),
    mirrorStop: vi.fn(async () => undefined),
    soundStart: vi.fn(async () => ({ state: 'silent' as const, why: 'refused' as const })),
    soundAck: vi.fn(async () => undefined),
    soundStop: vi.fn(async () => undefined),
    run: vi.fn(async () => ['run']),
    steer: vi.fn(async () => undefined),
    hand: vi.fn(async (_, hand) => {
      // A phone that follows no fingers: its gestures come whole.
      if (hand.hand === 'ready') throw { code: 'needs_scrcpy' };
    }),
    screenshot: vi.fn(async () => 'Pictures/1.png'),
    recordClip: vi.fn(async () => undefined),
    stopClip: vi.fn(async () => undefined),
    showClip: vi.fn(async () => undefined),
    watchClosing: vi.fn(async (tell) => {
      tellClosing = tell;
    }),
    closeWindow: vi.fn(async () => undefined),
    startsWithComputer: vi.fn(async () => false),
    startWithComputer: vi.fn(async (on) => on),
    watchDrops: vi.fn(async (tell) => {
      tellDrops = tell;
    }),
    sendFile: vi.fn(async () => 'file'),
    // The news tells of what changed.
    patchSettings: vi.fn(async () => undefined as never),
    saveKey: vi.fn(async () => undefined),
    forgetKey: vi.fn(async () => undefined),
    keyStatus: vi.fn(async () => ({ key: 'absent' as const })),
    makerKeys: vi.fn(async () => ({})),
    makers: vi.fn(async () => MAKERS),
    offeredModels: vi.fn(async () => []),
    serversNearby: vi.fn(async () => []),
    openKeyPage: vi.fn(async () => undefined),
    tryModel: vi.fn(async (): Promise<Tried> => ({ ms: 800, aim: { aim: 'hit' } })),
    saveCredential: vi.fn(async () => undefined),
    forgetCredential: vi.fn(async () => undefined),
    installedApps: vi.fn(async () => [{ package: 'com.northbank.mobile', label: 'Northbank' }]),
    approvals: vi.fn(async () => []),
    exportApprovals: vi.fn(async () => 'Documents/PocketDeck approvals'),
    history: vi.fn(async () => ({ runs: [], more: false, phones: [] })),
    runStory: vi.fn(async () => {
      throw { code: 'not_found' };
    }),
    goOn: vi.fn(async () => 'run'),
    exportRun: vi.fn(async () => 'Documents/PocketDeck'),
    eraseRun: vi.fn(async () => undefined),
    eraseEverything: vi.fn(async () => 0),
    spaceUsed: vi.fn(async () => ({ runs: 0, pictures: 0, bytes: 0 })),
    automations: vi.fn(async () => []),
    saveAutomation: vi.fn(async () => undefined as never),
    deleteAutomation: vi.fn(async () => undefined),
    holdAutomation: vi.fn(async () => undefined),
    quietAutomation: vi.fn(async () => undefined),
    proposeAutomation: vi.fn(async () => ({ task: '', variables: [] })),
    runAutomation: vi.fn(async () => undefined),
    occurrences: vi.fn(async () => []),
    importAutomations: vi.fn(async () => []),
    exportAutomations: vi.fn(async () => 'Documents/automations.json'),
    review: vi.fn(async () => undefined),
    ownWindow: vi.fn(async () => undefined),
    fullScreen: vi.fn(async (on) => on ?? false),
    pairingStart: vi.fn(async () => ({ svg: '<svg/>' })),
    pairByCode: vi.fn(async () => undefined),
    nearby: vi.fn(async () => undefined),
    pairingStop: vi.fn(async () => undefined),
    adbProgram: vi.fn(async () => ({ path: '/adb', version: '36.0.0', pairs: true })),
    fetchAdb: vi.fn(async () => undefined),
    mirrorServer: vi.fn(async () => ({ found: '4.1', offered: '4.1' })),
    fetchMirrorServer: vi.fn(async () => undefined),
    openPage: vi.fn(async () => undefined),
    connectWireless: vi.fn(async () => undefined),
    forgetWireless: vi.fn(async () => undefined),
    overWifi: vi.fn(async () => undefined),
    examine: vi.fn(async () => undefined),
    examineStop: vi.fn(async () => undefined),
    picture: vi.fn(async () => new ArrayBuffer(4)),
    appIcon: vi.fn(async () => new ArrayBuffer(0)),
    watchAsks: vi.fn(async (tell) => {
      tellAsks = tell;
    }),
    answer: vi.fn(async () => undefined),
    confirm: vi.fn(async () => undefined),
    supply: vi.fn(async () => undefined),
    give: vi.fn(async () => undefined),
    noticed: vi.fn(async () => undefined),
    fit: vi.fn(async () => undefined),
    asks: (open) => tellAsks(open),
    news: (news) => tellNews(news),
    opens: (opening) => tellOpening(opening),
    closes: (closing) => tellClosing(closing),
    drops: (files) => tellDrops(files),
  };
}

/** The moment every transcript ends at, roughly. */
export const NOW = Date.UTC(2024, 4, 14, 9, 41, 0);

export function stubApp(
  name: string,
  backend = stubBackend(),
): { app: AppState; backend: Stub; context: Map<symbol, AppState> } {
  const app = new AppState(backend, new Clock(() => NOW));
  app.view = viewOf(transcript(name));
  return { app, backend, context: appContext(app) };
}

/** The element that plays this part; an error when there is none. */
export function part(name: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(`[data-part="${name}"]`);
  if (!found) throw new Error(`no ${name}`);
  return found;
}

export const parts = (name: string): HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>(`[data-part="${name}"]`),
];

export const has = (name: string): boolean => parts(name).length > 0;

/** Lets what was promised happen, in fake time; what is fetched when it is first asked for takes real time. */
export async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(20);
  await vi.dynamicImportSettled();
  await tick();
}

export interface Written {
  flags?: number;
  rung?: number;
  why?: number;
  seq?: number;
  size?: [width: number, height: number];
  screen?: [width: number, height: number];
  at?: number;
  body?: number[];
}

/** One mirror message, as the program writes it: see `mirror-message.ts`. */
export function mirrorMessage(kind: number, written: Written = {}): ArrayBuffer {
  const { flags = 0, rung = 0, why = 0, seq = 1, size = [0, 0], screen = [0, 0], at = NOW, body = [] } = written;
  const buffer = new ArrayBuffer(32 + body.length);
  const head = new DataView(buffer);
  [kind, flags, rung, why].forEach((byte, i) => head.setUint8(i, byte));
  head.setUint32(4, seq, true);
  [...size, ...screen].forEach((side, i) => head.setUint16(8 + 2 * i, side, true));
  head.setBigUint64(16, BigInt(at), true);
  new Uint8Array(buffer, 32).set(body);
  return buffer;
}

/** One with a picture of that size. */
export const pictureMessage = (width: number, height: number, at = NOW, seq = 1): ArrayBuffer =>
  mirrorMessage(1, { seq, at, size: [width, height], body: [1, 2, 3, 4] });

/** What a hand did on phones; that it got ready first is left out. */
export const handed = (backend: Stub): (readonly [PhoneId, Hand])[] =>
  backend.hand.mock.calls.filter(([, hand]) => hand.hand !== 'ready');
