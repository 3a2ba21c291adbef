/** The words the world has to choose from. */

/** How an answer opens. */
export const openings = [
  "Here is what stands out.",
  "In short, this is what the sources agree on.",
  "Having read it through, three things matter.",
  "The gist is easily told.",
  "Let me put it plainly.",
];

/** What leads over to a fact. */
export const links = [
  "First of all:",
  "Worth knowing:",
  "Notably —",
  "It also says:",
  "Beyond that:",
  "And, in passing:",
];

/** How an answer closes; the multi-byte characters are on purpose. */
export const closings = [
  "Naïve readings aside, that holds up ✓",
  "Voilà — more would be guesswork 🙂",
  "要するに、それだけです。",
  "Das genügt für den Überblick — mehr später.",
  "¿Algo más? Pregunta sin miedo 👍",
];

/** What a headline is about. */
export const subjects = ["Tide tables", "A harbour clock", "The night train", "An old observatory", "The paper mill"];

/** What happened to it. */
export const events = ["reopened", "ran late", "was restored", "drew a crowd", "changed hands"];

/** Where. */
export const places = ["in Lagos", "in Tromsø", "in São Paulo", "in 京都", "in Kraków", "in Valparaíso"];

/** How a page's title goes on after its topic. */
export const angles = ["a history", "how it works", "common questions", "the latest findings", "a field guide"];

/** What a snippet says of its page. */
export const claims = [
  "was described in detail by its makers",
  "has been measured again with better instruments",
  "turns out to be older than assumed",
  "is easier to build than to explain",
  "still divides those who study it",
];
