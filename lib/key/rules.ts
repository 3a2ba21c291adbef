/**
 * The rules that a user adds to scheme 1, read once.
 *
 * @module
 */
import type { KeyRules, TextRule } from "../step/mod.ts";
import { type JsonPointer, parsePointer } from "./pointer.ts";
import { type KeyContext, presetPattern } from "./preset.ts";

/** A rule of `ignoreJson`. */
export interface CompiledJsonRule {
  /** Upper case; `null` for any. */
  readonly method: string | null;
  /** `null` for any. */
  readonly url: URLPattern | null;
  /** What is left out of the body. */
  readonly pointer: JsonPointer;
}

/** A rule of `ignoreText`. */
export interface CompiledTextRule {
  /** `null` for any. */
  readonly url: URLPattern | null;
  /** Global. */
  readonly pattern: RegExp;
}

/** Rules ready for use; made by {@link compileRules}. */
export interface CompiledRules {
  /** As they were written. */
  readonly rules: KeyRules;
  /** `ignoreJson`, in order. */
  readonly json: readonly CompiledJsonRule[];
  /** `ignoreText`, in order. */
  readonly text: readonly CompiledTextRule[];
}

/**
 * Reads rules, and refuses those that could never match as they were meant.
 *
 * @param rules As the trace's header holds them.
 * @param context What the presets `cwd` and `home` stand for.
 * @returns The rules ready for use.
 * @throws {TypeError} when a rule is not what its kind must be; the message names the rule and the reason.
 */
export function compileRules(rules: KeyRules, context: KeyContext): CompiledRules {
  return {
    rules,
    json: rules.ignoreJson.map(compileJsonRule),
    text: rules.ignoreText.map((rule) => compileTextRule(rule, context)),
  };
}

function compileJsonRule(rule: string): CompiledJsonRule {
  const [, method, url, pointer] = /^(?:([A-Za-z]+) )? *(?:([^# ][^ ]*) )? *(#.*)$/.exec(rule.trim()) ?? [];
  if (pointer === undefined) {
    throw new TypeError(
      `Cannot read ignore_json rule "${rule}": expected "[METHOD ][URLPattern ]#/pointer", as "POST #/metadata/id"`,
    );
  }
  return {
    method: method?.toUpperCase() ?? null,
    url: url === undefined ? null : compileUrl(url, rule),
    pointer: parsePointer(pointer),
  };
}

function compileTextRule(rule: TextRule, context: KeyContext): CompiledTextRule {
  const url = rule.url === undefined ? null : compileUrl(rule.url, rule.pattern);
  return { url, pattern: presetPattern(rule.pattern, context) ?? compilePattern(rule.pattern) };
}

function compilePattern(pattern: string): RegExp {
  let compiled: RegExp;
  try {
    compiled = new RegExp(pattern, "g");
  } catch (cause) {
    throw new TypeError(`Cannot read ignore_text pattern "${pattern}": it is no regular expression and no preset`, {
      cause,
    });
  }
  if (new RegExp(pattern).test("")) {
    throw new TypeError(`Cannot use ignore_text pattern "${pattern}": it matches the empty text`);
  }
  return compiled;
}

/** A pattern that begins with a slash is one of paths, on any origin. */
function compileUrl(url: string, rule: string): URLPattern {
  try {
    return url.startsWith("/") ? new URLPattern({ pathname: url }) : new URLPattern(url);
  } catch (cause) {
    throw new TypeError(
      `Cannot read rule "${rule}": "${url}" is no URLPattern, expected one like "https://api.example.com/*"`,
      {
        cause,
      },
    );
  }
}
