/** Bugs that showed where nobody waits for them. */
export interface BugGuard extends Disposable {
  /** Whether one showed. */
  readonly tripped: boolean;
}

/**
 * Keeps this process alive when something goes wrong that nobody awaits: the child's traffic goes on, and what was
 * recorded is finished. The bug is told at once.
 *
 * @param onBug What to do with each.
 */
export function guardAgainstBugs(onBug: (error: unknown) => void): BugGuard {
  let tripped = false;
  const take = (event: Event, error: unknown) => {
    event.preventDefault();
    tripped = true;
    onBug(error);
  };
  const onRejection = (event: PromiseRejectionEvent) => take(event, event.reason);
  const onError = (event: ErrorEvent) => take(event, event.error);
  globalThis.addEventListener("unhandledrejection", onRejection);
  globalThis.addEventListener("error", onError);
  return {
    get tripped() {
      return tripped;
    },
    [Symbol.dispose]() {
      globalThis.removeEventListener("unhandledrejection", onRejection);
      globalThis.removeEventListener("error", onError);
    },
  };
}
