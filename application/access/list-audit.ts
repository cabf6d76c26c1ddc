import { scanRecords } from '#application/records/scan-records.ts';
import { ACCESS_KINDS, type AuditRecord } from '#domain/access/records.ts';
import { leastUlidAt } from '#domain/access/ulid-time.ts';
import type { Page } from '#domain/page.ts';
import type { UseCaseContext } from './context.ts';

/** Records scanned per request; the cursor continues from there. */
const MAX_SCANNED = 10_000;
const CHUNK = 500;

export interface AuditFilter {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Id or user name. */
  readonly actor?: string | undefined;
  /** Kind, id, or kind/id. */
  readonly target?: string | undefined;
  readonly action?: string | undefined;
  /** Epoch ms, both inclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

const matches = (
  { actor, target, action, from = 0, to = Number.POSITIVE_INFINITY }: AuditFilter,
  record: AuditRecord,
) =>
  (actor === undefined || record.actor.id === actor || record.actor.username === actor) &&
  (action === undefined || record.action === action) &&
  (target === undefined ||
    [record.target.kind, record.target.id, `${record.target.kind}/${record.target.id}`].includes(target)) &&
  record.at >= from &&
  record.at <= to;

/** The least id that is too new: everything below it may be shown. */
const startOf = ({ cursor, to }: AuditFilter): string | undefined => {
  const end = to === undefined ? undefined : leastUlidAt(to + 1);
  return cursor === undefined || (end !== undefined && end < cursor) ? end : cursor;
};

/** Newest first. `total` counts matches among the scanned records, from the cursor on. */
export const listAudit = async ({ tenant, ports }: UseCaseContext, filter: AuditFilter): Promise<Page<AuditRecord>> => {
  const { items, ...page } = await scanRecords<AuditRecord>(ports.records, tenant, {
    kind: ACCESS_KINDS.audit,
    descending: true,
    limit: filter.limit,
    atMost: MAX_SCANNED,
    chunk: CHUNK,
    after: startOf(filter),
    until: leastUlidAt(filter.from ?? 0),
    matches: (record) => matches(filter, record),
  });
  return { ...page, items: items.map(({ body }) => body) };
};
