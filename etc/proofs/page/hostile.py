"""Attacks a page: hostile.py PORT SECONDS RATE TOKEN

Opens RATE connections a second from 58 addresses, and sends what no browser sends: random bytes, half a request, bodies of
a gigabyte, floods of headers, paths that climb, guesses of tokens. Beside that 16 readers of events read nothing, four
senders send a body without end, and four a header without end, byte by byte. Prints the number of connections and of answers
by status as JSON. It has a lower priority than the fuser: real attackers take their processor time elsewhere.
"""
import collections
import heapq
import json
import os
import random
import socket
import sys
import threading
import time

SLOW_READERS, SENDERS = 16, 4
PATIENCE = [0.01, 0.05, 0.2, 2]
OPEN_AT_ONCE = 400
# Seconds until the answer is looked at.
LOOK = 0.05


def request(draw):
    kind = draw.randrange(11)
    head = b" HTTP/1.1\r\nHost: a\r\n"
    if kind == 0:
        return os.urandom(draw.randrange(1, 400))
    if kind == 1:
        return b"GET / HTTP/1.1\r\n"
    if kind == 2:
        return b"GET /../../../../etc/passwd" + head + b"\r\n"
    if kind == 3:
        return b"POST /api/session" + head + b"Content-Length: 1073741824\r\n\r\n" + b"x" * 1000
    if kind == 4:
        return b"GET /" + b"%2e%2e/" * draw.randrange(500) + head + b"\r\n"
    if kind == 5:
        return b"GET /" + head + b"".join(b"X%d: y\r\n" % i for i in range(draw.randrange(300))) + b"\r\n"
    if kind == 6:
        return (
            b"POST /api/session" + head + b"Content-Type: application/json\r\nContent-Length: 17\r\n\r\n"
            b'{"token":"guess"}')
    if kind == 7:
        return b"GET /api/items" + head + b"Authorization: Bearer x%d\r\n\r\n" % draw.randrange(1000)
    if kind == 8:
        return b"GET /api/session" + head + b"Cookie: whereabouts_session=1.admin.00.%x.0.0.%x\r\n\r\n" % (
            draw.getrandbits(64), draw.getrandbits(256))
    if kind == 9:
        return b"GET /" + b"a" * draw.randrange(20000) + head + b"\r\n"
    return (b"GET /index.html" + head + b"\r\n") * draw.randrange(1, 20)


def flood(port, seconds, rate):
    draw = random.Random(os.getpid())
    began = time.monotonic()
    opened, failed, statuses = 0, 0, collections.Counter()
    # Moment, number, socket, and what it sends then; without that it looks at the answer and goes.
    held = []
    while (now := time.monotonic()) < began + seconds:
        if opened < rate * (now - began):
            opened += 1
            client = socket.socket()
            client.setblocking(False)
            try:
                client.bind((f"127.0.0.{draw.randrange(2, 60)}", 0))
                client.connect(("127.0.0.1", port))
            except BlockingIOError:
                pass
            except OSError:
                failed += 1
            heapq.heappush(held, (now + draw.choice(PATIENCE), opened, client, request(draw)))
        else:
            time.sleep(0.001)
        while held and (len(held) > OPEN_AT_ONCE or held[0][0] < now):
            _, number, client, payload = heapq.heappop(held)
            try:
                if payload is not None:
                    client.send(payload)
                    # Some look at the answer, the others go.
                    if draw.random() < 0.3:
                        heapq.heappush(held, (now + LOOK, number, client, None))
                        continue
                else:
                    statuses[client.recv(20)[9:12].decode(errors="replace") or "closed"] += 1
            except BlockingIOError:
                # The queue of the listening socket is full, or the answer needs longer.
                statuses["not accepted" if payload is not None else "none yet"] += 1
            except OSError:
                failed += 1
            client.close()
    seconds = time.monotonic() - began
    print(json.dumps({"opened": opened, "rate": opened / seconds, "cut": failed, "answers": statuses}), flush=True)


def hold(port, opening, piece, pause, ends):
    """Keeps a connection busy that sends `opening` and then `piece` after each pause, and reads nothing."""
    draw = random.Random()
    while not ends.is_set():
        try:
            with socket.socket() as client:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                client.settimeout(5)
                client.bind((f"127.0.0.{draw.randrange(60, 90)}", 0))
                client.connect(("127.0.0.1", port))
                client.sendall(opening)
                while not ends.wait(pause):
                    if piece:
                        client.sendall(piece)
        except OSError:
            ends.wait(0.2)


def main():
    port, seconds, rate, token = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]), sys.argv[4]
    os.nice(10)
    ends = threading.Event()
    bearer = f"Host: a\r\nAuthorization: Bearer {token}\r\n".encode()
    kinds = [
        (SLOW_READERS, b"GET /events HTTP/1.1\r\n" + bearer + b"\r\n", b"", 1),
        (
            SENDERS, b"PUT /api/items/a HTTP/1.1\r\n" + bearer + b"Transfer-Encoding: chunked\r\n\r\n",
            b"4000\r\n" + b"x" * 0x4000 + b"\r\n", 0.05,
        ),
        (SENDERS, b"GET / HTTP/1.1\r\nX: ", b"y", 0.1),
    ]
    threads = [
        threading.Thread(target=hold, args=(port, opening, piece, pause, ends), daemon=True)
        for count, opening, piece, pause in kinds for _ in range(count)]
    for thread in threads:
        thread.start()
    flood(port, seconds, rate)
    ends.set()


main()
