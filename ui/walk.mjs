// Looks at every page in every state (`walk.json`), in each language, light and dark, then in a small window, with text twice as
// large and in the two languages for tests: a picture of each, and what axe finds. The pages are those of `npm run scenes`; they
// are shown by a Chromium of this computer, spoken to through its own pipe. `npm run walk -- PATTERN` looks at the pages whose
// names fit.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';

const HERE = import.meta.dirname;
const PICTURES = join(HERE, '../target/pictures/scenes');
const KINDS = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** How large each window is, by its page; the one with questions grows with what stands in it, as far as a screen has room. */
const SIZES = { 'approval.html': [520, 640], 'phone.html': [400, 860], 'index.html': [1280, 800] };
const SMALL = { 'index.html': [960, 640] };
const LARGE_TEXT = { ...SIZES, 'approval.html': [960, 1000] };
const SPOKEN = ['en', 'zh'];
/** Nobody's: sentences that are longer, and a page that runs from right to left (`src/fake/test-languages.ts`). */
const TRIED = ['en-XA', 'ar-XB'];
const SCREEN_HEIGHT = 1040;
/** What is looked at one after the other: which windows, how large their text is, in which themes and languages. */
const WALKS = [
  { ending: '', sizes: SIZES, text: 1, themes: ['light', 'dark'], languages: SPOKEN },
  { ending: '-small', sizes: SMALL, text: 1, themes: ['light'], languages: SPOKEN },
  { ending: '-large-text', sizes: LARGE_TEXT, text: 2, themes: ['light'], languages: SPOKEN },
  { ending: '', sizes: SIZES, text: 1, themes: ['light'], languages: TRIED },
];
/** How long a page may take to say something, and what is opened on it to come to rest. */
const PATIENCE_MS = 10_000;
const REST_MS = 500;

const browser = BROWSERS.find((path) => existsSync(path));
if (!browser) {
  console.log('skipped: there is no Chromium on this computer');
  process.exit(0);
}

const pages = JSON.parse(readFileSync(join(HERE, 'walk.json'), 'utf8')).filter(
  ([name]) => !process.argv[2] || new RegExp(process.argv[2]).test(name),
);
const axe = readFileSync(join(HERE, 'node_modules/axe-core/axe.min.js'), 'utf8');
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

