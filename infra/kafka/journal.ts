import type { Receipt } from '#domain/event/incoming.ts';
import type { Changes, JournalPage } from '#domain/ports/pipeline-store.ts';
import type { EventPart } from '#domain/ports/processor.ts';
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

export const toJournal = (page: Page): JournalPage => {
  const events = page.changes.events.map(({ event, parts }) => ({ event, parts: [...parts] }));
  return { number: page.number, body: JSON.stringify({ ...page, changes: { ...page.changes, events } }) };
};

export const fromJournal = ({ body }: JournalPage): Page => {
  const page = JSON.parse(body) as Omit<Page, 'changes'> & {
    changes: Omit<Changes, 'events'> & {
      events: { event: Changes['events'][number]['event']; parts: EventPart[] }[];
    };
  };
  const events = page.changes.events.map(({ event, parts }) => ({ event, parts: new Set(parts) }));
  return { ...page, changes: { ...page.changes, events } };
};
