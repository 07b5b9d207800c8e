// What a phone is called. One that told nothing of itself yet has its serial number for a name, which nobody knows it by.

import type { Phone, PhoneId } from '../protocol';
import { t } from '../words/words';

/** Its name is only the number it is known by: that itself, or behind the address of its server. */
export const isUnnamed = ({ id, name }: Pick<Phone, 'id' | 'name'>): boolean => {
  const number = id.split('#')[0] ?? '';
  return name === '' || number === name || number.endsWith(`/${name}`);
};

export const nameOf = (phone: Pick<Phone, 'id' | 'name'>): string => (isUnnamed(phone) ? t('phones.unnamed') : phone.name);

/** That of the phone with this number, where it has one. */
export const knownName = (phones: Phone[], id: PhoneId): string | undefined =>
  phones.find((phone) => phone.id === id && !isUnnamed(phone))?.name;
