import type { QueryContext } from '#application/access/context.ts';
import { currentSilences } from '#application/events/silences/silence-store.ts';
import { findRows } from '#application/groups/listing/list-rows.ts';
import { lifecycleSettings } from '#application/records/tenant-settings.ts';
import { everyService } from '#application/services/service-store.ts';
import { CRITICALITIES } from '#domain/event/business-impact.ts';
import { SEVERITIES, type Severity } from '#domain/event/event.ts';
import { type SilenceRule, silenceState } from '#domain/event/silences/silence-rule.ts';
import type { Service } from '#domain/services/service.ts';
import type { Assessed } from '#features/services/schemas/services.ts';
import { assess } from '#features/services/use-cases/assess.ts';
import type { SilentSource } from '#features/silent-sources/schemas/silent-source.ts';
import { silentSources } from '#features/silent-sources/use-cases/watch-sources.ts';

const SHOWN = ['active', 'acknowledged'] as const;
/** Services with a lower score are listed. */
const HEALTHY_SCORE = 80;
/** Services whose health is computed: the most critical. */
const MAX_ASSESSED = 200;
const ENDS_WITHIN_MS = 2 * 3_600_000;

interface StateCount {
  readonly status: (typeof SHOWN)[number];
  readonly severity: Severity;
  readonly count: number;
}
export interface HomeNow {
  /** Groups and events in none; zero counts are left out. */
  readonly counts: readonly StateCount[];
  /** Those below the score, the worst first; null: no permission. */
  readonly services: readonly Pick<Assessed, 'service' | 'health'>[] | null;
  readonly sources: readonly SilentSource[];
  readonly silences: readonly SilenceRule[];
}

async function countsOf({ ports, tenant }: QueryContext): Promise<HomeNow['counts']> {
  const { loneFrom } = await lifecycleSettings(ports.records, tenant);
  const page = { sort: 'urgency', order: 'desc', limit: 1 } as const;
  const cells = SHOWN.flatMap((status) => SEVERITIES.map((severity) => ({ status, severity })));
  const counted = cells.map(async ({ status, severity }): Promise<StateCount> => {
    const filter = { statuses: [status], severities: [severity] };
    return { status, severity, count: (await findRows(ports, tenant, filter, page, loneFrom)).total };
  });
  return (await Promise.all(counted)).filter(({ count }) => count > 0);
}

const rankOf = ({ criticality }: Service): number => CRITICALITIES.indexOf(criticality);

async function servicesBelow({ ports, tenant, caller }: QueryContext): Promise<HomeNow['services']> {
  if (!caller.permissions.has('services.read')) return null;
  const all = (await everyService(ports.records, tenant)).sort((a, b) => rankOf(a) - rankOf(b));
  if (all.length === 0) return [];
  return (await assess(ports, tenant, all.slice(0, MAX_ASSESSED)))
    .filter(({ health }) => health.status !== 'unknown' && health.score < HEALTHY_SCORE)
    .sort((a, b) => a.health.score - b.health.score);
}

const endingSoon = async ({ ports, tenant, receivedAt: now }: QueryContext): Promise<readonly SilenceRule[]> =>
  (await currentSilences(ports.records, tenant)).silences
    .filter((rule) => silenceState(rule, now) === 'active' && rule.endsAt - now <= ENDS_WITHIN_MS)
    .sort((a, b) => a.endsAt - b.endsAt);

/** Returns everything that needs attention now. */
export async function readNow(context: QueryContext): Promise<HomeNow> {
  const [counts, services, sources, silences] = await Promise.all([
    countsOf(context),
    servicesBelow(context),
    silentSources(context.ports, context.tenant),
    endingSoon(context),
  ]);
  return { counts, services, sources, silences };
}
