import { linksOf } from '#domain/correlation/grouping/links.ts';
import type { Arrival, Enriched } from '#domain/correlation/records.ts';
import type { PlacedTransition } from '#domain/correlation/status-transitions.ts';
import { strategies } from '#domain/correlation/strategies/strategies.ts';
import { admit, evict, match, openTenantWindow, type TenantWindow, turn } from '#domain/correlation/window/window.ts';
import type { Link } from '#domain/event/incoming.ts';

/** The five windows of one tenant outside the pipeline: batch analysis, simulation, correlation on demand. */
export type Windows = ReadonlyMap<string, TenantWindow>;

export const openWindows = (): Windows => new Map(strategies.map(({ name }) => [name, openTenantWindow()]));

/** Admits an arrival as a partner of later ones. */
export function admitAll(windows: Windows, arrival: Arrival): void {
  for (const strategy of strategies) {
    const window = windows.get(strategy.name) as TenantWindow;
    admit(window, strategy, arrival);
    evict(window, strategy);
  }
}

/** Records ends and returns of an event, later ones as well: an arrival uses those up to its position. */
export function turnAll(windows: Windows, turns: readonly PlacedTransition[]): void {
  for (const window of windows.values()) for (const told of turns) turn(window, told);
}

/** Links that the pipeline would find for this arrival among the admitted partners, best first, with scores above `above`. */
export const linksIn = (windows: Windows, record: Enriched, above = 0): Link[] =>
  linksOf(
    strategies.map((strategy) => ({
      strategy: strategy.name,
      hits: match(windows.get(strategy.name) as TenantWindow, strategy, record).hits,
    })),
    above,
  );

/** The links of one arrival to others, scored, bounded and merged as the pipeline does; final scores above 0.5, best first. */
export function relate(arrival: Enriched, others: readonly Enriched[]): Link[] {
  const windows = openWindows();
  for (const other of others) admitAll(windows, other.arrival);
  return linksIn(windows, arrival);
}

/** Names of the strategies that run with these settings. */
export const strategiesUsed = ({ settings }: Enriched): string[] =>
  strategies.map(({ name }) => name).filter((name) => settings.strategies[name]?.enabled);
