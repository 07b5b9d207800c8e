// The one door to the program behind the window, and the only file that imports Tauri.

import { Channel, invoke } from '@tauri-apps/api/core';
import type {
  AdbProgram,
  Answer,
  AskId,
  AskRecord,
  AutomationCard,
  AutomationId,
  AutomationPlan,
  AutomationProposal,
  Bounds,
  CredentialKind,
  CredentialWish,
  Closing,
  Dropped,
  EraseAlso,
  Examining,
  ExportForm,
  Failure,
  Fetching,
  FrameId,
  Hand,
  HistoryPage,
  HistoryQuery,
  InstalledApp,
  KeyStatus,
  Maker,
  MakerCard,
  MirrorServer,
  Nearby,
  NearbyServer,
  News,
  Occurrence,
  OfferedModel,
  Op,
  OpenAsks,
  Opening,
  Pairing,
  PairingOffer,
  PhoneId,
  Remedy,
  Rule,
  RunId,
  RunStory,
  Settings,
  SettingsPatch,
  SoundStart,
  SpaceUsed,
  Tried,
  WirelessPhone,
  WhenClosed,
} from './protocol';

/** Raw bytes of one mirror message: see `mirror-message.ts`. */
export type MirrorMessage = ArrayBuffer | ArrayLike<number>;

/** Pictures a second at most, and pixels of their longer side. */
export interface Aim {
  fps: number;
  longestSide: number;
}

/** A page of somebody else's that the program may open in the person's own browser. */
export type OutsidePage = 'platform_tools' | 'usb_drivers' | 'scrcpy_licence';

/** Every call may be rejected with a [`Failure`]: see `asFailure`. */
export interface Backend {
  // The main window.

