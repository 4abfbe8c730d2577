"""What tests of pages and programs need of a WebSocket."""

import json

from websockets.exceptions import ConnectionClosed


class Connection:
    """A WebSocket of a page or a program, in `socket`."""

    def closed(self):
        """The code with which the server closes it."""
        try:
            while True:
                self.socket.recv(timeout=10)
        except ConnectionClosed as ended:
            return ended.rcvd.code

    def hear(self, *fields):
        """The next message that has one of these fields; any, where none is named."""
        while True:
            got = json.loads(self.socket.recv(timeout=10))
            if not fields or not got.keys().isdisjoint(fields):
                return got
