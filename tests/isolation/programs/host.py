"""Services of the host that a sandbox must hide: on loopback, and on unix sockets of every kind.

    host.py FOLDER
"""

import os
import socket
import struct
import sys
import threading


def is_boxed(connection):
    """Tells whether a client is in another network than this: programs of the host may use its services."""
    if connection.family != socket.AF_UNIX:
        return True
    pid, _, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    try:
        return os.readlink(f"/proc/{pid}/ns/net") != os.readlink("/proc/self/ns/net")
    except OSError:
        return True  # gone, or not to be looked at: nobody of the host's


def serve(server, name):
    while True:
        connection, _ = server.accept()
        if is_boxed(connection):
            print("connection", name, flush=True)
        try:
            connection.sendall(b"reached the host\n")
            connection.shutdown(socket.SHUT_WR)
            connection.settimeout(0.3)
            connection.recv(4096)  # closed with bytes unread, it would be reset and take the answer with it
            connection.close()
        except OSError:
            pass


def unix(path):
    if not path.startswith("\0"):
        os.makedirs(os.path.dirname(path), exist_ok=True)
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    server.listen()
    return server


def main():
    open_folder = sys.argv[1]
    servers = {
        "loopback": socket.create_server(("127.0.0.1", 7777)),
        "abstract": unix("\0agrepl-escape"),
        "docker": unix("/run/docker.sock"),
        "dbus": unix("/run/dbus/system_bus_socket"),
        "nscd": unix("/run/nscd/socket"),
        "elsewhere": unix(f"{open_folder}/elsewhere.sock"),
    }
    for name, server in servers.items():
        threading.Thread(target=serve, args=(server, name)).start()
    print("ready", flush=True)


main()
