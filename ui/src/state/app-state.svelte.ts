// What the main window holds: the folded view, and the few things that are only about looking at it (which phones
// are chosen, what is being typed, which page is open). Nothing here decides anything about a run.

import { getContext, setContext } from 'svelte';
import { announcer } from '../kit/announce';
import { asFailure, type Backend } from '../backend';
import { Clock } from '../kit/clock.svelte';
import { Drops } from './file-drops.svelte';
import type { AutomationPlan, Closing, Failure, Op, Opening, Phone, PhoneId, Remedy, RunId, Settings, SettingsPatch } from '../protocol';
import { nameOf } from './phone-name';
import { readRoute, writeRoute, type Route } from './route';
import { isReady, type TileButton } from './status';
import { emptyView, fold, latestRun, withoutClip, type View } from './view';
import { t } from '../words/words';

const KEY = Symbol('app');
const SHORTCUTS = 'single-key-shortcuts';
const PANEL = 'steps-panel';
const MET = 'met';

/** A change of the settings, or how it is made of what they are then. */
type Patch = SettingsPatch | ((now: Settings) => SettingsPatch);

/** A task that was not begun, because a phone cannot type what it names. */
export interface Untyped {
  phones: PhoneId[];
  goal: string;
  failure: Failure;
  began: () => void;
}

export class AppState {
  view: View = $state.raw(emptyView);
  /** How far the program is with opening what it keeps; null until it is told. */
  opening: Opening | null = $state.raw(null);
  untyped: Untyped | null = $state.raw(null);
  route: Route = $state.raw({ page: 'phones' });
  /** What the person is typing into the composer. */
  goal = $state('');
  /** What the person is typing into the line of a phone, and the run it is meant for; null for a new task. */
  lines: Record<PhoneId, { text: string; meant: RunId | null }> = $state({});
  /** The composer is to have the focus when its page is shown. */
  isComposing = false;
  /** The field of the spending limit is to have the focus when it is shown. */
  isRaising = $state(false);
  /** What an automation is to be made of when its page is shown. */
  draft: Partial<AutomationPlan> | null = $state.raw(null);
  /** The window is being closed while something is planned or goes on. */
  closing: Closing | null = $state.raw(null);
  /** The newest sentence for a screen reader. */
  spoken = $state('');
  /** Troubles the person put away. */
  hidden: ReadonlySet<number> = $state.raw(new Set<number>());
  /** Tiles on the screen just now: many of them share the frame rate, and a phone out of sight gets a bar. */
  visible: ReadonlySet<PhoneId> = $state.raw(new Set<PhoneId>());
  singleKeys = $state(true);
  /** One phone fills the screen: nothing else is shown. */
  full = $state(false);
  /** The steps stand beside the large phone. */
  panel = $state(true);
  readonly drops: Drops;
  /** Somebody connected a phone here once, or did not want to: the way to one is not shown by itself any more. */
  #met = $state(false);
  /** Phones whose task is on its way to the program: a second press gives them no second one. */
  readonly #starting = new Set<PhoneId>();
  /** Changes of the settings that are on their way. */
  #patches: Promise<unknown> = Promise.resolve();

  /** Null until the person chose or unchose a phone: then a lone phone counts as chosen. */
  #picked: ReadonlySet<PhoneId> | null = $state.raw(null);
  readonly announce: (sentence: string) => void;

  constructor(
    readonly backend: Backend,
    readonly clock: Clock = new Clock(),
  ) {
    this.announce = announcer((sentence) => {
      this.spoken = sentence;
    });
    this.drops = new Drops(backend, () => this.view.phones);
    this.singleKeys = stored(SHORTCUTS) !== 'off';
    this.panel = stored(PANEL) !== 'off';
    this.#met = stored(MET) !== null;
  }

