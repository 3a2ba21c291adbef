// Makes a unary call, one that streams, and one that fails; prints all it was given, and ends with 22.
import { Client, credentials } from "@grpc/grpc-js";
import { service } from "./service.mjs";

const client = new Client(process.argv[2], credentials.createSsl());

const unary = ({ path, requestSerialize, responseDeserialize }, text) =>
  new Promise((resolve) => {
    const call = client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      Buffer.from(text),
      (error, answer) => {
        resolve({ code: error?.code, details: error?.details, answer: answer?.toString() });
      },
    );
    call.on("status", ({ metadata }) => console.log("trailers", metadata.get("x-word").join()));
  });

console.log(await unary(service.echo, "hello"));
const { path, requestSerialize, responseDeserialize } = service.count;
const counting = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, Buffer.from("count"));
for await (const message of counting) console.log(message.toString());
const failed = await unary(service.fail, "fail");
console.log(failed);
client.close();
process.exit(failed.code === 5 ? 22 : 1);
