// The mirrors of a window without the program behind it: the scene's screens, streamed as the program streams them
// where this browser encodes H.264, single pictures where it does not.

import type { Aim, MirrorMessage } from '../backend';
import { HEAD } from '../phone/mirror-message';
import type { PhoneId } from '../protocol';
import type { Scene } from './scenes';
import { drawScreen, type ScreenName } from './screens';

/** What one phone shows, and how its mirror behaves. */
export interface Shown {
  screen: ScreenName;
  /** No picture: 1 black, 2 protected, 3 failed. */
  none?: 1 | 2 | 3;
  /** Its newest picture is this old, and no other comes. */
  late?: number;
  /** 0 captures, 1 screenrecord, 2 scrcpy. */
  rung?: number;
  why?: number;
}

/** What a phone shows in a scene. */
export function shownOn({ screens, none, late, rungs }: Scene, phone: PhoneId): Shown {
  const shown: Shown = { screen: screens?.[phone] ?? 'sunset', ...rungs?.[phone] };
  return { ...shown, none: none?.[phone], late: late?.[phone] };
}

interface Open {
  phone: PhoneId;
  aim: Aim;
  video: boolean;
  tell: (message: MirrorMessage) => void;
  seq: number;
  /** Begins again at a key frame. */
  key: boolean;
  encoder?: VideoEncoder;
  timers: ReturnType<typeof setInterval>[];
}

type Kind = 1 | 2 | 3 | 4 | 5;

const ALIVE_MS = 1000;

export class FakeMirrors {
  #open = new Map<number, Open>();
  #last = 0;
  readonly #shown: (phone: PhoneId) => Shown;
  readonly #now: () => number;

  constructor(shown: (phone: PhoneId) => Shown, now: () => number) {
    this.#shown = shown;
    this.#now = now;
  }

