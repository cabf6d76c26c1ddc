import type { UseCaseContext } from '#application/access/context.ts';
import type { AggregateFilter } from '#domain/ports/events/event-aggregates.ts';
import type { Range } from '#features/ai/rules/time/range.ts';
import type { Finding, InsightKind } from '#features/detectors/rules/finding.ts';

/** The caller, and the subject. */
export interface DetectorAsking extends Pick<UseCaseContext, 'tenant' | 'ports' | 'receivedAt'> {
  readonly range: Range;
  /** Events in scope: those on the requested CIs, or of the service. */
  readonly scope: Pick<AggregateFilter, 'ciIds' | 'ofService'>;
  /** Requested CIs; null: all. */
  readonly ciIds: readonly string[] | null;
}

/** The number of events, CIs, incidents or changes read; `truncated`: there are more. */
export interface Looked {
  readonly what: 'signatures' | 'hours' | 'events' | 'cis' | 'incidents' | 'changes';
  readonly read: number;
  readonly truncated: boolean;
}

export interface Detected {
  readonly findings: readonly Finding[];
  readonly looked: readonly Looked[];
}

/** Reads what its detectors need, and runs those of them that are wanted. */
export interface DetectorReading {
  readonly kinds: readonly InsightKind[];
  readonly detect: (asking: DetectorAsking, isWanted: (kind: InsightKind) => boolean) => Promise<Detected>;
}

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;

/** Returns the address of the events of a range. */
export const eventsHref = ({ from, to }: Range): string =>
  `/v1/events?${new URLSearchParams({ from: new Date(from).toISOString(), to: new Date(to).toISOString() })}`;
