import { isDeepStrictEqual } from 'node:util';
import type { Group } from '#domain/correlation/records.ts';
import { type Event, parseEventId } from '#domain/event/event.ts';
import { complaintKey, type Ledger } from './ledger.ts';
import type { Replayed, Sent } from './replay.ts';
import type { Stored } from './stored.ts';

/** Something that must not be, and the fault it belongs to. */
export interface Problem {
  readonly kind: 'lost' | 'double' | 'lie' | 'differs' | 'poison' | 'lag';
  readonly phase: string;
  readonly what: string;
}

const problemOf = ({ tenant, hostname = '', title }: Event): string => complaintKey({ tenant, host: hostname, title });

/** Each problem was counted as often as it was acknowledged, and at most as often as it was sent. */
export const checkCounts = (ledger: Ledger, events: readonly Event[]): Problem[] => {
  const counted = new Map<string, number>();
  for (const event of events) {
    const key = problemOf(event);
    counted.set(key, (counted.get(key) ?? 0) + event.count);
  }
  const problems: Problem[] = [];
  for (const [key, { phase, acknowledged, unknown }] of ledger.tallies) {
    const count = counted.get(key) ?? 0;
    const what = `${key.replaceAll('\n', ' / ')}: acknowledged ${acknowledged}, unknown ${unknown}, counted ${count}`;
    if (count < acknowledged) problems.push({ kind: 'lost', phase, what });
    if (count > acknowledged + unknown) problems.push({ kind: 'double', phase, what });
    counted.delete(key);
  }
  for (const [key, count] of counted)
    if (!key.includes('\npoisoned\n'))
      problems.push({
        kind: 'double',
        phase: 'throughout',
        what: `${key.replaceAll('\n', ' / ')}: never sent, counted ${count}`,
      });
  return problems;
};

/** Each event that an answer named is there, with at least the count that was shown. */
export const checkEvents = (ledger: Ledger, events: readonly Event[]): Problem[] => {
  const byId = new Map(events.map((event) => [event.id, event]));
  const problems: Problem[] = [];
  for (const [eventId, { tenant, phase, count }] of ledger.events) {
    const event = byId.get(parseEventId(eventId) ?? '');
    if (event?.tenant !== tenant)
      problems.push({ kind: 'lost', phase, what: `${eventId} was acknowledged and is not stored` });
    else if (event.count < count)
      problems.push({
        kind: 'lost',
        phase,
        what: `${eventId} was shown with ${count} occurrences and has ${event.count}`,
      });
  }
  return problems;
};

/**
 * Each change of status happened once when it was acknowledged, never when it was refused, and at most once otherwise;
 * a queued one happened, or is in `refused`, the notes of logged ones that do not fit the event's status.
 */
export const checkPatches = (ledger: Ledger, events: readonly Event[], refused: ReadonlySet<string>): Problem[] => {
  const noted = new Map<string, number>();
  for (const { history } of events)
    for (const { notes } of history) if (notes !== undefined) noted.set(notes, (noted.get(notes) ?? 0) + 1);
  return ledger.patches.flatMap(({ eventId, note, phase, outcome }): Problem[] => {
    const times = noted.get(note) ?? 0;
    const what = `a change of ${eventId} (${outcome}) happened ${times} times`;
    const mustBe = outcome === 'done' || (outcome === 'queued' && !refused.has(note));
    if (mustBe && times === 0) return [{ kind: 'lost', phase, what }];
    if (times > (outcome === 'refused' ? 0 : 1)) return [{ kind: 'double', phase, what }];
    return [];
  });
};

const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** The first members in which two documents differ, in words. */
const difference = (stored: object | undefined, wanted: object | undefined): string => {
  if (stored === undefined) return 'is not stored';
  if (wanted === undefined) return 'should not be there';
  const [is, must] = [plain(stored) as Record<string, unknown>, plain(wanted) as Record<string, unknown>];
  const names = [...new Set([...Object.keys(is), ...Object.keys(must)])];
  return names
    .filter((name) => !isDeepStrictEqual(is[name], must[name]))
    .map(
      (name) =>
        `${name}: ${JSON.stringify(is[name])?.slice(0, 200)} instead of ${JSON.stringify(must[name])?.slice(0, 200)}`,
    )
    .join('; ');
};

const compare = <T extends object>(
  kind: string,
  stored: readonly T[],
  wanted: readonly T[],
  key: (row: T) => string,
): Problem[] => {
  const is = new Map(stored.map((row) => [key(row), row]));
  const must = new Map(wanted.map((row) => [key(row), row]));
  return [...new Set([...is.keys(), ...must.keys()])].flatMap((name): Problem[] => {
    const words = difference(is.get(name), must.get(name));
    return words === '' ? [] : [{ kind: 'differs', phase: 'throughout', what: `${kind} ${name}: ${words}` }];
  });
};

/** Earlier causes are those published when a batch ended: the batches are not in the records. */
const asReplayed = ({
  named = [],
  ...group
}: Group): Omit<Group, 'named'> & { readonly cause: string | undefined } => ({
  ...group,
  cause: named.at(-1)?.eventId,
});

/** The stored state equals that of one process that never died: nothing was lost, repeated or reordered. */
export const checkReplay = (stored: Stored, replayed: Replayed): Problem[] => [
  ...compare('event', stored.events, replayed.events, ({ id }) => id),
  ...compare('decision', stored.decisions, replayed.decisions, ({ tenant, position }) => `${tenant}/${position}`),
  ...compare('group', stored.groups.map(asReplayed), replayed.groups.map(asReplayed), ({ id }) => id),
];

/** Each new event was enriched, and sent to merge unless it was late. */
export const checkArrivals = (
  { enriched }: Stored,
  events: readonly Event[],
  facts: ReadonlySet<string>,
): Problem[] => {
  const byId = new Map(enriched.map((record) => [record.arrival.eventId, record]));
  return events.flatMap(({ id }): Problem[] => {
    const record = byId.get(id);
    const what = record === undefined ? 'was never enriched' : 'never reached merge';
    const fine = record !== undefined && (record.late || facts.has(id));
    return fine ? [] : [{ kind: 'lost', phase: 'throughout', what: `the arrival of ${id} ${what}` }];
  });
};

/** Each strategy has returned the same for each arrival as without any fault, regardless of repetitions. */
export const checkHits = (sent: Sent['hits'], wanted: Replayed['hits']): Problem[] => {
  const keys = new Set([...sent.keys(), ...wanted.keys()]);
  return [...keys].flatMap((key): Problem[] => {
    const said = plain(sent.get(key) ?? []);
    const must = plain(wanted.get(key) ?? []);
    if (said.length > 0 && said.every((one) => isDeepStrictEqual(one, must))) return [];
    const what = `hits ${key}: ${JSON.stringify(said).slice(0, 400)} instead of ${JSON.stringify(must).slice(0, 400)}`;
    return [{ kind: 'differs', phase: 'throughout', what }];
  });
};
