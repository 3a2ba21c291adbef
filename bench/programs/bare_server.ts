/**
 * The floor: CONNECT, TLS and an answer of 1 KiB on Node's own server.
 *
 * Argument: the host whose certificate it shows. Prints one JSON line `{port, ca}`; ends when its stdin does.
 *
 * @module
 */
import { createAuthority } from "../../lib/proxy/mod.ts";
import { announceUntilEnd } from "../support/announce.ts";
import { answerStep } from "../support/origin_answers.ts";
import { acceptTunnels } from "../support/tls_acceptor.ts";

const authority = createAuthority();
await announceUntilEnd(await acceptTunnels(authority, Deno.args[0] ?? "localhost", answerStep), authority);
