import type { Occurrence } from '#domain/event/incoming.ts';
import { type CompiledSilences, silencingOf } from '#domain/event/silences/judge.ts';
import type { KnownSilences } from '#domain/ports/memory.ts';
import { type CiMaintenance, maintainedUntil } from '#domain/topology/maintenance.ts';

/** Silences and maintenance that the job looks after in one process. */
const MOST_HELD = 10_000;

export const heldKey = (tenant: string, by: string): string => `${tenant}\n${by}`;

export interface Judging {
  readonly tenant: string;
  readonly compiled: CompiledSilences;
  readonly held: KnownSilences['held'];
  /** Time of receipt, ms. */
  readonly now: number;
}

/** The decision travels with the occurrence, so that a replay, another process and another batch size come to the same. */
export function silencedOccurrence(
  occurrence: Occurrence,
  maintenance: CiMaintenance | undefined,
  { tenant, compiled, held, now }: Judging,
): Occurrence {
  const ownUntil = maintenance === undefined ? null : maintainedUntil(maintenance, now);
  const silencing = silencingOf(compiled, occurrence, ownUntil, now);
  if (silencing === null) return occurrence;
  const { by } = silencing;
  if (held.size < MOST_HELD) held.set(heldKey(tenant, by), { tenant, by });
  return { ...occurrence, silencing };
}