  /** Whether the program sends streams, and heads of their form: see `mirror-message.ts`. */
  readonly hasStreams: boolean;
  /** Tells how far the program is with opening what it keeps; `open` is the last word, and nothing else can be asked for
   * before. */
  watchOpening(tell: (opening: Opening) => void): Promise<void>;
  /** Does what may help where it could not be opened, and tries again. */
  remedy(which: Remedy): Promise<void>;
  /** Tells how everything stands, then everything that changes. */
  watch(tell: (news: News) => void): Promise<void>;
  /** A live picture: a stream where the page decodes `video`, single pictures otherwise. */
  mirrorStart(phone: PhoneId, aim: Aim, video: boolean, tell: (message: MirrorMessage) => void): Promise<number>;
  /** Every message up to `seq` was drawn, or will not be. What is not acknowledged is not sent on and on. */
  mirrorAck(mirror: number, seq: number): Promise<void>;
  /** Please begin again at a key frame. */
  mirrorKey(mirror: number): Promise<void>;
  mirrorAim(mirror: number, aim: Aim): Promise<void>;
  mirrorStop(mirror: number): Promise<void>;
  /** A phone’s sound, or why there is none. Each message is its number, a little-endian u32, and samples; one without samples is the last. */
  soundStart(phone: PhoneId, tell: (message: MirrorMessage) => void): Promise<SoundStart>;
  /** Every message up to `seq` was played, or left out. */
  soundAck(sound: number, seq: number): Promise<void>;
  soundStop(sound: number): Promise<void>;
  /** `anyway`: the person was told which characters cannot be typed there (`needs_typing`). */
  run(phones: PhoneId[], goal: string, anyway: boolean): Promise<RunId[]>;
  steer(run: RunId, op: Op): Promise<void>;
  hand(phone: PhoneId, hand: Hand): Promise<void>;
  /** Asks where the whole screen should be saved, and says where it was; null where the person chose no place. */
  screenshot(phone: PhoneId): Promise<string | null>;
  /** Records a phone’s screen into the person’s videos; how it stands is told with everything else. */
  recordClip(phone: PhoneId): Promise<void>;
  stopClip(phone: PhoneId): Promise<void>;
  /** Shows the files of its newest clip in the system’s own program for files. */
  showClip(phone: PhoneId): Promise<void>;
  /** Tells of files that are held over the window, or let go on it. */
  watchDrops(tell: (files: Dropped) => void): Promise<void>;
  /** Hears that the window is being closed, and what is to be asked. */
  watchClosing(tell: (closing: Closing) => void): Promise<void>;
  closeWindow(choice: WhenClosed, remember: boolean): Promise<void>;
  /** Whether the program starts with the computer, as the system says. */
  startsWithComputer(): Promise<boolean>;
  startWithComputer(on: boolean): Promise<boolean>;
  /** Sends a dropped file to a phone, or installs it; says what it is called there. `told` hears hundredths. */
  sendFile(
    phone: PhoneId,
    drop: number,
    file: number,
    install: boolean,
    told: (hundredths: number) => void,
  ): Promise<string | null>;
  /** Changes settings. What loosens something waits for a yes in the approval window; the rest changes at once. Gives the settings as
   * they are then. */
  patchSettings(patch: SettingsPatch): Promise<Settings>;
  /** What was allowed for good is so no longer. */
  takeBack(rule: Rule): Promise<void>;
  /** Into the keychain; it never comes back. */
  saveKey(key: string): Promise<void>;
  forgetKey(): Promise<void>;
  keyStatus(): Promise<KeyStatus>;
  /** What may be known of the keys that are stored, by maker; for those that are at their own address. */
  makerKeys(): Promise<Partial<Record<Maker, KeyStatus>>>;
  /** The makers that are known, in the order they are shown. */
  makers(): Promise<MakerCard[]>;
  /** The models the chosen maker has; asks it. */
  offeredModels(): Promise<OfferedModel[]>;
  /** Model servers that run on this computer. */
  serversNearby(): Promise<NearbyServer[]>;
  /** Opens the page where a maker gives keys out in the person’s own browser. */
  openKeyPage(maker: Maker): Promise<void>;
  /** Asks the AI one small question: how many milliseconds the answer took. */
  tryModel(): Promise<Tried>;
  /** Into the keychain, for one place; it never comes back. */
  saveCredential(name: string, kind: CredentialKind, wish: CredentialWish, value: string): Promise<void>;
  forgetCredential(name: string): Promise<void>;
  /** The apps of a phone a password may be bound to. */
  installedApps(phone: PhoneId): Promise<InstalledApp[]>;
  /** What was asked and answered, newest first: older than this one, at most so many. */
  approvals(before: [at: number, ask: AskId] | null, limit: number): Promise<AskRecord[]>;
  /** All of it as a table with its pictures, in a new folder; says which. */
  exportApprovals(): Promise<string>;
  /** Brings the approval window to the front. */
  review(ask: AskId): Promise<void>;
  /** Shows a phone in a window of its own, above all others; one that has one is brought to the front. */
  ownWindow(phone: PhoneId): Promise<void>;
  /** Lets this window fill its screen, or not; null only asks. Says whether it does. */
  fullScreen(on: boolean | null): Promise<boolean>;
  /** A page of past runs, newest first. */
  history(query: HistoryQuery): Promise<HistoryPage>;
  /** One of them with everything that happened in it. */
  runStory(run: RunId): Promise<RunStory>;
  /** Begins an interrupted run anew; `note` is what the AI is told before it thinks. */
  goOn(run: RunId, note: string): Promise<RunId>;
  /** Writes a run into a folder of the person's documents; says which. */
  exportRun(run: RunId, form: ExportForm): Promise<string>;
  eraseRun(run: RunId): Promise<void>;
  /** Erases every run that is over; says how many go on and stay. */
  eraseEverything(also: EraseAlso): Promise<number>;
  spaceUsed(): Promise<SpaceUsed>;
  automations(): Promise<AutomationCard[]>;
  /** Keeps a plan: a new one where no `id` is named. What cannot be kept is a failure that names the fault. */
  saveAutomation(id: AutomationId | null, plan: AutomationPlan): Promise<AutomationCard>;
  deleteAutomation(id: AutomationId): Promise<void>;
  /** Whether it begins by itself. */
  holdAutomation(id: AutomationId, held: boolean): Promise<void>;
  /** Lets its replays run quietly, or not any more. */
  quietAutomation(id: AutomationId, quiet: boolean): Promise<void>;
  /** What an automation may be made of, from a run. */
  proposeAutomation(run: RunId): Promise<AutomationProposal>;
  /** Begins it now; `values` stand for variables this once. */
  runAutomation(id: AutomationId, values: Record<string, string>): Promise<void>;
  /** Each time it was due, newest first. */
  occurrences(id: AutomationId): Promise<Occurrence[]>;
  /** Keeps what a file holds; each waits for a first run by hand. */
  importAutomations(text: string): Promise<AutomationCard[]>;
  /** These as one file of that name: asks where it should go, and says where it went; null where no place was chosen. */
  exportAutomations(ids: AutomationId[], name: string): Promise<string | null>;
  /** Shows a new picture for the phone's camera and waits for the phone; one that waited before ends. The network is
   * this computer's own, by name, where it is known. */
  pairingStart(tell: (pairing: Pairing) => void): Promise<PairingOffer & { network?: string }>;
  /** Pairs the phone that shows this code, at the address where it was seen or that it shows. What comes of it is told
   * to `pairingStart`. */
  pairByCode(code: string, address: string): Promise<void>;
  /** Every phone seen on the network, anew at each change, until `pairingStop`. */
  nearby(tell: (phones: Nearby[]) => void): Promise<void>;
  /** No picture is shown any more: nothing is paired, nothing is searched for. */
  pairingStop(): Promise<void>;
  /** The adb program that is used; null where there is none. */
  adbProgram(): Promise<AdbProgram | null>;
  /** Fetches the adb program from its maker and uses it from then on; the last word is `done` or `failed`. */
  fetchAdb(tell: (fetching: Fetching) => void): Promise<void>;
  mirrorServer(): Promise<MirrorServer>;
  /** As `fetchAdb`. */
  fetchMirrorServer(tell: (fetching: Fetching) => void): Promise<void>;
  openPage(which: OutsidePage): Promise<void>;
  /** Connects a phone that is remembered, or that waits on the network. */
  connectWireless(phone: WirelessPhone): Promise<void>;
  /** Disconnects it, and never connects it by itself again. */
  forgetWireless(phone: WirelessPhone): Promise<void>;
  /** From the cable to Wi-Fi, remembered from then on. */
  overWifi(phone: PhoneId): Promise<void>;
  /** Examines a phone; one that went on before ends. The last word is `done` or `failed`. */
  examine(phone: PhoneId, tell: (examining: Examining) => void): Promise<void>;
  /** Nobody looks any more. */
  examineStop(): Promise<void>;

