import { amendNote } from '#application/records/amend-note.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import type { EventAction } from './event-action.ts';

/** Kind of the record store; by lower-case name. */
export const HEARTBEAT_KIND = 'heartbeat';

/** State of a heartbeat that was received at least once. */
export interface Heartbeat {
  /** Name as in the tenant's list. */
  readonly name: string;
  /** Time of its last receipt, in ms; exact to ten seconds. */
  readonly lastSeen: number;
  /** Its absence was reported and has not ended. */
  readonly missing: boolean;
}

/** Listed heartbeats: id (lower case) → name as the tenant wrote it. */
type HeartbeatNames = ReadonlyMap<string, string>;

/** A beat is written at most this often per heartbeat. */
const WRITE_EVERY_MS = 10_000;

const LABEL = 'alertname:';

export const listedHeartbeats = (names: readonly string[]): HeartbeatNames =>
  new Map(names.map((name) => [name.toLowerCase(), name]));

/**
 * Returns the label `alertname` where the sender has labels, else the title. A recovery is no beat: it means that the
 * beats have ended.
 */
const alertNameOf = (action: EventAction): string | undefined => {
  if (action.action !== 'open') return undefined;
  const { details, tags, title } = action.draft;
  if (typeof details?.alertname === 'string') return details.alertname;
  return tags?.find((tag) => tag.startsWith(LABEL))?.slice(LABEL.length) ?? title;
};

/** Id of the listed heartbeat that fires with this action; null when it is about an event. */
export const heartbeatOf = (action: EventAction, listed: HeartbeatNames): string | null => {
  const id = alertNameOf(action)?.toLowerCase();
  return id !== undefined && listed.has(id) ? id : null;
};

interface Beat {
  readonly tenant: string;
  readonly receivedAt: number;
}

/** Notes a beat of a listed heartbeat. */
export const noteBeat = (records: RecordStore, { tenant, receivedAt }: Beat, id: string, name: string): Promise<void> =>
  amendNote<Heartbeat>(records, { tenant, kind: HEARTBEAT_KIND, id }, (before) =>
    // One that is ahead was noted by a clock that was.
    before !== null && Math.abs(receivedAt - before.lastSeen) < WRITE_EVERY_MS
      ? null
      : { name, lastSeen: receivedAt, missing: before?.missing ?? false },
  );

/** Records the beats of this list; returns for each action whether it is one. */
export const noteHeartbeats = async (
  records: RecordStore,
  actions: readonly EventAction[],
  heard: Beat,
  names: readonly string[],
): Promise<readonly boolean[]> => {
  const listed = listedHeartbeats(names);
  const ids = actions.map((action) => heartbeatOf(action, listed));
  for (const id of new Set(ids)) if (id !== null) await noteBeat(records, heard, id, listed.get(id) ?? id);
  return ids.map((id) => id !== null);
};
