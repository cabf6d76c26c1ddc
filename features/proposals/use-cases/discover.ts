import type { UseCaseContext } from '#application/access/context.ts';
import { requirePermission } from '#application/access/require-permission.ts';
import { refusedAnywhere } from '#application/cmdb/refusals.ts';
import type { EvidencePack } from '#domain/ai/evidence.ts';
import type { Ends } from '#domain/ports/topology/topology-queries.ts';
import { Findings, type NamedCi } from '#features/ai/rules/findings.ts';
import { type AiCaller, type AiMode, type AnswerEvidence, answer, citationsOf } from '#features/ai/use-cases/answer.ts';
import { claimsThatHold } from '#features/ai/use-cases/cited.ts';
import { citeFailsAfter, describeFailsAfter, type UnrelatedPair } from '#features/detectors/rules/fails-after.ts';
import { loadFailures } from '#features/detectors/use-cases/beside/load-failures.ts';
import { unrelatedPairs } from '#features/detectors/use-cases/beside/unrelated-pairs.ts';
import type { ProposalSign } from '#features/proposals/rules/infer.ts';
import type { RelationshipSource } from '#features/proposals/rules/sources.ts';
import { type ListedProposal, statusOf, weighConnections } from './analyze-connections.ts';
import { type FoundProposal, proposeFound } from './proposals.ts';
import { seenConnections, type UnusedSightings } from './seen-connections.ts';

/** Method in the attributes of stored proposals. */
const FOUND_BY = { network: 'network connections', incidents: 'incidents' } as const;

export interface DiscoveryAsked {
  /** Null: all CIs of which scans have seen connections, or that failed. */
  readonly ciIds: readonly string[] | null;
  readonly sources: readonly RelationshipSource[];
  /** 0 to 1. */
  readonly minConfidence: number;
  readonly store: boolean;
  readonly mode: AiMode;
}

export interface DiscoveredRelationship {
  readonly source: NamedCi;
  readonly target: NamedCi;
  readonly type: string;
  readonly confidence: number;
  readonly reasoning: string;
  readonly foundBy: RelationshipSource;
  /** Null: it was not found in connections. */
  readonly port: number | null;
  readonly protocol: string | null;
  /** Connections, or incidents. */
  readonly frequency: number;
  readonly signs: readonly ProposalSign[];
  /** Existing relationships of this type between the CIs. */
  readonly status: ListedProposal['status'];
  readonly relationshipId: string | null;
  /** This request has stored it. */
  readonly stored: boolean;
}

/** Findings of one source, with their evidence. */
interface FoundIn {
  readonly relationships: readonly DiscoveredRelationship[];
  readonly pack: EvidencePack;
  readonly grounds: AnswerEvidence;
  readonly looked: {
    readonly cis: number;
    readonly connections: number;
    readonly incidents: number;
    readonly truncated: boolean;
  };
  readonly ignored: UnusedSightings & { readonly tooUncertain: number; readonly refused: number };
}
export interface DiscoveredRelationships extends Omit<FoundIn, 'pack'> {
  readonly stored: number;
}

type Context = UseCaseContext & AiCaller;
type IsRefused = (ends: Ends) => boolean;

const NOTHING_IGNORED = { unresolved: 0, self: 0, withoutPort: 0, tooUncertain: 0, refused: 0 };

async function inNetwork(
  context: Context,
  { ciIds, minConfidence, mode }: DiscoveryAsked,
  isRefused: IsRefused,
): Promise<FoundIn> {
  const seen = await seenConnections(context, ciIds);
  const { connections: all, networks } = seen;
  const weighed = await weighConnections(context, { about: all, all, networks, isRefused, minConfidence, mode });
  const { relationships, tooUncertain, refused, left, ciOf, pack, grounds } = weighed;
  const shown = relationships.map(({ inferred, reasoning, status, relationshipId }): DiscoveredRelationship => {
    const { source, target, type, confidence, port, protocol, frequency, signs } = inferred;
    return {
      source: ciOf(source),
      target: ciOf(target),
      type,
      confidence,
      reasoning,
      foundBy: 'network',
      port,
      protocol,
      frequency,
      signs,
      status,
      relationshipId,
      stored: false,
    };
  });
  return {
    relationships: shown,
    pack,
    grounds,
    looked: { cis: networks.size, connections: all.length, incidents: 0, truncated: seen.truncated || left > 0 },
    ignored: { ...seen.ignored, tooUncertain, refused },
  };
}

