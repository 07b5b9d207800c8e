// Phone screens drawn for the fake: simple, and our own. Lengths are in Android's dp on a 412 × 915 screen.

export type ScreenName =
  'settings' | 'checkout' | 'teal' | 'sunset' | 'chat' | 'messages' | 'search' | 'people' | 'code' | 'lying';

const WIDTH = 412;
const SCALE = 1080 / WIDTH;
const HEIGHT = 2400 / SCALE;

type Pen = CanvasRenderingContext2D;

/** A screen in full size, turned where it lies on its side. */
export function drawScreen(name: ScreenName): OffscreenCanvas {
  const canvas = name === 'lying' ? new OffscreenCanvas(2400, 1080) : new OffscreenCanvas(1080, 2400);
  const pen = canvas.getContext('2d') as unknown as Pen;
  pen.scale(SCALE, SCALE);
  pen.textBaseline = 'middle';
  DRAW[name](pen);
  return canvas;
}

const box = (pen: Pen, x: number, y: number, w: number, h: number, r: number, fill: string | CanvasGradient): void => {
  pen.fillStyle = fill;
  pen.beginPath();
  pen.roundRect(x, y, w, h, r);
  pen.fill();
};

const disc = (pen: Pen, x: number, y: number, r: number, fill: string): void => {
  pen.fillStyle = fill;
  pen.beginPath();
  pen.arc(x, y, r, 0, Math.PI * 2);
  pen.fill();
};

function text(
  pen: Pen,
  words: string,
  x: number,
  y: number,
  size: number,
  fill: string,
  weight = 400,
  align: CanvasTextAlign = 'left',
): void {
  pen.font = `${weight} ${size}px Roboto, Inter, sans-serif`;
  pen.fillStyle = fill;
  pen.textAlign = align;
  pen.fillText(words, x, y);
}

function page(pen: Pen, fill: string, ink = '#1d1b20', width = WIDTH, height = HEIGHT): void {
  box(pen, 0, 0, width, height, 0, fill);
  text(pen, '9:41', 34, 26, 15, ink, 500);
  disc(pen, width / 2, 25, 8.5, '#000000');
  box(pen, width - 70, 20, 14, 11, 3, ink);
  box(pen, width - 48, 19, 12, 12, 2, ink);
  box(pen, width - 30, 19, 8, 13, 2, ink);
  box(pen, width / 2 - 62, height - 14, 124, 5, 3, ink === '#1d1b20' ? '#49454f' : ink);
}

function bubble(pen: Pen, y: number, lines: string[], mine: boolean, width: number): void {
  const x = mine ? WIDTH - 18 - width : 18;
  box(pen, x, y, width, 24 + lines.length * 26, 22, mine ? '#d7e2ff' : '#ebe9f1');
  lines.forEach((line, i) => text(pen, line, x + 18, y + 26 + i * 26, 17, mine ? '#0e2a63' : '#1d1b20'));
}

function row(pen: Pen, y: number, color: string, title: string, note: string): void {
  disc(pen, 50, y, 23, color);
  box(pen, 42, y - 8, 16, 16, 5, 'rgba(255,255,255,0.85)');
  text(pen, title, 92, y - 9, 19, '#1d1b20');
  text(pen, note, 92, y + 16, 14, '#49454f');
}

function settings(pen: Pen): void {
  page(pen, '#fcf8ff');
  text(pen, 'Settings', 28, 120, 34, '#1d1b20');
  box(pen, 16, 164, 380, 62, 31, '#ebe6f3');
  text(pen, 'Search settings', 76, 196, 16, '#49454f');
  box(pen, 0, 578, WIDTH, 82, 0, '#e4e0f2');
  const rows: [string, string, string][] = [
    ['#3f76e0', 'Network & internet', 'Wi-Fi, mobile, hotspot'],
    ['#3f76e0', 'Connected devices', 'Bluetooth, pairing'],
    ['#3d9a63', 'Apps', 'Recent apps, default apps'],
    ['#d26846', 'Notifications', 'History, conversations'],
    ['#2f9a72', 'Battery', '82% · about 1 day left'],
    ['#7a6ac0', 'Storage', '41% used · 75 GB free'],
    ['#c8528c', 'Sound & vibration', 'Volume, do not disturb'],
  ];
  rows.forEach(([color, title, note], i) => row(pen, 288 + i * 83, color, title, note));
}

