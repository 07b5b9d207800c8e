// What a button copies, and whether it is copied.

export class Clipboard {
  copied = $state(false);

  /** `forMs`: how long it is said; for good where nobody says. */
  constructor(readonly forMs?: number) {}

  /** Where the system lets nobody copy, nothing is said to be copied. */
  readonly copy = async (text: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      return;
    }
    this.copied = true;
    if (this.forMs !== undefined) setTimeout(() => (this.copied = false), this.forMs);
  };
}
