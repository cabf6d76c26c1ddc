import type { HistoryRange, PastEvent } from '#domain/ports/events/event-history.ts';
import type { Reading } from '#infra/embedded/journal/connections.ts';
import { interruptible } from '#infra/embedded/journal/interrupt.ts';

export interface HistoryOf extends HistoryRange {
  readonly tenant: string;
  readonly signatures: readonly string[];
}

const NEWEST = `SELECT id, timestamp, resolved_at FROM event INDEXED BY event_signature
  WHERE tenant = ? AND signature = ? AND timestamp BETWEEN ? AND ? AND ${interruptible('seq')}
  ORDER BY timestamp DESC, id DESC LIMIT ?`;

type Row = readonly [id: string, timestamp: number, resolvedAt: number | null];

/** By signature its newest events in the range, newest first. */
export function historyOf(
  reading: Reading,
  { tenant, signatures, from, to, limit }: HistoryOf,
): ReadonlyMap<string, readonly PastEvent[]> {
  const found = new Map<string, readonly PastEvent[]>();
  for (const signature of new Set(signatures)) {
    const rows = reading.arrays<Row>(NEWEST).all(tenant, signature, from, to, limit);
    const events = rows.map(([id, timestamp, resolvedAt]) => ({ id, timestamp, resolvedAt }));
    if (events.length > 0) found.set(signature, events);
  }
  return found;
}
