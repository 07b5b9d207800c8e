// Which AI is chosen, as the settings page shows and keeps it.

import { money } from '../words/format';
import type { KeyStatus, Maker, MakerCard, OfferedModel, Provider } from '../protocol';
import type { Sentence } from '../words/words';

/** A model of a maker, as the person chose it. */
export type ChosenModel = Omit<Extract<Provider, { kind: 'model' }>, 'kind'>;

/** The one that is proposed to whoever has none. */
export const RECOMMENDED: Maker = 'anthropic';

/** The other cards that are shown at once; the rest is behind “More providers”. */
export const FIRST: readonly Maker[] = ['openai', 'google', 'openrouter', 'ollama', 'custom'];

/** A list longer than this is typed into, not scrolled through. */
const LONGEST_MENU = 60;

/** What the settings’ provider says of a model; null for the demo. */
export function chosenOf(provider: Provider): ChosenModel | null {
  if (provider.kind === 'demo') return null;
  const { kind: _, ...chosen } = provider;
  return chosen;
}

export const isStored = (key: KeyStatus | undefined | null): boolean =>
  key?.key === 'stored' || key?.key === 'this_run_only';

/** The maker tells no address of its own: the person has to. */
export const wantsAddress = (card: MakerCard): boolean => card.baseUrl === undefined;

/** The model of a list that suits phones best; else its first. */
export const best = (offered: OfferedModel[]): OfferedModel | undefined =>
  offered.find((one) => one.best) ?? offered[0];

/** The small line of a card. `answers`: it was tried, and works. */
export function cardNote(card: MakerCard, answers: boolean, key: KeyStatus | undefined): Sentence {
  if (answers) return { key: 'settings.card_connected' };
  if (card.isHere) return { key: 'settings.card_here' };
  if (card.maker === 'custom') return { key: 'settings.card_custom' };
  if (isStored(key)) return { key: 'settings.card_stored' };
  return { key: card.maker === 'openrouter' ? 'settings.card_many' : 'settings.card_needs_key' };
}

/** Everything a request needs is there. */
export function isComplete(chosen: ChosenModel, card: MakerCard | undefined): boolean {
  const address = !card || !wantsAddress(card) || (chosen.baseUrl ?? '').trim() !== '';
  return address && chosen.model.trim() !== '';
}

/** What is kept: without blanks around, and without an address that is the maker’s own. */
export function written(chosen: ChosenModel, card: MakerCard | undefined): ChosenModel {
  const { baseUrl, price, words, ...rest } = chosen;
  const own = (baseUrl ?? '').trim();
  const kept = { ...rest, ...(price ? { price } : {}), ...(words ? { words } : {}), model: chosen.model.trim() };
  return own === '' || own === card?.baseUrl ? kept : { ...kept, baseUrl: own };
}

/** The models that can be chosen from a menu; none when there are too many for one. */
export function menu(offered: OfferedModel[] | null, model: string): OfferedModel[] {
  if (!offered || offered.length === 0 || offered.length > LONGEST_MENU) return [];
  return model === '' || offered.some((one) => one.id === model) ? offered : [{ id: model }, ...offered];
}

/** What a task costs in words, or why that is not known. */
export function priceHint(card: MakerCard | undefined, offered: OfferedModel | undefined): Sentence | null {
  if (card?.isHere) return { key: 'settings.price_free' };
  const dollars = offered?.shortTask;
  if (dollars === undefined) return offered ? { key: 'settings.price_unknown' } : null;
  const cents = Math.round(dollars * 100);
  if (cents < 1) return { key: 'settings.ai.tiny' };
  if (cents < 100) return { key: 'settings.ai.cents', values: { n: cents } };
  return { key: 'settings.ai.dollars', values: { dollars: money(dollars) } };
}
