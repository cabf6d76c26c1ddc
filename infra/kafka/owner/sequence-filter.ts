/** The highest number read of each writer, and its append time in ms. */
export type LastSequences = ReadonlyMap<string, { readonly serial: number; readonly at: number }>;

/** A processor always writes under its own name; an API process under a new name per start. */
const OWN = '@';
export const writerOf = (processor: string): string => OWN + processor;

/** No writer sends a record again after 5 minutes; twice that, since clocks differ. */
const FORGET_MS = 10 * 60_000;
const MAX_WRITERS = 128;

/** Records without a number are never skipped: their readers recognize repeats by content. */
export const isRepeat = (read: LastSequences, writer: string, serial: number): boolean =>
  serial > 0 && serial <= (read.get(writer)?.serial ?? 0);

/** Drops writers that can send nothing again, the longest silent first. */
export function dropSilentWriters(read: Map<string, { serial: number; at: number }>, now: number): void {
  const strangers = [...read].filter(([writer]) => !writer.startsWith(OWN)).sort(([, a], [, b]) => b.at - a.at);
  for (const [place, [writer, { at }]] of strangers.entries()) {
    if (place >= MAX_WRITERS || at < now - FORGET_MS) read.delete(writer);
  }
}
