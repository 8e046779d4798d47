"""Receives production reports from Sluice; each counts once, however often it arrives.

Start it with: python3 receiver.py PORT FILE
POST /reports takes {"order": "WO-1042", "good": 118}; GET /totals returns the totals.
"""

import json
import sqlite3
import sys
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT, FILE = int(sys.argv[1]), sys.argv[2]
BODY_BYTES_MAX = 1024 * 1024
KEY_CHARS_MAX = 255
KEEP_KEYS = "-400 days"

SCHEMA = """
PRAGMA journal_mode = WAL;
CREATE TABLE IF NOT EXISTS totals (work_order TEXT PRIMARY KEY, good INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS seen (key TEXT PRIMARY KEY, at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP);
CREATE INDEX IF NOT EXISTS seen_at ON seen (at);
"""


def connect():
    # isolation_level=None: transactions are begun explicitly. FULL: a commit is on disk before it returns.
    database = sqlite3.connect(FILE, timeout=10, isolation_level=None)
    database.execute("PRAGMA synchronous = FULL")
    return database


def take(key, order, good):
    """Key and total are written in ONE transaction: after a crash, both are stored or neither is."""
    with closing(connect()) as database:
        # IMMEDIATE: a second attempt at the same time waits here until the first one has finished.
        database.execute("BEGIN IMMEDIATE")
        try:
            if database.execute("INSERT OR IGNORE INTO seen (key) VALUES (?)", (key,)).rowcount == 1:
                database.execute(
                    "INSERT INTO totals VALUES (?, ?) ON CONFLICT DO UPDATE SET good = good + excluded.good",
                    (order, good),
                )
                database.execute("DELETE FROM seen WHERE at < datetime('now', ?)", (KEEP_KEYS,))
            database.execute("COMMIT")
        except BaseException:
            database.execute("ROLLBACK")
            raise


def read_report(body):
    """None = not a valid report; sending it again does not help."""
    try:
        report = json.loads(body)
        order, good = report["order"], report["good"]
    except (ValueError, KeyError, TypeError):
        return None
    right = isinstance(order, str) and order != "" and type(good) is int and 0 <= good <= 1_000_000
    return (order, good) if right else None


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 30  # Seconds that a sender may be silent.

    def do_POST(self):
        length, keys = self.headers.get("Content-Length", ""), self.headers.get_all("Idempotency-Key") or []
        if self.path != "/reports":
            return self.refuse(404, "expected POST /reports")
        if not (length.isascii() and length.isdigit()):
            return self.refuse(411, "expected a Content-Length")
        if int(length) > BODY_BYTES_MAX:
            return self.refuse(413, f"expected at most {BODY_BYTES_MAX} bytes")
        if len(keys) != 1 or not 1 <= len(keys[0]) <= KEY_CHARS_MAX:
            return self.refuse(400, "expected one Idempotency-Key")
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            return self.refuse(400, "the body is shorter than its Content-Length")
        report = read_report(body)
        if report is None:
            return self.answer(400, {"error": 'expected {"order": "WO-1042", "good": 118}'})
        try:
            take(keys[0], *report)
        except sqlite3.Error as error:
            self.log_error("could not store: %s", error)
            return self.answer(503, {"error": "try again"}, {"Retry-After": "5"})
        # Only after the commit, and the same for a key that is already stored.
        self.answer(200, {"accepted": report[0]})

    def do_GET(self):
        if self.path != "/totals":
            return self.refuse(404, "expected GET /totals")
        with closing(connect()) as database:
            self.answer(200, dict(database.execute("SELECT work_order, good FROM totals").fetchall()))

    def refuse(self, status, error):
        """A response to a request that was not read completely; the connection cannot be reused."""
        self.close_connection = True
        self.answer(status, {"error": error}, {"Connection": "close"})

    def answer(self, status, body, headers=None):
        content = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


class Server(ThreadingHTTPServer):
    request_queue_size = 64  # Connections that wait to be accepted; the default is 5.


with closing(connect()) as first:
    first.executescript(SCHEMA)
server = Server(("127.0.0.1", PORT), Receiver)
print(f"receiving on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
