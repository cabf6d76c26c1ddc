import type { Ask, Incoming } from '#domain/event/incoming.ts';
import { believable } from '#domain/event/life/change.ts';

/** Longer than a producer tries: no record is on its way for so long, ms. */
const MOST_ON_ITS_WAY_MS = 10 * 60_000;

/** The times of an API process whose clock is off; `before`: what it called the time of receipt. */
const askAt = (ask: Ask, before: number, receivedAt: number): Ask => {
  const timeOf = (at: number): number => (at === before ? receivedAt : believable(at, receivedAt));
  if (ask.kind === 'occurred') {
    const { occurrence } = ask;
    return { ...ask, occurrence: { ...occurrence, timestamp: timeOf(occurrence.timestamp) } };
  }
  return 'at' in ask ? { ...ask, at: timeOf(ask.at) } : ask;
};

/** Assignments, which merge makes, carry the time of an event. */
const isReceived = (ask: Ask): boolean => ask.kind === 'occurred' || 'at' in ask;

const isBehind = ({ ask, receivedAt }: Incoming, appendedAt: number): boolean =>
  receivedAt < appendedAt - MOST_ON_ITS_WAY_MS && isReceived(ask);

/**
 * Nothing was received after the broker appended it, or long before. The clock of one API process would otherwise move the watermark of
 * its tenants, and events of all others would come late.
 */
export const receivedBy = (record: Incoming, appendedAt: number): Incoming =>
  record.receivedAt <= appendedAt && !isBehind(record, appendedAt)
    ? record
    : { ...record, receivedAt: appendedAt, ask: askAt(record.ask, record.receivedAt, appendedAt) };
