import { describe } from '@jest/globals';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import { aroundContract } from './topology-around.ts';
import { bindingContract } from './topology-binding.ts';
import { changesContract } from './topology-changes.ts';
import { cisContract } from './topology-cis.ts';
import { countsContract } from './topology-counts.ts';
import { forgettingContract } from './topology-forgetting.ts';
import { historyContract } from './topology-history.ts';
import { impactContract } from './topology-impact.ts';
import { infrastructureContract } from './topology-infrastructure.ts';
import { matchingContract } from './topology-matching.ts';
import { mergingContract } from './topology-merging.ts';
import { pastContract } from './topology-past.ts';
import { peopleContract } from './topology-people.ts';
import { proposalsContract } from './topology-proposals.ts';
import { queriesContract } from './topology-queries.ts';
import { relationshipsContract } from './topology-relationships.ts';
import { tenantsContract } from './topology-tenants.ts';

type Suite = (open: () => Promise<TopologyPorts>, estates: number) => void;

/** Guarantees of each port; the other ports prepare it and show its effect. */
const suites: Readonly<Record<keyof TopologyPorts, readonly Suite[]>> = {
  cis: [cisContract, mergingContract],
  relationships: [relationshipsContract],
  topology: [queriesContract, tenantsContract],
  estate: [infrastructureContract],
  graph: [aroundContract, peopleContract, impactContract, pastContract, proposalsContract],
  matcher: [bindingContract, matchingContract],
  counts: [countsContract],
  history: [historyContract, changesContract, forgettingContract],
};

/**
 * Requirements of every store of CIs and relationships. `open` returns an empty one; `estates`: number of random ones
 * that are compared.
 */
export function topologyContract(
  name: string,
  open: () => Promise<TopologyPorts>,
  { estates = 40 }: { readonly estates?: number } = {},
): void {
  // Each in a describe of its own, or every test would open a store for every suite.
  for (const [port, all] of Object.entries(suites))
    for (const suite of all) describe(`${name}, ${port}`, () => suite(open, estates));
}
