import type { Ask, Incoming } from '#domain/event/incoming.ts';
import { believable } from '#domain/event/life/change.ts';

/** The times that an API process has believed by its own clock. */
const askAt = (ask: Ask, receivedAt: number): Ask => {
  if (ask.kind === 'occurred') {
    const { occurrence } = ask;
    return { ...ask, occurrence: { ...occurrence, timestamp: believable(occurrence.timestamp, receivedAt) } };
  }
  return 'at' in ask ? { ...ask, at: believable(ask.at, receivedAt) } : ask;
};

/**
 * Nothing was received after the broker appended it. An API process with a clock that is ahead would otherwise raise the watermark of
 * its tenants, and events of all others would come late.
 */
export const receivedBy = (record: Incoming, appendedAt: number): Incoming =>
  record.receivedAt <= appendedAt ? record : { ...record, receivedAt: appendedAt, ask: askAt(record.ask, appendedAt) };
