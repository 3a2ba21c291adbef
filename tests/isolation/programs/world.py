"""The world outside of a test: answers "reached the world" on a few ports, and prints every packet that comes in."""

import socket
import struct
import threading

WORLD = "192.0.2.2"
DNS = 53
TCP_PORTS = [22, 53, 80, 443, 9999]
UDP_PORTS = [53, 443, 9999]
IPV6_CHORES = {131, 132, 133, 143}  # ICMPv6 that a link sends for itself: listener reports, router solicitations
ICMPV6 = 58


def is_chore(frame):
    """Tells whether a frame is one that the kernel sends when a link comes up, whoever uses it."""
    if frame[12:14] != b"\x86\xdd":
        return False
    following, offset = frame[20], 54
    if following == 0:  # hop-by-hop options stand before a listener report
        following, offset = frame[54], 54 + 8 * (frame[55] + 1)
    return following == ICMPV6 and frame[offset] in IPV6_CHORES


def capture(link):
    incoming = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    incoming.bind((link, 0))
    while True:
        frame, address = incoming.recvfrom(65536)
        if address[2] != socket.PACKET_OUTGOING and not is_chore(frame):
            print("packet", struct.unpack("!H", frame[12:14])[0], frame[14:94].hex(), flush=True)


def dns_answer(query):
    """Every name has the world's address, and no other kind of record."""
    question = query[12 : query.index(b"\0", 12) + 5]
    is_address = question[-4:-2] == b"\0\1"
    record = b"\xc0\x0c\0\1\0\1" + struct.pack("!IH", 1, 4) + socket.inet_aton(WORLD)
    head = query[:2] + struct.pack("!HHHHH", 0x8180, 1, int(is_address), 0, 0)
    return head + question + (record if is_address else b"")


def answer(port, message):
    if port != DNS:
        return b"reached the world"
    return dns_answer(message)


def serve_tcp(server):
    port = server.getsockname()[1]
    while True:
        connection, _ = server.accept()
        print("connection", connection.getsockname(), flush=True)
        connection.settimeout(0.3)
        try:
            message = connection.recv(4096)
        except OSError:
            message = b""  # some only listen
        try:
            if port == DNS:
                text = answer(port, message[2:])
                connection.sendall(struct.pack("!H", len(text)) + text)
            else:
                connection.sendall(b"HTTP/1.0 200 OK\r\ncontent-length: 18\r\n\r\nreached the world\n")
            connection.close()
        except OSError:
            pass


def serve_udp(server):
    port = server.getsockname()[1]
    while True:
        message, address = server.recvfrom(65536)
        server.sendto(answer(port, message), address)


def main():
    threads = [(capture, "out1")]
    for port in TCP_PORTS:
        threads.append((serve_tcp, socket.create_server(("::", port), family=socket.AF_INET6, dualstack_ipv6=True)))
    for port in UDP_PORTS:
        server = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
        server.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        server.bind(("::", port))
        threads.append((serve_udp, server))
    running = [threading.Thread(target=run, args=(argument,)) for run, argument in threads]
    for thread in running:
        thread.start()
    print("ready", flush=True)


main()
