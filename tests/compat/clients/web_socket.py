"""Has one conversation over a WebSocket with websockets or with websocket-client.

    web_socket.py websockets|websocket-client URL
"""

import hashlib
import json
import sys

LONG = "a longer message, ümlauts included. " * 30_000


def shown(data):
    if isinstance(data, str) and len(data) < 200:
        return data
    raw = data.encode() if isinstance(data, str) else data
    return f"{len(data)} {hashlib.sha256(raw).hexdigest()}"


def converse(receive, send_text, send_binary):
    print(shown(receive()))
    send_text(json.dumps({"question": "what is it?", "numbers": [1, 2.5, None]}))
    print(shown(receive()))
    send_binary(bytes(index % 256 for index in range(1000)))
    print(shown(receive()))
    send_text(LONG)
    print(shown(receive()))
    send_text("push")
    for _ in range(3):
        print(shown(receive()))
    send_text("close me")


def with_websockets(url):
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import connect

    with connect(url, max_size=None) as socket:
        converse(socket.recv, socket.send, socket.send)
        try:
            socket.recv()
        except ConnectionClosed as closed:
            print(closed.rcvd.code, closed.rcvd.reason)
            return closed.rcvd.code


def with_websocket_client(url):
    import struct

    import websocket

    socket = websocket.create_connection(url)
    converse(socket.recv, socket.send, socket.send_binary)
    opcode, data = socket.recv_data()
    code = struct.unpack("!H", data[:2])[0]
    print(opcode, code, data[2:].decode())
    socket.close()
    return code


if __name__ == "__main__":
    kind, url = sys.argv[1:]
    code = {"websockets": with_websockets, "websocket-client": with_websocket_client}[kind](url)
    sys.exit(22 if code == 4001 else 1)
