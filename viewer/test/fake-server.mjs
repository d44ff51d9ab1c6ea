// Serves the built page, a show and a socket on 127.0.0.1, as the server does, for tests of the page alone.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const DIST = new URL("../dist/", import.meta.url);
const TYPES = { html: "text/html; charset=utf-8", js: "text/javascript", css: "text/css", bin: "application/octet-stream" };
// RFC 6455, section 1.3.
const SALT = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

export async function fakeServer(show, desk) {
  const sockets = new Set();
  const server = createServer((request, response) => {
    const name = request.url === "/" ? "index.html" : request.url.slice(1);
    const files = ["index.html", "page.js", "page.css"];
    const body = name === "show.bin" ? show : files.includes(name) ? readFileSync(new URL(name, DIST)) : undefined;
    response.writeHead(body ? 200 : 404, { "content-type": TYPES[name.split(".").pop()] ?? "text/plain" });
    response.end(body);
  });
  let isAway = false;
  server.on("upgrade", (request, socket) => {
    if (isAway) return socket.destroy();
    const accept = createHash("sha1").update(request.headers["sec-websocket-key"] + SALT).digest("base64");
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    let rest = Buffer.alloc(0);
    socket.on("data", (data) => {
      rest = Buffer.concat([rest, data]);
      for (let message; (message = takeFrame(rest)); rest = message.rest) {
        if (message.code === 8) return socket.end();
        if (message.code === 1) void desk.answer(JSON.parse(message.text), (answer) => socket.writable && socket.write(frameOf(JSON.stringify(answer))));
      }
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}/`,
    /** Closes the sockets, as a server that goes away, until it comes back. */
    leave() {
      isAway = true;
      this.drop();
    },
    comeBack() {
      isAway = false;
    },
    drop() {
      for (const socket of sockets) socket.destroy();
    },
    close() {
      this.drop();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** One masked frame from a browser (RFC 6455, section 5.2); nothing while it is not all there. */
function takeFrame(data) {
  if (data.length < 6) return undefined;
  let size = data[1] & 127;
  let at = 2;
  if (size === 127) throw new Error("a question as long as that is wrong");
  if (size === 126) [size, at] = [data.readUInt16BE(2), 4];
  if (data.length < at + 4 + size) return undefined;
  const mask = data.subarray(at, at + 4);
  const body = Buffer.from(data.subarray(at + 4, at + 4 + size)).map((byte, k) => byte ^ mask[k % 4]);
  return { code: data[0] & 15, text: body.toString(), rest: data.subarray(at + 4 + size) };
}

function frameOf(text) {
  const body = Buffer.from(text);
  const head = Buffer.alloc(body.length < 126 ? 2 : body.length < 65536 ? 4 : 10);
  head[0] = 0x81;
  if (body.length < 126) head[1] = body.length;
  else if (body.length < 65536) head.writeUInt16BE(body.length, 2), (head[1] = 126);
  else head.writeBigUInt64BE(BigInt(body.length), 2), (head[1] = 127);
  return Buffer.concat([head, body]);
}
