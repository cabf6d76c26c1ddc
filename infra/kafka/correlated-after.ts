import { ulidTime } from '#domain/access/ulid-time.ts';
import type { CorrelationInput } from '#domain/correlation/records.ts';
import type { Changes } from '#domain/ports/pipeline-store.ts';
import type { Input } from './owner.ts';

/** Events of which these records speak for the second time: asked for on demand, linked by hand, bound later. */
const knownBefore = (inputs: readonly Input[]): Set<string> => {
  const known = new Set<string>();
  for (const { entry } of inputs) {
    const value = entry.value as CorrelationInput | null;
    if (value?.kind !== 'facts') continue;
    if (value.links !== undefined || value.arrival.rebound) known.add(value.arrival.eventId);
  }
  return known;
};

/** Seconds from the receipt of each new event, of which its id tells, to its decision in this batch. */
export const correlatedAfter = ({ decisions }: Changes, inputs: readonly Input[], now: number): number[] => {
  if (decisions.length === 0) return [];
  const known = knownBefore(inputs);
  return decisions.flatMap(({ eventId, manual }) => {
    const receivedAt = ulidTime(eventId);
    return manual || receivedAt === null || known.has(eventId) ? [] : [Math.max(0, now - receivedAt) / 1000];
  });
};
