// Where each maker hides the switch. Their own support pages, and what people meet on current phones.

import type { Sentence } from '../words/words';

export const BRANDS = [
  'google',
  'samsung',
  'xiaomi',
  'oneplus',
  'motorola',
  'oppo',
  'vivo',
  'huawei',
  'other',
] as const;
export type Brand = (typeof BRANDS)[number];

const NOTES: Partial<Record<Brand, Sentence>> = {
  samsung: { key: 'onboarding.brands.samsung.note' },
  xiaomi: { key: 'onboarding.brands.xiaomi.note' },
  oppo: { key: 'onboarding.brands.oppo.note' },
  vivo: { key: 'onboarding.brands.vivo.note' },
  huawei: { key: 'onboarding.brands.huawei.note' },
};

/** What to do, in order. */
export const steps = (brand: Brand): Sentence[] => {
  const note = NOTES[brand];
  const both: Sentence[] = [{ key: `onboarding.brands.${brand}.steps` }, { key: 'onboarding.debugging.switch' }];
  return note ? [...both, note] : both;
};
