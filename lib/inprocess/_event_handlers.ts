/** A function that is given an object's events. */
type Handler = (this: EventTarget, event: Event) => unknown;

/** The handler that an object has now, and what calls it. */
interface Held {
  handler: Handler;
  readonly listener: (event: Event) => void;
}

/**
 * Gives a class its `onopen`, `onmessage` and the like (HTML, event handler attributes).
 *
 * @param prototype The class's.
 * @param types Of the events.
 */
export function defineHandlers(prototype: EventTarget, types: readonly string[]): void {
  for (const type of types) {
    const held = new WeakMap<EventTarget, Held>();
    Object.defineProperty(prototype, `on${type}`, {
      configurable: true,
      enumerable: true,
      get(this: EventTarget) {
        return held.get(this)?.handler ?? null;
      },
      set(this: EventTarget, value: unknown) {
        setHandler(this, type, held, value);
      },
    });
  }
}

/** One that takes another's place takes its turn among the listeners, too. */
function setHandler(target: EventTarget, type: string, held: WeakMap<EventTarget, Held>, value: unknown): void {
  const before = held.get(target);
  if (typeof value !== "function") {
    if (before !== undefined) target.removeEventListener(type, before.listener);
    held.delete(target);
    return;
  }
  const handler = value as Handler; // whatever it takes: it is called with the event
  if (before !== undefined) {
    before.handler = handler;
    return;
  }
  const now: Held = { handler, listener: (event) => void now.handler.call(target, event) };
  held.set(target, now);
  target.addEventListener(type, now.listener);
}

/**
 * Puts a class of ours in the place of a global one, for those who are in a scope.
 *
 * @param name The global's.
 * @param make Makes an object in a scope; `undefined` outside of all, where the genuine class makes one.
 * @returns Puts the genuine one back, unless somebody has put another one over ours.
 */
export function captureClass(
  name: "WebSocket" | "EventSource",
  ours: { readonly prototype: EventTarget },
  make: (args: readonly unknown[]) => object | undefined,
): () => void {
  const before = Object.getOwnPropertyDescriptor(globalThis, name);
  const genuine = globalThis[name];
  // So that `instanceof` holds for both.
  Object.setPrototypeOf(ours.prototype, genuine.prototype);
  const captured = new Proxy(genuine, {
    construct: (target, args, newTarget) => make(args) ?? Reflect.construct(target, args, newTarget),
  });
  Object.defineProperty(globalThis, name, { value: captured, writable: true, configurable: true, enumerable: false });
  return () => {
    if (before !== undefined && globalThis[name] === captured) Object.defineProperty(globalThis, name, before);
  };
}
