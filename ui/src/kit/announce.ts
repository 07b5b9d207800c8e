// One sentence at a time for a screen reader: at most one in a while, and of several only the newest.

/** Speaks through `tell`, never twice within `pause` milliseconds. */
export function announcer(tell: (sentence: string) => void, pause = 2000): (sentence: string) => void {
  let waiting: string | null = null;
  let resting = false;

  const speak = (sentence: string): void => {
    resting = true;
    tell(sentence);
    setTimeout(() => {
      resting = false;
      const next = waiting;
      waiting = null;
      if (next !== null) speak(next);
    }, pause);
  };

  return (sentence) => {
    if (resting) waiting = sentence;
    else speak(sentence);
  };
}