const server = createServer((request, response) => {
  const file = join(HERE, 'dist-scenes', new URL(request.url, 'http://here').pathname);
  const found = existsSync(file);
  response.writeHead(found ? 200 : 404, { 'content-type': KINDS[extname(file)] ?? 'application/octet-stream' });
  response.end(found ? readFileSync(file) : undefined);
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const address = `http://127.0.0.1:${server.address().port}`;

const profile = join(tmpdir(), `scenes-${process.pid}`);
const child = spawn(
  browser,
  ['--headless=new', '--no-sandbox', '--no-proxy-server', '--disable-gpu', '--hide-scrollbars', '--remote-debugging-pipe', `--user-data-dir=${profile}`],
  { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
);
const waiting = new Map();
let rest = '';
child.stdio[4].on('data', (data) => {
  const messages = (rest + data).split('\0');
  rest = messages.pop();
  for (const message of messages.map((text) => JSON.parse(text))) waiting.get(message.id)?.(message);
});

/** One call of the browser's protocol. */
function call(method, params = {}, sessionId = undefined) {
  const id = waiting.size + 1;
  const answered = new Promise((done, failed) => {
    waiting.set(id, ({ error, result }) => (error ? failed(new Error(`${method}: ${error.message}`)) : done(result)));
  });
  child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
  return answered;
}

const { targetId } = await call('Target.createTarget', { url: 'about:blank' });
const { sessionId } = await call('Target.attachToTarget', { targetId, flatten: true });
const tell = (method, params) => call(method, params, sessionId);

/** What a script says in the page. */
async function run(expression) {
  const { result, exceptionDetails } = await tell('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}

const SAYS = `document.readyState === 'complete' && (document.querySelector('#app')?.textContent ?? '').length > 5`;
/** What comes after the page: a live picture, and those that are kept. Not every state has one. */
const SHOWS = `[...document.querySelectorAll('[data-part=live]')].every((one) => one.dataset.rung !== undefined)
  && [...document.images].every((one) => one.complete)`;
const SHOWS_MS = 4000;
const SEARCH = `axe.run(document, { resultTypes: ['violations'] })
  .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`;
/** A task's steps lie in a row that is scrolled sideways: those may be further on. */
const STICKS_OUT = `[...document.querySelectorAll('button, h1, h2, p, label, input, textarea, a, dt, dd')]
  .filter((one) => !one.closest('[aria-hidden=true], dialog:not([open]), [popover]:not(:popover-open), .hidden-text, .skip, [data-part=filmstrip]'))
  .filter((one) => {
    const box = one.getBoundingClientRect();
    return box.width > 0 && getComputedStyle(one).position !== 'fixed' && (box.right > innerWidth + 1 || box.left < -1);
  })
  .map((one) => 'sticks out: ' + one.textContent.trim().slice(0, 40))`;

/** Texts that end in the middle of a letter: what may be cut says so by dots. */
const CUT_OFF = `[...document.querySelectorAll('#app *')]
  .filter((one) => [...one.childNodes].some((inner) => inner.nodeType === Node.TEXT_NODE && inner.textContent.trim() !== ''))
  .filter((one) => !one.closest('[aria-hidden=true], dialog:not([open]), [popover]:not(:popover-open), .hidden-text, .unseen, .skip, textarea'))
  .filter((one) => {
    const style = getComputedStyle(one);
    const hides = (overflow) => overflow === 'hidden' || overflow === 'clip';
    const dots = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
    const wide = hides(style.overflowX) && one.scrollWidth > one.clientWidth + 1;
    return one.clientWidth > 1 && style.clipPath === 'none' && !dots && wide;
  })
  .map((one) => 'cut off: ' + one.textContent.trim().slice(0, 40))`;

/** What has to be scrolled to in a question; nothing elsewhere. As `approval/window-fit.ts` counts it. */
const HIDDEN = `[...document.querySelectorAll('main > [role=alertdialog], main > [role=alertdialog] > .body')]
  .reduce((sum, one) => sum + one.scrollHeight - one.clientHeight, 0)`;

const fit = (width, height) =>
  tell('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });

/** What is wrong with a page; its picture is kept. */
async function look(name, path, opens, [width, height], text) {
  await fit(width, height);
  // Where only what stands behind `#` differs, no page would be loaded.
  await tell('Page.navigate', { url: 'about:blank' });
  await tell('Page.navigate', { url: `${address}/${path}` });
  const button = `document.querySelector('[data-part=${opens}]')`;
  const until = Date.now() + PATIENCE_MS;
  while (!(await run(opens ? `${SAYS} && ${button} !== null` : SAYS))) {
    if (Date.now() > until) return [`${name}: stays empty`];
    await wait(50);
  }
  const shown = Date.now() + SHOWS_MS;
  while (!(await run(SHOWS)) && Date.now() < shown) await wait(50);
  if (text !== 1) await run(`document.documentElement.style.fontSize = '${text * 100}%'`);
  await wait(REST_MS);
  const hidden = await run(HIDDEN);
  if (hidden > 0) {
    await fit(width, Math.max(height, Math.min(height + hidden, SCREEN_HEIGHT)));
    await wait(REST_MS);
  }
  if (opens) {
    await run(`${button}.click()`);
    await wait(REST_MS);
  }
  const { data } = await tell('Page.captureScreenshot', { format: 'png' });
  writeFileSync(join(PICTURES, `${name}.png`), Buffer.from(data, 'base64'));
  await run(`${axe}; 1`);
  return [...(await run(SEARCH)), ...(await run(STICKS_OUT)), ...(await run(CUT_OFF))].map((found) => `${name}: ${found}`);
}

mkdirSync(PICTURES, { recursive: true });
/** Told as it is found: the whole takes a quarter of an hour and more. */
let wrong = 0;
const note = (found) => {
  wrong += found.length;
  for (const one of found) console.log(one);
};
// Without letters of its own, Chinese is boxes, and its pictures show nothing.
if (spawnSync('fc-list', [':lang=zh', 'family']).stdout?.length === 0) note(['no font on this computer has Chinese letters: fonts-noto-cjk has']);
try {
  for (const { ending, sizes, text, themes, languages } of WALKS) {
    for (const theme of themes) {
      const features = [
        { name: 'prefers-color-scheme', value: theme },
        { name: 'prefers-reduced-motion', value: 'reduce' },
      ];
      await tell('Emulation.setEmulatedMedia', { features });
      for (const language of languages) {
        for (const [name, path, opens] of pages) {
          const size = sizes[path.split('?')[0]];
          if (!size) continue;
          const spoken = path.replace('&still', `&still&lang=${language}`);
          const called = `${name}-${language}${theme === 'dark' ? '-dark' : ''}${ending}`;
          note(await look(called, spoken, opens, size, text));
        }
      }
    }
  }
} finally {
  child.kill();
  server.close();
  await wait(REST_MS);
  rmSync(profile, { recursive: true, force: true });
}
if (wrong === 0) console.log(`${pages.length} pages, in two languages and two for tests, two themes, a small window and large text: nothing found`);
process.exit(wrong === 0 ? 0 : 1);
