// Node: fetch, and net.connect, past every proxy.
import { connect } from "node:net";

async function fetched(url) {
  try {
    const response = await fetch(url);
    return `${response.status} ${response.headers.get("x-agrepl") ?? ""} ${(await response.text()).trim()}`;
  } catch (error) {
    return `refused: ${error.cause?.code ?? error.message}`;
  }
}

function connected(host, port) {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => socket.write("GET / HTTP/1.0\r\n\r\n"));
    let text = "";
    socket.setTimeout(3000, () => socket.destroy(new Error("no answer")));
    socket.on("data", (bytes) => text += bytes);
    socket.on("error", (error) => resolve(`refused: ${error.code ?? error.message}`));
    socket.on("end", () => resolve(text.replaceAll(/\s+/g, " ")));
  });
}

console.log(
  process.argv[2] === "fetch" ? await fetched(process.argv[3]) : await connected(process.argv[3], process.argv[4]),
);
