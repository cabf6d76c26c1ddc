import { counted } from '#domain/ai/findings.ts';
import { type Bonds, bondsOf } from '#domain/services/communities/bonds.ts';
import { categoryOf, tierCounts } from '#domain/services/communities/category.ts';
import type { Estate } from '#domain/services/communities/estate.ts';
import { byConfidence, type FoundService, foundService } from '#domain/services/communities/found-service.ts';
import { findHubs, type Hub } from '#domain/services/communities/hubs.ts';
import { type NameWords, nameWords } from '#domain/services/communities/name-words.ts';
import { type Naming, nameServices } from '#domain/services/communities/naming.ts';
import { type Roles, rolesIn } from '#domain/services/communities/roles.ts';
import { split } from '#domain/services/communities/split.ts';
import { loadEstate } from './load-estate.ts';
import type { SessionRun } from './session-run.ts';

/** Items kept in one record. */
const HUBS_PER_PART = 2_000;
const CIS_PER_PART = 10_000;
const ROLES_PER_PART = 100;
/** The services of one page of the result, at most. */
export const SERVICES_PER_PART = 10;

async function hubsOf(run: SessionRun, estate: Estate): Promise<readonly Hub[]> {
  return run.kept('hubs', HUBS_PER_PART, async () => {
    const total = estate.cis.length;
    await run.tell({ step: 'hubs', message: 'Looking for what everything hangs on', current: 0, total });
    const hubs = await run.slices(findHubs(estate));
    run.note({ hubs: hubs.length });
    await run.tell({ step: 'hubs', message: `Left out ${counted(hubs.length, 'hub')}`, current: total, total });
    return hubs;
  });
}

async function servicesOf(run: SessionRun, estate: Estate, hubs: readonly Hub[], words: NameWords): Promise<Bonds[]> {
  const serviceOf = await run.kept('split', CIS_PER_PART, async () => {
    const total = estate.cis.length;
    await run.tell({ step: 'split', message: 'Looking for what belongs together', current: 0, total });
    const found = await run.slices(split(estate, hubs, words));
    const { components, services, cut: cutLinks } = found;
    const unassigned = found.serviceOf.reduce((count, service) => count + (service === -1 ? 1 : 0), 0);
    run.note({ components, services, cutLinks, unassigned });
    await run.tell({ step: 'split', message: `Found ${counted(services, 'service')}`, current: total, total });
    return [...found.serviceOf];
  });
  const numbers = Int32Array.from(serviceOf);
  const services = numbers.reduce((most, service) => Math.max(most, service + 1), 0);
  return run.slices(bondsOf(estate, numbers, services));
}

const rolesOf = (run: SessionRun, estate: Estate, services: readonly Bonds[]): Promise<readonly Roles[]> =>
  run.kept('classify', ROLES_PER_PART, async () => {
    const all: Roles[] = [];
    const total = services.length;
    for (const bonds of services) {
      all.push(await run.slices(rolesIn(estate, bonds)));
      await run.tell({ step: 'classify', message: 'Finding what each CI does', current: all.length, total });
      if (all.length % 8 === 0) await run.giveWay();
    }
    return all;
  });

async function namesOf(
  run: SessionRun,
  estate: Estate,
  words: NameWords,
  services: readonly Bonds[],
  roles: readonly Roles[],
) {
  return run.kept('name', ROLES_PER_PART, async () => {
    const namings = await run.slices(nameServices(estate, words, services));
    for (const [number, { name: serviceName }] of namings.entries()) {
      const category = categoryOf(tierCounts(roles[number]!.members.map(({ tier }) => tier)));
      const told = { serviceName, category, current: number + 1, total: namings.length };
      await run.tell({ step: 'name', message: `Named ${serviceName}`, ...told });
    }
    return namings;
  });
}

async function score(
  run: SessionRun,
  found: { estate: Estate; services: readonly Bonds[]; roles: readonly Roles[]; namings: readonly Naming[] },
): Promise<readonly FoundService[]> {
  const { estate, services, roles, namings } = found;
  const names = namings.map(({ name }) => name);
  const scored: FoundService[] = [];
  for (const [number, bonds] of services.entries()) {
    const service = foundService({ estate, bonds, roles: roles[number]!, naming: namings[number]!, names });
    scored.push(service);
    const { name: serviceName, category, confidence } = service;
    const told = { serviceName, category, current: scored.length, total: services.length };
    await run.tell({ step: 'score', message: `${serviceName}: confidence ${confidence}`, ...told });
    if (scored.length % 16 === 0) await run.giveWay();
  }
  return scored.sort(byConfidence);
}

/** Finds the services of an estate, from the last step on that is done. Resolves with how many there are. */
export async function analyseEstate(run: SessionRun): Promise<number> {
  const services = await run.kept('services', SERVICES_PER_PART, async () => {
    const estate = await loadEstate(run);
    const hubs = await hubsOf(run, estate);
    const words = await run.slices(nameWords(estate.cis));
    const bonds = await servicesOf(run, estate, hubs, words);
    const roles = await rolesOf(run, estate, bonds);
    const namings = await namesOf(run, estate, words, bonds, roles);
    return score(run, { estate, services: bonds, roles, namings });
  });
  return services.length;
}
