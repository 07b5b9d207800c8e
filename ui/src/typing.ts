// Keys and text on their way to the phone: in order, one call at a time, letters that pile up in between together.

import type { Hand } from './protocol';

/** Queues what a hand does; `send` is called with one gesture at a time. */
export function inOrder(send: (hand: Hand) => Promise<void>): (hand: Hand) => void {
  const queue: Hand[] = [];
  let busy = false;

  const work = async (): Promise<void> => {
    busy = true;
    for (let next = queue.shift(); next; next = queue.shift()) {
      // A gesture the phone refused is told by `send`; what comes after it still goes.
      await send(next).catch(() => undefined);
    }
    busy = false;
  };

  return (hand) => {
    const last = queue.at(-1);
    if (hand.hand === 'type' && last?.hand === 'type')
      queue[queue.length - 1] = { hand: 'type', text: last.text + hand.text };
    else queue.push(hand);
    if (!busy) void work();
  };
}
