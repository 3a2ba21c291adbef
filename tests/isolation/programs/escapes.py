"""Tries every way out that a child may have, and prints what came of each: a name, a tab, and

    recorded    it was answered from the trace
    told        agrepl answered that there is no such step
    stand-in    DNS answered with an address that stands for the name
    refused     nobody answered
    OUTSIDE     the world answered
    HOST        a service of the host answered

    escapes.py FOLDER AGREPL_PID
"""

import os
import re
import socket
import ssl
import struct
import subprocess
import sys
import time

PATIENCE = 2
WORLD, HOST = "reached the world", "reached the host"
KNOWN = "http://api.example.com/hello"
LEFT_OVER = "left-over"
PROXY_NAMES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")

folder, agrepl = sys.argv[1], sys.argv[2]
escapes = {}


def escape(run):
    escapes[run.__name__.replace("_", "-")] = run
    return run


def verdict(answer):
    if isinstance(answer, bytes):
        answer = answer.decode("latin1")
    if WORLD in answer or answer.startswith("192.0.2.2"):
        return "OUTSIDE"
    if HOST in answer:
        return "HOST"
    if "x-agrepl: miss" in answer or "502 miss" in answer or "agrepl_miss" in answer:
        return "told"
    if re.search(r"(?:^|\s)hello\s*$", answer):
        return "recorded"
    if "198.18." in answer:
        return "stand-in"
    return "refused"


def talk(host, port, family=socket.AF_UNSPEC):
    for kind in socket.getaddrinfo(host, port, family, socket.SOCK_STREAM)[:1]:
        with socket.socket(kind[0], kind[1]) as client:
            client.settimeout(PATIENCE)
            client.connect(kind[4])
            client.sendall(f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            return b"".join(iter(lambda: client.recv(4096), b""))


def send(host, port, message, family=socket.AF_INET):
    with socket.socket(family, socket.SOCK_DGRAM) as client:
        client.settimeout(PATIENCE)
        client.connect((host, port))
        client.send(message)
        return client.recv(4096)


def unix(path):
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(PATIENCE)
        client.connect(path)
        return client.recv(100)


def run(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=10, **options)
    return done.stdout


def without_proxies():
    return {name: value for name, value in os.environ.items() if name.lower() not in PROXY_NAMES}


def query(name, stream=False):
    labels = b"".join(bytes([len(label)]) + label.encode() for label in name.split("."))
    message = struct.pack("!HHHHHH", 7, 0x100, 1, 0, 0, 0) + labels + b"\0" + struct.pack("!HH", 1, 1)
    return struct.pack("!H", len(message)) + message if stream else message


def address_in(answer):
    return socket.inet_ntoa(answer[-4:])


@escape
def tcp_by_address():
    return talk("192.0.2.2", 9999)


@escape
def tcp_by_name():
    return talk("outside.test", 9999)


@escape
def http_by_address():
    return talk("192.0.2.2", 80)


@escape
def http_by_unknown_name():
    return talk("outside.test", 80)


@escape
def tls_by_address():
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("192.0.2.2", 443), PATIENCE) as plain:
        try:
            client = context.wrap_socket(plain, server_hostname="outside.test")
        except ssl.SSLError:
            return WORLD  # which speaks no TLS; agrepl does
        client.sendall(b"GET / HTTP/1.1\r\nHost: outside.test\r\nConnection: close\r\n\r\n")
        return client.recv(4096)


@escape
def http_by_known_name():
    return run("curl", "-sS", "-m", "3", "--noproxy", "*", KNOWN)


@escape
def proxy_variables_unset():
    return run("curl", "-sS", "-m", "3", KNOWN, env=without_proxies())


@escape
def grandchild():
    return run("sh", "-c", f"sh -c 'curl -sS -m 3 {KNOWN}'", env=without_proxies())


@escape
def udp():
    return send("192.0.2.2", 9999, b"x")


@escape
def quic():
    return send("192.0.2.2", 443, b"x")


