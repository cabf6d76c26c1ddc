import { pause } from '#application/records/pause.ts';
import { isOvertaken } from '#domain/fault.ts';
import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';
import { slices } from '#domain/slices.ts';
import type { ProgressEvent } from './progress-event.ts';

/** The work of the background. */
export const ANALYSE = 'analyse-infrastructure';

/** Documents about infrastructure analyses; `(system)` marks those stored under SYSTEM_TENANT. */
export const ANALYSIS_KINDS = {
  session: 'analysis-session',
  /** By session and number: what listeners are told. */
  event: 'analysis-event',
  /** By session, name and number: what steps have found. */
  part: 'analysis-part',
  /** (system) By tenant: the session that is at work. */
  queue: 'analysis-queue',
  /** (system) By tenant: the process that works on it. */
  lease: 'analysis-lease',
} as const;

/** Sessions with all they hold, ms. */
export const SESSION_KEPT_MS = 86_400_000;
/** Events of one session. */
const MAX_EVENTS = 500;

type SessionStatus = 'running' | 'completed' | 'failed';

/** Counts on the way. */
export interface AnalysisCounts {
  readonly cis: number;
  /** Of the CMDB, and seen by scanners. */
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
  /** Why it failed. */
  readonly error: string | null;
  /** Number of parts by their name, of the steps that are done. */
  readonly parts: Readonly<Record<string, number>>;
  readonly counts: Partial<AnalysisCounts>;
}

/** A session that waits or is worked on. */
export interface QueuedAnalysis {
  readonly tenant: string;
  readonly session: string;
  /** When it was asked for, ms. */
  readonly at: number;
}

export const findSession = (
  records: RecordStore,
  tenant: string,
  id: string,
): Promise<StoredRecord<AnalysisSession> | null> => records.get<AnalysisSession>(tenant, ANALYSIS_KINDS.session, id);

/** Sorts as the numbers do. */
const numbered = (session: string, n: number): string => `${session}/${String(n).padStart(6, '0')}`;
const numberIn = (id: string): number => Number(id.slice(id.lastIndexOf('/') + 1));

/** False when another process has told this one before. */
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

/** Number of the first event behind `n` that is kept, or null. */
export async function firstKeptAfter(
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

/** Keeps a part of what a step has found. */
export const keepPart = (
  records: RecordStore,
  tenant: string,
  { id, startedAt }: Pick<AnalysisSession, 'id' | 'startedAt'>,
  { name, n, body }: { readonly name: string; readonly n: number; readonly body: unknown },
): Promise<number> =>
  records.put(tenant, ANALYSIS_KINDS.part, partId(id, name, n), body, { expiresAt: startedAt + SESSION_KEPT_MS });

/** One part of what a step has found; null when it is not there. */
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

/** Removes parts that nobody asks for any more. */
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
