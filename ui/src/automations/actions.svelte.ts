// What can be done with automations, and which sheet is open over their page.

import { tick } from 'svelte';
import { SvelteSet } from 'svelte/reactivity';
import { asFailure } from '../backend';
import type { AutomationCard, AutomationId, AutomationPlan, Failure } from '../protocol';
import type { AppState } from '../state/app-state.svelte';
import { fold } from '../state/view';
import { t } from '../words/words';
import { isBusy, type LastResult } from './occurrence-words';
import { askedFor, draftOf, faultIn, planIn, type Draft } from './plan';

/** What is edited: an automation, or a new one. */
export interface Editing {
  card: AutomationCard | null;
  draft: Draft;
}

/** Bytes of the largest file that is read, as the program takes them. */
const LARGEST = 1_000_000;

export class Actions {
  editing: Editing | null = $state.raw(null);
  /** Values are asked for before it runs. */
  asking: AutomationCard | null = $state.raw(null);
  removing: AutomationCard | null = $state.raw(null);
  /** The newest that came of it: what was saved, or why it was not. */
  said = $state('');
  wrong = $state(false);
  /** The first list could not be read. */
  unread = $state(false);
  /** Those on their way to the program: nothing is told of them yet. */
  readonly #beginning = new SvelteSet<AutomationId>();

  constructor(readonly app: AppState) {}

  async load(): Promise<void> {
    this.unread = false;
    const found = await this.app.call(this.app.backend.automations());
    if (found) this.#fold(found);
    // News may have brought them.
    else this.unread = this.app.view.automations === null;
  }

  create(plan: Partial<AutomationPlan> = {}): void {
    const [only, ...others] = this.app.view.phones;
    const phones = only && others.length === 0 ? { phones: { on: 'these' as const, phones: [only.id] } } : {};
    this.editing = { card: null, draft: draftOf({ ...phones, ...plan }, this.app.clock.now) };
  }

  edit(card: AutomationCard): void {
    this.editing = { card, draft: draftOf(planIn(card.automation), this.app.clock.now, true) };
  }

  /** Keeps a plan; what is wrong with it comes back. */
  async save(plan: AutomationPlan): Promise<Failure | null> {
    try {
      const card = await this.app.backend.saveAutomation(this.editing?.card?.automation.id ?? null, plan);
      this.#fold(merged(this.app.view.automations ?? [], [card]));
      return null;
    } catch (error) {
      return asFailure(error);
    }
  }

  /** Whether it runs, waits or is being begun: it is not begun a second time meanwhile. */
  isBusy(card: AutomationCard): boolean {
    return this.#beginning.has(card.automation.id) || isBusy(card);
  }

  /** Runs it, once what is to be asked was asked. */
  run(card: AutomationCard): void {
    if (askedFor(card.automation.variables).length > 0) this.asking = card;
    else void this.begin(card, {}).then((failure) => failure && this.app.report(failure));
  }

  /** Null where it began, or does already. */
  async begin(card: AutomationCard, values: Record<string, string>): Promise<Failure | null> {
    const { id, name } = card.automation;
    if (this.#beginning.has(id)) return null;
    this.#beginning.add(id);
    try {
      await this.app.backend.runAutomation(id, values);
    } catch (error) {
      return asFailure(error);
    } finally {
      this.#beginning.delete(id);
    }
    this.#say(t('automations.started', { name }));
    const { recorded, cleanReplays, phones } = card.automation;
    // Nobody saw these steps repeated yet: the person watches.
    const first = phones.on === 'these' ? phones.phones[0] : this.app.view.phones[0]?.id;
    if (recorded !== undefined && cleanReplays === 0 && first !== undefined) this.app.go({ page: 'phone', phone: first });
    return null;
  }

  quiet(card: AutomationCard, quiet: boolean): void {
    void this.app.call(this.app.backend.quietAutomation(card.automation.id, quiet));
  }

  /** The one button of a row. */
  press(card: AutomationCard, last: LastResult): void {
    if (last.button === 'review' && last.phone !== undefined) this.app.press(last.phone, 'review');
    else this.run(card);
  }

  hold(card: AutomationCard, held: boolean): void {
    void this.app.call(this.app.backend.holdAutomation(card.automation.id, held));
  }

  async remove(): Promise<void> {
    const id = this.removing?.automation.id;
    this.removing = null;
    if (id === undefined) return;
    const done = await this.app.call(this.app.backend.deleteAutomation(id).then(() => true));
    if (!done) return;
    this.#fold((this.app.view.automations ?? []).filter(({ automation }) => automation.id !== id));
    this.app.go({ page: 'automations' });
    // What had the focus is gone.
    await tick();
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }

  async exportThese(ids: AutomationId[]): Promise<void> {
    const file = await this.app.call(this.app.backend.exportAutomations(ids, `${t('automations.file')}.json`));
    // Null: the person chose no place.
    if (file) this.#say(t('automations.exported', { file }));
  }

  async importFile(file: Blob): Promise<void> {
    if (file.size > LARGEST) return this.#say(t('automations.unread_why.too_large'), true);
    const before = this.app.view.automations ?? [];
    try {
      const cards = await this.app.backend.importAutomations(await file.text());
      const n = cards.filter((card) => !before.some((one) => one.automation.id === card.automation.id)).length;
      this.#fold(merged(this.app.view.automations ?? [], cards));
      this.#say(t('automations.imported', { n }));
    } catch (error) {
      this.#say(refusal(asFailure(error)), true);
    }
  }

  #fold(automations: AutomationCard[]): void {
    this.app.view = fold(this.app.view, { news: 'automations', automations });
  }

  #say(text: string, wrong = false): void {
    this.said = text;
    this.wrong = wrong;
    if (!wrong) this.app.announce(text);
  }
}

/** These, each in the place of the one with its id. */
function merged(all: AutomationCard[], some: AutomationCard[]): AutomationCard[] {
  const known = new Set(all.map(({ automation }) => automation.id));
  const newer = new Map(some.map((card) => [card.automation.id, card]));
  return [
    ...all.map((card) => newer.get(card.automation.id) ?? card),
    ...some.filter((card) => !known.has(card.automation.id)),
  ];
}

/** Why a file cannot be read. */
const WHY = ['unreadable', 'too_large', 'newer'] as const;

/** Why a file was not taken, in words. */
function refusal(failure: Failure): string {
  const fault = faultIn(failure);
  const name = failure.values?.['name'];
  if (fault && name !== undefined) return t('automations.import_named', { name, why: t(`automations.faults.${fault}`) });
  if (fault) return t(`automations.faults.${fault}`);
  if (failure.code !== 'bad_input') return t(`failures.${failure.code}`);
  const why = WHY.find((one) => one === failure.values?.['why']) ?? 'unreadable';
  return t(`automations.unread_why.${why}`);
}
