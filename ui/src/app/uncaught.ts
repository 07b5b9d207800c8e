// What nothing in the page catches is told as any other failure: silent, a window that stands still looks as if it were at work.

/** Until it is called: each error and each rejected promise that nobody heard of. */
export function watchUncaught(report: (error: unknown) => void): () => void {
  // Without the error itself it is a remark of the browser's, such as of a size that was measured late.
  const error = (event: ErrorEvent): void => void (event.error && report(event.error));
  const rejection = (event: PromiseRejectionEvent): void => report(event.reason);
  addEventListener('error', error);
  addEventListener('unhandledrejection', rejection);
  return () => {
    removeEventListener('error', error);
    removeEventListener('unhandledrejection', rejection);
  };
}
