// How large the window has to be for all it shows: large text, and a question of many lines, need more room than one is
// opened with.

/** Pixels of the page. */
export interface Room {
  width: number;
  height: number;
}

export interface Shown extends Room {
  /** Of one `rem`. */
  text: number;
  /** What has to be scrolled to, from top to bottom. */
  hidden: number;
}

/** How wide the window is, in `rem`. */
const WIDTH = 32.5;
/** Milliseconds after which a window that kept its size is asked for again: one that is just being shown may lose it. */
const AGAIN = 400;
const TIMES = 8;

/** The room that is missing; null where there is enough. `asked`: what was asked for before, which a screen may not have. */
export function missing({ text, width, height, hidden }: Shown, asked: Room): Room | null {
  const wide = Math.round(WIDTH * text);
  // How high it is says nothing as long as it is too narrow.
  if (width < wide && asked.width < wide) return { width: wide, height };
  if (hidden <= 0) return null;
  const wanted = { width: Math.max(width, asked.width), height: height + hidden };
  return wanted.height === asked.height && wanted.width === asked.width ? null : wanted;
}

/** Asks for the room that what is shown needs, whenever that or the window changes. */
export function follow(ask: (room: Room) => void): () => void {
  const nothing: Room = { width: 0, height: 0 };
  let asked = nothing;
  let before: Room = { width: innerWidth, height: innerHeight };

  let waiting: ReturnType<typeof setTimeout> | undefined;

  const send = (room: Room, times: number): void => {
    ask(room);
    const { innerWidth: width, innerHeight: height } = window;
    clearTimeout(waiting);
    if (times === 0) return;
    waiting = setTimeout(() => {
      if (innerWidth === width && innerHeight === height) send(room, times - 1);
    }, AGAIN);
  };

  const look = (): void => {
    // Opened anew, as it is at first.
    if (innerWidth < before.width || innerHeight < before.height) asked = nothing;
    before = { width: innerWidth, height: innerHeight };
    const scrolled = [...document.querySelectorAll('[role=alertdialog], [role=alertdialog] > .body')];
    const room = missing(
      {
        text: parseFloat(getComputedStyle(document.documentElement).fontSize),
        width: innerWidth,
        height: innerHeight,
        hidden: scrolled.reduce((sum, one) => sum + one.scrollHeight - one.clientHeight, 0),
      },
      asked,
    );
    if (!room) return;
    asked = room;
    send(room, TIMES);
  };

  const sizes = new ResizeObserver(look);
  const watch = (): void => {
    for (const part of document.querySelectorAll('[role=alertdialog] > *, [role=alertdialog] > .body > *')) sizes.observe(part);
  };
  // Another question, or one more line of it.
  const parts = new MutationObserver(watch);
  parts.observe(document.body, { childList: true, subtree: true });
  addEventListener('resize', look);
  watch();
  return () => {
    clearTimeout(waiting);
    sizes.disconnect();
    parts.disconnect();
    removeEventListener('resize', look);
  };
}
