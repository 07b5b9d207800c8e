// A backend made of a recorded transcript: the whole window in a plain browser, and nothing of the program behind it.
//
// `?scene=NAME` opens one; `&still` stops its clock. What a person does is answered as the program would, in a
// simple way: enough to try the window, not to test the program.

import type { Aim, Backend } from '../backend';
import { Clock } from '../kit/clock.svelte';
import type { Ask, AskRecord, Event, Failure, Loosening, News, OpenAsks, Phone, PhoneId, PhoneLabel, RunId, Settings, SettingsChange, Tried, WirelessPhone } from '../protocol';
import { isLive, type AskOutcome } from '../state/run';
import { asking, emptyView, fold, latestRun, type View } from '../state/view';
import { ALL, FakeAutomations, IN_TROUBLE } from './automations';
import { examine } from './doctor';
import { APPS, drawIcon, labelOf } from './apps';
import { MAKERS, MODELS } from './makers';
import { recordsOf } from './ask-records';
import { droppedName, watchPage } from './drops';
import { FakePast, PAST_FRAMES } from './past';
import { FakeMirrors, shownOn } from './mirrors';
import { FakeSounds } from './sounds';
import { drawScreen, partOf } from './screens';
import { SCENES, type Scene } from './scenes';
import { lastMoment, readTranscript } from './transcript';
import { FakeAround } from './wireless';

const FIXTURES = import.meta.glob<string>('../../fixtures/*.jsonl', { query: '?raw', import: 'default' });

export async function openScene(params: URLSearchParams): Promise<{ backend: Backend; clock: Clock }> {
  const name = params.get('scene') ?? 'phones';
  const scene: Scene | undefined = SCENES[name];
  if (!scene) throw new Error(`there is no scene ${name}`);
  const load = FIXTURES[`../../fixtures/${scene.fixture}.jsonl`];
  const news = [...(load ? readTranscript(await load()) : []), ...(scene.then ?? [])];
  const began = Date.now();
  const start = lastMoment(news) + (scene.after ?? 1000);
  const now = (): number => (params.has('still') ? start : start + Date.now() - began);
  const clock = new Clock(now);
  const fake = new Fake(news, scene, now);
  if (!params.has('still')) fake.plug(scene.plugs ?? []);
  return { backend: fake, clock };
}

/** Phones by the person's names and in their order. */
function called(phones: Phone[], labels: PhoneLabel[]): Phone[] {
  const at = ({ id }: Phone): number => {
    const found = labels.findIndex((label) => label.phone === id);
    return found < 0 ? labels.length : found;
  };
  const name = ({ id, name: own }: Phone): string => labels.find((label) => label.phone === id)?.name || own;
  return phones.map((phone) => ({ ...phone, name: name(phone) })).toSorted((a, b) => at(a) - at(b));
}

const refuse = (failure: Failure): Promise<never> => Promise.reject(failure);

class Fake implements Backend {
  #view: View = emptyView;
  #tell: ((news: News) => void)[] = [];
  #opens: Parameters<Backend['watchOpening']>[0] = () => undefined;
  #tellAsks: ((asks: OpenAsks) => void)[] = [];
  #last = 0;
  #examined = 0;
  #full = false;
  #key: string | null = null;
  readonly hasStreams = true;
  readonly appIcon = drawIcon;
  readonly #around: FakeAround;
  readonly #past: FakePast;
  readonly #automations: FakeAutomations;
  readonly #mirrors: FakeMirrors;

