// One run, folded from its events.

import type {
  Action,
  Ask,
  AskId,
  AutomationRun,
  Bounds,
  CaptureResult,
  Divergence,
  Ending,
  Event,
  Failure,
  FrameId,
  Outcome,
  PauseReason,
  PhoneId,
  Place,
  RefusedBy,
  RunEndKind,
  RunId,
  StandingAnswer,
  UnclearCode,
  Usage,
} from '../protocol';

import { named, wordsOf, type AskWords } from '../words/ask-words';

type OutcomeOf<A> = A extends { outcome: 'supplied'; characters: number }
  ? { outcome: 'supplied'; characters: number }
  : A extends { outcome: infer O }
    ? { outcome: O }
    : never;

/** How a question ended. */
export type AskOutcome = OutcomeOf<Extract<Event, { what: 'answered' }>>;

/** A stored picture and its size in pixels. */
export interface Shot {
  frame: FrameId;
  width: number;
  height: number;
}

/** What the run does just now. */
export type Stage =
  'starting' | 'looking' | 'thinking' | 'acting' | 'checking' | 'asking' | 'paused' | 'yours' | 'ended';

export interface StepRow {
  kind: 'step';
  step: number;
  at: number;
  action: Action;
  label?: string;
  role?: string;
  place?: Place;
  appLabel?: string;
  ring?: Bounds;
  secretCharacters?: number;
  /** Why, in the AI's words. */
  thought: string;
  /** It was repeated, without asking the AI. */
  repeated?: boolean;
  /** The screen it was decided on, and the first one seen afterwards. */
  before?: Shot;
  after?: Shot;
  /** What a script on this computer printed so far. */
  printed?: string;
  outcome?: Outcome;
  tookMs?: number;
}

/** What the timeline shows, in the order it happened. */
export type Row =
  | StepRow
  | { kind: 'answer'; at: number; askKind: AskWords; outcome: AskOutcome }
  | { kind: 'voided'; at: number }
  | { kind: 'unasked'; at: number; standing: StandingAnswer }
  | { kind: 'unclear'; at: number; code: UnclearCode }
  | { kind: 'diverged'; at: number; why: Divergence }
  | ({ kind: 'refused'; at: number; action: Action; code: RefusedBy } & Pick<StepRow, 'label' | 'place' | 'appLabel'>)
  | { kind: 'said'; at: number; text: string }
  | { kind: 'paused'; at: number; reason: PauseReason; askKind?: AskWords }
  | { kind: 'resumed'; at: number }
  | { kind: 'taken_over'; at: number }
  | { kind: 'handed_back'; at: number }
  | { kind: 'unreadable'; at: number }
  | {
      kind: 'ended';
      at: number;
      ending: Ending;
      maybeRunning: boolean;
    };

export interface RunView {
  run: RunId;
  phone: PhoneId;
  /** The last event counted in; 0 before the first. */
  seq: number;
  /** Events that came before their turn. */
  early: Event[];
  startedAt: number;
  goal: string;
  /** The run of the same task that was broken off, and that this one goes on with. */
  goesOn: RunId | null;
  /** The automation it is a run of. */
  automation: AutomationRun | null;
  model: string;
  demoAi: boolean;
  stage: Stage;
  step: number;
  rows: Row[];
  /** The newest look. */
  shot: Shot | null;
  capture: CaptureResult | null;
  /** The step that is repeated without asking the AI. */
  repeated: number | null;
  /** Read, but not begun: its thought belongs to the step that comes of it. */
  decided: { step: number; thought: string; action: Action } | null;
  asks: Ask[];
  /** The words of the questions there were, for the rows that tell how they ended. */
  kinds: Record<AskId, AskWords>;
  paused: { reason: PauseReason; askKind?: AskWords } | null;
  retry: { failure: Failure; until: number } | null;
  unclear: UnclearCode | null;
  tokens: number;
  /** Null as soon as one request's price is not known, and not estimated either. */
  dollars: number | null;
  /** A part of them is an estimate. */
  estimated: boolean;
  /** What the AI would have the person remember. */
  proposed: { text: string; fromScreen: boolean } | null;
  ending: Ending | null;
  endedAt: number | null;
}

/** More gaps than this are not waited for: an event that never comes must not freeze the window. */
const PATIENCE = 64;

export function startRun(event: Event): RunView {
  return {
    run: event.run,
    phone: event.phone,
    seq: 0,
    early: [],
    startedAt: 0,
    goal: '',
    goesOn: null,
    automation: null,
    model: '',
    demoAi: false,
    stage: 'starting',
    step: 0,
    rows: [],
    shot: null,
    capture: null,
    decided: null,
    repeated: null,
    asks: [],
    kinds: {},
    paused: null,
    retry: null,
    unclear: null,
    tokens: 0,
    dollars: 0,
    estimated: false,
    proposed: null,
    ending: null,
    endedAt: null,
  };
}

