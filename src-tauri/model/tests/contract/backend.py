"""A server behind LiteLLM: answers each shape of OpenAI with a recorded stream, by the model that is asked for: a call of
the tool, words, or too many requests.

    python backend.py FOLDER     prints the port it listens on
"""

import http.server
import json
import pathlib
import sys

STREAMS = pathlib.Path(sys.argv[1])


class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_error(404)

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if asked["model"] == "busy":
            self.answer(429, "application/json", b'{"error": {"message": "Slow down", "type": "rate_limit_error"}}')
            return
        shape = "responses" if self.path.endswith("/responses") else "chat"
        kind = "text" if asked["model"] == "words" else "tool"
        self.answer(200, "text/event-stream", (STREAMS / f"{shape}_{kind}.sse").read_bytes())

    def answer(self, status, kind, body):
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
print(server.server_address[1], flush=True)
server.serve_forever()
