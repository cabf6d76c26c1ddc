import type { CorrelationInput, Enriched } from '#domain/correlation/records.ts';
import type { PlacedTransition } from '#domain/correlation/status-transitions.ts';
import type { Strategy } from '#domain/correlation/strategy.ts';
import {
  admit,
  evict,
  match,
  openTenantWindow,
  REACH_MS,
  type TenantWindow,
  turn,
} from '#domain/correlation/window/window.ts';
import type { Join, Restorable } from '#domain/pipeline/processor.ts';
import { correlationHits, eventsEnriched } from '#schemas/topics/topics.ts';
import { dropIdle, openTenants, type Tenants, tenantOf, touch } from './idle.ts';

/** Declares a processor that matches arrivals within a window; the runner does logging, metrics, retries and offsets. */
const join = <State, In>(declared: Omit<Join<State, In>, 'kind' | '__in'>): Join<State, In> => ({
  kind: 'join',
  ...declared,
});

export type Window = Tenants<TenantWindow>;

const isIdle = ({ watermark }: TenantWindow, newest: number): boolean => watermark < newest - REACH_MS;

async function restore(state: Window, strategy: Strategy, from: Restorable): Promise<void> {
  for await (const piece of from.arrivals(REACH_MS))
    for (const { arrival, late, turns } of piece) {
      if (late) continue;
      const window = tenantOf(state, arrival.tenant, openTenantWindow);
      admit(window, strategy, arrival);
      evict(window, strategy);
      for (const told of turns) turn(window, told);
      touch(state, window, arrival.time);
    }
}

const noteTransition = ({ tenants }: Window, tenant: string, told: PlacedTransition): void => {
  const window = tenants.get(tenant);
  if (window !== undefined) turn(window, told);
};

type Hits = Extract<CorrelationInput, { kind: 'hits' }>;

/** Halves the list as long as it does not fit, best first; removed ones count as cut. */
const bestOf = (record: Hits, fits: (value: unknown) => boolean): Hits | null => {
  const best = record.hits.toSorted((a, b) => b.score - a.score);
  for (let count = best.length >> 1; count > 0; count >>= 1) {
    const value: Hits = { ...record, hits: best.slice(0, count), cut: record.cut + best.length - count };
    if (fits(value)) return value;
  }
  return null;
};

/** The join of one strategy: scores each arrival against the partners of its window, then admits it. */
export const correlate = (strategy: Strategy): Join<Window, Enriched> =>
  join({
    name: `correlate.${strategy.name}`,
    input: eventsEnriched,
    open: openTenants,
    restore: (state, from) => restore(state, strategy, from),
    match(state, { tenant, position, value: record }, effects) {
      // A transition is irrelevant to a tenant without any stored arrivals.
      if (record.turn !== undefined) return noteTransition(state, tenant, { ...record.turn, position });
      const window = tenantOf(state, tenant, openTenantWindow);
      const { hits, cut } = match(window, strategy, record);
      admit(window, strategy, record.arrival);
      evict(window, strategy);
      touch(state, window, record.arrival.time);
      dropIdle(state, isIdle);
      if (hits.length === 0) return;
      const { eventId } = record.arrival;
      const value: CorrelationInput = { kind: 'hits', strategy: strategy.name, eventId, hits, cut };
      effects.emit(correlationHits, { tenant, position, value });
    },
    smaller: (value, fits) => ((value as CorrelationInput).kind === 'hits' ? bestOf(value as Hits, fits) : null),
    passed({ tenant, position }, effects) {
      const value: CorrelationInput = { kind: 'passed', strategy: strategy.name, through: position };
      effects.emit(correlationHits, { tenant, position, value });
    },
    sizes: ({ tenants }) => ({
      tenants: tenants.size,
      partners: [...tenants.values()].reduce((sum, { queue, head }) => sum + queue.length - head, 0),
    }),
  });
