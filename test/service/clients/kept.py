"""`python3 kept.py PORT PATH KEY SECONDS`: two calls over one connection, with a pause between them."""

import http.client
import sys
import time

port, path, key, seconds = sys.argv[1:]
connection = http.client.HTTPConnection("127.0.0.1", int(port))
for pause in (0.0, float(seconds)):
    time.sleep(pause)
    connection.request("GET", path, headers={"X-API-Key": key})
    answer = connection.getresponse()
    print(answer.status, answer.getheader("Keep-Alive"), answer.read().decode())
