/** How far a reader is with each writer: the highest number read, and when (append time, ms) it was. */
export type ReadNumbers = ReadonlyMap<string, { readonly serial: number; readonly at: number }>;

/** Processors write under their own names for ever; API processes under a name per start. */
const OWN = '@';
export const writerOf = (processor: string): string => OWN + processor;

/** Nobody sends a record again after 5 minutes; twice that, so that clocks may differ. */
const FORGET_MS = 10 * 60_000;
const MAX_WRITERS = 128;

/** Records without a number are never skipped: who reads them knows repeats by their content. */
export const isRepeat = (read: ReadNumbers, writer: string, serial: number): boolean =>
  serial > 0 && serial <= (read.get(writer)?.serial ?? 0);

/** Drops writers that can send nothing again, the longest silent first. */
export function forgetSilent(read: Map<string, { serial: number; at: number }>, now: number): void {
  const strangers = [...read].filter(([writer]) => !writer.startsWith(OWN)).sort(([, a], [, b]) => b.at - a.at);
  for (const [place, [writer, { at }]] of strangers.entries()) {
    if (place >= MAX_WRITERS || at < now - FORGET_MS) read.delete(writer);
  }
}
