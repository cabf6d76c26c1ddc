import { byTenant } from '#application/operations/by-tenant.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { SinkEvent } from '#domain/ports/sink.ts';

/** Brings the rows of groups up to date; `id` of a happening is that of a group. */
export const takeRows = ({ groupRows }: Pick<Ports, 'groupRows'>, batch: readonly SinkEvent[]): Promise<void> =>
  byTenant(batch, async (tenant, own) => {
    await groupRows.refresh(tenant, [...new Set(own.map(({ id }) => id))]);
  });
