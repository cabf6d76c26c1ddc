import { byTenant } from '#application/operations/by-tenant.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { SinkEvent } from '#domain/ports/sink.ts';
import { slices } from '#domain/slices.ts';

/** Groups brought up to date at once. */
const AT_ONCE = 100;

/** Brings the rows of groups up to date; `id` of a happening is that of a group. */
export const takeRows = ({ groupRows }: Pick<Ports, 'groupRows'>, batch: readonly SinkEvent[]): Promise<void> =>
  byTenant(batch, async (tenant, own) => {
    const ids = [...new Set(own.map(({ id }) => id))];
    for (const some of slices(ids, AT_ONCE)) await groupRows.refresh(tenant, some);
  });