  /** Begins listening; the returned function ends what can be ended. */
  open(): () => void {
    const follow = (): void => {
      this.route = readRoute(location.hash);
    };
    follow();
    addEventListener('hashchange', follow);
    const stopClock = this.clock.start();
    this.backend
      .watchOpening((now) => {
        this.opening = now;
        if (now.opening !== 'open') return;
        this.watch();
        this.backend.watchDrops((files) => this.drops.hear(files)).catch((error: unknown) => this.report(error));
        this.backend
          .watchClosing((closing) => {
            this.closing = closing;
          })
          .catch((error: unknown) => this.report(error));
      })
      .catch((error: unknown) => this.report(error));
    return () => {
      removeEventListener('hashchange', follow);
      stopClock();
    };
  }

  /** Hears of everything that happens: a window of a single phone needs no more. */
  watch(): void {
    this.backend
      .watch((news) => {
        this.view = fold(this.view, news);
      })
      .catch((error: unknown) => this.report(error));
  }

  remedy(which: Remedy): Promise<void> {
    return this.call(this.backend.remedy(which)).then(() => undefined);
  }

  go(route: Route): void {
    location.hash = writeRoute(route);
  }

  /** Shows a rejected call's failure. */
  report(error: unknown): void {
    this.view = fold(this.view, { news: 'trouble', failure: asFailure(error) });
  }

  /** Calls the backend; a rejection is shown, and the answer is then undefined. */
  async call<T>(calling: Promise<T>): Promise<T | undefined> {
    try {
      return await calling;
    } catch (error) {
      this.report(error);
      return undefined;
    }
  }

  get troubles() {
    return this.view.troubles.filter((trouble) => !this.hidden.has(trouble.id));
  }

  dismiss(trouble: number): void {
    this.hidden = new Set([...this.hidden, trouble]);
  }

  /** The person has read what became of a phone’s clip. */
  dismissClip(phone: PhoneId): void {
    this.view = withoutClip(this.view, phone);
  }

  get ready(): Phone[] {
    return this.view.phones.filter((phone) => isReady(phone, latestRun(this.view, phone.id)));
  }

  get chosen(): Phone[] {
    const ready = this.ready;
    const picked = this.#picked;
    if (picked === null) return ready.length === 1 ? ready : [];
    return ready.filter((phone) => picked.has(phone.id));
  }

  choose(phone: PhoneId, yes: boolean): void {
    const picked = new Set(this.chosen.map((one) => one.id));
    if (yes) picked.add(phone);
    else picked.delete(phone);
    this.#picked = picked;
  }

  chooseAll(): void {
    this.#picked = new Set(this.ready.map((phone) => phone.id));
  }

