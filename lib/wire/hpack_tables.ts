/**
 * The tables of HPACK (RFC 7541, appendices A and B).
 *
 * @module
 */
import type { Header } from "../step/mod.ts";

const staticText = `:authority
:method: GET
:method: POST
:path: /
:path: /index.html
:scheme: http
:scheme: https
:status: 200
:status: 204
:status: 206
:status: 304
:status: 400
:status: 404
:status: 500
accept-charset
accept-encoding: gzip, deflate
accept-language
accept-ranges
accept
access-control-allow-origin
age
allow
authorization
cache-control
content-disposition
content-encoding
content-language
content-length
content-location
content-range
content-type
cookie
date
etag
expect
expires
from
host
if-match
if-modified-since
if-none-match
if-range
if-unmodified-since
last-modified
link
location
max-forwards
proxy-authenticate
proxy-authorization
range
referer
refresh
retry-after
server
set-cookie
strict-transport-security
transfer-encoding
user-agent
vary
via
www-authenticate`;

/** The static table; its first entry has the index 1. */
export const staticTable: readonly Header[] = staticText.split("\n").map((line) => {
  const at = line.indexOf(": ");
  return at === -1 ? [line, ""] : [line.slice(0, at), line.slice(at + 2)];
});

/**
 * How many bits each of the 256 bytes, and the end mark, has in the Huffman code, as digits of base 36. The code is
 * canonical: of equal lengths the smaller byte has the smaller code, so the lengths tell all of it.
 */
export const huffmanLengths: readonly number[] = Array.from(
  "dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6cad67777777777777777777777878djde6f56565666577666567" +
    "655677777fbedskmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmnqqkjmnmpqqqrrqopjlqrrqrollqqsrrrkok" +
    "lmllnmmppooqnqrqqrrrrrsrrrrrqu",
  (digit) => parseInt(digit, 36),
);
