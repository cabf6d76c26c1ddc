import type { NearCi } from '#domain/topology/near.ts';
import type { Arrival, Enriched, Hit, ResolvedStrategySettings } from './records.ts';
import type { StrategySettings } from './settings.ts';

/** Keys under which partners are looked up; `perKey` nearest in time of each, `total` in all. */
interface Lookup {
  readonly keys: readonly string[];
  /** The CI whose dependants are looked up after those; absent or null: none. */
  readonly below?: string | null;
  readonly perKey: number;
  /** At most so many partners of one CI under one key; absent: no such bound. */
  readonly perCi?: number;
  readonly total: number;
}

/** A setting that one strategy alone has: its values, and its name in the console. */
export type OwnSetting = { readonly words: string } & (
  | { readonly kind: 'switch' }
  | { readonly kind: 'choice'; readonly choices: readonly number[] }
  | { readonly kind: 'number'; readonly least: number; readonly most: number; readonly step: number }
);

/** How a strategy is named to people. */
interface StrategyWords {
  /** Beside a score. */
  readonly label: string;
  /** Among the settings, and what they need to know there. */
  readonly setting: string;
  readonly help: string;
  /** After "By", in the picture of the pipeline. */
  readonly by: string;
}

/** How long a window is that a tenant leaves to us. */
export interface AutoWindow {
  readonly mostMs: number;
  /** In ms, for a tenant with so many new events in 24 h. */
  windowMs(dayCount: number): number;
}

/**
 * One way to relate two events: all that the program knows of it. Pure: a score depends on the two records alone. Windows ask `keys` and
 * `above` of stored arrivals, `lookup` of new ones. `Own`: settings of this strategy alone.
 */
export interface Strategy<Own extends object = object> {
  /** Also in settings, records, decisions and the name of its processor: it never changes. */
  readonly name: string;
  readonly words: StrategyWords;
  readonly defaults: StrategySettings & Own;
  readonly own?: { readonly [K in keyof Own]: OwnSetting };
  /** Absent: its window cannot be `auto`. */
  readonly auto?: AutoWindow;
  /** The worth of its evidence where the topology knows both CIs and nothing joins them, 0 to 1; absent: 1. */
  readonly worthUnrelated?: number;
  keys(partner: Arrival): readonly string[];
  /** CIs under which the partner is found by `below`, apart from its keys. */
  above?(partner: Arrival): readonly NearCi[];
  lookup(arrival: Enriched, own: ResolvedStrategySettings & Own): Lookup;
  /** The score of the pair, or null when this strategy sees no relation. Called for pairs inside the window only. */
  score(arrival: Enriched, other: Arrival, own: ResolvedStrategySettings & Own): Omit<Hit, 'other'> | null;
  /** For `explain`: what went into the score, also when there is none. */
  inputs(arrival: Enriched, other: Arrival, own: ResolvedStrategySettings & Own): Readonly<Record<string, unknown>>;
  /** For `explain`: why `score` is null. */
  whyNot(arrival: Arrival, other: Arrival): string;
}

/** Bounds of the settings of this strategy alone, by name. */
export const ownSettingsOf = ({ own = {} }: Strategy): [string, OwnSetting][] =>
  Object.entries(own as Readonly<Record<string, OwnSetting>>);
