import { slices } from '#domain/slices.ts';
import { counted } from '#features/ai/rules/findings.ts';
import type { FoundService } from '#features/analyzer/rules/communities/found-service.ts';
import type { Hub } from '#features/analyzer/rules/communities/hubs.ts';
import type { ServiceSlice } from '#features/analyzer/rules/communities/infrastructure-steps.ts';
import type { ServiceSearch } from '#features/analyzer/rules/service-searches.ts';
import { DISCOVERY_KINDS } from '#features/discovery/use-cases/records.ts';
import { loadInfrastructure } from './load-infrastructure.ts';
import type { SessionRun } from './session-run.ts';

/** Maximum number of items in one record. */
const HUBS_PER_PART = 2_000;
const CIS_PER_PART = 10_000;
/** A page of the result reads some of them. */
export const SERVICES_PER_PART = 10;
/** Services per answer of the search, and their time with the pause, ms. */
const AT_ONCE = 100;
const TURN_MS = 50;
/** Services that the search hands over at once; each such answer is work for who answers requests. */
const HANDED_OVER = 50;

/** One session, and the search that works for it. */
interface Work {
  readonly run: SessionRun;
  readonly search: ServiceSearch;
}

async function hubsOf({ run, search }: Work, cis: number): Promise<readonly Hub[]> {
  return run.kept('hubs', HUBS_PER_PART, async () => {
    await run.tell({ step: 'hubs', message: 'Detecting shared hubs', current: 0, total: cis });
    const hubs = await run.waitFor(search.run('hubs', null));
    run.note({ hubs: hubs.length });
    await run.tell({ step: 'hubs', message: `Excluded ${counted(hubs.length, 'hub')}`, current: cis, total: cis });
    return hubs;
  });
}

/** The number of each CI's service. */
async function splitOf({ run, search }: Work, cis: number, hubs: readonly Hub[]): Promise<Int32Array> {
  const serviceOf = await run.kept('split', CIS_PER_PART, async () => {
    await run.tell({ step: 'split', message: 'Detecting communities', current: 0, total: cis });
    const found = await run.waitFor(search.run('split', hubs));
    const { components, services, cut: cutLinks } = found;
    const unassigned = found.serviceOf.reduce((count, service) => count + (service === -1 ? 1 : 0), 0);
    run.note({ components, services, cutLinks, unassigned });
    await run.tell({ step: 'split', message: `Found ${counted(services, 'service')}`, current: cis, total: cis });
    return found.serviceOf;
  });
  return Int32Array.from(serviceOf);
}

function* slicesOf(total: number, size: number): Generator<ServiceSlice> {
  for (let from = 0; from < total; from += size) yield { from, to: Math.min(total, from + size) };
}

async function classify({ run, search }: Work): Promise<void> {
  const total = run.counts.services;
  for (const slice of slicesOf(total, AT_ONCE)) {
    await run.waitFor(search.run('classify', slice));
    await run.tell({ step: 'classify', message: 'Classifying CIs', current: slice.to, total });
    await run.giveWay(TURN_MS);
  }
}

async function name({ run, search }: Work): Promise<void> {
  const total = run.counts.services;
  for (const slice of slicesOf(total, AT_ONCE)) {
    for (const [n, { name: serviceName, category }] of (await run.waitFor(search.run('name', slice))).entries()) {
      const told = { serviceName, category, current: slice.from + n + 1, total };
      await run.tell({ step: 'name', message: `Named ${serviceName}`, ...told });
    }
    await run.giveWay(TURN_MS);
  }
}

async function score({ run, search }: Work): Promise<void> {
  const total = run.counts.services;
  for (const slice of slicesOf(total, AT_ONCE)) {
    const scored = await run.waitFor(search.run('score', slice));
    for (const [n, { name: serviceName, category, confidence }] of scored.entries()) {
      const told = { serviceName, category, current: slice.from + n + 1, total };
      await run.tell({ step: 'score', message: `${serviceName}: confidence ${confidence}`, ...told });
    }
    await run.giveWay(TURN_MS);
  }
}

async function* servicesOf(work: Work): AsyncGenerator<readonly (readonly FoundService[])[]> {
  const { run, search } = work;
  const cis = await loadInfrastructure(run, search);
  const hubs = await hubsOf(work, cis);
  const serviceOf = await splitOf(work, cis, hubs);
  await run.waitFor(search.run('bind', serviceOf));
  await classify(work);
  await name(work);
  await score(work);
  for (const slice of slicesOf(run.counts.services, HANDED_OVER)) {
    yield [...slices(await run.waitFor(search.run('list', slice)), SERVICES_PER_PART)];
  }
}

/** Finds the services of an estate, from the last step on that is done. Resolves with how many there are. */
export async function analyseInfrastructure(run: SessionRun): Promise<number> {
  const search = run.ports.serviceSearches.open({ tenant: run.tenant, networks: DISCOVERY_KINDS.network });
  try {
    await run.parts(
      'services',
      () => servicesOf({ run, search }),
      () => undefined,
    );
  } finally {
    await search.close();
  }
  return run.counts.services;
}
