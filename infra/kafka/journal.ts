import type { Receipt } from '#domain/event/incoming.ts';
import type { Changes, JournalPage } from '#domain/ports/pipeline-store.ts';
import type { Entry, EventPart } from '#domain/ports/processor.ts';
import type { Emitted, Rejected } from './step-batch.ts';

/** An output with its number: it grows without gaps per writing owner, so a reader knows what it has had. */
export interface Output extends Emitted {
  readonly serial: number;
  /** Where the request waits that the entry's position came from; null when nobody does. */
  readonly reply: string | null;
}

/** An answer and the request it belongs to. */
export interface Answer {
  readonly reply: string;
  readonly receipt: Receipt;
}

/** One batch of one owner: decided, but perhaps neither saved nor sent yet. */
export interface Page {
  readonly number: number;
  /** Offset from which a new owner reads: of the oldest record that only memory holds, else the one after the batch. */
  readonly resume: number;
  /** Offset after the batch: what comes before it was stepped. */
  readonly next: number;
  /** Of records up to this position nothing lives in memory only: they are decided, and what comes again of them is not. */
  readonly settled: number;
  /** Newest append time of what was read, ms: the owner's now, however far it lags. */
  readonly at: number;
  /** Number of the next output. */
  readonly serial: number;
  /** Highest number read and its append time, by writer: what is not above it was read before. */
  readonly read: Readonly<Record<string, readonly [serial: number, at: number]>>;
  readonly changes: Changes;
  readonly outputs: readonly Output[];
  readonly answers: readonly Answer[];
  readonly rejected: readonly Rejected[];
}

const NOTHING: Changes = { events: [], recoveries: [], deliveries: [], enriched: [], decisions: [], groups: [] };

/** Before the first batch of an owner. */
export const FIRST_PAGE: Page = {
  ...{
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
  },
};

/** Whether nothing is left to do after the batch: whoever reads the same records again does nothing either. */
export const isEmpty = ({ changes, outputs, answers, rejected }: Page): boolean =>
  outputs.length === 0 &&
  answers.length === 0 &&
  rejected.length === 0 &&
  Object.values(changes).every((list: readonly unknown[]) => list.length === 0);

/** An output that tells of an event as the batch leaves it says only which one of the changes that is. */
type Written = Output | (Omit<Output, 'entry'> & { readonly entry: Entry<unknown>; readonly changed: number });

const withoutEvent = (output: Output, places: ReadonlyMap<unknown, number>): Written => {
  const value = output.entry.value as { readonly event?: unknown } | null;
  const changed = places.get(value?.event);
  if (changed === undefined) return output;
  return { ...output, entry: { ...output.entry, value: { ...value, event: null } }, changed };
};

const withEvent = (written: Written, changes: Changes): Output => {
  if (!('changed' in written)) return written;
  const { changed, entry, ...output } = written;
  return {
    ...output,
    entry: { ...entry, value: { ...(entry.value as object), event: changes.events[changed]!.event } },
  };
};

export const toJournal = (page: Page): JournalPage => {
  const events = page.changes.events.map(({ event, parts }) => ({ event, parts: [...parts] }));
  const places = new Map<unknown, number>(page.changes.events.map(({ event }, place) => [event, place]));
  const outputs = page.outputs.map((output) => withoutEvent(output, places));
  return { number: page.number, body: JSON.stringify({ ...page, changes: { ...page.changes, events }, outputs }) };
};

export const fromJournal = ({ body }: JournalPage): Page => {
  const page = JSON.parse(body) as Omit<Page, 'changes' | 'outputs'> & {
    outputs: Written[];
    changes: Omit<Changes, 'events'> & {
      events: { event: Changes['events'][number]['event']; parts: EventPart[] }[];
    };
  };
  const events = page.changes.events.map(({ event, parts }) => ({ event, parts: new Set(parts) }));
  const changes = { ...page.changes, events };
  return { ...page, changes, outputs: page.outputs.map((output) => withEvent(output, changes)) };
};
