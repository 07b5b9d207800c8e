// Phones over Wi-Fi and the adb program, played: what the pages ask for, without a phone, a network or a program.

import type { AdbProgram, Fetching, MirrorServer, Nearby, Pairing, Phone, WirelessPhone } from '../protocol';

/** How it stands at the beginning. */
export interface Around {
  network?: string;
  nearby?: Nearby[];
  /** Null: there is none. */
  program?: AdbProgram | null;
  /** No scrcpy server is here. */
  serverless?: boolean;
  /** A failure each time something is fetched. */
  fetching?: 'download_offline' | 'download_wrong' | 'download_none';
}

const HERE: AdbProgram = { path: '/usr/lib/android-sdk/platform-tools/adb', version: '36.0.0', pairs: true };
const SERVER = '4.1';
const SIDE = 29;
const QUIET = 4;
/** Codes that never work, to see what is said then. */
const WRONG: Record<string, 'pairing_code' | 'pairing_closed' | 'wireless_unreachable' | 'adb_too_old'> = {
  '000000': 'pairing_code',
  '111111': 'pairing_closed',
  '222222': 'wireless_unreachable',
  '333333': 'adb_too_old',
};

export class FakeAround {
  #tell: ((pairing: Pairing) => void) | null = null;
  #program: AdbProgram | null;
  #serverless: boolean;

  constructor(
    readonly around: Around,
    readonly add: (phone: Phone) => void,
  ) {
    this.#program = around.program === undefined ? HERE : around.program;
    this.#serverless = around.serverless ?? false;
  }

  async pairingStart(tell: (pairing: Pairing) => void): Promise<{ svg: string; network?: string }> {
    this.#tell = tell;
    tell({ stage: 'waiting' });
    const { network } = this.around;
    return network ? { svg: square(), network } : { svg: square() };
  }

  async pairByCode(code: string, address: string): Promise<void> {
    await this.#later(500);
    const failure = WRONG[code];
    this.#say({ stage: 'pairing' });
    await this.#later(1200);
    if (failure) return this.#say({ stage: 'failed', failure: { code: failure } });
    this.#say({ stage: 'connecting' });
    await this.#later(1200);
    this.add({ id: 'wifi', name: 'Pixel 8', state: 'device', transport: 'wifi', demo: false, size: [1080, 2400] });
    this.#say({ stage: 'done', serial: address });
  }

  async nearby(tell: (phones: Nearby[]) => void): Promise<void> {
    tell(this.around.nearby ?? []);
  }

  async pairingStop(): Promise<void> {
    this.#tell = null;
  }

  async adbProgram(): Promise<AdbProgram | null> {
    return this.#program;
  }

  async fetchAdb(tell: (fetching: Fetching) => void): Promise<void> {
    if (!(await this.#load(tell, 8_200_000))) return;
    tell({ stage: 'unpacking' });
    await this.#later(600);
    this.#program = HERE;
    tell({ stage: 'done' });
  }

  async mirrorServer(): Promise<MirrorServer> {
    return this.#serverless ? { offered: SERVER } : { found: SERVER, offered: SERVER };
  }

  async fetchMirrorServer(tell: (fetching: Fetching) => void): Promise<void> {
    if (!(await this.#load(tell, 100_000))) return;
    this.#serverless = false;
    tell({ stage: 'done' });
  }

  /** Whether all of it came. */
  async #load(tell: (fetching: Fetching) => void, total: number): Promise<boolean> {
    for (let part = 0; part < 20; part++) {
      tell({ stage: 'loading', done: (total * part) / 20, total });
      await this.#later(120);
      if (this.around.fetching && part > 5) {
        tell({ stage: 'failed', failure: { code: this.around.fetching } });
        return false;
      }
    }
    return true;
  }

  async openPage(): Promise<void> {}

  async connectWireless(phone: WirelessPhone): Promise<void> {
    await this.#later(1500);
    if (phone.address.endsWith(':1')) throw { code: 'wireless_unreachable' };
    this.add({ id: phone.service, name: phone.name, state: 'device', transport: 'wifi', demo: false });
  }

  async overWifi(): Promise<void> {
    await this.#later(2000);
  }

  #say(pairing: Pairing): void {
    this.#tell?.(pairing);
  }

  #later(ms: number): Promise<void> {
    return new Promise((done) => setTimeout(done, ms));
  }
}

/** Looks like a QR code; no camera reads it. */
function square(): string {
  let seed = 7;
  const next = (): boolean => (seed = (seed * 48271) % 2147483647) % 2 === 0;
  const corner = (x: number, y: number): boolean | null => {
    for (const [cx, cy] of [[0, 0], [SIDE - 7, 0], [0, SIDE - 7]] as const) {
      const [dx, dy] = [x - cx, y - cy];
      if (dx < -1 || dy < -1 || dx > 7 || dy > 7) continue;
      if (dx < 0 || dy < 0 || dx > 6 || dy > 6) return false;
      const ring = Math.max(Math.abs(dx - 3), Math.abs(dy - 3));
      return ring !== 2;
    }
    return null;
  };
  let path = '';
  for (let y = 0; y < SIDE; y += 1) {
    for (let x = 0; x < SIDE; x += 1) if (corner(x, y) ?? next()) path += `M${x} ${y}h1v1h-1z`;
  }
  const all = SIDE + 2 * QUIET;
  const box = `${-QUIET} ${-QUIET} ${all} ${all}`;
  const white = `<path fill="#fff" d="M${-QUIET} ${-QUIET}h${all}v${all}h-${all}z"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" shape-rendering="crispEdges">${white}<path d="${path}"/></svg>`;
}
