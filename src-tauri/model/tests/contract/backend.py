"""A server behind LiteLLM: answers each shape of OpenAI with one recorded stream, whatever is asked.

    python backend.py FOLDER     prints the port it listens on
"""

import http.server
import pathlib
import sys

STREAMS = pathlib.Path(sys.argv[1])


class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_error(404)

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        is_responses = self.path.endswith("/responses")
        body = (STREAMS / ("responses_tool.sse" if is_responses else "chat_tool.sse")).read_bytes()
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
print(server.server_address[1], flush=True)
server.serve_forever()
