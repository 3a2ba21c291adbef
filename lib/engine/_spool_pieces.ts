import type { Piece } from "../redact/mod.ts";
import type { BodySpool } from "../store/mod.ts";

/**
 * Writes pieces one after the other: none is begun, and none can fail unseen, while another is under way.
 *
 * @returns A promise only where one had to be waited for.
 */
export function spoolPieces(spool: BodySpool, pieces: readonly Piece[]): Promise<void> | undefined {
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index];
    const wrote = piece === undefined ? undefined : spool.push(piece.stored);
    if (wrote !== undefined) return wrote.then(() => spoolPieces(spool, pieces.slice(index + 1)));
  }
  return undefined;
}
