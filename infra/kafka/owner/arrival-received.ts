import { ulidTime } from '#domain/access/ulid-time.ts';
import { isNewArrival } from '#domain/correlation/grouping/arrival-queue.ts';
import type { CorrelationInput } from '#domain/correlation/records.ts';
import type { Input } from './owner.ts';

/** When the new event that a record tells of was received, ms: its id has it. Null for all other records. */
export const arrivalReceived = ({ entry, fault }: Pick<Input, 'entry' | 'fault'>): number | null => {
  const value = entry.value as CorrelationInput | null;
  return fault === null && value !== null && isNewArrival(value) ? ulidTime(value.arrival.eventId) : null;
};