/** The run after one event. Repeated events are ignored; one that came too early waits for those before it. */
export function foldRun(run: RunView, event: Event): RunView {
  if (event.seq <= run.seq || run.early.some((early) => early.seq === event.seq)) return run;
  const early = [...run.early, event].sort((a, b) => a.seq - b.seq);
  let next: RunView = { ...run, early: [] };
  while (early.length > 0) {
    const first = early[0] as Event;
    if (first.seq > next.seq + 1 && early.length <= PATIENCE) break;
    early.shift();
    next = { ...apply(next, first), seq: first.seq };
  }
  return { ...next, early };
}

/** A run that is not over: its phone is look-only unless the person took over. */
export const isLive = (run: RunView | undefined): boolean => run !== undefined && run.stage !== 'ended';

/** The person's hand holds the phone. */
export const isYours = (run: RunView | undefined): boolean => run?.stage === 'yours';

function apply(run: RunView, event: Event): RunView {
  if (run.seq === 0) run = { ...run, startedAt: event.at };
  // After the end only what had begun before may still be told.
  if (run.stage === 'ended' && event.what !== 'acted' && event.what !== 'printed') return run;
  switch (event.what) {
    case 'started':
      return {
        ...run,
        goal: event.goal,
        goesOn: event.goesOn ?? null,
        automation: event.automation ?? null,
        model: event.model,
        demoAi: event.demoAi,
      };
    case 'looked':
      return looked(run, event);
    case 'replayed':
      return { ...run, step: event.step, repeated: event.by === 'asked_ai' ? null : event.step };
    case 'diverged':
      return { ...add(run, { kind: 'diverged', at: event.at, why: event.why }), repeated: null };
    case 'thinking':
      return { ...run, stage: 'thinking', step: event.step };
    case 'decided':
      return {
        ...charge(run, event.usage),
        step: event.step,
        decided: { step: event.step, thought: event.thought, action: event.action },
        retry: null,
        unclear: null,
      };
    case 'unclear':
      return {
        ...add(charge(run, event.usage), { kind: 'unclear', at: event.at, code: event.code }),
        step: event.step,
        unclear: event.code,
        retry: null,
      };
    case 'refused':
      return refused(run, event);
    case 'asked':
      return {
        ...run,
        stage: 'asking',
        step: event.step,
        asks: [...run.asks.filter((ask) => ask.id !== event.ask.id), named(event.ask)],
        kinds: { ...run.kinds, [event.ask.id]: wordsOf(event.ask) },
      };
    case 'extended':
      return {
        ...run,
        asks: run.asks.map((ask) => (ask.id === event.ask ? { ...ask, deadline: event.deadline } : ask)),
      };
    case 'answered':
      return answered(run, event);
    case 'allowed':
      return run;
    case 'unasked':
      return add(run, { kind: 'unasked', at: event.at, standing: event.standing });
    case 'voided':
      return { ...add(run, { kind: 'voided', at: event.at }), stage: 'looking' };
    case 'acting':
      return acting(run, event);
    case 'printed':
      return printed(run, event);
    case 'acted':
      return acted(run, event);
    case 'note_proposed':
      return { ...run, proposed: { text: event.text, fromScreen: event.fromScreen ?? false } };
    case 'said':
      return add(run, { kind: 'said', at: event.at, text: event.text });
    case 'paused':
      return paused(run, event);
    case 'resumed':
      return { ...add(run, { kind: 'resumed', at: event.at }), stage: 'looking', paused: null };
    case 'taken_over':
      return {
        ...add(run, { kind: 'taken_over', at: event.at }),
        stage: 'yours',
        paused: null,
        retry: null,
      };
    case 'handed_back':
      return { ...add(run, { kind: 'handed_back', at: event.at }), stage: 'looking', paused: null };
    case 'retrying':
      return { ...run, retry: { failure: event.failure, until: event.at + event.afterMs } };
    case 'ended':
      return {
        ...add(run, {
          kind: 'ended',
          at: event.at,
          ending: event.ending,
          maybeRunning: event.maybeRunning ?? false,
        }),
        stage: 'ended',
        asks: [],
        paused: null,
        retry: null,
        unclear: null,
        decided: null,
        ending: event.ending,
        endedAt: event.at,
      };
    case 'unreadable':
      return unreadable(run, event);
    default:
      // An event of a newer backend.
      return run;
  }
}

type Of<W extends Event['what']> = Extract<Event, { what: W }>;

/** It finished, and the last thing the person was asked was not allowed: what was asked about was left undone. */
export const isDeclined = (ending: Ending | null | undefined): boolean =>
  ending?.how === 'finished' && ending.declined === true;

/** By what its word and its sign are found. */
export type EndLabel = RunEndKind | 'declined';

