import type { PastRecord } from '#domain/correlation/on-demand/replay.ts';
import type { Decision } from '#domain/correlation/records.ts';
import { MAX_LATENESS_MS, MAX_WINDOW_MS } from '#domain/correlation/settings.ts';
import type { CorrelationHistory } from '#domain/ports/events/correlation-history.ts';
import type { Ports } from '#domain/ports/ports.ts';

/** Records that a trial is about, and those before them that windows and groups begin with. */
const MOST = 50_000;
const MAX_BEFORE = 10_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Groups that last longer than this are cut at their beginning. */
const LONGEST_SPAN_MS = 24 * HOUR_MS;
/** Records read at once: a page that costs the thread that gets it a few milliseconds. */
const PAGE = 50;
const DEMANDED = 500;

type PastPorts = Pick<Ports, 'correlationHistory' | 'clock'>;
/** The next step: a record, or a decision that no arrival brought. */
type ReplayStep = PastRecord | Decision;

export const isDecision = (step: ReplayStep): step is Decision => 'accepted' in step;

/** Returns the earliest time (ms, by the minute) from `from` on with at most this number of records from then on. */
async function earliest(
  history: CorrelationHistory,
  tenant: string,
  [from, to]: readonly [number, number],
  most: number,
) {
  if ((await history.extent(tenant, from)).records <= most) return from;
  let [low, high] = [from, to];
  while (high - low > MINUTE_MS) {
    const middle = Math.floor((low + high) / 2);
    if ((await history.extent(tenant, middle)).records <= most) high = middle;
    else low = middle;
  }
  return high;
}

/** Decisions that no arrival brought, in order; read as they are needed. */
class RequestedDecisions {
  readonly #read: (after: number) => Promise<Decision[]>;
  #next: Decision[] = [];
  #after: number;
  #isOver = false;

  constructor(after: number, read: (after: number) => Promise<Decision[]>) {
    this.#after = after;
    this.#read = read;
  }

  /** Those before a position. */
  async before(position: number): Promise<Decision[]> {
    const found: Decision[] = [];
    for (;;) {
      if (this.#next.length === 0 && !this.#isOver) await this.#fill();
      const [first] = this.#next;
      if (first === undefined || first.position >= position) return found;
      found.push(first);
      this.#next.shift();
    }
  }

  async #fill(): Promise<void> {
    this.#next = await this.#read(this.#after);
    this.#after = this.#next.at(-1)?.position ?? this.#after;
    this.#isOver = this.#next.length < DEMANDED;
  }
}

interface PastAsked {
  readonly hours: number;
  /** Maximum duration of groups, ms. */
  readonly spanMs: number;
}

/** The last hours of a tenant, and earlier events, as far as groups of those hours reach back. */
export interface Past {
  /** Event time from which on groups count, ms. */
  readonly from: number;
  /** True if there are fewer hours than requested, since there are too many records. */
  readonly truncated: boolean;
  readonly steps: () => AsyncGenerator<{ readonly step: ReplayStep; readonly done: number }>;
}

/** Reads in the order of positions. */
export async function readPast(
  { correlationHistory: history, clock }: PastPorts,
  tenant: string,
  { hours, spanMs }: PastAsked,
): Promise<Past> {
  const now = clock.now();
  const asked = now - hours * HOUR_MS;
  const from = await earliest(history, tenant, [asked, now], MOST);
  const { records } = await history.extent(tenant, from);
  const reach = from - Math.min(spanMs, LONGEST_SPAN_MS) - MAX_WINDOW_MS - MAX_LATENESS_MS;
  const start = await earliest(history, tenant, [reach, from], records + MAX_BEFORE);
  const { records: total, first } = await history.extent(tenant, start);
  async function* steps(): ReturnType<Past['steps']> {
    if (first === null) return;
    let [after, taken] = [first - 1, 0];
    const demanded = new RequestedDecisions(after, (since) => history.demanded(tenant, since, DEMANDED));
    // Events that arrive meanwhile are not waited for.
    while (taken < total) {
      const page = await history.records(tenant, { from: start, after, limit: PAGE });
      if (page.length === 0) break;
      for (const past of page) {
        const { position } = past.record.arrival;
        for (const step of await demanded.before(position)) yield { step, done: taken / total };
        taken += 1;
        yield { step: past, done: taken / total };
        after = position;
      }
    }
    for (const step of await demanded.before(Number.POSITIVE_INFINITY)) yield { step, done: 1 };
  }
  return { from, truncated: from > asked, steps };
}
