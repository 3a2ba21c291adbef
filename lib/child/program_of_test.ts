import { equal } from "node:assert/strict";
import { programOf } from "./program_of.ts";

const cases: readonly (readonly [command: string, program: string])[] = [
  ["/usr/bin/python3.11 agent.py", "python3.11"],
  ["gradlew.bat test", "gradlew"],
  ["env X=1 node app.js", "node"],
  ["timeout -s KILL 10 java -jar app.jar", "KILL"], // an option's own word cannot be told from a command
  ["timeout 10 java -jar app.jar", "java"],
  ["nice -n 5 env A=b /opt/bin/deno run x.ts", "deno"],
  ["env", "env"],
  ["", ""],
];

for (const [command, program] of cases) {
  Deno.test(`programOf() names "${program}" in "${command}"`, () => {
    equal(programOf(command.split(" ")), program);
  });
}
