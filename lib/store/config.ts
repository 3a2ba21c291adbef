/**
 * What a project says once and for all: `config.json` in its store.
 *
 * @module
 */
import { join } from "node:path";
import type { TextRule } from "../step/mod.ts";
import { readTextIfThere, replaceFile } from "./_files.ts";
import type { StoreLayout } from "./layout.ts";

/** A project's configuration. */
export interface ProjectConfig {
  /** Names of query parameters that K(s) looks past. */
  readonly ignoreQuery: readonly string[];
  /** `[METHOD ][URLPattern ]#/pointer`: members that K(s) looks past. */
  readonly ignoreJson: readonly string[];
  /** Text that is replaced before K(s) is made. */
  readonly ignoreText: readonly TextRule[];
  /** What `diff` counts as noise beyond its tables. */
  readonly noise: readonly string[];
  /** What `diff` counts as signal whatever its tables say. */
  readonly signal: readonly string[];
  /** Regular expressions of what is replaced besides the secrets that the rules know; absent for none. */
  readonly redact?: readonly string[];
}

/** A configuration that cannot be used; the message names the file and the member. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly path: string;

  /**
   * @param path The file.
   * @param problem What is wrong with it.
   */
  constructor(path: string, problem: string) {
    super(`Cannot read configuration "${path}": ${problem}`);
    this.path = path;
  }
}

/** The file of a store's configuration. */
export function configPath(layout: StoreLayout): string {
  return join(layout.root, "config.json");
}

/**
 * Reads a store's configuration.
 *
 * @param layout The store.
 * @returns What it says; nothing where there is no file.
 * @throws {ConfigError} when it is no JSON object, or a member is not of its kind.
 */
export function readConfig(layout: StoreLayout): ProjectConfig {
  return new ConfigReader(configPath(layout)).read();
}

/**
 * Adds rules to a store's configuration; what stands there stays, and so do members that this agrepl does not know.
 *
 * @param layout The store.
 * @param added What to add; rules that are there already are not written twice.
 * @throws {ConfigError} when the file that is there cannot be used.
 */
export function addToConfig(layout: StoreLayout, added: ProjectConfig): void {
  const path = configPath(layout);
  const reader = new ConfigReader(path);
  const before = reader.read();
  const diff = {
    ...objectOf(reader.whole["diff"]),
    noise: union(before.noise, added.noise),
    signal: union(before.signal, added.signal),
  };
  const whole = {
    ...reader.whole,
    ignore_query: union(before.ignoreQuery, added.ignoreQuery),
    ignore_json: union(before.ignoreJson, added.ignoreJson),
    ignore_text: union(before.ignoreText.map(toText), added.ignoreText.map(toText)),
    diff,
  };
  replaceFile(path, `${JSON.stringify(whole, null, 2)}\n`);
}

function union<Rule>(before: readonly Rule[], added: readonly Rule[]): Rule[] {
  const known = new Set(before.map((rule) => JSON.stringify(rule)));
  return [...before, ...added.filter((rule) => !known.has(JSON.stringify(rule)))];
}

function toText({ url, pattern }: TextRule): string | { readonly url: string; readonly pattern: string } {
  return url === undefined ? pattern : { url, pattern };
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** A store that cannot be made is the recorder's to tell: it has no configuration. */
function textOf(path: string): string | null {
  try {
    return readTextIfThere(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotADirectory) return null;
    throw error;
  }
}

class ConfigReader {
  readonly whole: Record<string, unknown>;
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
    this.whole = this.#parse(textOf(path) ?? "{}");
  }

  read(): ProjectConfig {
    const diff = this.#object(this.whole["diff"] ?? {}, "diff");
    return {
      ignoreQuery: this.#texts(this.whole["ignore_query"], "ignore_query"),
      ignoreJson: this.#texts(this.whole["ignore_json"], "ignore_json"),
      ignoreText: this.#list(this.whole["ignore_text"], "ignore_text").map((rule) => this.#textRule(rule)),
      noise: this.#texts(diff["noise"], "diff.noise"),
      signal: this.#texts(diff["signal"], "diff.signal"),
      ...(this.whole["redact"] === undefined ? {} : { redact: this.#texts(this.whole["redact"], "redact") }),
    };
  }

  #parse(text: string): Record<string, unknown> {
    try {
      return this.#object(JSON.parse(text), "the whole of it");
    } catch (error) {
      throw error instanceof SyntaxError ? new ConfigError(this.#path, `it is no JSON (${error.message})`) : error;
    }
  }

  #object(value: unknown, name: string): Record<string, unknown> {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
    throw new ConfigError(this.#path, `${name} is ${kindOf(value)}, expected an object`);
  }

  #list(value: unknown, name: string): readonly unknown[] {
    if (value === undefined) return [];
    if (Array.isArray(value)) return value;
    throw new ConfigError(this.#path, `${name} is ${kindOf(value)}, expected a list`);
  }

  #texts(value: unknown, name: string): string[] {
    return this.#list(value, name).map((each) => {
      if (typeof each === "string") return each;
      throw new ConfigError(this.#path, `${name} holds ${kindOf(each)}, expected texts`);
    });
  }

  #textRule(rule: unknown): TextRule {
    if (typeof rule === "string") return { pattern: rule };
    const { url, pattern } = this.#object(rule, "ignore_text");
    if (typeof pattern === "string" && (url === undefined || typeof url === "string")) {
      return url === undefined ? { pattern } : { url, pattern };
    }
    throw new ConfigError(this.#path, `ignore_text holds a rule without its pattern, expected {"url", "pattern"}`);
  }
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
