/**
 * The worker of attempts.ts: tells whether it reaches the service that its name is the origin of.
 *
 * @module
 */
/** The runtime's types are those of a window. */
const opener = self as unknown as { postMessage(outcome: string): void };

try {
  const response = await fetch(`${self.name}/`);
  const text = await response.text();
  opener.postMessage(text.includes("outside") ? "HOST" : "told");
} catch {
  opener.postMessage("refused");
}
