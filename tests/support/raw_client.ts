/**
 * Clients on a bare socket, which know no more of HTTP than where a response ends.
 *
 * @module
 */
import { RawSocket } from "./raw_socket.ts";

/** A client that sends messages one after the other on one connection, and gives the exact response to each. */
export function asks(...messages: (Uint8Array | string)[]): (proxyPort: number) => Promise<string[]> {
  return async (proxyPort) => {
    await using client = await RawSocket.connect(proxyPort);
    return await askOn(client, messages);
  };
}

/** Sends messages one after the other on a connection that is open; gives the exact response to each. */
export async function askOn(client: RawSocket, messages: readonly (Uint8Array | string)[]): Promise<string[]> {
  const answers: string[] = [];
  for (const message of messages) {
    client.send(message);
    answers.push(await client.response({ head: typeof message === "string" && message.startsWith("HEAD ") }));
  }
  return answers;
}

/** A GET in absolute form. */
export function get(host: string, path = "/", headers = ""): string {
  return `GET http://${host}${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`;
}

/** A POST in absolute form; its body is latin1. */
export function post(host: string, path: string, body: string, headers = ""): string {
  const length = `Content-Length: ${body.length}\r\n`;
  return `POST http://${host}${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}${length}\r\n${body}`;
}

/** The body of a message, framing included. */
export function bodyOf(message: string): string {
  return message.slice(message.indexOf("\r\n\r\n") + 4);
}