/** Adds relationships learned from incidents to the earlier ones. */
async function inIncidents(
  context: Context,
  { ciIds, minConfidence }: DiscoveryAsked,
  isRefused: IsRefused,
  before: FoundIn,
): Promise<FoundIn> {
  const { tenant, ports } = context;
  const loaded = await loadFailures(context);
  const isAsked = ({ first, second }: UnrelatedPair): boolean =>
    ciIds === null || ciIds.includes(first.id) || ciIds.includes(second.id);
  const all = (await unrelatedPairs(context, loaded, isRefused)).filter(isAsked);
  const sure = all.filter(({ pair }) => pair.confidence >= minConfidence);
  const ends = sure.map(({ first, second }) => ({ source: second.id, target: first.id, type: 'depends_on' }));
  const known = await ports.topology.relationshipsBetween(tenant, ends);
  const findings = new Findings(before.pack);
  for (const one of sure) findings.say(describeFailsAfter(one), citeFailsAfter(one, findings), 'likely');
  const claims = [...before.grounds.claims, ...(await claimsThatHold(ports, tenant, findings.claims, findings.pack))];
  const shown = sure.map((one, i): DiscoveredRelationship => {
    const { pair, first, second } = one;
    const relationship = known[i] ?? null;
    return {
      source: second,
      target: first,
      type: 'depends_on',
      confidence: pair.confidence,
      foundBy: 'incidents',
      reasoning: describeFailsAfter(one),
      port: null,
      protocol: null,
      frequency: pair.together.length,
      signs: [],
      status: statusOf(relationship),
      relationshipId: relationship?.id ?? null,
      stored: false,
    };
  });
  const incidents = loaded.failures.incidents.length;
  const { looked, ignored } = before;
  return {
    relationships: [...before.relationships, ...shown].sort((a, b) => b.confidence - a.confidence),
    pack: findings.pack,
    grounds: {
      ...before.grounds,
      abstained: claims.length === 0,
      claims,
      citations: citationsOf(claims, findings.pack),
    },
    looked: { ...looked, incidents, truncated: looked.truncated || loaded.truncated },
    ignored: { ...ignored, tooUncertain: ignored.tooUncertain + all.length - sure.length },
  };
}

/** Parts without any evidence. */
async function nothingYet(context: Context): Promise<FoundIn> {
  const question = {
    service: 'ai-relationships',
    pack: [],
    claims: [],
    abstained: true,
    task: '',
    mode: 'rules',
  } as const;
  const { grounds } = await answer(context, question);
  const looked = { cis: 0, connections: 0, incidents: 0, truncated: false };
  return { relationships: [], pack: [], grounds, looked, ignored: NOTHING_IGNORED };
}

const proposalOf = (found: DiscoveredRelationship): FoundProposal => {
  const { source, target, type, confidence, foundBy, port, protocol, frequency, reasoning } = found;
  const seen =
    port === null || protocol === null ? { incidents: frequency } : { port, protocol, connections: frequency };
  const attributes = { found_by: FOUND_BY[foundBy], ...seen, reasoning };
  return { source: source.id, target: target.id, type, confidence, attributes };
};

const endsOf = ({ source, target, type }: DiscoveredRelationship): string => `${source.id} ${target.id} ${type}`;

/** Returns new relationships; duplicates of several sources have the highest confidence. */
const newOnes = (all: readonly DiscoveredRelationship[]): DiscoveredRelationship[] =>
  [...new Map(all.toReversed().map((one) => [endsOf(one), one])).values()].filter(({ status }) => status === 'new');

/** Finds relationships in the network records that scans have left, and in incidents. Throws Fault `invalid`, `forbidden`. */
export async function discoverRelationships(context: Context, asked: DiscoveryAsked): Promise<DiscoveredRelationships> {
  const { sources, store } = asked;
  requirePermission(context, 'cmdb.read');
  if (sources.includes('incidents')) requirePermission(context, 'events.read');
  if (store) requirePermission(context, 'cmdb.write');
  const isRefused = await refusedAnywhere(context.ports, context.tenant);
  const first = await (sources.includes('network') ? inNetwork(context, asked, isRefused) : nothingYet(context));
  const found = sources.includes('incidents') ? await inIncidents(context, asked, isRefused, first) : first;
  const wanted = store ? newOnes(found.relationships) : [];
  const made = await proposeFound(context, wanted.map(proposalOf));
  const madeBy = new Map(wanted.map((one, i) => [endsOf(one), made[i] ?? null]));
  const { relationships, looked, ignored, grounds } = found;
  return {
    relationships: relationships.map((one) => {
      const proposal = madeBy.get(endsOf(one)) ?? null;
      return proposal === null ? one : { ...one, stored: true, status: 'open', relationshipId: proposal.id };
    }),
    looked,
    ignored,
    grounds,
    stored: made.filter((one) => one !== null).length,
  };
}
