/** Whatever the order and the overlap of requests, and whatever those of the replay: F = 1, D = ∅, no answer mixed up. */
import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import { asks, bodyOf, get } from "../support/raw_client.ts";
import { answering, plain, type RawUpstream, startUpstream } from "../support/raw_upstream.ts";
import { assertFaithful, Rig } from "../support/rig.ts";

/** An upstream that answers with the path and how often it was asked for, after as many turns as the path says. */
async function startCounting(): Promise<RawUpstream> {
  const counts = new Map<string, number>();
  return await startUpstream(async (connection) => {
    while (!connection.ended) {
      const path = (await connection.request()).split(" ")[1] ?? "";
      const count = (counts.get(path) ?? 0) + 1;
      counts.set(path, count);
      for (let turn = Number(path.slice(1)) % 4; turn > 0; turn--) {
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
      connection.send(plain(`${path} ${count}`));
    }
  });
}

/** Asks for paths on connections of their own, each connection's in order; gives the answers by path. */
function asksInParallel(host: string, connections: readonly (readonly number[])[]) {
  return async (proxyPort: number): Promise<Record<string, string[]>> => {
    const all = await Promise.all(
      connections.map((paths) => asks(...paths.map((path) => get(host, `/${path}`)))(proxyPort)),
    );
    const bodies = all.flat().map(bodyOf).sort();
    return Object.groupBy(bodies, (body) => body.split(" ")[0] ?? "") as Record<string, string[]>;
  };
}

/** Deals the same requests to other connections, in another order. */
const plans = fc
  .array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 12 })
  .chain((paths) =>
    fc.tuple(
      fc.constant(paths),
      fc.shuffledSubarray(paths, { minLength: paths.length, maxLength: paths.length }),
      fc.array(fc.nat({ max: 3 }), { minLength: paths.length, maxLength: paths.length }),
    )
  );

function deal(paths: readonly number[], hands: readonly number[]): number[][] {
  const dealt: number[][] = [[], [], [], []];
  paths.forEach((path, index) => dealt[hands[index] ?? 0]?.push(path));
  return dealt.filter((hand) => hand.length > 0);
}

Deno.test("any interleaving of requests is replayed in any other with F = 1 and the same answers", async () => {
  await fc.assert(
    fc.asyncProperty(plans, async ([paths, shuffled, hands]) => {
      await using rig = new Rig();
      await using upstream = await startCounting();
      const recorded = await rig.record(asksInParallel(upstream.host, deal(paths, hands)));
      const again = asksInParallel(upstream.host, deal(shuffled, hands.toReversed()));
      const { value, outcome } = await rig.replay(again);
      assertFaithful(outcome);
      deepEqual(value, recorded);
    }),
    { numRuns: 25 },
  );
});

Deno.test("200 identical requests are answered in the order in which they were", async () => {
  await using rig = new Rig();
  let count = 0;
  await using upstream = await startUpstream(answering(() => plain(`answer ${++count}`)));
  const ask = get(upstream.host, "/same");
  const answers = await rig.both(asks(...Array<string>(200).fill(ask)));
  deepEqual(answers.map(bodyOf), Array.from({ length: 200 }, (_, index) => `answer ${index + 1}`));
});

Deno.test("50 requests at once get each its own answer, while recording and at replay", async () => {
  await using rig = new Rig();
  await using upstream = await startUpstream(answering((request) => plain(request.split(" ")[1] ?? "")));
  const client = async (proxyPort: number) =>
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) =>
        (await asks(get(upstream.host, `/${index}`))(proxyPort)).map(bodyOf)),
    );
  const answers = await rig.both(client);
  deepEqual(answers.flat(), Array.from({ length: 50 }, (_, index) => `/${index}`));
  equal(rig.steps().length, 50);
});
