import { pause } from '#application/records/pause.ts';
import { isOvertaken } from '#domain/fault.ts';
import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';
import { slices } from '#domain/slices.ts';
import type { ProgressEvent } from './progress-event.ts';

/** Documents about infrastructure analyses. */
export const ANALYSIS_KINDS = {
  session: 'analysis-session',
  /** Events for listeners, by session and number. */
  event: 'analysis-event',
  /** Results of steps, by session, name and number. */
  part: 'analysis-part',
} as const;

/** Sessions with all they hold, ms. */
export const SESSION_KEPT_MS = 86_400_000;
/** Events of one session. */
const MAX_EVENTS = 500;

type SessionStatus = 'running' | 'completed' | 'failed';

/** Counts on the way. */
export interface AnalysisCounts {
  readonly cis: number;
  /** Relationships of the CMDB, and connections from scans. */
  readonly relationships: number;
  readonly connections: number;
  /** There is more than was read. */
  readonly truncated: boolean;
  readonly hubs: number;
  /** Links that were left out: of hubs, and into front doors. */
  readonly cutLinks: number;
  readonly components: number;
  readonly services: number;
  /** CIs of no service. */
  readonly unassigned: number;
}

export interface AnalysisSession {
  readonly id: string;
  readonly status: SessionStatus;
  readonly startedAt: number;
  readonly completedAt: number | null;
  /** The person who asked. */
  readonly by: string;
  /** Reason for the failure. */
  readonly error: string | null;
  /** Number of parts by their name, of the steps that are done. */
  readonly parts: Readonly<Record<string, number>>;
  readonly counts: Partial<AnalysisCounts>;
}

export const findSession = (
  records: RecordStore,
  tenant: string,
  id: string,
): Promise<StoredRecord<AnalysisSession> | null> => records.get<AnalysisSession>(tenant, ANALYSIS_KINDS.session, id);

/** Sorts as the numbers do. */
const numbered = (session: string, n: number): string => `${session}/${String(n).padStart(6, '0')}`;
const numberIn = (id: string): number => Number(id.slice(id.lastIndexOf('/') + 1));

/** False when another process has already sent this event. */
export async function appendEvent(
  records: RecordStore,
  tenant: string,
  session: Pick<AnalysisSession, 'id' | 'startedAt'>,
  n: number,
  event: ProgressEvent,
): Promise<boolean> {
  const options = { expected: 0, expiresAt: session.startedAt + SESSION_KEPT_MS };
  try {
    await records.put(tenant, ANALYSIS_KINDS.event, numbered(session.id, n), event, options);
  } catch (error) {
    if (isOvertaken(error)) return false;
    throw error;
  }
  if (n > MAX_EVENTS) await records.remove(tenant, ANALYSIS_KINDS.event, numbered(session.id, n - MAX_EVENTS));
  return true;
}

/** The last event that goes along with the end of its session. */
export const lastEvent = (tenant: string, { id, startedAt }: AnalysisSession, n: number, body: ProgressEvent) => ({
  tenant,
  kind: ANALYSIS_KINDS.event,
  id: numbered(id, n),
  body,
  expiresAt: startedAt + SESSION_KEPT_MS,
});

export const readEvent = async (
  records: RecordStore,
  tenant: string,
  session: string,
  n: number,
): Promise<ProgressEvent | null> =>
  (await records.get<ProgressEvent>(tenant, ANALYSIS_KINDS.event, numbered(session, n)))?.body ?? null;

/** Returns the number of the first stored event after `n`, or null. */
export async function firstStoredAfter(
  records: RecordStore,
  tenant: string,
  session: string,
  n: number,
): Promise<number | null> {
  const [first] = await records.list(tenant, ANALYSIS_KINDS.event, { after: numbered(session, n), limit: 1 });
  return first?.id.startsWith(`${session}/`) ? numberIn(first.id) : null;
}

/** Number of the newest event; 0 without any. */
export async function newestEvent(records: RecordStore, tenant: string, session: string): Promise<number> {
  const options = { after: numbered(session, 999_999), limit: 1, descending: true };
  const [newest] = await records.list(tenant, ANALYSIS_KINDS.event, options);
  return newest?.id.startsWith(`${session}/`) ? numberIn(newest.id) : 0;
}

const partId = (session: string, name: string, n: number): string => numbered(`${session}/${name}`, n);

/** Stores a part of the result of a step. */
export const storePart = (
  records: RecordStore,
  tenant: string,
  { id, startedAt }: Pick<AnalysisSession, 'id' | 'startedAt'>,
  { name, n, body }: { readonly name: string; readonly n: number; readonly body: unknown },
): Promise<number> =>
  records.put(tenant, ANALYSIS_KINDS.part, partId(id, name, n), body, { expiresAt: startedAt + SESSION_KEPT_MS });

/** Returns one part of the result of a step; null when it is missing. */
export const readPart = async <T>(
  records: RecordStore,
  tenant: string,
  session: string,
  name: string,
  n: number,
): Promise<T | null> => (await records.get<T>(tenant, ANALYSIS_KINDS.part, partId(session, name, n)))?.body ?? null;

/** Removed by one write, and the pause after it, ms. */
const DROPPED_AT_ONCE = 10;
const DROP_PAUSE_MS = 10;

/** Removes unused parts. */
export async function dropParts(
  records: RecordStore,
  tenant: string,
  session: string,
  parts: Readonly<Record<string, number>>,
): Promise<void> {
  const ids = Object.entries(parts).flatMap(([name, count]) =>
    Array.from({ length: count }, (_, n) => partId(session, name, n)),
  );
  for (const some of slices(ids, DROPPED_AT_ONCE)) {
    await Promise.all(some.map((id) => records.remove(tenant, ANALYSIS_KINDS.part, id)));
    await pause(DROP_PAUSE_MS);
  }
}
