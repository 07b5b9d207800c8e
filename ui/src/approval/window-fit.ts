// Fits the window to its content: large text, and a question of many lines, need more room than one is opened with.

/** Pixels of the page. */
export interface WindowSize {
  width: number;
  height: number;
}

export interface Content extends WindowSize {
  /** Of one `rem`. */
  text: number;
  /** What has to be scrolled to, from top to bottom. */
  hidden: number;
}

/** How wide the window is, in `rem`. */
const WIDTH = 32.5;
/** Milliseconds after which a window that kept its size is asked for again: one that is just being shown may lose it. */
const RETRY_MS = 400;
const MAX_RETRIES = 8;

/** The size the window needs; null where it is large enough. `asked`: what was asked for before, which a screen may not have. */
export function neededSize({ text, width, height, hidden }: Content, asked: WindowSize): WindowSize | null {
  const wide = Math.round(WIDTH * text);
  // How high it is says nothing as long as it is too narrow.
  if (width < wide && asked.width < wide) return { width: wide, height };
  if (hidden <= 0) return null;
  const wanted = { width: Math.max(width, asked.width), height: height + hidden };
  return wanted.height === asked.height && wanted.width === asked.width ? null : wanted;
}

/** Asks for the size that the content needs, whenever that or the window changes. */
export function fitWindow(ask: (size: WindowSize) => void): () => void {
  const nothing: WindowSize = { width: 0, height: 0 };
  let asked = nothing;
  let before: WindowSize = { width: innerWidth, height: innerHeight };

  let waiting: ReturnType<typeof setTimeout> | undefined;

  const send = (size: WindowSize, retries: number): void => {
    ask(size);
    const { innerWidth: width, innerHeight: height } = window;
    clearTimeout(waiting);
    if (retries === 0) return;
    waiting = setTimeout(() => {
      if (innerWidth === width && innerHeight === height) send(size, retries - 1);
    }, RETRY_MS);
  };

  const measure = (): void => {
    // Opened anew, as it is at first.
    if (innerWidth < before.width || innerHeight < before.height) asked = nothing;
    before = { width: innerWidth, height: innerHeight };
    const scrolled = [...document.querySelectorAll('[role=alertdialog], [role=alertdialog] > .body')];
    const size = neededSize(
      {
        text: parseFloat(getComputedStyle(document.documentElement).fontSize),
        width: innerWidth,
        height: innerHeight,
        hidden: scrolled.reduce((sum, one) => sum + one.scrollHeight - one.clientHeight, 0),
      },
      asked,
    );
    if (!size) return;
    asked = size;
    send(size, MAX_RETRIES);
  };

  const resizes = new ResizeObserver(measure);
  const watch = (): void => {
    for (const part of document.querySelectorAll('[role=alertdialog] > *, [role=alertdialog] > .body > *')) resizes.observe(part);
  };
  // Another question, or one more line of it.
  const additions = new MutationObserver(watch);
  additions.observe(document.body, { childList: true, subtree: true });
  addEventListener('resize', measure);
  watch();
  return () => {
    clearTimeout(waiting);
    resizes.disconnect();
    additions.disconnect();
    removeEventListener('resize', measure);
  };
}
