import { eachActiveTenant } from '#application/records/each-tenant.ts';
import { analysingSettings } from '#application/records/tenant-settings.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { analyseEvents, isAnalysed } from './analyse-events.ts';
import { DEFERRED_KIND, type DeferredAnalyses } from './deferred-records.ts';

/** Pages worked off per tenant and run. */
const PAGES = 4;
/** Below this lag of the sink, deferred events of a storm are analyzed. */
const CALM_LAG = 5_000;
const SINK = 'analyse';

const lagOf = async ({ operations }: Pick<Ports, 'operations'>): Promise<number> => {
  const sink = (await operations.pipeline()).find(({ name }) => name === SINK);
  return (sink?.partitions ?? []).reduce((sum, { lag }) => sum + lag, 0);
};

const workOffPage = async (ports: Ports, tenant: string, { ids }: DeferredAnalyses): Promise<void> => {
  const settings = await analysingSettings(ports, tenant);
  if (settings === null) return;
  const events = (await ports.events.getMany(tenant, ids)).filter((event) => !isAnalysed(event));
  await analyseEvents(ports, tenant, events, settings);
};

const workOffTenant = async (ports: Ports, tenant: string, isStopping: () => boolean): Promise<void> => {
  const pages = await ports.records.list<DeferredAnalyses>(tenant, DEFERRED_KIND, { limit: PAGES });
  for (const { id, body } of pages) {
    if (isStopping()) return;
    await workOffPage(ports, tenant, body);
    await ports.records.remove(tenant, DEFERRED_KIND, id);
  }
};

/** Analyses what storms have left, once the sink is nearly up to date; a bounded number of events per run. */
export const runDeferredAnalyses = async (ports: Ports, isStopping: () => boolean): Promise<void> => {
  if ((await lagOf(ports)) >= CALM_LAG) return;
  const failed = (count: number): string => `Couldn't run deferred analyses for ${count} tenants`;
  await eachActiveTenant(ports.records, { isStopping, failed }, (tenant) => workOffTenant(ports, tenant, isStopping));
};
