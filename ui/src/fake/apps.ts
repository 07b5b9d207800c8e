// The apps of the fake's phones.

import type { InstalledApp, PhoneId } from '../protocol';

export const APPS: InstalledApp[] = [
  { package: 'com.greenleaf.shop', label: 'Greenleaf' },
  { package: 'com.android.messages', label: 'Messages' },
  { package: 'com.northbank.mobile', label: 'Northbank' },
];

export const labelOf = (name: string): string => APPS.find((app) => app.package === name)?.label ?? name;

const SIDE = 96;
/** Apps whose icon the phones give, by their colour; the others are shown by a letter. */
const ICONS: Record<string, string> = {
  'com.greenleaf.shop': '#1f7a4d',
  'com.northbank': '#24407f',
  'com.android.messages': '#3a6fe0',
};

/** An app's icon as a PNG: a leaf on its colour. */
export async function drawIcon(_phone: PhoneId, app: string): Promise<ArrayBuffer> {
  const color = ICONS[app];
  const canvas = new OffscreenCanvas(SIDE, SIDE);
  const pen = canvas.getContext('2d');
  if (!color || !pen) return new ArrayBuffer(0);
  pen.fillStyle = color;
  pen.beginPath();
  pen.roundRect(0, 0, SIDE, SIDE, SIDE / 4);
  pen.fill();
  pen.fillStyle = '#fff';
  pen.beginPath();
  pen.moveTo(SIDE * 0.72, SIDE * 0.26);
  pen.quadraticCurveTo(SIDE * 0.74, SIDE * 0.72, SIDE * 0.46, SIDE * 0.72);
  pen.quadraticCurveTo(SIDE * 0.24, SIDE * 0.72, SIDE * 0.26, SIDE * 0.5);
  pen.quadraticCurveTo(SIDE * 0.3, SIDE * 0.3, SIDE * 0.72, SIDE * 0.26);
  pen.fill();
  return (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer();
}
