import type { KeyRules, TextRule } from "../step/mod.ts";
import type { ProjectConfig } from "../store/mod.ts";

/**
 * Adds the key rules of a project's configuration.
 *
 * @returns The same object when all of them are there already: a trace need not be keyed anew then.
 */
export function withConfig(rules: KeyRules, config: ProjectConfig): KeyRules {
  const ignoreQuery = config.ignoreQuery.filter((rule) => !rules.ignoreQuery.includes(rule));
  const ignoreJson = config.ignoreJson.filter((rule) => !rules.ignoreJson.includes(rule));
  const ignoreText = config.ignoreText.filter((rule) => !rules.ignoreText.some((each) => isSame(each, rule)));
  if (ignoreQuery.length + ignoreJson.length + ignoreText.length === 0) return rules;
  return {
    version: 1,
    ignoreQuery: [...rules.ignoreQuery, ...ignoreQuery],
    ignoreJson: [...rules.ignoreJson, ...ignoreJson],
    ignoreText: [...rules.ignoreText, ...ignoreText],
  };
}

function isSame(a: TextRule, b: TextRule): boolean {
  return a.pattern === b.pattern && a.url === b.url;
}
