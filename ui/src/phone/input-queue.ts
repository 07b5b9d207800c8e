// What a hand does on its way to the phone: in order, one call at a time, letters that pile up in between together, and
// of a finger's way only where it is now.

import { asFailure } from '../backend';
import type { Hand } from '../protocol';

interface Waiting {
  hand: Hand;
  /** Sent in its place when the phone does not follow fingers: then nothing was done. */
  instead: Hand | undefined;
  gone: Promise<void>;
  go: () => void;
}

/** Queues what a hand does; `send` is called with one gesture at a time. The answer comes when it is done with. */
export function inOrder(send: (hand: Hand) => Promise<void>): (hand: Hand, instead?: Hand) => Promise<void> {
  const queue: Waiting[] = [];
  let busy = false;

  const work = async (): Promise<void> => {
    busy = true;
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { instead } = next;
      // A gesture the phone refused is told by `send`; what comes after it still goes.
      await send(next.hand)
        .catch((error: unknown) => (instead && isUntouched(error) ? send(instead) : undefined))
        .catch(() => undefined);
      next.go();
    }
    busy = false;
  };

  return (hand, instead) => {
    const last = queue.at(-1);
    const both = last && together(last.hand, hand);
    if (last && both) {
      last.hand = both;
      return last.gone;
    }
    let go = (): void => undefined;
    const gone = new Promise<void>((done) => (go = done));
    queue.push({ hand, instead, gone, go });
    if (!busy) void work();
    return gone;
  };
}

/** The phone does not follow fingers: it was not touched. After any other failure nobody knows, and nothing is done twice. */
export const isUntouched = (error: unknown): boolean => asFailure(error).code === 'needs_scrcpy';

function together(before: Hand, after: Hand): Hand | null {
  if (before.hand === 'type' && after.hand === 'type') return { hand: 'type', text: before.text + after.text };
  const drawn = (hand: Hand): boolean => hand.hand === 'finger' && hand.phase === 'move';
  return drawn(before) && drawn(after) ? after : null;
}
