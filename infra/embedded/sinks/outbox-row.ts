import type { GroupChange } from '#domain/correlation/records.ts';
import type { Status } from '#domain/event/event.ts';
import { itemAt } from '#domain/known.ts';
import type { Entry } from '#domain/pipeline/processor.ts';
import type { Happening, Sink, Told } from '#domain/ports/sink.ts';

/** Bits of the sinks that are told, place of the tenant, position, place in HAPPENED, id, and what else is said. */
type PackedEntry = readonly [to: number, tenant: number, position: number, happened: number, id: string, more?: string];
/** The content of a row. A zero stands for an entry whose tenant was deleted. */
interface Body {
  readonly sinks: readonly string[];
  /** How many each of the sinks was told in all, up to this row. */
  readonly told: readonly number[];
  readonly tenants: readonly string[];
  readonly entries: readonly (PackedEntry | 0)[];
}

/** The places are stored. */
const HAPPENED = ['created', 'status', 'group'] as const satisfies readonly Told['happened'][];

const SUPPRESSED = 'suppressed';

const moreOf = (told: Told): string | undefined => {
  if (told.happened === 'status') return told.previousStatus;
  if (told.happened === 'created') return told.wasSuppressed && SUPPRESSED;
  return told.change;
};

const toldOf = (happened: number, id: string, more: string | undefined): Told => {
  const what = HAPPENED[happened] as Told['happened'];
  if (what === 'created') return { happened: what, id, ...(more === SUPPRESSED && { wasSuppressed: true }) };
  if (what === 'status') return { happened: what, id, previousStatus: more as Status };
  return { happened: what, id, change: more as GroupChange['kind'] };
};

interface Audience {
  readonly told: Told;
  /** A bit for each sink. */
  to: number;
}

const isSame = (a: Told, b: Told): boolean => a.id === b.id && a.happened === b.happened && moreOf(a) === moreOf(b);

/** The happening of a record: one entry for all sinks that get the same. */
const audiences = (sinks: readonly Sink[], topic: string, value: unknown): Audience[] => {
  const found: Audience[] = [];
  for (const [place, sink] of sinks.entries()) {
    const told = sink.input === topic ? sink.told(value) : null;
    if (told === null) continue;
    const known = found.find((one) => isSame(one.told, told));
    if (known === undefined) found.push({ told, to: 1 << place });
    else known.to |= 1 << place;
  }
  return found;
};

const packed = ({ told, to }: Audience, tenant: number, position: number): PackedEntry => {
  const head = [to, tenant, position, HAPPENED.indexOf(told.happened), told.id] as const;
  const more = moreOf(told);
  return more === undefined ? head : [...head, more];
};

/** The happenings of the records of a batch. */
export const packEntries = (
  sinks: readonly Sink[],
  entriesOf: (topic: string) => readonly Entry<unknown>[],
): Pick<Body, 'tenants' | 'entries'> => {
  const tenants = new Map<string, number>();
  const entries: PackedEntry[] = [];
  for (const topic of new Set(sinks.map(({ input }) => input))) {
    for (const { tenant, position, value } of entriesOf(topic)) {
      for (const audience of audiences(sinks, topic, value)) {
        const place = tenants.get(tenant) ?? tenants.size;
        tenants.set(tenant, place);
        entries.push(packed(audience, place, position));
      }
    }
  }
  return { tenants: [...tenants.keys()], entries };
};

/** How many of the entries each sink is told. */
export const countsOf = (sinks: readonly Sink[], { entries }: Pick<Body, 'entries'>): number[] =>
  sinks.map((_, place) => entries.filter((entry) => entry !== 0 && (entry[0] & (1 << place)) !== 0).length);

export const bodyText = ({ sinks, told: all, tenants, entries }: Body): string =>
  JSON.stringify([sinks, all, tenants, entries]);

const bodyOf = (text: string): Body => {
  const [sinks, all, tenants, entries] = JSON.parse(text) as [
    ...[Body['sinks'], Body['told'], Body['tenants'], Body['entries']],
  ];
  return { sinks, told: all, tenants, entries };
};

/** A row as stored. */
export interface StoredRow {
  readonly last: number;
  readonly at: number;
  readonly body: string;
}

/** A happening with the number of its entry. */
export interface Numbered {
  readonly number: number;
  readonly happening: Happening;
}

/** One row as it is read. */
export class OutboxRow {
  readonly last: number;
  readonly at: number;
  readonly #body: Body;

  constructor({ last, at, body }: StoredRow) {
    this.last = last;
    this.at = at;
    this.#body = bodyOf(body);
  }

  /** How many each sink was told in all, up to the end of this row. */
  get told(): ReadonlyMap<string, number> {
    return new Map(this.#body.sinks.map((name, place) => [name, itemAt(this.#body.told, place)]));
  }

  /** The first happenings for the sink above a number, at most so many. */
  of(sink: string, above: number, most = Number.POSITIVE_INFINITY): Numbered[] {
    const { sinks, tenants, entries } = this.#body;
    const bit = 1 << sinks.indexOf(sink);
    if (!sinks.includes(sink)) return [];
    const found: Numbered[] = [];
    const first = this.last - entries.length + 1;
    for (let number = Math.max(first, above + 1); number <= this.last && found.length < most; number++) {
      const entry = itemAt(entries, number - first);
      if (entry === 0 || (entry[0] & bit) === 0) continue;
      const [, tenant, position, happened, id, more] = entry;
      const about = { tenant: tenants[tenant] as string, position, at: this.at };
      found.push({ number, happening: { ...toldOf(happened, id, more), ...about } });
    }
    return found;
  }

  /** How many entries above a number the sink is told. */
  count(sink: string, above: number): number {
    const { sinks, entries } = this.#body;
    const place = sinks.indexOf(sink);
    if (place === -1) return 0;
    const from = Math.max(0, above - (this.last - entries.length));
    let count = 0;
    for (let index = from; index < entries.length; index++) {
      const entry = itemAt(entries, index);
      if (entry !== 0 && (entry[0] & (1 << place)) !== 0) count += 1;
    }
    return count;
  }

  /** The body without a tenant, null when it says nothing of it. Numbers stay as they are. */
  without(tenant: string): string | null {
    const place = this.#body.tenants.indexOf(tenant);
    if (place === -1) return null;
    const tenants = this.#body.tenants.map((one) => (one === tenant ? '' : one));
    const entries = this.#body.entries.map((entry) => (entry !== 0 && entry[1] === place ? 0 : entry));
    return bodyText({ ...this.#body, tenants, entries });
  }
}
