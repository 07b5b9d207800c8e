// The apps of the fake's phones.

import type { InstalledApp } from '../protocol';

export const APPS: InstalledApp[] = [
  { package: 'com.greenleaf.shop', label: 'Greenleaf' },
  { package: 'com.android.messages', label: 'Messages' },
  { package: 'com.northbank.mobile', label: 'Northbank' },
];

export const labelOf = (name: string): string => APPS.find((app) => app.package === name)?.label ?? name;