function checkout(pen: Pen): void {
  page(pen, '#f6f7f2');
  text(pen, '←', 30, 84, 22, '#1d1b20');
  text(pen, 'Checkout', 76, 84, 20, '#1d1b20', 600);
  const card = (y: number, h: number): void => box(pen, 18, y, 376, h, 16, '#ffffff');
  card(124, 82);
  text(pen, 'Thursday, 6–8 pm', 104, 155, 17, '#1d1b20', 600);
  text(pen, '12 Alder Street, Apt 3', 104, 179, 14, '#5b5f57');
  card(222, 212);
  const items: [string, string, string, string][] = [
    ['Whole milk', '2 × ½ gal', '$5.80', '#d8c7a4'],
    ['Free-range eggs', '12 pack', '$4.65', '#e08a4a'],
    ['Bananas & 5 more', 'See all items', '$10.00', '#efc94c'],
  ];
  items.forEach(([name, note, price, color], i) => {
    const y = 262 + i * 64;
    box(pen, 36, y - 25, 50, 50, 12, '#edf3e6');
    disc(pen, 61, y, 12, color);
    text(pen, name, 104, y - 9, 16, '#1d1b20', 600);
    text(pen, note, 104, y + 12, 13, '#5b5f57');
    text(pen, price, 376, y, 15, '#1d1b20', 500, 'right');
  });
  card(450, 78);
  box(pen, 36, 471, 50, 34, 6, '#35509b');
  text(pen, 'Visa •••• 4821', 104, 480, 17, '#1d1b20', 600);
  text(pen, 'Expires 08/27', 104, 503, 13, '#5b5f57');
  card(544, 138);
  text(pen, 'Subtotal', 36, 578, 15, '#5b5f57');
  text(pen, '$20.45', 376, 578, 15, '#1d1b20', 500, 'right');
  text(pen, 'Delivery', 36, 604, 15, '#5b5f57');
  text(pen, '$2.95', 376, 604, 15, '#1d1b20', 500, 'right');
  text(pen, 'Total', 36, 650, 18, '#1d1b20', 600);
  text(pen, '$23.40', 376, 650, 18, '#1d1b20', 600, 'right');
  box(pen, 0, 786, WIDTH, HEIGHT - 786, 0, '#ffffff');
  box(pen, 18, 804, 376, 64, 32, '#1f7a45');
  text(pen, 'Pay $23.40', WIDTH / 2, 837, 19, '#ffffff', 600, 'center');
  box(pen, WIDTH / 2 - 62, HEIGHT - 14, 124, 5, 3, '#49454f');
}

function home(pen: Pen, sky: [string, string], hills: string[], icons: string[]): void {
  const gradient = pen.createLinearGradient(0, 0, 120, HEIGHT);
  gradient.addColorStop(0, sky[0]);
  gradient.addColorStop(1, sky[1]);
  box(pen, 0, 0, WIDTH, HEIGHT, 0, gradient);
  disc(pen, 290, 300, 70, '#fdebd0');
  hills.forEach((color, i) => {
    pen.fillStyle = color;
    pen.beginPath();
    const y = 430 + i * 150;
    pen.moveTo(0, y);
    pen.bezierCurveTo(120, y - 90, 260, y + 110, WIDTH, y - 30);
    pen.lineTo(WIDTH, HEIGHT);
    pen.lineTo(0, HEIGHT);
    pen.fill();
  });
  text(pen, '9:41', 34, 26, 15, '#ffffff', 500);
  disc(pen, WIDTH / 2, 25, 8.5, '#000000');
  text(pen, 'Tue, May 14', 34, 94, 26, '#ffffff');
  text(pen, '61°F · Sunny', 52, 124, 16, '#ffffff', 600);
  icons.forEach((color, i) => {
    const x = 66 + (i % 4) * 94;
    const y = (i < 8 ? 484 : 504) + Math.floor(i / 4) * 116;
    disc(pen, x, y, 33, color);
    box(pen, x - 11, y - 11, 22, 22, 7, 'rgba(255,255,255,0.9)');
  });
  box(pen, 24, 790, 364, 62, 31, 'rgba(255,255,255,0.93)');
  text(pen, 'Search', 80, 822, 15, '#49454f');
  box(pen, WIDTH / 2 - 62, HEIGHT - 14, 124, 5, 3, '#ffffff');
}

function chat(pen: Pen): void {
  page(pen, '#fcf8ff');
  text(pen, '←', 24, 84, 24, '#1d1b20');
  disc(pen, 84, 84, 23, '#e2d4fa');
  text(pen, 'D', 84, 84, 20, '#5b2e9c', 600, 'center');
  text(pen, 'Dana Whitlock', 122, 84, 22, '#1d1b20');
  text(pen, 'Yesterday', WIDTH / 2, 154, 14, '#49454f', 500, 'center');
  bubble(pen, 180, ['Do you know if the plant man', 'will be there this week?'], true, 294);
  bubble(pen, 272, ['He is! He messaged me about', 'the ferns'], false, 294);
  text(pen, 'Today · 9:02 AM', WIDTH / 2, 378, 14, '#49454f', 500, 'center');
  bubble(pen, 404, ['Morning! Are we still on for the', 'market?'], false, 294);
  bubble(pen, 496, ['Yes! Can’t wait'], true, 182);
  bubble(pen, 562, ['Great. I’ll be by the flower stall,', 'the one next to the bridge.'], false, 294);
  bubble(pen, 642, ['See you at 9:40?'], false, 190);
  text(pen, '+', 36, 824, 26, '#49454f', 400, 'center');
  box(pen, 68, 746, 260, 108, 34, '#ebe9f1');
  ['Running about 10 minutes', 'late, sorry! Want me to', 'bring you a coffee?'].forEach((line, i) => {
    text(pen, line, 90, 775 + i * 25, 17, '#1d1b20');
  });
  disc(pen, 363, 824, 28, '#2f57d6');
  text(pen, '↑', 363, 824, 22, '#ffffff', 500, 'center');
}

