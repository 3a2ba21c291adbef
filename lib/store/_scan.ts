import { parseLine, type TraceEnd, TraceFormatError, type TraceHeader } from "../step/mod.ts";
import type { LineSource, ScannedLine, SourceLine } from "./_line_source.ts";

/** Where a step stands in its file, and what a lookup must know of it. */
export interface TraceEntry {
  readonly key: string;
  readonly seq: number;
  readonly optional: boolean;
  /** Asked over HTTP/2; anything else is one kind of HTTP/1. */
  readonly http2: boolean;
  readonly line: SourceLine;
  /** The lines that go on with it, where it was open for long. */
  readonly more?: readonly SourceLine[];
}

/** What one pass over a trace's lines finds. */
export interface Scan {
  readonly header: TraceHeader;
  readonly end: TraceEnd | null;
  /** In the order of `seq`. */
  readonly entries: TraceEntry[];
  /** What was wrong and could be lived with, as sentences. */
  readonly warnings: string[];
}

/**
 * Finds a trace's header, its steps and its end, decoding as little as that takes.
 *
 * @throws {TraceFormatError} when there is no header, a line is plainly none, or a step stands twice.
 */
export function scanTrace(source: LineSource): Scan {
  const warnings: string[] = [];
  const entries: TraceEntry[] = [];
  const more = new Map<number, SourceLine[]>();
  let header: TraceHeader | null = null;
  let end: TraceEnd | null = null;
  for (const scanned of source.lines()) {
    const { line } = scanned;
    if (line.bytes === 0) {
      warnings.push(`Line ${line.number} of "${source.name}" is empty; it is passed over`);
      continue;
    }
    if (header === null) {
      if (line.whole) header = readHeader(source, line);
      continue;
    }
    if (end !== null) warnings.push(`Line ${line.number} of "${source.name}" stands after the end; it is used`);
    const found = line.whole ? readFound(source, scanned, header.version) : readTorn(source, line, header.version);
    if (found === null) {
      warnings.push(`The last line of "${source.name}" (line ${line.number}) is torn; it is left out`);
    } else if (found.kind === "end") end = found;
    else if (found.kind === "entry") entries.push(found.entry);
    else addTo(more, found.seq, line);
  }
  if (header === null) {
    const place = { path: source.name, line: 1, offset: 0 };
    throw new TraceFormatError(place, "the file holds no whole line, expected a trace's header");
  }
  const joined = inOrder(source, withMore(entries, more));
  return { header, end, entries: joined, warnings: [...warnings, ...strayLines(source, more)] };
}

function addTo(more: Map<number, SourceLine[]>, seq: number, line: SourceLine): void {
  const lines = more.get(seq);
  if (lines === undefined) more.set(seq, [line]);
  else lines.push(line);
}

/** Gives each entry the lines that go on with it, and takes them from the map. */
function withMore(entries: TraceEntry[], more: Map<number, SourceLine[]>): TraceEntry[] {
  if (more.size === 0) return entries;
  return entries.map((entry) => {
    const lines = more.get(entry.seq);
    more.delete(entry.seq);
    return lines === undefined ? entry : { ...entry, more: lines };
  });
}

function strayLines(source: LineSource, more: ReadonlyMap<number, readonly SourceLine[]>): string[] {
  return [...more].flatMap(([seq, lines]) =>
    lines.map(({ number }) =>
      `Line ${number} of "${source.name}" goes on with step ${seq}, which is not there; it is left out`
    )
  );
}

/** Sorts by `seq`. It names a step in D, so that two of one number could hide a divergence. */
function inOrder(source: LineSource, entries: TraceEntry[]): TraceEntry[] {
  entries.sort((a, b) => a.seq - b.seq);
  const twice = entries.find((entry, index) => entry.seq === entries[index - 1]?.seq);
  if (twice === undefined) return entries;
  throw new TraceFormatError(source.place(twice.line), `step ${twice.seq} stands here again, expected each seq once`);
}

function readHeader(source: LineSource, line: SourceLine): TraceHeader {
  const header = parseLine(source.text(line), source.place(line));
  if (header.kind === "trace") return header;
  throw new TraceFormatError(source.place(line), `the first line is a "${header.kind}", expected a trace's header`);
}

type Found = { readonly kind: "entry"; readonly entry: TraceEntry } | TraceEnd | {
  readonly kind: "more";
  readonly seq: number;
};

// What every writer of this format puts first. A line in another order is parsed whole instead.
const stepStart =
  /^\{"kind":"step","seq":(\d{1,15}),"type":"[A-Z]+","key":"[0-9a-f]{64}","timestamp":"[^"]*","latency_ms":[^,]*,"ttfb_ms":[^,]*(,"optional":true)?,"request":\{(?:"method":"[^"]*","url":"[^"\\]*","http_version":"([\d.]+)")?/;
const requestVersion = /"request":\{"method":"[^"]*","url":"(?:[^"\\]|\\.)*","http_version":"([\d.]+)"/;
const moreStart = /^\{"kind":"more","seq":(\d{1,15}),/;
const keyMark = ',"key":"';
const closingBrace = 0x7d;

function readFound(source: LineSource, scanned: ScannedLine, version: number): Found {
  return quickEntry(source, scanned) ?? readOther(source, scanned.line, version);
}

function quickEntry(source: LineSource, { line, start, lastByte }: ScannedLine): Found | null {
  if (lastByte !== closingBrace) return null;
  const match = stepStart.exec(start);
  if (match === null) return quickMore(start);
  const keyAt = start.indexOf(keyMark) + keyMark.length;
  const key = detached(start.slice(keyAt, keyAt + 64));
  // A long URL pushes it out of what was seen in passing.
  const version = match[3] ?? requestVersion.exec(source.read(line).toString("latin1"))?.[1];
  return {
    kind: "entry",
    entry: { key, seq: Number(match[1]), optional: match[2] !== undefined, http2: version === "2", line },
  };
}

/** A slice keeps the text that it was cut from in memory; a copy, made by joining it to something, does not. */
function detached(slice: string): string {
  return ` ${slice}`.slice(1);
}

function quickMore(text: string): Found | null {
  const match = moreStart.exec(text);
  return match === null ? null : { kind: "more", seq: Number(match[1]) };
}

function readOther(source: LineSource, line: SourceLine, version: number): Found {
  const parsed = parseLine(source.text(line), source.place(line), version);
  switch (parsed.kind) {
    case "step": {
      const { key, seq, optional = false, request } = parsed;
      return { kind: "entry", entry: { key, seq, optional, http2: request.httpVersion === "2", line } };
    }
    case "end":
      return parsed;
    case "more":
      return { kind: "more", seq: parsed.seq };
    case "trace":
      throw new TraceFormatError(source.place(line), "a second header stands here, expected a step or the end");
  }
}

/** A last line without its newline: whole all the same where an editor took the newline, else `null`. */
function readTorn(source: LineSource, line: SourceLine, version: number): Found | null {
  try {
    return readOther(source, line, version);
  } catch (error) {
    if (error instanceof TraceFormatError) return null;
    throw error;
  }
}
