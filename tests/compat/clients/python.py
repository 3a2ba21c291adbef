"""Makes the four exchanges with urllib, requests or httpx, the last also over HTTP/2.

    python.py urllib|requests|httpx|httpx2 ORIGIN [CA]

With CA, a PEM file, the client trusts that file and nothing else.
"""

import gzip
import json
import ssl
import sys

QUESTION = {"question": "what is it?", "numbers": [1, 2.5, None]}


def with_urllib(origin, ca):
    from urllib.error import HTTPError
    from urllib.request import HTTPSHandler, Request, build_opener

    opener = build_opener(HTTPSHandler(context=ssl.create_default_context(cafile=ca))) if ca else build_opener()
    post = {"data": json.dumps(QUESTION).encode(), "headers": {"content-type": "application/json"}}
    for request in (
        Request(origin + "/chunked"),
        Request(origin + "/gzip", headers={"accept-encoding": "gzip"}),
        Request(origin + "/echo", **post),
    ):
        with opener.open(request) as response:
            body = response.read()
            zipped = response.headers["content-encoding"] == "gzip"
            print(response.status, (gzip.decompress(body) if zipped else body).decode())
    try:
        opener.open(origin + "/repeated")
    except HTTPError as error:
        with error:
            print(error.headers.get_all("x-part"))
            print(error.code, error.read().decode())
            return error.code


def with_session(session, origin):
    for path in ("/chunked", "/gzip"):
        answer = session.get(origin + path)
        print(answer.status_code, answer.text)
    answer = session.post(origin + "/echo", json=QUESTION)
    print(answer.status_code, answer.text)
    last = session.get(origin + "/repeated")
    print(last.headers["x-part"])
    print(last.status_code, last.text)
    return last.status_code


def with_requests(origin, ca):
    import requests

    with requests.Session() as session:
        if ca:
            # REQUESTS_CA_BUNDLE wins over session.verify, so the request itself names the file
            session.get = lambda url: session.request("GET", url, verify=ca)
        return with_session(session, origin)


def with_httpx2(origin, ca):
    return with_httpx(origin, ca, http2=True)


def with_httpx(origin, ca, http2=False):
    import httpx

    verify = {"verify": ssl.create_default_context(cafile=ca)} if ca else {}
    with httpx.Client(http2=http2, **verify) as client:
        return with_session(client, origin)


if __name__ == "__main__":
    kind, origin, *rest = sys.argv[1:]
    make = {"urllib": with_urllib, "requests": with_requests, "httpx": with_httpx, "httpx2": with_httpx2}[kind]
    sys.exit(22 if make(origin, rest[0] if rest else None) == 418 else 0)