/** Nothing is praised as done where the person had the last word and it was no. */
export const endLabel = (end: RunEndKind, ending: Ending | null | undefined): EndLabel =>
  isDeclined(ending) ? 'declined' : end;

const add = (run: RunView, row: Row): RunView => ({ ...run, rows: [...run.rows, row] });

function charge(run: RunView, usage: Usage): RunView {
  return {
    ...run,
    tokens: run.tokens + usage.inputTokens + usage.outputTokens,
    dollars: run.dollars === null || usage.dollars === undefined ? null : run.dollars + usage.dollars,
    estimated: run.estimated || (usage.isEstimate ?? false),
  };
}

/** A line of the journal that nobody can read. Where it was the last, the run is over, and nobody can say how. */
function unreadable(run: RunView, { at, was }: Of<'unreadable'>): RunView {
  const told = add(run, { kind: 'unreadable', at });
  if (was !== 'ended') return told;
  return { ...told, stage: 'ended', asks: [], paused: null, retry: null, unclear: null, decided: null, endedAt: at };
}

function looked(run: RunView, event: Of<'looked'>): RunView {
  const shot = event.frame ? { frame: event.frame, width: event.width, height: event.height } : null;
  const last = run.rows.findLastIndex((row) => row.kind === 'step');
  const rows = run.rows.map((row, at) =>
    at === last && row.kind === 'step' && !row.after && shot ? { ...row, after: shot } : row,
  );
  return { ...run, rows, shot, capture: event.capture, stage: 'looking', step: event.step, retry: null };
}

function answered(run: RunView, event: Of<'answered'>): RunView {
  const askKind = run.kinds[event.ask];
  const asks = run.asks.filter((ask) => ask.id !== event.ask);
  const stage = run.stage === 'asking' ? 'looking' : run.stage;
  // A question that was withdrawn ended because of something the timeline tells by itself.
  if (!askKind || event.outcome === 'withdrawn') return { ...run, asks, stage };
  const outcome: AskOutcome =
    event.outcome === 'supplied' ? { outcome: 'supplied', characters: event.characters } : { outcome: event.outcome };
  return { ...add(run, { kind: 'answer', at: event.at, askKind, outcome }), asks, stage };
}

/** What it would have touched, else the text that was looked for. */
function refused(run: RunView, { at, action, code, label, place, appLabel }: Of<'refused'>): RunView {
  const named = label ?? ('target' in action ? action.target?.text : undefined);
  return add(run, {
    kind: 'refused',
    at,
    action,
    code,
    ...(named && { label: named }),
    ...(place && { place }),
    ...(appLabel && { appLabel }),
  });
}

function acting(run: RunView, event: Of<'acting'>): RunView {
  const { step, at, action, label, role, place, appLabel, ring, secretCharacters } = event;
  const row: StepRow = {
    kind: 'step',
    step,
    at,
    action,
    thought: run.decided?.step === step ? run.decided.thought : '',
  };
  if (label !== undefined) row.label = label;
  if (role !== undefined) row.role = role;
  if (place !== undefined) row.place = place;
  if (appLabel !== undefined) row.appLabel = appLabel;
  if (ring !== undefined) row.ring = ring;
  if (secretCharacters !== undefined) row.secretCharacters = secretCharacters;
  if (run.shot) row.before = run.shot;
  if (run.repeated === step) row.repeated = true;
  return { ...add(run, row), stage: 'acting', step, decided: null, unclear: null };
}

function printed(run: RunView, event: Of<'printed'>): RunView {
  const at = run.rows.findLastIndex((row) => row.kind === 'step' && row.step === event.step);
  const rows = run.rows.map((row, index) =>
    index === at && row.kind === 'step' ? { ...row, printed: (row.printed ?? '') + event.text } : row,
  );
  return { ...run, rows };
}

function acted(run: RunView, event: Of<'acted'>): RunView {
  const at = run.rows.findLastIndex((row) => row.kind === 'step' && row.step === event.step);
  const rows = run.rows.map((row, index) =>
    index === at && row.kind === 'step' ? { ...row, outcome: event.outcome, tookMs: event.tookMs } : row,
  );
  // What the model was asked beside the task is paid for with the step it was asked for.
  const paid = event.outcome.usage ? charge(run, event.outcome.usage) : run;
  return { ...paid, rows, stage: run.stage === 'acting' ? 'checking' : run.stage };
}

function paused(run: RunView, event: Of<'paused'>): RunView {
  const askKind = event.reason.why === 'timed_out' ? run.kinds[event.reason.ask] : undefined;
  const why = askKind ? { reason: event.reason, askKind } : { reason: event.reason };
  // A pause does not take the phone out of the person's hand.
  const stage = run.stage === 'yours' || run.stage === 'ended' ? run.stage : 'paused';
  return { ...add(run, { kind: 'paused', at: event.at, ...why }), stage, paused: why, retry: null };
}
