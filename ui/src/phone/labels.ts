// What the person calls their phones, and in which order they have them. Data in, data out: the settings keep it.

import type { Phone, PhoneId, PhoneLabel } from '../protocol';

/** Every phone that is or was named or moved, then those that are here and were not, in the order they are shown. */
const every = (labels: PhoneLabel[], phones: Phone[]): PhoneLabel[] => [
  ...labels,
  ...phones.filter(({ id }) => !labels.some(({ phone }) => phone === id)).map(({ id }) => ({ phone: id, name: '' })),
];

/** With another name for one of them; with none, it goes by its own again. None changes its place. */
export const renamed = (labels: PhoneLabel[], phones: Phone[], phone: PhoneId, name: string): PhoneLabel[] =>
  every(labels, phones).map((one) => (one.phone === phone ? { ...one, name: name.trim() } : one));

/** With one of them at another place among those that are here: before or behind the one that has it. */
export function moved(labels: PhoneLabel[], phones: Phone[], phone: PhoneId, to: number): PhoneLabel[] {
  const all = every(labels, phones);
  const at = phones.findIndex(({ id }) => id === phone);
  const neighbour = at < 0 || at === to ? undefined : phones[to];
  const own = all.find((one) => one.phone === phone);
  if (!neighbour || !own) return all;
  const rest = all.filter((one) => one !== own);
  const there = rest.findIndex((one) => one.phone === neighbour.id);
  return rest.toSpliced(to < at ? there : there + 1, 0, own);
}
