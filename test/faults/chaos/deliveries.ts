import type { Random } from '#test/setup/seeded.ts';
import type { Request } from './client.ts';
import type { Complaint, Ledger } from './ledger.ts';

/** A request with occurrences, and the result in its answer. */
export interface Delivery {
  readonly request: Request;
  readonly complaints: readonly Complaint[];
  /** True if it may be sent again unchanged. */
  readonly repeatable: boolean;
  /** Parses a 2xx; null for an occurrence that is only queued. Throws an Error when the answer is inconsistent. */
  readonly read: (body: never) => readonly (Named | null)[];
}
export interface Named {
  readonly eventId: string;
  readonly count: number;
}

const TITLES = [
  'Disk is full',
  'Link is down',
  'Service unreachable',
  'Connection refused',
  'Out of memory',
  'Latency too high',
  'Replication broken',
  'Certificate expired',
];
const SEVERITIES = ['critical', 'major', 'minor', 'warning'] as const;
const LASTING_HOSTS = 12;
const PHASE_HOSTS = 6;

/**
 * Some hosts have problems throughout, others during one fault only, so that an error can be attributed to the fault.
 */
export const complain = (random: Random, tenant: string, phase: string): Complaint => {
  const lasting = random.chance(0.5);
  const host = lasting
    ? `host-${random.whole(0, LASTING_HOSTS - 1)}`
    : `${phase}-host-${random.whole(0, PHASE_HOSTS - 1)}`;
  return { tenant, host, title: random.pick(TITLES), phase: lasting ? 'throughout' : phase };
};

/** The `n`th of a flood: eight problems of each host, all of them new. */
export const flooded = (n: number, tenant: string, phase: string): Complaint => ({
  tenant,
  phase,
  host: `${phase}-flood-${Math.floor(n / TITLES.length)}`,
  title: TITLES[n % TITLES.length]!,
});

const severityOf = ({ title }: Complaint): string => SEVERITIES[TITLES.indexOf(title) % SEVERITIES.length]!;
const fieldsOf = (complaint: Complaint, sourceId: string) => ({
  source: 'chaos',
  sourceId,
  severity: severityOf(complaint),
  title: complaint.title,
  hostname: complaint.host,
  service: `service-of-${complaint.host}`,
});

interface Said {
  readonly sourceId?: string;
  readonly eventId: string | null;
  readonly status?: string;
  readonly occurrenceCount?: number;
}
const QUEUED = 'queued';
const named = ({ eventId, status, occurrenceCount }: Said): Named | null => {
  if (status === QUEUED) return null;
  if (eventId === null) throw new Error(`an occurrence was answered with "${status}" and no event`);
  return { eventId, count: occurrenceCount ?? 1 };
};

export const single = (complaint: Complaint, id: string, key: string | null): Delivery => ({
  request: {
    method: 'POST',
    path: '/api/events/ingest',
    tenant: complaint.tenant,
    body: JSON.stringify(fieldsOf(complaint, id)),
    ...(key !== null && { key }),
  },
  complaints: [complaint],
  repeatable: key !== null,
  read: (body: Said) => [named(body)],
});

interface BulkSaid {
  readonly summary: { readonly total: number; readonly queued: number; readonly failed: number };
  readonly results: { readonly success: readonly Said[]; readonly duplicates: readonly Said[] };
}

const readBulk =
  (ids: readonly string[]) =>
  ({ summary, results }: BulkSaid): (Named | null)[] => {
    if (summary.failed > 0) throw new Error(`${summary.failed} good occurrences failed`);
    const said = new Map([...results.success, ...results.duplicates].map((one) => [one.sourceId, one]));
    if (said.size + summary.queued !== ids.length)
      throw new Error(`of ${ids.length} occurrences ${said.size} were answered and ${summary.queued} queued`);
    return ids.map((id) => {
      const one = said.get(id);
      return one === undefined ? null : named(one);
    });
  };

export const bulk = (complaints: readonly Complaint[], id: string, key: string | null): Delivery => {
  const ids = complaints.map((_, index) => `${id}-${index}`);
  const events = complaints.map((complaint, index) => fieldsOf(complaint, ids[index]!));
  return {
    request: {
      method: 'POST',
      path: '/api/events/bulk-ingest',
      tenant: complaints[0]!.tenant,
      body: JSON.stringify({ events }),
      ...(key !== null && { key }),
    },
    complaints,
    repeatable: key !== null,
    read: readBulk(ids),
  };
};

const cloudEvent = (complaint: Complaint, id: string, type: string) => ({
  specversion: '1.0',
  id,
  source: 'chaos',
  type,
  subject: `${complaint.host}/${complaint.title}`,
  data: fieldsOf(complaint, id),
});

/** Recoveries end conditions and count nothing; they follow the occurrences of their batch. */
export const webhook = (complaints: readonly Complaint[], ended: readonly Complaint[], id: string): Delivery => ({
  request: {
    method: 'POST',
    path: '/api/events/webhook/cloudevents',
    tenant: complaints[0]!.tenant,
    contentType: 'application/cloudevents-batch+json',
    body: JSON.stringify([
      ...complaints.map((complaint, index) => cloudEvent(complaint, `${id}-${index}`, 'check.firing')),
      ...ended.map((complaint, index) => cloudEvent(complaint, `${id}-end-${index}`, 'check.resolved')),
    ]),
  },
  complaints,
  repeatable: true,
  read: ({ results }: { results: readonly Said[] }) => {
    if (results.length !== complaints.length + ended.length)
      throw new Error(`${results.length} results for ${complaints.length + ended.length} events`);
    return complaints.map((_, index) => named(results[index]!));
  },
});

/** Records a 2xx in the ledger; returns its ids. */
export const acknowledge = (ledger: Ledger, delivery: Delivery, body: unknown, phase: string): (string | null)[] => {
  let said: readonly (Named | null)[] = [];
  try {
    said = delivery.read(body as never);
  } catch (error) {
    ledger.lie(phase, `${delivery.request.path}: ${(error as Error).message}`);
  }
  return delivery.complaints.map((complaint, index) => {
    ledger.tally(complaint).acknowledged += 1;
    const one = said[index] ?? null;
    if (one !== null) ledger.saw(complaint, one.eventId, one.count);
    return one?.eventId ?? null;
  });
};
