// Apps' icons.

import type { Backend } from '../backend';
import type { PhoneId } from '../protocol';
import { keptUrl } from './kept-urls';

/** The address of an app's icon; null where its phone gives none now: then it is asked again the next time. */
export const iconUrl = (backend: Pick<Backend, 'appIcon'>, phone: PhoneId, app: string): Promise<string | null> =>
  keptUrl(backend, [phone, app], 'image/png', () => backend.appIcon(phone, app)).catch(() => null);
