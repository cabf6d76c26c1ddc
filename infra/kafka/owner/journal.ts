import type { Receipt } from '#domain/event/incoming.ts';
import { Fault } from '#domain/fault.ts';
import type { EventPart } from '#domain/pipeline/processor.ts';
import type { Changes, JournalPage } from '#domain/ports/pipeline-store.ts';
import { correlationChanges } from '#schemas/topics/topics.ts';
import type { Emitted, Rejected } from './step-batch.ts';

/** An output with its number: it grows without gaps per writing owner, so that a reader can detect duplicates. */
export interface Output extends Emitted {
  readonly serial: number;
  /** Address of the request that waits for the entry's position; null when none does. */
  readonly reply: string | null;
}

/** An answer and the request it belongs to. */
export interface ReceiptReply {
  readonly reply: string;
  readonly receipt: Receipt;
}

/** One batch of one owner: decided, but perhaps neither saved nor sent yet. */
export interface BatchPage {
  readonly number: number;
  /** Offset from which a new owner reads: of the oldest record that only memory holds, else the one after the batch. */
  readonly resume: number;
  /** Offset after the batch: earlier records were stepped. */
  readonly next: number;
  /** Position up to which nothing is only in memory: these records are decided, and repeats of them are not. */
  readonly settled: number;
  /** Newest append time of the read records, ms: the owner's now, regardless of its lag. */
  readonly at: number;
  /** Number of the next output. */
  readonly serial: number;
  /** Highest number read and its append time, by writer: lower numbers were read before. */
  readonly read: Readonly<Record<string, readonly [serial: number, at: number]>>;
  readonly changes: Changes;
  readonly outputs: readonly Output[];
  readonly answers: readonly ReceiptReply[];
  readonly rejected: readonly Rejected[];
  /** Position up to which sinks received groups when the topic was read before; 0: none. */
  readonly told: number;
}

const NOTHING: Changes = { events: [], recoveries: [], deliveries: [], enriched: [], decisions: [], groups: [] };

/** Page before the first batch of an owner. */
export const FIRST_PAGE: BatchPage = {
  number: 0,
  resume: 0,
  next: 0,
  settled: 0,
  at: 0,
  serial: 1,
  read: {},
  changes: NOTHING,
  outputs: [],
  answers: [],
  rejected: [],
  told: 0,
};

/** An output that sinks alone read, and were sent when the topic was read before. */
export const isRetold = ({ told }: Pick<BatchPage, 'told'>, { topic, entry }: Emitted): boolean =>
  topic === correlationChanges && entry.position <= told;

/** Returns the page from which an owner reads its topic again. Outputs of the last page may not have been sent. */
export const turnedBack = ({ number, serial, at, settled, told, outputs }: BatchPage): BatchPage => {
  const unsent = outputs.filter(({ topic }) => topic === correlationChanges).map(({ entry }) => entry.position);
  const sent = unsent.reduce((least, position) => Math.min(least, position - 1), settled);
  return { ...FIRST_PAGE, number: number + 1, serial, at, told: Math.max(told, sent) };
};

/** True if nothing is left to do after the batch: reading the same records again has no effect either. */
export const isEmpty = ({ changes, outputs, answers, rejected }: BatchPage): boolean =>
  outputs.length === 0 &&
  answers.length === 0 &&
  rejected.length === 0 &&
  Object.values(changes).every((list: readonly unknown[]) => list.length === 0);

/** Location of an object within the changes. */
type Path = readonly (string | number)[];

/** An output with parts in the changes refers to them instead of repeating them; no name: all of it. */
type JournalOutput = Output & { readonly there?: Readonly<Record<string, Path>> };

const ALL = '';

const placesIn = ({ events, enriched }: Changes): Map<unknown, Path> => {
  const places = new Map<unknown, Path>();
  for (const [i, { event }] of events.entries()) places.set(event, ['events', i, 'event']);
  for (const [i, record] of enriched.entries()) {
    places.set(record, ['enriched', i]);
    for (const part of ['arrival', 'upstream', 'settings'] as const) places.set(record[part], ['enriched', i, part]);
  }
  return places;
};

const withoutRepeats = (output: Output, places: ReadonlyMap<unknown, Path>): JournalOutput => {
  const { value } = output.entry;
  if (typeof value !== 'object' || value === null) return output;
  const whole = places.get(value);
  if (whole !== undefined) return { ...output, entry: { ...output.entry, value: null }, there: { [ALL]: whole } };
  const parts = Object.entries(value);
  const there = parts.flatMap(([name, part]) => {
    const path = places.get(part);
    return path === undefined ? [] : [[name, path] as const];
  });
  if (there.length === 0) return output;
  const said = Object.fromEntries(parts.filter(([, part]) => !places.has(part)));
  return { ...output, entry: { ...output.entry, value: said }, there: Object.fromEntries(there) };
};

const lookUp = (changes: Changes, path: Path): unknown =>
  path.reduce<unknown>((found, step) => (found as Readonly<Record<string | number, unknown>>)[step], changes);

const withRepeats = ({ there, ...output }: JournalOutput, changes: Changes): Output => {
  if (there === undefined) return output;
  const { [ALL]: whole, ...parts } = there;
  if (whole !== undefined) return { ...output, entry: { ...output.entry, value: lookUp(changes, whole) } };
  const found = Object.entries(parts).map(([name, path]) => [name, lookUp(changes, path)]);
  return {
    ...output,
    entry: { ...output.entry, value: { ...(output.entry.value as object), ...Object.fromEntries(found) } },
  };
};

/** Format of a page as written. It grows when an older program could not carry a page out. */
export const PAGE_FORMAT = 1;

/** The page was written by a newer program, which alone can carry it out. */
export class NewerPage extends Error {
  constructor(format: number, known: number) {
    super(
      `The last page of the partition was written by a newer version (format ${format}; this version reads ${known})`,
    );
  }
}

/** A text of more than 2²⁹ characters cannot be made at all. */
const written = (page: object): string => {
  try {
    return JSON.stringify(page);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new Fault('too-large', 'The page of a batch exceeds the maximum string length', [], { cause });
  }
};

/** Throws Fault `too-large`. */
export const toJournal = (page: BatchPage, format = PAGE_FORMAT): JournalPage => {
  const events = page.changes.events.map(({ event, parts }) => ({ event, parts: [...parts] }));
  const places = placesIn(page.changes);
  const outputs = page.outputs.map((output) => withoutRepeats(output, places));
  const body = written({ format, ...page, changes: { ...page.changes, events }, outputs });
  return { number: page.number, body };
};

/** Throws NewerPage for a format above `known`. */
export const fromJournal = ({ body }: JournalPage, known = PAGE_FORMAT): BatchPage => {
  const { format, ...page } = JSON.parse(body) as Omit<BatchPage, 'changes' | 'outputs'> & {
    format: number;
    outputs: JournalOutput[];
    changes: Omit<Changes, 'events'> & { events: { event: Changes['events'][number]['event']; parts: EventPart[] }[] };
  };
  if (format > known) throw new NewerPage(format, known);
  const events = page.changes.events.map(({ event, parts }) => ({ event, parts: new Set(parts) }));
  const changes = { ...page.changes, events };
  return { ...page, changes, outputs: page.outputs.map((output) => withRepeats(output, changes)) };
};
