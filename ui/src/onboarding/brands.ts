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

/** What to do, in order, for the one switch or the other. */
export const steps = (brand: Brand, which: 'cable' | 'wifi' = 'cable'): Sentence[] => {
  const on: Sentence = { key: which === 'cable' ? 'onboarding.debugging.switch' : 'onboarding.wifi.lost_steps.switch' };
  // What Huawei's note is about is a cable.
  const note = which === 'wifi' && brand === 'huawei' ? undefined : NOTES[brand];
  const both: Sentence[] = [{ key: `onboarding.brands.${brand}.steps` }, on];
  return note ? [...both, note] : both;
};
