/**
 * The floor of a replayed workload: plays a trace's answers back in the order of its steps, whatever is asked, with
 * nothing of agrepl in between but the certificate. Behind the last step it begins anew.
 *
 * Arguments: the trace's file, the host whose certificate it shows. Prints one JSON line `{port, ca}`; ends when its
 * stdin does.
 *
 * @module
 */
import { createAuthority } from "../../lib/proxy/mod.ts";
import { TraceFile } from "../../lib/store/mod.ts";
import { announceUntilEnd } from "../support/announce.ts";
import { acceptTunnels } from "../support/tls_acceptor.ts";

const [path = "", host = "localhost"] = Deno.args;
const answers = readAnswers();
let asked = 0;
const authority = createAuthority();
const port = await acceptTunnels(authority, host, (request, response) => {
  const answer = () => {
    const { status, headers, pieces } = answers[asked++ % answers.length] ?? { status: 500, headers: [], pieces: [] };
    response.sendDate = false;
    response.writeHead(status, headers);
    for (const piece of pieces) response.write(piece);
    response.end();
  };
  if (request.method === "GET") answer();
  else request.on("end", answer).resume();
});
await announceUntilEnd(port, authority);

interface Answer {
  readonly status: number;
  readonly headers: string[];
  /** In the pieces in which they were read. */
  readonly pieces: readonly Uint8Array[];
}

function readAnswers(): Answer[] {
  using trace = new TraceFile(path, null);
  return trace.entries.map((entry) => {
    const { response } = trace.step(entry);
    if (response === undefined) throw new RangeError(`Cannot play step ${entry.seq} back: it holds no answer`);
    using body = trace.openBody(response.body, entry);
    const pieces = response.chunks.map(([, bytes]) => body.read(bytes));
    const headers = response.headers.filter(([name]) => !/^(?:transfer-encoding|connection)$/i.test(name)).flat();
    return { status: response.status, headers, pieces };
  });
}
