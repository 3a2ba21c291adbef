// A gRPC server that never gives the same answer twice. Reads {key, cert} as one line of JSON; prints its port, then each
// word that made an answer its own; ends when its input does.
import { randomBytes } from "node:crypto";
import { createInterface } from "node:readline";
import { Metadata, Server, ServerCredentials, status } from "@grpc/grpc-js";
import { service } from "./service.mjs";

const fresh = () => {
  const word = randomBytes(20).toString("hex");
  console.log(word);
  return word;
};

const lines = createInterface({ input: process.stdin });
const { key, cert } = JSON.parse((await lines[Symbol.asyncIterator]().next()).value);
const server = new Server();
server.addService(service, {
  echo(call, answer) {
    const trailers = new Metadata();
    trailers.set("x-word", fresh());
    answer(null, Buffer.concat([call.request, Buffer.from(` ${fresh()}`)]), trailers);
  },
  async count(call) {
    for (let index = 0; index < 5; index++) {
      call.write(Buffer.from(`${index} ${fresh()}`));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    call.end();
  },
  fail(_call, answer) {
    answer({ code: status.NOT_FOUND, details: `no such thing: ${fresh()}` });
  },
});
const credentials = ServerCredentials.createSsl(null, [{
  private_key: Buffer.from(key),
  cert_chain: Buffer.from(cert),
}]);
server.bindAsync("127.0.0.1:0", credentials, (error, port) => {
  if (error) throw error;
  console.log(port);
});
lines.on("close", () => server.forceShutdown());
