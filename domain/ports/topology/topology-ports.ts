import type { CiMatcher } from './ci-matcher.ts';
import type { CiStore } from './ci-store.ts';
import type { GraphQueries } from './graph-queries.ts';
import type { InfrastructureQueries } from './infrastructure-queries.ts';
import type { RelationshipStore } from './relationship-store.ts';
import type { TopologyCounts } from './topology-counts.ts';
import type { TopologyHistory } from './topology-history.ts';
import type { TopologyQueries } from './topology-queries.ts';

/** All ports to CIs and relationships: two change them, the others read. An adapter has them all. */
export interface TopologyPorts {
  readonly cis: CiStore;
  readonly relationships: RelationshipStore;
  readonly topology: TopologyQueries;
  readonly estate: InfrastructureQueries;
  readonly graph: GraphQueries;
  readonly matcher: CiMatcher;
  readonly counts: TopologyCounts;
  readonly history: TopologyHistory;
}
