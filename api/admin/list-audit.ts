import type { Context } from '#api/endpoint.ts';
import { ACCESS_KINDS, type AuditRecord } from '#domain/access/records.ts';
import { leastUlidAt } from '#domain/access/ulid-time.ts';
import type { Page } from '#domain/ports/event-store.ts';

/** Records looked at per request; the cursor goes on from there. */
export const MAX_SCANNED = 10_000;
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

/** Newest first. `total` counts what matches among the records looked at, from the cursor on. */
export const listAudit = async ({ tenant, ports }: Context, filter: AuditFilter): Promise<Page<AuditRecord>> => {
  const oldest = leastUlidAt(filter.from ?? 0);
  const found: AuditRecord[] = [];
  let after = startOf(filter);
  let scanned = 0;
  let atEnd = false;
  while (!atEnd && scanned < MAX_SCANNED) {
    const options = { limit: CHUNK, descending: true, ...(after === undefined ? {} : { after }) };
    const chunk = await ports.records.list<AuditRecord>(tenant, ACCESS_KINDS.audit, options);
    found.push(...chunk.map(({ body }) => body).filter((record) => matches(filter, record)));
    scanned += chunk.length;
    after = chunk.at(-1)?.id ?? after;
    atEnd = chunk.length < CHUNK || (after !== undefined && after < oldest);
  }
  const items = found.slice(0, filter.limit);
  const nextCursor = found.length > items.length ? items.at(-1)!.id : atEnd ? null : (after ?? null);
  return { items, total: found.length, nextCursor };
};
