import { equal, throws } from "node:assert/strict";
import { replacePart } from "./readme.ts";

const page = "# Page\n\n<!-- begin a -->\nold\n<!-- end a -->\n\nmine\n";

Deno.test("replacePart() leaves all else alone when it replaces a part", () => {
  equal(replacePart(page, "a", "new\n"), "# Page\n\n<!-- begin a -->\n\nnew\n\n<!-- end a -->\n\nmine\n");
});

Deno.test("replacePart() gives the same page when it is done twice", () => {
  const once = replacePart(page, "a", "new\n");
  equal(replacePart(once, "a", "new\n"), once);
});

Deno.test("replacePart() throws when the page has no such part", () => {
  throws(() => replacePart(page, "b", "new"), RangeError);
});
