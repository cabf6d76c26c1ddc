/** Counts of each source, by tenant and hour: in memory, bounded, and drained into the store. */

export const HOUR_MS = 3_600_000;
/** Sources of a tenant that are told apart, and tokens of a source. */
export const MOST_SOURCES = 200;
const MOST_TOKENS = 20;

export interface Heard {
  /** Entries that were read: problems, repeats and recoveries. */
  readonly events: number;
  readonly rejected: number;
  /** When something that could be read came last, ms; 0: never. */
  readonly last: number;
  /** When each token was used last, ms. */
  readonly tokens: Readonly<Record<string, number>>;
}
export const NOTHING: Heard = { events: 0, rejected: 0, last: 0, tokens: {} };

export type HeardOfSources = ReadonlyMap<string, Heard>;
interface Hour {
  readonly sources: Map<string, Heard>;
  isStored: boolean;
}

const tokensOf = (one: Heard, other: Heard): Heard['tokens'] => {
  const latest = new Map<string, number>();
  for (const [token, at] of [...Object.entries(one.tokens), ...Object.entries(other.tokens)])
    latest.set(token, Math.max(at, latest.get(token) ?? 0));
  return Object.fromEntries([...latest].sort((a, b) => b[1] - a[1]).slice(0, MOST_TOKENS));
};

export const heardTogether = (one: Heard, other: Heard): Heard => ({
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
  readonly sources: HeardOfSources;
}

export class SourceCounts {
  /** Names what this process stores; given with the first of it. */
  process: string | null = null;
  readonly #hours = new Map<string, Map<number, Hour>>();

  /** At a time, ms; a source beyond the bound is not counted. */
  note(tenant: string, source: string, at: number, heard: Partial<Heard>): void {
    const { sources } = this.#open(tenant, hourOf(at));
    if (!sources.has(source) && sources.size >= MOST_SOURCES) return;
    sources.set(source, heardTogether(sources.get(source) ?? NOTHING, { ...NOTHING, ...heard }));
  }

  /** By hour. */
  of(tenant: string): ReadonlyMap<number, HeardOfSources> {
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
    const known = hours.get(hour) ?? { sources: new Map<string, Heard>(), isStored: false };
    hours.set(hour, known);
    known.isStored = false;
    return known;
  }
}
