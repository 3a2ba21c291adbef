/**
 * Figures as text for people and as JSON for machines.
 *
 * @module
 */
import { type Health, isOver, type Row } from "./measure.ts";
import type { Finding } from "./sources.ts";

/**
 * Writes the figures as a table.
 *
 * @param health The figures.
 * @param worst How many places to list under each figure, from 0.
 * @returns Text that ends in a line feed.
 */
export function formatTable(health: Health, worst: number): string {
  const head = ["measure", "ours", "best seen", "cap"];
  const lines = aligned([head, ...health.rows.map((row) => cellsOf(row))]);
  const body = lines.flatMap((line, index) => [line, ...placesOf(health.rows[index - 1], worst)]);
  const counts = `${health.files} files, ${health.lines} lines, ${health.functions} functions of product code`;
  return [counts, "", ...body].join("\n") + "\n";
}

/**
 * Writes the figures for machines.
 *
 * @param health The figures.
 * @param worst How many places to keep for each figure, from 0.
 * @returns Indented JSON that ends in a line feed; a cap that does not exist is `null`.
 */
export function formatJson(health: Health, worst: number): string {
  const rows = health.rows.map((row) => ({ ...row, over: isOver(row), worst: row.worst.slice(0, worst) }));
  return JSON.stringify({ ...health, rows }, null, 2) + "\n";
}

function cellsOf(row: Row): string[] {
  const ours = row.ours === null ? "-" : valueText(row.ours, row.unit);
  const cap = Number.isFinite(row.cap) ? valueText(row.cap, row.unit) : "-";
  return [row.label, ours, valueText(row.best, row.unit), isOver(row) ? `${cap}  over` : cap];
}

function valueText(value: number, unit: string): string {
  const digits = Number.isInteger(value) ? String(value) : value.toFixed(1);
  return unit === "" ? digits : `${digits} ${unit}`;
}

function placesOf(row: Row | undefined, worst: number): string[] {
  return (row?.worst ?? []).slice(0, worst).map((place) => `    ${placeText(place)}`);
}

function placeText({ path, line, name, amount }: Finding): string {
  return `${String(amount).padStart(4)}  ${path}:${line}  ${name}`;
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd());
}