  constructor(
    readonly news: News[],
    readonly scene: Scene,
    readonly now: () => number,
  ) {
    for (const one of news) this.#view = fold(this.#view, one);
    this.#mirrors = new FakeMirrors((phone) => shownOn(scene, phone), now);
    const own = new Map<RunId, Event[]>();
    for (const one of news) if (one.news === 'run') own.set(one.event.run, [...(own.get(one.event.run) ?? []), one.event]);
    const nameOf = (id: PhoneId): string => this.#view.phones.find((phone) => phone.id === id)?.name ?? '';
    this.#past = new FakePast(scene.past === true, scene.past === undefined ? [] : [...own.values()], nameOf);
    this.#automations = new FakeAutomations(
      scene.automations === 'some' ? ALL : scene.automations === 'trouble' ? IN_TROUBLE : [],
      (automations) => this.#say({ news: 'automations', automations }),
      (phones, goal) => this.run(phones, goal, true),
      () => this.#view.phones.filter(({ state }) => state === 'device').map(({ id }) => id),
      now,
    );
    this.#around = new FakeAround(scene.around ?? {}, (phone) => this.#add(phone));
  }

  /** One state after the other, `every` milliseconds. */
  plug(phones: Phone[], every = 5000): void {
    phones.forEach((phone, i) => setTimeout(() => this.#add(phone), every * (i + 1)));
  }

  #add(phone: Phone): void {
    const others = this.#view.phones.filter((one) => one.id !== phone.id);
    this.#say({ news: 'phones', looking: false, phones: [...others, phone] });
  }

  async watchOpening(tell: Parameters<Backend['watchOpening']>[0]): Promise<void> {
    this.#opens = tell;
    tell(this.scene.opening ?? { opening: 'open' });
  }

  async remedy(which: Parameters<Backend['remedy']>[0]): Promise<void> {
    if (which === 'folder') return;
    this.#opens({ opening: 'trying' });
    // One that was not mended says the same again.
    const next = which === 'again' ? this.scene.opening : undefined;
    setTimeout(() => this.#opens(next ?? { opening: 'open' }), 900);
  }

  async watch(tell: (news: News) => void): Promise<void> {
    // As the program does: not while the window is still asking. Told at once, all news would be changes by the effect that asks, and
    // in a build with its checks Svelte writes down a stack of calls for each.
    await undefined;
    this.#tell.push(tell);
    for (const one of this.news) tell(one);
  }

  #say(news: News): void {
    this.#view = fold(this.#view, news);
    this.news.push(news);
    for (const tell of this.#tell) tell(news);
    for (const tell of this.#tellAsks) tell(this.#open());
  }

  #event(run: RunId, what: Partial<Event> & Pick<Event, 'what'>): void {
    const known = this.#view.runs[run];
    if (!known) return;
    this.#say({
      news: 'run',
      event: { run, phone: known.phone, seq: known.seq + 1, at: this.now(), ...what } as Event,
    });
  }

  async mirrorStart(...start: Parameters<Backend['mirrorStart']>): Promise<number> {
    return this.#mirrors.start(...start);
  }

  async mirrorAck(): Promise<void> {}
  readonly #sounds = new FakeSounds(() => this.scene.silent);
  soundStart: Backend['soundStart'] = (phone, tell) => this.#sounds.start(phone, tell);
  async soundAck(): Promise<void> {}
  soundStop = (): Promise<void> => this.#sounds.stop();

  async mirrorKey(mirror: number): Promise<void> {
    this.#mirrors.key(mirror);
  }

  async mirrorAim(mirror: number, aim: Aim): Promise<void> {
    this.#mirrors.aim(mirror, aim);
  }

  async mirrorStop(mirror: number): Promise<void> {
    this.#mirrors.stop(mirror);
  }

  async run(phones: PhoneId[], goal: string, anyway: boolean): Promise<RunId[]> {
    const characters = [...new Set(goal)].filter((one) => one.charCodeAt(0) > 0x7f).join('');
    const phone = this.#view.phones.find((one) => one.id === phones[0])?.name ?? '';
    if (characters !== '' && !anyway && (await this.mirrorServer()).found === undefined) {
      return refuse({ code: 'needs_typing', values: { characters, phone } });
    }
    return phones.map((phone) => {
      this.#last += 1;
      const run = `fake-${this.#last}`;
      const at = this.now();
      const demoAi = this.#view.settings?.provider.kind === 'demo';
      this.#say({ news: 'run', event: { run, phone, seq: 1, at, what: 'started', goal, model: 'demo', demoAi } });
      this.#event(run, { what: 'thinking', step: 1 } as Event);
      return run;
    });
  }

  async steer(run: RunId, op: Parameters<Backend['steer']>[1]): Promise<void> {
    if (op.op === 'pause') this.#event(run, { what: 'paused', reason: { why: 'person' } } as Event);
    else if (op.op === 'resume' || op.op === 'ask_again') this.#event(run, { what: 'resumed' });
    else if (op.op === 'stop') this.#event(run, { what: 'ended', ending: { how: 'stopped' } } as Event);
    else if (op.op === 'take_over') this.#event(run, { what: 'taken_over' });
    else if (op.op === 'hand_back') this.#event(run, { what: 'handed_back' });
    else this.#event(run, { what: 'said', text: op.text } as Event);
  }

  async hand(): Promise<void> {}

  async ownWindow(phone: PhoneId): Promise<void> {
    const wanted = new URLSearchParams(location.search);
    wanted.set('phone', phone);
    window.open(`phone.html?${wanted}`, `phone-${phone}`, 'width=400,height=860');
  }

  async fullScreen(on: boolean | null): Promise<boolean> {
    this.#full = on ?? this.#full;
    return this.#full;
  }

  async screenshot(): Promise<string> {
    return 'Pictures/Mum’s Galaxy 2024-05-14 09.41.00.png';
  }

  async recordClip(phone: PhoneId): Promise<void> {
    this.#say({ news: 'clip', phone, clip: { state: 'starting' } });
    setTimeout(
      () => this.#say({ news: 'clip', phone, clip: { state: 'recording', since: this.now(), sound: 'recorded' } }),
      800,
    );
  }

  async stopClip(phone: PhoneId): Promise<void> {
    const { sound } = { sound: 'recorded' as const, ...this.#view.clips[phone] };
    const paths = ['Videos/Mum’s Galaxy 2024-05-14 09.41.00.mp4'];
    this.#say({ news: 'clip', phone, clip: { state: 'saved', paths, sound } });
  }

  async showClip(): Promise<void> {}

  /** What a page in a browser is not told of: names come by the page’s own events. */
  async watchClosing(tell: Parameters<Backend['watchClosing']>[0]): Promise<void> {
    const asked = new URLSearchParams(location.search).get('closing');
    if (asked !== null) tell({ hasTray: asked !== 'no-tray', running: 1, planned: 2 });
  }
  async closeWindow(): Promise<void> {}
  async startsWithComputer(): Promise<boolean> {
    return this.#withComputer;
  }
  async startWithComputer(on: boolean): Promise<boolean> {
    this.#withComputer = on;
    return on;
  }
  #withComputer = false;

  async watchDrops(tell: Parameters<Backend['watchDrops']>[0]): Promise<void> {
    watchPage(tell);
  }

  async sendFile(...[, drop, file, , told]: Parameters<Backend['sendFile']>): Promise<string> {
    for (let share = 10; share <= 100; share += 10) {
      await new Promise((done) => setTimeout(done, 150));
      told(share);
    }
    return droppedName(drop, file);
  }

  async patchSettings(patch: Parameters<Backend['patchSettings']>[0]): Promise<Settings> {
    const settings = { ...(this.#view.settings as Settings), ...patch };
    this.#say({ news: 'settings', settings });
    if (patch.phones) this.#say({ news: 'phones', looking: false, phones: called(this.#view.phones, patch.phones) });
    const others = this.#view.phones.filter((phone) => !phone.demo);
    const kept = this.#view.phones.filter((phone) => phone.demo).slice(0, settings.demoPhones);
    this.#say({ news: 'phones', looking: false, phones: [...others, ...kept] });
    const demos = this.#view.phones.filter((phone) => phone.demo);
    if (settings.demoPhones <= demos.length) return settings;
    const names = ['Mum’s Galaxy', 'Spare Moto', 'Shop phone', 'Anna’s Pixel', 'Old Nexus'];
    const name = names[demos.length] as string;
    const phone = {
      id: `demo-${demos.length + 1}`,
      name,
      state: 'device',
      transport: 'demo',
      demo: true,
      size: [1080, 2400],
    } as const;
    this.#say({
      news: 'phones',
      looking: true,
      phones: [...this.#view.phones, { ...phone, size: [1080, 2400], battery: { percent: 91, charging: true } }],
    });
    return settings;
  }

  async takeBack(rule: Parameters<Backend['takeBack']>[0]): Promise<void> {
    const rules = this.#view.settings?.rules ?? { never: [], ask: [], allowed: [] };
    await this.patchSettings({ rules: { ...rules, allowed: rules.allowed.filter((one) => one !== rule) } });
  }

  async saveKey(key: string): Promise<void> {
    this.#key = key.slice(-4);
  }

  async forgetKey(): Promise<void> {
    this.#key = null;
  }

  async keyStatus(): ReturnType<Backend['keyStatus']> {
    const endsIn = this.#key ?? this.scene.keyEndsIn;
    return endsIn === undefined || endsIn === null ? { key: 'absent' } : { key: 'stored', endsIn };
  }

  async makerKeys(): ReturnType<Backend['makerKeys']> {
    return {};
  }

  async makers(): ReturnType<Backend['makers']> {
    return MAKERS;
  }

  async offeredModels(): ReturnType<Backend['offeredModels']> {
    return MODELS;
  }

  async serversNearby(): ReturnType<Backend['serversNearby']> {
    return [];
  }

  async openKeyPage(): Promise<void> {}

  async tryModel(): Promise<Tried> {
    return { ms: 800, aim: this.scene.aim ?? { aim: 'hit' } };
  }

  async saveCredential(...[name, kind, wish]: Parameters<Backend['saveCredential']>): Promise<void> {
    const place =
      wish.at === 'host'
        ? wish
        : { at: 'app' as const, package: wish.package, appLabel: labelOf(wish.package), signers: [] };
    const credentials = this.#view.settings?.credentials ?? [];
    await this.patchSettings({ credentials: [...credentials, { name, kind, place, since: this.now() }] });
  }

  async forgetCredential(name: string): Promise<void> {
    const credentials = this.#view.settings?.credentials ?? [];
    await this.patchSettings({ credentials: credentials.filter((one) => one.name !== name) });
  }

  async installedApps(): ReturnType<Backend['installedApps']> {
    return APPS;
  }

  async approvals(before: [number, string] | null): Promise<AskRecord[]> {
    return before ? [] : recordsOf(this.news);
  }

  async history(query: Parameters<Backend['history']>[0]): ReturnType<Backend['history']> {
    if (this.scene.slow) return new Promise(() => undefined);
    return this.#past.page(query);
  }

  async runStory(run: RunId): ReturnType<Backend['runStory']> {
    return this.#past.story(run) ?? refuse({ code: 'not_found' });
  }

  async goOn(run: RunId, note: string): Promise<RunId> {
    const past = this.#past.story(run);
    if (!past) return refuse({ code: 'not_found' });
    const [began] = await this.run([past.run.phone], past.run.goal, true);
    await this.steer(began as RunId, { op: 'say', text: note });
    return began as RunId;
  }

  async exportRun(): Promise<string> {
    return 'Documents/PocketDeck Order the weekly groceries 2024-05-14 09.41.00';
  }

  async eraseRun(run: RunId): Promise<void> {
    this.#past.erase(run);
    this.#say({ news: 'erased', runs: [run] });
  }

  async eraseEverything(also: Parameters<Backend['eraseEverything']>[0]): Promise<number> {
    return this.#past.eraseAll(also);
  }

  async spaceUsed(): ReturnType<Backend['spaceUsed']> {
    return this.#past.space();
  }

  async automations(): ReturnType<Backend['automations']> {
    if (this.scene.slow) return new Promise(() => undefined);
    if (this.scene.unread) return refuse({ code: 'store_broken' });
    return this.#automations.cards();
  }

  saveAutomation: Backend['saveAutomation'] = async (id, plan) => this.#automations.save(id, plan);
  deleteAutomation: Backend['deleteAutomation'] = async (id) => this.#automations.delete(id);
  holdAutomation: Backend['holdAutomation'] = async (id, held) => this.#automations.hold(id, held);
  quietAutomation: Backend['quietAutomation'] = async (id, quiet) => this.#automations.quiet(id, quiet);
  async proposeAutomation(): ReturnType<Backend['proposeAutomation']> {
    return {
      task: 'Text {dana} that I am {number} minutes late',
      variables: [
        { name: 'dana', kind: 'text', value: 'Dana', ask: false },
        { name: 'number', kind: 'number', value: '10', ask: false },
      ],
    };
  }
  runAutomation: Backend['runAutomation'] = (id, values) => this.#automations.begin(id, values);
  occurrences: Backend['occurrences'] = async (id) => this.#automations.occurrences(id);
  importAutomations: Backend['importAutomations'] = async (text) => this.#automations.import(text);
  exportAutomations: Backend['exportAutomations'] = async (_, name) => `Documents/${name}`;

  async exportApprovals(): Promise<string> {
    return 'Documents/PocketDeck approvals 2024-05-14 09.41';
  }

  async give(ask: string): Promise<void> {
    this.#end(ask, { outcome: 'allowed' });
  }

  async review(): Promise<void> {
    window.open(`approval.html${location.search}`, 'approval', 'width=520,height=640');
  }

  pairingStart: Backend['pairingStart'] = (tell) => this.#around.pairingStart(tell);
  pairByCode: Backend['pairByCode'] = (code, address) => this.#around.pairByCode(code, address);
  nearby: Backend['nearby'] = (tell) => this.#around.nearby(tell);
  pairingStop: Backend['pairingStop'] = () => this.#around.pairingStop();
  adbProgram: Backend['adbProgram'] = () => this.#around.adbProgram();
  fetchAdb: Backend['fetchAdb'] = (tell) => this.#around.fetchAdb(tell);
  mirrorServer: Backend['mirrorServer'] = () => this.#around.mirrorServer();
  fetchMirrorServer: Backend['fetchMirrorServer'] = (tell) => this.#around.fetchMirrorServer(tell);
  openPage: Backend['openPage'] = () => this.#around.openPage();
  connectWireless: Backend['connectWireless'] = (phone) => this.#around.connectWireless(phone);

  async forgetWireless(phone: WirelessPhone): Promise<void> {
    const known = (this.#view.settings as Settings).wireless;
    await this.patchSettings({ wireless: known.filter((one) => one.address !== phone.address) });
  }

  async overWifi(id: PhoneId): Promise<void> {
    await this.#around.overWifi();
    const phone = this.#view.phones.find((one) => one.id === id);
    if (!phone) return refuse({ code: 'phone_gone' });
    const known = (this.#view.settings as Settings).wireless;
    const more = { name: phone.name, address: '192.168.1.20:5555', service: '' };
    await this.patchSettings({ wireless: [...known, more] });
    this.#add({ ...phone, transport: 'wifi' });
  }

  async examine(phone: PhoneId, tell: Parameters<Backend['examine']>[1]): Promise<void> {
    const mine = (this.#examined += 1);
    if (isLive(latestRun(this.#view, phone))) return tell({ stage: 'failed', failure: { code: 'phone_busy' } });
    void examine(this.scene.ill !== true, tell, () => mine === this.#examined, 400);
  }

  async examineStop(): Promise<void> {
    this.#examined += 1;
  }

  async picture(frame: string, longest: number | null, crop: Parameters<Backend['picture']>[2]): Promise<ArrayBuffer> {
    const name = this.scene.frames?.[frame] ?? (this.scene.removed ? undefined : PAST_FRAMES[frame]);
    if (!name) return refuse({ code: 'not_found' });
    return partOf(drawScreen(name), longest, crop);
  }

  #open(): OpenAsks {
    const { only } = this.scene;
    const asks = asking(this.#view).flatMap((run) => run.asks.map((ask) => this.#shown(ask)));
    const open = { asks: only ? asks.filter((ask) => only.includes(ask.kind)) : asks, again: this.scene.again ?? [] };
    return { ...open, changes: (this.scene.changes ?? []).map((loosens, n) => this.#change(loosens, n)) };
  }

  #shown(ask: Ask): Ask {
    return { ...ask, ...this.scene.asked, evidence: { ...ask.evidence, ...this.scene.evidence } as Ask['evidence'] };
  }

  #change(loosens: Loosening[], n: number): SettingsChange {
    const askedAt = lastMoment(this.news);
    return { id: `settings/${n}`, loosens, askedAt, deadline: askedAt + 60_000 };
  }

  async watchAsks(tell: (asks: OpenAsks) => void): Promise<void> {
    this.#tellAsks.push(tell);
    tell(this.#open());
  }

  #end(ask: string, outcome: AskOutcome): void {
    const run = Object.values(this.#view.runs).find((one) => one.asks.some((open) => open.id === ask));
    if (run) this.#event(run.run, { what: 'answered', ask, ...outcome } as Event);
  }

  async answer({ ask, choice }: Parameters<Backend['answer']>[0]): Promise<void> {
    const run = asking(this.#view).find((one) => one.asks.some((open) => open.id === ask));
    if (!run) return refuse({ code: 'not_found' });
    if (choice === 'more_time') {
      const deadline = (run.asks[0]?.deadline ?? this.now()) + 300_000;
      this.#event(run.run, { what: 'extended', ask, deadline } as Event);
    } else if (choice === 'take_over') {
      this.#end(ask, { outcome: 'withdrawn' });
      await this.steer(run.run, { op: 'take_over' });
    } else this.#end(ask, { outcome: choice === 'deny' ? 'denied' : 'allowed' });
  }

  async confirm(id: string): Promise<void> {
    const changes = (this.scene.changes ?? []).filter((_, n) => id !== `settings/${n}`);
    this.scene.changes = changes;
    for (const tell of this.#tellAsks) tell(this.#open());
  }

  async supply(ask: string, _digest: string, value: string): Promise<void> {
    setTimeout(() => this.#end(ask, { outcome: 'supplied', characters: value.length }), 900);
  }

  async noticed(): Promise<void> {}
  async fit(): Promise<void> {}
}
