/** Counts of each source, by tenant and hour: in memory, bounded, and drained into the store. */

export const HOUR_MS = 3_600_000;
/** Maximum of separate sources of a tenant, and of tokens of a source. */
export const MAX_SOURCES = 200;
const MAX_TOKENS = 20;

export interface SourceActivity {
  /** Entries that were read: problems, repeats and recoveries. */
  readonly events: number;
  readonly rejected: number;
  /** Time of the last readable message, ms; 0: never. */
  readonly last: number;
  /** Last use of each token, ms. */
  readonly tokens: Readonly<Record<string, number>>;
}
export const NOTHING: SourceActivity = { events: 0, rejected: 0, last: 0, tokens: {} };

export type SourceActivityMap = ReadonlyMap<string, SourceActivity>;
interface Hour {
  readonly sources: Map<string, SourceActivity>;
  isStored: boolean;
}

const tokensOf = (one: SourceActivity, other: SourceActivity): SourceActivity['tokens'] => {
  const latest = new Map<string, number>();
  for (const [token, at] of [...Object.entries(one.tokens), ...Object.entries(other.tokens)])
    latest.set(token, Math.max(at, latest.get(token) ?? 0));
  return Object.fromEntries([...latest].sort((a, b) => b[1] - a[1]).slice(0, MAX_TOKENS));
};

export const unitedActivity = (one: SourceActivity, other: SourceActivity): SourceActivity => ({
  events: one.events + other.events,
  rejected: one.rejected + other.rejected,
  last: Math.max(one.last, other.last),
  tokens: tokensOf(one, other),
});

export const hourOf = (at: number): number => Math.floor(at / HOUR_MS);

/** One hour of one tenant. */
export interface CountedHour {
  readonly tenant: string;
  readonly hour: number;
  readonly sources: SourceActivityMap;
}

export class SourceCounts {
  /** Names what this process stores; given with the first of it. */
  process: string | null = null;
  readonly #hours = new Map<string, Map<number, Hour>>();

  /** Counts at a time, ms; a source beyond the bound is not counted. */
  note(tenant: string, source: string, at: number, heard: Partial<SourceActivity>): void {
    const { sources } = this.#open(tenant, hourOf(at));
    if (!sources.has(source) && sources.size >= MAX_SOURCES) return;
    sources.set(source, unitedActivity(sources.get(source) ?? NOTHING, { ...NOTHING, ...heard }));
  }

  /** Returns activity by hour. */
  of(tenant: string): ReadonlyMap<number, SourceActivityMap> {
    return new Map([...(this.#hours.get(tenant) ?? [])].map(([hour, { sources }]) => [hour, sources]));
  }

  /** Hours that are not stored as they are. */
  unstored(): readonly CountedHour[] {
    return this.#all(({ isStored }) => !isStored);
  }

  /** Counts noted meanwhile are to be stored again. */
  stored({ tenant, hour, sources }: CountedHour): void {
    const known = this.#hours.get(tenant)?.get(hour);
    if (known !== undefined) known.isStored = [...known.sources].every(([name, heard]) => sources.get(name) === heard);
  }

  /** Hours before this one that are stored: nothing is added to them any more. */
  finished(now: number): readonly CountedHour[] {
    return this.#all(({ isStored }, hour) => isStored && hour < now);
  }

  forget({ tenant, hour }: CountedHour): void {
    const hours = this.#hours.get(tenant);
    hours?.delete(hour);
    if (hours?.size === 0) this.#hours.delete(tenant);
  }

  #all(isMeant: (one: Hour, hour: number) => boolean): CountedHour[] {
    return [...this.#hours].flatMap(([tenant, hours]) =>
      [...hours]
        .filter(([hour, one]) => isMeant(one, hour))
        .map(([hour, { sources }]) => ({ tenant, hour, sources: new Map(sources) })),
    );
  }

  #open(tenant: string, hour: number): Hour {
    const hours = this.#hours.get(tenant) ?? new Map<number, Hour>();
    this.#hours.set(tenant, hours);
    const known = hours.get(hour) ?? { sources: new Map<string, SourceActivity>(), isStored: false };
    hours.set(hour, known);
    known.isStored = false;
    return known;
  }
}
