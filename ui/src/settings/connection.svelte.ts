// The test of a connection: two small questions to the AI, and what came of them.

import { asFailure, type Backend } from '../backend';
import type { Failure, Tried } from '../protocol';

export class Connection {
  testing = $state(false);
  result: Tried | { failure: Failure } | null = $state.raw(null);
  /** Counts the tests: what an earlier one found says nothing of what is chosen now. */
  #turn = 0;
  /** The one that is asked now, or was asked last. */
  #asked: Promise<unknown> = Promise.resolve();

  constructor(readonly backend: Backend) {}

  /** It answers, and it does not miss what it aims at. */
  get works(): boolean {
    const { result } = this;
    return result !== null && 'ms' in result && ['hit', 'not_asked'].includes(result.aim.aim);
  }

  get failure(): Failure | null {
    return this.result !== null && 'failure' in this.result ? this.result.failure : null;
  }

  /** Something else is chosen. */
  forget(): void {
    this.#turn += 1;
    this.testing = false;
    this.result = null;
  }

  fail(failure: Failure): void {
    this.forget();
    this.result = { failure };
  }

  /** Asks, after `before` was done. Never two at once: each costs something, and only the last one counts. */
  async test(before: () => Promise<void> = async () => undefined): Promise<void> {
    this.forget();
    const mine = this.#turn;
    this.testing = true;
    const ask = async (): Promise<void> => {
      if (mine !== this.#turn) return;
      let found: Tried | { failure: Failure };
      try {
        await before();
        found = await this.backend.tryModel();
      } catch (error) {
        found = { failure: asFailure(error) };
      }
      if (mine !== this.#turn) return;
      this.result = found;
      this.testing = false;
    };
    this.#asked = this.#asked.then(ask);
    await this.#asked;
  }
}
