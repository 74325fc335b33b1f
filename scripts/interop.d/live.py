"""Clients of a live page, good and bad. Usage: live.py WHAT LINK [SECONDS]; see live.sh."""
import random, resource, selectors, socket, sys, time, urllib.parse

what, link = sys.argv[1:3]
seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 5.0
url = urllib.parse.urlsplit(link)
resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
HEAD = f"Host: {url.netloc}\r\n\r\n".encode()
query = f"?{url.query}" if url.query else ""


def connect():
    connection = socket.create_connection((url.hostname, url.port), timeout=10)
    connection.settimeout(10)
    return connection


def ask(data):
    """The first line of the answer to a request; empty if the connection was ended without one."""
    with connect() as connection:
        try:
            connection.sendall(data)
            return connection.recv(4096).split(b"\r\n")[0].decode("latin-1")
        except (ConnectionError, TimeoutError):
            return ""


def status(method, target, headers=()):
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
    return ask(f"{method} {target} HTTP/1.1\r\n{lines}".encode("latin-1") + HEAD)[9:12]


def viewers():
    """200 viewers, ten of which never read, until the mission is over; the others must hear its end."""
    many = [connect() for _ in range(200)]
    for connection in many:
        connection.sendall(f"GET /events{query} HTTP/1.1\r\n".encode() + HEAD)
    print("here", flush=True)
    poll = selectors.DefaultSelector()
    ends = {}
    for connection in many[10:]:
        connection.setblocking(False)
        poll.register(connection, selectors.EVENT_READ)
        ends[connection] = b""
    heard = 0
    deadline = time.monotonic() + seconds
    while ends and time.monotonic() < deadline:
        for key, _ in poll.select(1):
            connection = key.fileobj
            try:
                data = connection.recv(1 << 16)
            except ConnectionError:
                data = b""
            # Only the end of what came is of interest.
            ends[connection] = (ends[connection] + data)[-400:]
            if not data or b"event: ended" in ends[connection]:
                heard += b"event: ended" in ends[connection]
                poll.unregister(connection)
                del ends[connection]
    print(f"{heard} of 190 heard the end", flush=True)
    sys.exit(heard < 190)


def loris():
    """1,000 connections that send a byte now and then."""
    many, refused = [], 0
    for _ in range(1000):
        try:
            many.append(connect())
        except OSError:
            refused += 1
    deadline = time.monotonic() + seconds
    alive = many
    print(f"{len(many)} connections", flush=True)
    while time.monotonic() < deadline:
        for connection in alive:
            try:
                connection.send(b"G")
            except OSError:
                pass
        time.sleep(1)
    print("done")


def refused():
    """What must be refused is."""
    assert status("GET", f"/{query}") == "200"
    for target in ("/../../etc/passwd", "/%2e%2e%2fetc/passwd", "/journal.mcap", "/report.html", "//etc/passwd", "/events/../.."):
        assert status("GET", target + query) == "404", target
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "HEAD"):
        assert status(method, f"/{query}") in ("405", ""), method
    # Without the token, or under another name.
    if query:
        for other in ("", "?token=", "?token=" + "0" * 32, query[:-1], query + "0"):
            for path in ("/", "/events", "/nothing"):
                assert status("GET", path + other) == "403", (path, other)
    else:
        assert ask(f"GET / HTTP/1.1\r\nHost: evil.example:{url.port}\r\n\r\n".encode())[9:12] == "421"
    assert status("POST", f"/command{query}") in ("404", "405", "403")
    # Too large.
    assert status("GET", f"/{query}", [("X-Long", "a" * 100_000)]) in ("431", "400", "")
    assert status("GET", f"/{query}", [(f"X-{i}", "1") for i in range(2000)]) in ("431", "400", "")
    assert status("GET", "/" + "a" * 200_000) in ("414", "431", "400", "")
    # No HTTP at all.
    for nonsense in (b"\0" * 1000, b"\x16\x03\x01\x02\x00\x01\x00", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"):
        assert ask(nonsense)[9:12] in ("400", "505", ""), nonsense
    # One that says nothing is let go.
    with connect() as silent:
        begin = time.monotonic()
        assert silent.recv(1000)[9:12] in (b"408", b"") and time.monotonic() - begin < 9
    print("all refused")


def fuzz():
    """Broken, mixed and random requests; the page must answer afterwards."""
    random.seed(int(seconds))
    good = f"GET /events{query} HTTP/1.1\r\n".encode() + HEAD
    command = f"POST /command{query} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 20\r\n".encode() + HEAD + b'{"command": "home"}'
    deadline, count = time.monotonic() + seconds, 0
    while time.monotonic() < deadline:
        data = bytearray(random.choice([good, command, good + good, random.randbytes(random.randrange(1, 3000))]))
        for _ in range(random.randrange(8)):
            at = random.randrange(len(data) + 1)
            match random.randrange(4):
                case 0: data[at:at] = random.randbytes(random.randrange(1, 20))
                case 1: del data[at:at + random.randrange(1, 20)]
                case 2: data[at:at] = random.choice([b"\r\n", b"\0", b"%00", b"../", b"Transfer-Encoding: chunked\r\n", b"Content-Length: 99999999999\r\n", b"ffffffffffffffff\r\n"])
                case 3: data[at:at] = data[:random.randrange(len(data) + 1)]
        try:
            with connect() as connection:
                connection.settimeout(0.05)
                connection.sendall(data)
                connection.recv(1000)
        except OSError:
            pass
        count += 1
        if count % 500 == 0:
            assert status("GET", f"/{query}") == "200", f"it does not answer after {count} requests"
    assert status("GET", f"/{query}") == "200"
    print(f"{count} requests")


{"viewers": viewers, "loris": loris, "refused": refused, "fuzz": fuzz}[what]()