  /** Gives `goal` to `phones`; `began` is called when it begins, which may be after an offer was answered. */
  async run(phones: PhoneId[], goal: string, began: () => void = () => undefined, anyway = false): Promise<void> {
    if (phones.some((phone) => this.#starting.has(phone))) return;
    for (const phone of phones) this.#starting.add(phone);
    this.untyped = null;
    try {
      await this.backend.run(phones, goal.trim(), anyway);
      began();
      const [only] = phones;
      // One phone is watched on its own page.
      if (only !== undefined && phones.length === 1 && this.route.page === 'phones') this.go({ page: 'phone', phone: only });
    } catch (error) {
      const failure = asFailure(error);
      if (failure.code === 'needs_typing') this.untyped = { phones, goal, failure, began };
      else this.report(failure);
    } finally {
      for (const phone of phones) this.#starting.delete(phone);
    }
  }

  /** Puts a task of the past into the composer, for its phone where that is ready. */
  again(phone: PhoneId, goal: string): void {
    this.goal = goal;
    this.#picked = new Set([phone]);
    this.isComposing = true;
    this.go({ page: 'phones' });
  }

  /** Opens the editor of automations with a task that was done; `recorded` is the run whose steps may be repeated. */
  async automate(phone: PhoneId, task: string, recorded?: RunId): Promise<void> {
    const name = (task.trim().split('\n')[0] ?? '').slice(0, 80);
    // Words that may be other ones next time; where nothing can be proposed, the task as it is.
    const proposed = recorded === undefined ? undefined : await this.call(this.backend.proposeAutomation(recorded));
    const words = proposed && proposed.task !== '' ? proposed : { task };
    this.draft = { name, ...words, phones: { on: 'these', phones: [phone] }, ...(recorded === undefined ? {} : { recorded }) };
    this.go({ page: 'automations' });
  }

  steer(run: RunId, op: Op): Promise<void> {
    return this.call(this.backend.steer(run, op)).then(() => undefined);
  }

  /** What the one button of a tile or banner does. */
  press(phone: PhoneId, button: TileButton): void {
    const run = latestRun(this.view, phone);
    if (!run) return;
    const ask = run.asks[0];
    if (button === 'review') {
      if (ask) void this.call(this.backend.review(ask.id));
    } else {
      void this.steer(run.run, { op: button });
    }
  }

  /** Pauses the run, or lets it go on. */
  togglePause(phone: PhoneId): void {
    const run = latestRun(this.view, phone);
    if (!run || run.stage === 'ended') return;
    void this.steer(run.run, { op: run.stage === 'paused' ? 'resume' : 'pause' });
  }

  /** One that waits for something waits for the person from then on, too. */
  pauseAll(): void {
    for (const run of Object.values(this.view.runs)) {
      const isHeld = run.stage === 'paused' && run.paused?.reason.why === 'person';
      if (!isHeld && !['ended', 'yours'].includes(run.stage)) void this.steer(run.run, { op: 'pause' });
    }
  }

  /** Changes settings; why that failed is shown. Where a part of one is changed, it is made of what the change before it
   * left: two switches that are pressed one after the other are both kept. */
  async patch(patch: Patch): Promise<void> {
    const failure = await this.tryPatch(patch);
    if (failure) this.report(failure);
  }

  /** The same for who says beside what was pressed why it failed; null where it was taken. */
  tryPatch(patch: Patch): Promise<Failure | null> {
    const turn = this.#patches.then(async () => {
      const now = this.view.settings;
      if (typeof patch === 'function' && !now) return null;
      const wanted = typeof patch === 'function' ? patch(now as Settings) : patch;
      try {
        const settings = await this.backend.patchSettings(wanted);
        // What waits for a yes is told apart.
        if (settings) this.view = { ...this.view, settings };
        return null;
      } catch (error) {
        return asFailure(error);
      }
    });
    this.#patches = turn;
    return turn;
  }

  addDemoPhone(): void {
    const now = this.view.settings?.demoPhones ?? 0;
    void this.patch({ demoPhones: Math.min(MOST_DEMO_PHONES, now + 1) });
  }

  /** The first start, and no phone anywhere. */
  get isNew(): boolean {
    const { ready, looking, phones } = this.view;
    return !this.#met && ready && !looking && phones.length === 0;
  }

  meet(): void {
    if (this.#met) return;
    this.#met = true;
    localStorage.setItem(MET, 'yes');
  }

  see(phone: PhoneId, visible: boolean): void {
    if (this.visible.has(phone) === visible) return;
    const next = new Set(this.visible);
    if (visible) next.add(phone);
    else next.delete(phone);
    this.visible = next;
  }

  setSingleKeys(on: boolean): void {
    this.singleKeys = on;
    localStorage.setItem(SHORTCUTS, on ? 'on' : 'off');
  }

  setPanel(on: boolean): void {
    this.panel = on;
    localStorage.setItem(PANEL, on ? 'on' : 'off');
  }

  get pageTitle(): string {
    const { route } = this;
    if (route.page === 'settings') return t('nav.settings');
    if (route.page === 'approvals') return t('nav.approvals');
    if (route.page === 'history') return t('nav.history');
    if (route.page === 'automations') return t('nav.automations');
    if (route.page === 'connect') return t('phones.connect');
    if (route.page === 'phone') {
      const phone = this.view.phones.find((one) => one.id === route.phone);
      return phone ? nameOf(phone) : t('nav.phones');
    }
    return t('nav.phones');
  }
}

export const MOST_DEMO_PHONES = 5;

function stored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export const appContext = (app: AppState): Map<symbol, AppState> => new Map([[KEY, app]]);
export const setApp = (app: AppState): AppState => setContext(KEY, app);
export const useApp = (): AppState => getContext<AppState>(KEY);
