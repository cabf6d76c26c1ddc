import type { UseCaseContext } from '#application/access/context.ts';
import type { AiMode, Asking, Grounds } from '#application/ai/answer.ts';
import { requirePermission } from '#application/ai/require-permission.ts';
import type { NamedCi } from '#domain/ai/findings.ts';
import { type ListedProposal, weighConnections } from './analyze-connections.ts';
import { type FoundProposal, proposeFound } from './proposals.ts';
import { refusedAnywhere } from './refusals.ts';
import { seenConnections, type UnusedSightings } from './seen-connections.ts';

/** Said of stored proposals, in their attributes. */
const FOUND_BY = 'network connections';

export interface DiscoveryAsked {
  /** Null: all CIs of which scans have seen connections. */
  readonly ciIds: readonly string[] | null;
  /** 0 to 1. */
  readonly minConfidence: number;
  readonly store: boolean;
  readonly mode: AiMode;
}

export interface DiscoveredRelationships {
  readonly relationships: readonly (ListedProposal & {
    readonly source: NamedCi;
    readonly target: NamedCi;
    /** This request has stored it. */
    readonly stored: boolean;
  })[];
  readonly looked: { readonly cis: number; readonly connections: number; readonly truncated: boolean };
  readonly ignored: UnusedSightings & { readonly tooUncertain: number; readonly refused: number };
  readonly stored: number;
  readonly grounds: Grounds;
}

const proposalOf = ({ inferred, reasoning }: ListedProposal): FoundProposal => {
  const { source, target, type, confidence, port, protocol, frequency } = inferred;
  const attributes = { found_by: FOUND_BY, port, protocol, connections: frequency, reasoning };
  return { source, target, type, confidence, attributes };
};

/** Finds relationships in the network records that scans have left. Throws Fault `invalid`, `forbidden`. */
export async function discoverRelationships(
  context: UseCaseContext & Asking,
  { ciIds, minConfidence, store, mode }: DiscoveryAsked,
): Promise<DiscoveredRelationships> {
  requirePermission(context, 'cmdb.read');
  if (store) requirePermission(context, 'cmdb.write');
  const { tenant, ports } = context;
  const seen = await seenConnections(context, ciIds);
  const isRefused = await refusedAnywhere(ports, tenant);
  const { connections: all, networks } = seen;
  const weighed = await weighConnections(context, { about: all, all, networks, isRefused, minConfidence, mode });
  const { relationships, tooUncertain, refused, left, ciOf, grounds } = weighed;
  const wanted = store ? relationships.filter(({ status }) => status === 'new') : [];
  const made = await proposeFound(context, wanted.map(proposalOf));
  const madeBy = new Map(wanted.map((one, i) => [one, made[i] ?? null]));
  return {
    relationships: relationships.map((one) => {
      const proposal = madeBy.get(one) ?? null;
      const ends = { source: ciOf(one.inferred.source), target: ciOf(one.inferred.target) };
      return proposal === null
        ? { ...one, ...ends, stored: false }
        : { ...one, ...ends, stored: true, status: 'open', relationshipId: proposal.id };
    }),
    looked: { cis: networks.size, connections: all.length, truncated: seen.truncated || left > 0 },
    ignored: { ...seen.ignored, tooUncertain, refused },
    stored: made.filter((one) => one !== null).length,
    grounds,
  };
}