  // Both windows.

  /** A stored picture as JPEG, whole or a part of it. */
  picture(frame: FrameId, longestSide: number | null, crop: Bounds | null): Promise<ArrayBuffer>;
  /** An app’s icon as its phone draws it, as a small PNG; empty where it gives none now. */
  appIcon(phone: PhoneId, app: string): Promise<ArrayBuffer>;

  // The approval window.

  watchAsks(tell: (asks: OpenAsks) => void): Promise<void>;
  answer(answer: Answer): Promise<void>;
  /** Yes or no to a change of the settings that loosens something. */
  confirm(change: AskId, yes: boolean): Promise<void>;
  /** A code or password, straight to the phone. */
  supply(ask: AskId, digest: string, value: string): Promise<void>;
  /** A picture or file the person picked, straight to the phone. */
  give(ask: AskId, digest: string, name: string, bytes: ArrayBuffer): Promise<void>;
  /** The person moved the pointer or the focus inside the window. */
  noticed(ask: AskId): Promise<void>;
  /** The approval window needs so much room, in pixels of its page. */
  fit(width: number, height: number): Promise<void>;
}

const channel = <T>(tell: (message: T) => void): Channel<T> => new Channel<T>(tell);

/** The program this window belongs to. */
export const tauri: Backend = {
  hasStreams: true,
  watchOpening: (tell) => invoke('watch_opening', { channel: channel(tell) }),
  remedy: (which) => invoke('remedy', { which }),
  watch: (tell) => invoke('watch', { channel: channel(tell) }),
  mirrorStart: (phone, aim, video, tell) =>
    invoke('mirror_start', { phone, ...aim, video, channel: channel(tell) }),
  mirrorAck: (mirror, seq) => invoke('mirror_ack', { mirror, seq }),
  mirrorKey: (mirror) => invoke('mirror_key', { mirror }),
  mirrorAim: (mirror, aim) => invoke('mirror_aim', { mirror, ...aim }),
  mirrorStop: (mirror) => invoke('mirror_stop', { mirror }),
  soundStart: (phone, tell) => invoke('sound_start', { phone, channel: channel(tell) }),
  soundAck: (sound, seq) => invoke('sound_ack', { sound, seq }),
  soundStop: (sound) => invoke('sound_stop', { sound }),
  run: (phones, goal, anyway) => invoke('run', { phones, goal, anyway }),
  steer: (run, op) => invoke('steer', { run, op }),
  hand: (phone, hand) => invoke('hand', { phone, hand }),
  screenshot: (phone) => invoke('screenshot', { phone }),
  recordClip: (phone) => invoke('record_clip', { phone }),
  stopClip: (phone) => invoke('stop_clip', { phone }),
  showClip: (phone) => invoke('show_clip', { phone }),
  watchDrops: (tell) => invoke('watch_drops', { channel: channel(tell) }),
  watchClosing: (tell) => invoke('watch_closing', { channel: channel(tell) }),
  closeWindow: (choice, remember) => invoke('close_window', { choice, remember }),
  startsWithComputer: () => invoke('starts_with_computer'),
  startWithComputer: (on) => invoke('start_with_computer', { on }),
  sendFile: (phone, drop, file, install, told) =>
    invoke('send_file', { phone, drop, file, install, channel: channel(told) }),
  patchSettings: (patch) => invoke('patch_settings', { patch }),
  takeBack: (rule) => invoke('take_back', { rule }),
  saveKey: (key) => invoke('save_key', { key }),
  forgetKey: () => invoke('forget_key'),
  keyStatus: () => invoke('key_status'),
  makerKeys: () => invoke('maker_keys'),
  makers: () => invoke('makers'),
  offeredModels: () => invoke('offered_models'),
  serversNearby: () => invoke('servers_nearby'),
  openKeyPage: (maker) => invoke('open_key_page', { maker }),
  tryModel: () => invoke('try_model'),
  saveCredential: (name, kind, wish, value) => invoke('save_credential', { name, kind, wish, value }),
  forgetCredential: (name) => invoke('forget_credential', { name }),
  installedApps: (phone) => invoke('installed_apps', { phone }),
  approvals: (before, limit) => invoke('approvals', { before, limit }),
  exportApprovals: () => invoke('export_approvals'),
  review: (ask) => invoke('review', { ask }),
  ownWindow: (phone) => invoke('own_window', { phone }),
  fullScreen: (on) => invoke('full_screen', { on }),
  history: (query) => invoke('history', { query }),
  runStory: (run) => invoke('run_story', { run }),
  goOn: (run, note) => invoke('go_on', { run, note }),
  exportRun: (run, form) => invoke('export_run', { run, form }),
  eraseRun: (run) => invoke('erase_run', { run }),
  eraseEverything: (also) => invoke('erase_everything', { also }),
  spaceUsed: () => invoke('space_used'),
  automations: () => invoke('automations'),
  saveAutomation: (id, plan) => invoke('automation_save', { ...(id === null ? {} : { id }), plan }),
  deleteAutomation: (id) => invoke('automation_delete', { id }),
  holdAutomation: (id, held) => invoke('automation_hold', { id, held }),
  quietAutomation: (id, quiet) => invoke('automation_quiet', { id, quiet }),
  proposeAutomation: (run) => invoke('automation_proposal', { run }),
  runAutomation: (id, values) => invoke('automation_run', { id, values }),
  occurrences: (id) => invoke('automation_occurrences', { id }),
  importAutomations: (text) => invoke('automations_import', { text }),
  exportAutomations: (ids, name) => invoke('automations_export_file', { ids, name }),
  pairingStart: (tell) => invoke('pairing_start', { channel: channel(tell) }),
  pairByCode: (code, address) => invoke('pair_by_code', { code, address }),
  nearby: (tell) => invoke('nearby', { channel: channel(tell) }),
  pairingStop: () => invoke('pairing_stop'),
  adbProgram: () => invoke('adb_program'),
  fetchAdb: (tell) => invoke('fetch_adb', { channel: channel(tell) }),
  mirrorServer: () => invoke('mirror_server'),
  fetchMirrorServer: (tell) => invoke('fetch_mirror_server', { channel: channel(tell) }),
  openPage: (which) => invoke('open_page', { which }),
  connectWireless: (phone) => invoke('connect_wireless', { phone }),
  forgetWireless: (phone) => invoke('forget_wireless', { phone }),
  overWifi: (phone) => invoke('over_wifi', { phone }),
  examine: (phone, tell) => invoke('examine', { phone, channel: channel(tell) }),
  examineStop: () => invoke('examine_stop'),
  picture: (frame, longestSide, crop) => invoke('picture', { frame, longestSide, crop }),
  appIcon: (phone, app) => invoke('app_icon', { phone, app }),
  watchAsks: (tell) => invoke('watch_asks', { channel: channel(tell) }),
  answer: (answer) => invoke('answer', { answer }),
  confirm: (change, yes) => invoke('confirm', { change, yes }),
  supply: (ask, digest, value) => invoke('supply', { ask, digest, value }),
  give: (ask, digest, name, bytes) =>
    // A header holds ASCII.
    invoke('give', bytes, {
      headers: {
        'x-ask': encodeURIComponent(ask),
        'x-digest': encodeURIComponent(digest),
        'x-name': encodeURIComponent(name),
      },
    }),
  noticed: (ask) => invoke('noticed', { ask }),
  fit: (width, height) => invoke('fit', { width, height }),
};

/** What a rejected call says; anything that is no `Failure` is a fault of ours. */
export function asFailure(error: unknown): Failure {
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string') {
    return error as Failure;
  }
  return { code: 'internal', detail: error instanceof Error ? error.message : String(error) };
}
