import type { UseCaseContext } from '#application/access/context.ts';
import { requirePermission } from '#application/access/require-permission.ts';
import type { Permission } from '#domain/access/permissions.ts';
import type { Metric, QueryRow } from '#features/questions/rules/query.ts';

/** The caller, and its time zone; a handler's context has the rest. */
export interface QueryAsking extends Pick<UseCaseContext, 'tenant' | 'ports' | 'receivedAt' | 'caller'> {
  /** IANA name. */
  readonly zone: string;
}

/** Values of one metric in one range, before they are ordered and cut. */
export interface CountedMetric {
  readonly rows: readonly QueryRow[];
  readonly total: number | null;
  readonly count: number;
  readonly truncated: boolean;
}

const NEEDS: Readonly<Partial<Record<Metric, Permission>>> = {
  cis: 'cmdb.read',
  relationships: 'cmdb.read',
  service_health: 'services.read',
  ai_cost: 'settings.read',
};

/** Throws Fault `forbidden` when the caller may not see what is counted. */
export const requireReadable = (asking: QueryAsking, metric: Metric): void =>
  requirePermission(asking, NEEDS[metric] ?? 'events.read');
