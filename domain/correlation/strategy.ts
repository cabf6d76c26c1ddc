import type { NearCi } from '#domain/topology/near.ts';
import type { Arrival, Enriched, Hit, ResolvedStrategySettings } from './records.ts';
import type { StrategySettings } from './settings.ts';

/** Keys under which partners are looked up; `perKey` nearest in time of each, `total` in all. */
interface Lookup {
  readonly keys: readonly string[];
  /** The CI whose dependants are looked up after those; absent or null: none. */
  readonly below?: string | null;
  readonly perKey: number;
  /** Maximum of partners of one CI under one key; absent: no such bound. */
  readonly perCi?: number;
  readonly total: number;
}

/** A setting that one strategy alone has: its values, and its name in the console. */
export type OwnSetting = { readonly words: string } & (
  | { readonly kind: 'switch' }
  | { readonly kind: 'choice'; readonly choices: readonly number[] }
  | { readonly kind: 'number'; readonly least: number; readonly most: number; readonly step: number }
);

/** Names of a strategy for users. */
interface StrategyWords {
  /** Label beside a score. */
  readonly label: string;
  /** Label in the settings, with the information needed there. */
  readonly setting: string;
  readonly help: string;
  /** Text after "By", in the picture of the pipeline. */
  readonly by: string;
}

/** Length of a window that a tenant leaves to us. */
export interface AutoWindow {
  readonly mostMs: number;
  /** Window in ms, for a tenant with this number of new events in 24 h. */
  windowMs(dayCount: number): number;
}

/**
 * One strategy that relates two events. Pure: a score depends on the two records alone. Windows call `keys` and `above`
 * for stored arrivals, `lookup` for new ones. `Own`: settings of this strategy alone.
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
  /** Returns CIs under which `below` finds the partner, in addition to its keys. */
  above?(partner: Arrival): readonly NearCi[];
  lookup(arrival: Enriched, own: ResolvedStrategySettings & Own): Lookup;
  /** The score of the pair, or null when this strategy sees no relation. Called for pairs inside the window only. */
  score(arrival: Enriched, other: Arrival, own: ResolvedStrategySettings & Own): Omit<Hit, 'other'> | null;
  /** Returns the inputs of the score for `explain`, also when there is none. */
  inputs(arrival: Enriched, other: Arrival, own: ResolvedStrategySettings & Own): Readonly<Record<string, unknown>>;
  /** Returns the reason why `score` is null, for `explain`. */
  noMatchReason(arrival: Arrival, other: Arrival): string;
}

/** Bounds of the settings of this strategy alone, by name. */
export const ownSettingsOf = ({ own = {} }: Strategy): [string, OwnSetting][] =>
  Object.entries(own as Readonly<Record<string, OwnSetting>>);
