import { describe } from '@jest/globals';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import { aroundContract } from './topology-around.ts';
import { bindingContract } from './topology-binding.ts';
import { cisContract } from './topology-cis.ts';
import { forgettingContract } from './topology-forgetting.ts';
import { historyContract } from './topology-history.ts';
import { impactContract } from './topology-impact.ts';
import { matchingContract } from './topology-matching.ts';
import { mergingContract } from './topology-merging.ts';
import { pastContract } from './topology-past.ts';
import { peopleContract } from './topology-people.ts';
import { relationshipsContract } from './topology-relationships.ts';
import { tenantsContract } from './topology-tenants.ts';

/** What every store of CIs and relationships must do. `open` gives an empty one; `estates`: how many made up by chance are compared. */
export function topologyStoreContract(
  name: string,
  open: () => Promise<TopologyPorts>,
  { estates = 40 }: { readonly estates?: number } = {},
): void {
  const suites = [
    cisContract,
    relationshipsContract,
    bindingContract,
    matchingContract,
    mergingContract,
    aroundContract,
    peopleContract,
    historyContract,
    forgettingContract,
    impactContract,
    pastContract,
    tenantsContract,
  ];
  // Each in a describe of its own, or every test would open a store for every suite.
  for (const suite of suites) describe(name, () => suite(open, estates));
}