function messages(pen: Pen): void {
  page(pen, '#fcf8ff');
  text(pen, 'Messages', 28, 100, 30, '#1d1b20', 500);
  box(pen, 16, 140, 380, 58, 29, '#ebe6f3');
  text(pen, 'Search messages', 70, 170, 16, '#49454f');
  row(pen, 262, '#b79ae8', 'Dana Whitlock', 'See you at 9:40?');
  row(pen, 346, '#7fc4a4', 'Mum', 'Call me when you can');
  row(pen, 430, '#e0a06a', 'Northbank', 'Your statement is ready');
}

function search(pen: Pen, marked: boolean): void {
  page(pen, '#fcf8ff');
  box(pen, 16, 64, 380, 58, 29, '#ebe6f3');
  text(pen, 'Dana', 70, 94, 17, '#1d1b20');
  text(pen, 'People', 28, 164, 15, '#49454f', 500);
  if (marked) box(pen, 0, 190, WIDTH, 84, 0, '#e4e0f2');
  row(pen, 232, '#b79ae8', 'Dana Whitlock', 'Mobile');
  row(pen, 316, '#7fc4a4', 'Dana’s Bakery', 'Business');
}

function code(pen: Pen): void {
  page(pen, '#f2f5fb', '#ffffff');
  box(pen, 0, 0, WIDTH, 186, 0, '#12325e');
  text(pen, '9:41', 34, 26, 15, '#ffffff', 500);
  text(pen, 'Northbank', 62, 48 + 18, 19, '#ffffff', 600);
  text(pen, 'Confirm it’s you', 28, 130, 26, '#ffffff');
  text(pen, 'We sent a 6-digit code by text message', 28, 244, 16, '#1d2a3d');
  text(pen, 'to the number ending in 44.', 28, 270, 16, '#1d2a3d');
  for (let i = 0; i < 6; i += 1) {
    pen.strokeStyle = i === 0 ? '#2f57d6' : '#b9c4d6';
    pen.lineWidth = 2;
    pen.beginPath();
    pen.roundRect(28 + i * 60, 312, 50, 62, 10);
    pen.stroke();
  }
  box(pen, 28, 420, 356, 58, 29, '#12325e');
  text(pen, 'Continue', WIDTH / 2, 450, 18, '#ffffff', 600, 'center');
}

function lying(pen: Pen): void {
  page(pen, '#fcf8ff', '#1d1b20', HEIGHT, WIDTH);
  text(pen, 'Notes', 60, 90, 30, '#1d1b20', 500);
  for (let i = 0; i < 3; i += 1)
    box(pen, 60 + i * 270, 130, 250, 200, 18, ['#e4e0f2', '#dff0e5', '#fbe9cf'][i] as string);
}

const DRAW: Record<ScreenName, (pen: Pen) => void> = {
  settings,
  checkout,
  teal: (pen) =>
    home(
      pen,
      ['#10526b', '#2aa198'],
      ['#2a9d95', '#1f7d80', '#0f5260'],
      [
        '#e25744',
        '#f5f5f5',
        '#f5f5f5',
        '#f5f5f5',
        '#f2b233',
        '#2f9a63',
        '#2b2a4f',
        '#d9dbe6',
        '#22a05b',
        '#2f66e0',
        '#1291a8',
        '#3a3b42',
      ],
    ),
  sunset: (pen) =>
    home(
      pen,
      ['#f3b29b', '#f6cfa6'],
      ['#dd7c6c', '#8f3f63', '#43204f'],
      [
        '#2f9a63',
        '#f5f5f5',
        '#f5f5f5',
        '#e25744',
        '#1f7a45',
        '#f2b233',
        '#d9dbe6',
        '#12325e',
        '#22a05b',
        '#2f66e0',
        '#1291a8',
        '#3a3b42',
      ],
    ),
  chat,
  messages,
  search: (pen) => search(pen, true),
  people: (pen) => search(pen, true),
  code,
  lying,
};

/** A part of a picture, no longer than that, as the program sends it. */
export async function partOf(
  whole: OffscreenCanvas,
  longest: number | null,
  crop: { left: number; top: number; right: number; bottom: number } | null | undefined,
): Promise<ArrayBuffer> {
  const part = crop ?? { left: 0, top: 0, right: whole.width, bottom: whole.height };
  const [width, height] = [part.right - part.left, part.bottom - part.top];
  const scale = Math.min(1, (longest ?? Infinity) / Math.max(width, height));
  const canvas = new OffscreenCanvas(Math.round(width * scale), Math.round(height * scale));
  canvas.getContext('2d')?.drawImage(whole, part.left, part.top, width, height, 0, 0, canvas.width, canvas.height);
  return (await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 })).arrayBuffer();
}