@escape
def ipv6_tcp():
    return talk("2001:db8::2", 9999, socket.AF_INET6)


@escape
def ipv6_udp():
    return send("2001:db8::2", 9999, b"x", socket.AF_INET6)


@escape
def dns_by_the_system():
    return socket.gethostbyname("secret.outside.test")


@escape
def dns_by_getent():
    return run("getent", "ahosts", "secret.outside.test")


@escape
def dns_by_hand():
    return address_in(send("192.0.2.2", 53, query("secret.outside.test")))


@escape
def dns_by_hand_over_tcp():
    with socket.create_connection(("192.0.2.2", 53), PATIENCE) as client:
        client.sendall(query("secret.outside.test", stream=True))
        return address_in(client.recv(4096))


@escape
def dns_by_hand_over_ipv6():
    return address_in(send("2001:db8::2", 53, query("secret.outside.test"), socket.AF_INET6))


@escape
def node_fetch():
    return run(os.environ["NODE"], os.environ["DIAL_MJS"], "fetch", KNOWN, env=without_proxies())


@escape
def node_connect():
    return run(os.environ["NODE"], os.environ["DIAL_MJS"], "connect", "192.0.2.2", "9999", env=without_proxies())


@escape
def static_go_binary():
    return run(os.environ["DIAL_GO"], KNOWN)


@escape
def static_go_binary_elsewhere():
    return run(os.environ["DIAL_GO"], "http://192.0.2.2:9999/")


@escape
def loopback_of_the_host():
    return talk("127.0.0.1", 7777)


@escape
def unshare_again():
    inside = "import socket; print(socket.create_connection(('192.0.2.2', 9999), 2).recv(100))"
    return run("unshare", "--user", "--map-root-user", "--net", "python3", "-c", inside)


@escape
def network_of_agrepl():
    inside = "import socket; print(socket.create_connection(('192.0.2.2', 9999), 2).recv(100))"
    return run("nsenter", "--target", agrepl, "--net", "python3", "-c", inside)


@escape
def files_of_agrepl():
    return unix(f"/proc/{agrepl}/root/run/docker.sock")


@escape
def unmount():
    run("umount", "/run")
    return unix("/run/docker.sock")


@escape
def unmount_as_root_of_its_own():
    inside = "umount /run; umount -l /run; ls -R /run"
    return HOST if b"docker.sock" in run("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", inside) else ""


@escape
def new_routes():
    return run("sh", "-c", "ip route flush table local; ip link add v0 type veth && echo " + WORLD)


@escape
def packet_socket():
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    return WORLD


@escape
def raw_socket():
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
    return WORLD


@escape
def vsock():
    with socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM) as client:
        client.settimeout(PATIENCE)
        client.connect((socket.VMADDR_CID_HOST, 9999))
        return WORLD


@escape
def abstract_socket():
    return unix("\0agrepl-escape")


@escape
def docker_socket():
    return unix("/run/docker.sock")


@escape
def docker_socket_by_var_run():
    return unix("/var/run/docker.sock")


@escape
def dbus_socket():
    return unix("/run/dbus/system_bus_socket")


@escape
def nscd_socket():
    return unix("/run/nscd/socket")


@escape
def socket_elsewhere():
    return unix(f"{folder}/elsewhere.sock")


def leave_a_daemon():
    """Goes on when the command, and agrepl with it, has ended; what it finds then stands in a file."""
    if os.fork() != 0:
        return
    os.setsid()
    if os.fork() != 0:
        os._exit(0)
    time.sleep(0.7)
    with open(f"{folder}/{LEFT_OVER}", "w", encoding="utf-8") as file:
        file.write(attempt(tcp_by_address))
    os._exit(0)


def attempt(run):
    try:
        return verdict(run())
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return "refused"


for name, attempted in escapes.items():
    print(f"{name}\t{attempt(attempted)}", flush=True)
sys.stdout.close()
leave_a_daemon()