  start(phone: PhoneId, aim: Aim, video: boolean, tell: (message: MirrorMessage) => void): number {
    this.#last += 1;
    const mirror = this.#last;
    const open: Open = { phone, aim, video, tell, seq: 0, key: true, timers: [] };
    this.#open.set(mirror, open);
    setTimeout(() => void this.#begin(mirror, open));
    return mirror;
  }

  stop(mirror: number): void {
    const open = this.#open.get(mirror);
    this.#open.delete(mirror);
    if (open) end(open);
  }

  key(mirror: number): void {
    const open = this.#open.get(mirror);
    if (open) open.key = true;
  }

  aim(mirror: number, aim: Aim): void {
    const open = this.#open.get(mirror);
    if (!open) return;
    open.aim = aim;
    end(open);
    void this.#begin(mirror, open);
  }

  async #begin(mirror: number, open: Open): Promise<void> {
    const { none, late, screen } = this.#shown(open.phone);
    const streams = open.video && !none && !late && (await encodes());
    if (!this.#open.has(mirror)) return;
    if (streams) this.#stream(open, screen);
    else if (none) this.#say(open, 2, { flags: none });
    else await this.#picture(open, screen);
    if (!late && this.#open.has(mirror)) open.timers.push(setInterval(() => this.#say(open, 5), ALIVE_MS));
  }

  async #picture(open: Open, name: ScreenName): Promise<void> {
    const canvas = scaled(name, open.aim.longestSide);
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
    this.#say(open, 1, { canvas, body: await blob.arrayBuffer() });
  }

  /** A spot that goes round, so that there is something to follow. */
  #stream(open: Open, name: ScreenName): void {
    const still = scaled(name, open.aim.longestSide, 2);
    const canvas = new OffscreenCanvas(still.width, still.height);
    const pen = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
    const encoder = new VideoEncoder({
      output: (chunk, about) => {
        const description = about?.decoderConfig?.description;
        if (description) this.#say(open, 3, { canvas, body: bufferOf(description) });
        const body = new ArrayBuffer(chunk.byteLength);
        chunk.copyTo(body);
        this.#say(open, 4, { canvas, body, flags: chunk.type === 'key' ? 1 : 0, time: chunk.timestamp });
      },
      error: () => void this.#picture(open, name),
    });
    open.encoder = encoder;
    encoder.configure({
      codec: CODEC,
      width: canvas.width,
      height: canvas.height,
      latencyMode: 'realtime',
      avc: { format: 'avc' },
    });
    const began = this.#now();
    let drawn = -1;
    const step = (): void => {
      if (encoder.state !== 'configured' || encoder.encodeQueueSize > 1) return;
      const turn = Math.floor(((this.#now() - began) / 1000) * 12) % 12;
      // A clock that stands still sends nothing new, as a quiet screen does.
      if (turn === drawn && !open.key) return;
      drawn = turn;
      pen.drawImage(still, 0, 0);
      spot(pen, turn);
      const frame = new VideoFrame(canvas, { timestamp: Math.round(performance.now() * 1000) });
      encoder.encode(frame, { keyFrame: open.key });
      frame.close();
      open.key = false;
    };
    open.key = true;
    open.timers.push(setInterval(step, 1000 / open.aim.fps));
  }

  #say(
    open: Open,
    kind: Kind,
    what: { flags?: number; canvas?: OffscreenCanvas; body?: ArrayBuffer; time?: number } = {},
  ): void {
    const shown = this.#shown(open.phone);
    open.seq += 1;
    const head = new DataView(new ArrayBuffer(HEAD));
    head.setUint8(0, kind);
    head.setUint8(1, what.flags ?? 0);
    head.setUint8(2, shown.rung ?? (open.video ? 2 : 0));
    head.setUint8(3, shown.why ?? (open.video ? 0 : 6));
    head.setUint32(4, open.seq, true);
    head.setUint16(8, what.canvas?.width ?? 0, true);
    head.setUint16(10, what.canvas?.height ?? 0, true);
    const [width, height] = shown.screen === 'lying' ? [2400, 1080] : [1080, 2400];
    head.setUint16(12, width, true);
    head.setUint16(14, height, true);
    head.setBigUint64(16, BigInt(Math.round(this.#now() - (shown.late ?? 0))), true);
    head.setBigUint64(24, BigInt(what.time ?? 0), true);
    const message = new Uint8Array(HEAD + (what.body?.byteLength ?? 0));
    message.set(new Uint8Array(head.buffer));
    if (what.body) message.set(new Uint8Array(what.body), HEAD);
    open.tell(message.buffer);
  }
}

function end(open: Open): void {
  for (const timer of open.timers.splice(0)) clearInterval(timer);
  if (open.encoder && open.encoder.state !== 'closed') open.encoder.close();
}

const CODEC = 'avc1.42e028';

let asked: Promise<boolean> | undefined;

async function encodes(): Promise<boolean> {
  if (typeof VideoEncoder !== 'function') return false;
  asked ??= VideoEncoder.isConfigSupported({ codec: CODEC, width: 480, height: 1066, avc: { format: 'avc' } })
    .then(({ supported }) => supported === true)
    .catch(() => false);
  return asked;
}

const bufferOf = (bytes: AllowSharedBufferSource): ArrayBuffer =>
  (ArrayBuffer.isView(bytes)
    ? Uint8Array.from(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    : Uint8Array.from(new Uint8Array(bytes))
  ).buffer;

/** A scene's screen, no longer than that; sides are whole multiples. */
function scaled(name: ScreenName, longest: number, multiple = 1): OffscreenCanvas {
  const whole = drawScreen(name);
  const scale = Math.min(1, longest / Math.max(whole.width, whole.height));
  const side = (n: number): number => Math.max(1, Math.round((n * scale) / multiple)) * multiple;
  const canvas = new OffscreenCanvas(side(whole.width), side(whole.height));
  canvas.getContext('2d')?.drawImage(whole, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** One of twelve places round the camera's hole in the screen. */
function spot(pen: OffscreenCanvasRenderingContext2D, turn: number): void {
  const unit = Math.min(pen.canvas.width, pen.canvas.height) / 412;
  const angle = (turn / 12) * 2 * Math.PI;
  pen.fillStyle = '#5067ef';
  pen.beginPath();
  pen.arc(pen.canvas.width / 2 + Math.sin(angle) * 13 * unit, (25 - Math.cos(angle) * 13) * unit, 2 * unit, 0, 7);
  pen.fill();
}
