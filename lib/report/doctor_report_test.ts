import { deepEqual, equal } from "node:assert/strict";
import {
  type Arrival,
  type DoctorReport,
  formatDoctorReport,
  hasFindings,
  toDoctorReportJson,
} from "./doctor_report.ts";
import { plainPaint } from "./paint.ts";

const machine: DoctorReport = {
  agrepl: "1.2.3",
  deno: "2.9.6",
  machine: "linux x86_64",
  layers: [
    { name: "sandbox", available: false, why: 'there is no "ip"', remedy: "install iproute2" },
    { name: "proxy", available: true, why: "variables", remedy: null },
  ],
  command: null,
};

function reportOf(http: Arrival, https: Arrival): DoctorReport {
  const command = ["node", "a b.js"];
  return { ...machine, command: { command, runtime: "Node", layer: "proxy", http, https, advice: ["Update\nit"] } };
}

Deno.test("formatDoctorReport() tells each layer, and what makes a missing one available", () => {
  equal(
    formatDoctorReport(machine, plainPaint),
    [
      "agrepl 1.2.3, Deno 2.9.6, linux x86_64",
      "isolation of a replay, strongest first",
      '  sandbox  no   there is no "ip"',
      "  proxy    yes  variables",
      "  sandbox may be had by: install iproute2",
    ].join("\n"),
  );
});

Deno.test("formatDoctorReport() tells where a command's requests go, on one line each", () => {
  const lines = formatDoctorReport(reportOf("arrived", "distrusted"), plainPaint).split("\n").slice(5);
  deepEqual(lines.map((line) => line.slice(0, 11)), [
    "node 'a b.j",
    "  runtime  ",
    "  replay   ",
    "  http     ",
    "  https    ",
    "  note     ",
  ]);
});

for (
  const [http, https, found] of [
    ["arrived", "arrived", false],
    ["untried", "untried", false],
    ["arrived", "distrusted", true],
    ["past", "arrived", true],
    ["nowhere", "nowhere", true],
  ] as const
) {
  Deno.test(`hasFindings() is ${found} when http is ${http} and https is ${https}`, () => {
    equal(hasFindings(reportOf(http, https)), found);
    equal(toDoctorReportJson(reportOf(http, https))["findings"], found);
  });
}
