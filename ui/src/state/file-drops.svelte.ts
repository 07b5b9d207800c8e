// Files that a person drops on a phone: which phone they are over, what is asked about them, and how far they are.

import { asFailure, type Backend } from '../backend';
import type { Dropped, DroppedFile, Failure, Phone, PhoneId } from '../protocol';
import { nameOf } from './phone-name';

/** One file on its way to a phone, or there. */
export interface Delivery {
  id: number;
  phone: string;
  name: string;
  installs: boolean;
  stage: 'goes' | 'there' | 'failed' | 'impossible';
  hundredths: number;
  failure?: Failure;
}

/** An app that would be installed: the person is asked. */
export interface Installing {
  phone: Phone;
  name: string;
  answer: (yes: boolean) => void;
}

/** How long a delivery that is over stays in sight. */
const STAYS_MS = 8000;

export class Drops {
  /** The phone that files are held over. */
  over: PhoneId | null = $state(null);
  deliveries: readonly Delivery[] = $state.raw([]);
  asking: Installing | null = $state.raw(null);
  #last = 0;
  readonly #backend: Backend;
  readonly #phones: () => readonly Phone[];
  /** One after the other: a cable is no faster for two. */
  #queue: Promise<void> = Promise.resolve();

  constructor(backend: Backend, phones: () => readonly Phone[]) {
    this.#backend = backend;
    this.#phones = phones;
  }

  /** There is something to tell, or to ask. */
  get isBusy(): boolean {
    return this.asking !== null || this.deliveries.length > 0;
  }

  hear(files: Dropped): void {
    const phone = files.files === 'away' ? undefined : this.#at(files.x, files.y);
    this.over = files.files === 'over' ? (phone?.id ?? null) : null;
    if (files.files !== 'here' || !phone) return;
    files.dropped.forEach((file, at) => {
      this.#queue = this.#queue.then(() => this.#deliver(phone, files.drop, at, file));
    });
  }

  /** The connected phone that is shown there. */
  #at(x: number, y: number): Phone | undefined {
    const shown = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-phone]')?.dataset['phone'];
    return this.#phones().find((phone) => phone.id === shown && phone.state === 'device');
  }

  async #deliver(phone: Phone, drop: number, at: number, { name, kind }: DroppedFile): Promise<void> {
    const installs = kind === 'app';
    const id = (this.#last += 1);
    const started: Delivery = { id, phone: nameOf(phone), name, installs, stage: 'goes', hundredths: 0 };
    if (kind === 'neither') return this.#over({ ...started, stage: 'impossible' });
    if (installs && !(await this.#ask(phone, name))) return undefined;
    this.#show(started);
    try {
      const told = (hundredths: number): void => this.#show({ ...started, hundredths });
      const there = await this.#backend.sendFile(phone.id, drop, at, installs, told);
      return this.#over({ ...started, name: there ?? name, stage: 'there', hundredths: 100 });
    } catch (error) {
      return this.#over({ ...started, stage: 'failed', failure: asFailure(error) });
    }
  }

  async #ask(phone: Phone, name: string): Promise<boolean> {
    const yes = await new Promise<boolean>((answer) => {
      this.asking = { phone, name, answer };
    });
    this.asking = null;
    return yes;
  }

  #show(delivery: Delivery): void {
    const known = this.deliveries.some((one) => one.id === delivery.id);
    this.deliveries = known
      ? this.deliveries.map((one) => (one.id === delivery.id ? delivery : one))
      : [...this.deliveries, delivery];
  }

  /** It is over: told a while longer. What failed stays until it is put away. */
  #over(delivery: Delivery): void {
    this.#show(delivery);
    if (delivery.stage !== 'failed') setTimeout(() => this.dismiss(delivery.id), STAYS_MS);
  }

  dismiss(id: number): void {
    this.deliveries = this.deliveries.filter((one) => one.id !== id);
  }
}
