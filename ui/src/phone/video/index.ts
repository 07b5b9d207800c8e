// The way of each message of a mirror to the screen. Read when the first mirror is opened: the window begins without it.

import type { Aim, Backend, MirrorMessage } from '../../backend';
import { screenIn, type Size } from '../../pictures/mapping';
import { readMessage, readOldMessage, type Head, type Message } from '../mirror-message';
import type { Mirror, Mirroring } from '../mirroring';
import type { PhoneId } from '../../protocol';
import { Acks } from './acks';
import { Decoder } from './decoder';
import { Painter, type Frame } from './painter';
import { decodes } from './selftest';

type Pictured = Extract<Message, { kind: 'picture' | 'unit' }>;

/** Phones whose stream this window could not decode though it decodes others: they send pictures from then on. */
const undecodable = new Set<PhoneId>();

/** Reads one mirror and shows what is newest, until it is closed. */
export class Reader implements Mirror {
  #isClosed = false;
  #aim: Aim;
  /** What the sender knows of it. */
  #told: Aim;
  #shown: { size: Size; of: Pictured } | null = null;
  /** A change was lost: what is on the screen is not how the phone looks now. */
  #isBehind = true;
  /** The picture that is being unpacked, and the newest that waits for it. */
  #unpacking = false;
  #packed: Extract<Message, { kind: 'picture' }> | null = null;
  readonly #starting: Promise<number>;
  readonly #acks = new Acks((seq) => this.#call((mirror) => this.#backend.mirrorAck(mirror, seq)));
  readonly #painter = new Painter<Pictured>(
    (frame, of) => this.#paint(frame, of),
    (of) => this.#acks.done(of.seq, of.kind === 'picture'),
    () => this.#aim.fps,
  );
  readonly #decoder = new Decoder({
    shown: (frame, unit) => this.#painter.offer(frame, unit),
    dropped: (seq) => {
      this.#isBehind = true;
      this.#acks.done(seq);
    },
    wantsKey: () => this.#call((mirror) => this.#backend.mirrorKey(mirror)),
    gaveUp: () => {
      undecodable.add(this.#mirroring.phone);
      this.#mirroring.again();
    },
  });
  readonly #backend: Backend;
  readonly #mirroring: Mirroring;

  /** `canDecode`: whether this window decodes streams. */
  constructor(backend: Backend, mirroring: Mirroring, canDecode: () => Promise<boolean> = decodes) {
    this.#backend = backend;
    this.#mirroring = mirroring;
    this.#aim = this.#told = mirroring.aim;
    this.#starting = this.#start(canDecode);
    this.#starting.catch((error: unknown) => this.#fail(error));
  }

  async #start(canDecode: () => Promise<boolean>): Promise<number> {
    const { phone } = this.#mirroring;
    const video = this.#backend.hasStreams && !undecodable.has(phone) && (await canDecode());
    this.#told = this.#aim;
    return this.#backend.mirrorStart(phone, this.#aim, video, (message) => this.#hear(message));
  }

  aim(aim: Aim): void {
    this.#aim = aim;
    if (!this.#backend.hasStreams) return;
    this.#call(async (mirror) => {
      if (this.#told.fps === this.#aim.fps && this.#told.longestSide === this.#aim.longestSide) return;
      this.#told = this.#aim;
      await this.#backend.mirrorAim(mirror, this.#aim);
    });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#acks.close();
    this.#decoder.close();
    this.#painter.close();
    this.#packed = null;
    // A mirror that could not be stopped is gone already.
    this.#starting.then((mirror) => this.#backend.mirrorStop(mirror)).catch(() => undefined);
  }

  #fail(error: unknown): void {
    if (!this.#isClosed) this.#mirroring.failed(error);
  }

  #call(what: (mirror: number) => Promise<void>): void {
    this.#starting.then((mirror) => (this.#isClosed ? undefined : what(mirror))).catch((error) => this.#fail(error));
  }

  #hear(bytes: MirrorMessage): void {
    const message = this.#isClosed ? null : (this.#backend.hasStreams ? readMessage : readOldMessage)(bytes);
    if (!message) return;
    this.#acks.heard(message.seq, message.kind === 'picture' || message.kind === 'unit');
    this.#mirroring.told({ news: 'heard', head: message, asShown: this.#isAsShown(message) });
    switch (message.kind) {
      case 'picture':
        this.#packed = message;
        if (!this.#unpacking) void this.#unpack();
        break;
      case 'none':
        this.#painter.skip(message.seq);
        this.#isBehind = false;
        this.#mirroring.told({ news: 'none', none: message.none });
        this.#mirroring.told({ news: 'current', at: message.at });
        break;
      case 'configuration':
        this.#decoder.configure(message);
        break;
      case 'unit':
        this.#decoder.decode(message);
        break;
      case 'alive':
        if (this.#acks.isEven && !this.#isBehind) this.#mirroring.told({ news: 'current', at: null });
        break;
      default:
    }
  }

  /** One picture after the other, and of those that came meanwhile the newest only. */
  async #unpack(): Promise<void> {
    this.#unpacking = true;
    for (let next = this.#packed; next; next = this.#packed) {
      this.#packed = null;
      try {
        this.#painter.offer(await createImageBitmap(new Blob([next.jpeg], { type: 'image/jpeg' })), next);
      } catch {
        // One that cannot be unpacked is skipped: the next may be whole.
        this.#acks.done(next.seq, true);
      }
    }
    this.#unpacking = false;
  }

  #paint(frame: Frame, of: Pictured): void {
    const size = sizeOf(frame);
    this.#shown = { size, of };
    this.#isBehind = false;
    this.#mirroring.paint(frame, screenIn(size, of) ?? { left: 0, top: 0, ...size });
    this.#mirroring.told({ news: 'current', at: of.at });
  }

  /** Whether the screen is turned as it was in the picture that is shown. */
  #isAsShown({ screen }: Head): boolean {
    const shown = this.#shown;
    if (!shown || !screen) return true;
    const before = shown.of.screen ?? screen;
    const isTurned = before.width !== screen.width || before.height !== screen.height;
    return !isTurned && screenIn(shown.size, { ...shown.of, screen }) !== null;
  }
}

const sizeOf = (frame: Frame): Size =>
  'displayWidth' in frame ? { width: frame.displayWidth, height: frame.displayHeight } : frame;
