import type { UseCaseContext } from '#application/access/context.ts';
import { requirePermission } from '#application/access/require-permission.ts';
import { findCi } from '#application/cmdb/as-of.ts';
import { refusedAt } from '#application/cmdb/refusals.ts';
import type { Claim, EvidencePack } from '#domain/ai/evidence.ts';
import type { Ends } from '#domain/ports/topology/topology-queries.ts';
import { isProposed, type Relationship } from '#domain/topology/topology.ts';
import type { NamedCi } from '#features/ai/rules/findings.ts';
import { type AiMode, type Asking, answer, type Grounds } from '#features/ai/use-cases/answer.ts';
import { choose, groundsWith, type ModelChoice } from '#features/ai/use-cases/choose.ts';
import type { Network } from '#features/discovery/rules/network.ts';
import { type Inferred, infer, type PortConnection } from '#features/proposals/rules/infer.ts';
import { type Reasoned, reasoned } from '#features/proposals/rules/reasoning.ts';
import { type Ignored, type NamedConnection, resolveConnections } from './connections.ts';
import { networkKnowledge } from './network-knowledge.ts';

const TASK =
  'Say for each pair of configuration items in one sentence why the connections between them are, or are not, a dependency.';
/** Relationships of one answer, the surest. */
const MOST_LISTED = 500;

export interface ConnectionsAsked {
  readonly ciId: string;
  readonly connections: readonly NamedConnection[];
  readonly mode: AiMode;
}
export interface ListedProposal {
  readonly inferred: Inferred;
  readonly reasoning: string;
  /** Existing relationships of this type between the CIs. */
  readonly status: 'new' | 'open' | 'known';
  readonly relationshipId: string | null;
}
export interface AnalyzedConnections {
  readonly relationships: readonly ListedProposal[];
  readonly ignored: Ignored & { readonly tooUncertain: number; readonly refused: number };
  readonly grounds: Grounds;
}

/** The existing state of a relationship that was found. */
export const statusOf = (known: Relationship | null): ListedProposal['status'] => {
  if (known === null) return 'new';
  return isProposed(known) ? 'open' : 'known';
};

/** A model's sentence about this pair alone takes the place of ours. */
const wordsFor = ({ ref, reasoning }: Reasoned, claims: readonly Claim[], grounds: Grounds): string =>
  (grounds.generatedBy === 'model' && claims.find(({ refs }) => ref !== null && refs[0] === ref)?.text) || reasoning;

const TYPES = ['depends_on', 'communicates_with'] as const;
const TYPE_TASK = 'Does the source need the target to work (depends_on), or do they only talk (communicates_with)?';

/** A model may name the software of an unknown port; the rest stays as rules say. */
const isOpen = ({ service, signs }: Inferred): boolean =>
  service === null && !signs.includes('fan-out') && !signs.includes('cluster');

/** Types with who has chosen them; null where no model was asked. */
interface Typed {
  readonly all: readonly Inferred[];
  readonly chosen: ModelChoice | null;
}

async function typed(
  context: Asking,
  all: readonly Inferred[],
  ciOf: (id: string) => NamedCi,
  mode: AiMode,
): Promise<Typed> {
  if (mode === 'rules' || !all.some(isOpen)) return { all, chosen: null };
  const { reasons, findings } = reasoned(all, ciOf);
  const of = reasons.flatMap(({ inferred, ref }) => (ref !== null && isOpen(inferred) ? [{ ref, among: TYPES }] : []));
  const { pack, claims } = findings;
  const chosen = await choose(context, { service: 'ai-relationships', pack, claims, of, task: TYPE_TASK, mode });
  const ofModel = ({ inferred, ref }: Reasoned): Inferred => {
    const type = TYPES.find((one) => ref !== null && one === chosen.choices.get(ref));
    return type === undefined ? inferred : { ...inferred, type };
  };
  return { all: reasons.map(ofModel), chosen };
}

/** Connections to be judged, and what is known of them. */
export interface Weighed {
  /** Those whose relationships are wanted, and all that tell of fan-outs and ways back. */
  readonly about: readonly PortConnection[];
  readonly all: readonly PortConnection[];
  /** Network records that were read already, by CI. */
  readonly networks?: ReadonlyMap<string, Network>;
  readonly isRefused: (ends: Ends) => boolean;
  /** Less sure relationships are counted, not listed. */
  readonly minConfidence?: number;
  readonly mode: AiMode;
}
export interface WeighedConnections {
  readonly relationships: readonly ListedProposal[];
  readonly tooUncertain: number;
  readonly refused: number;
  /** Beyond the most that are listed. */
  readonly left: number;
  readonly ciOf: (id: string) => NamedCi;
  readonly pack: EvidencePack;
  readonly grounds: Grounds;
}

/** Relationships by connections; stores nothing. */
export async function weighConnections(context: UseCaseContext & Asking, of: Weighed): Promise<WeighedConnections> {
  const { tenant, ports } = context;
  const { about, all, networks, isRefused, minConfidence = 0, mode } = of;
  const ends = [...new Set(about.flatMap(({ source, target }) => [source, target]))];
  const cis = new Map((await ports.topology.getCis(tenant, ends)).map((ci) => [ci.id, ci]));
  const ciOf = (id: string) => ({ id, name: cis.get(id)?.name ?? id, type: cis.get(id)?.type ?? '' });
  const { listed, tooUncertain } = infer(about, all, await networkKnowledge(context, about, cis, networks));
  const sure = listed.filter(({ confidence }) => confidence >= minConfidence);
  const { all: inferred, chosen } = await typed(context, sure.slice(0, MOST_LISTED), ciOf, mode);
  const left = inferred.filter((one) => !isRefused(one));
  const known = await ports.topology.relationshipsBetween(tenant, left);
  const { reasons, findings } = reasoned(left, ciOf);
  const { pack, claims } = findings;
  const question = {
    service: 'ai-relationships',
    pack,
    claims,
    abstained: claims.length === 0,
    task: TASK,
    // A model that has chosen types was asked once already: sentences are then those of the rules.
    mode: chosen === null ? mode : 'rules',
  } as const;
  const said = await answer(context, question);
  return {
    relationships: reasons.map((one, i) => ({
      inferred: one.inferred,
      reasoning: wordsFor(one, said.claims, said.grounds),
      status: statusOf(known[i] ?? null),
      relationshipId: known[i]?.id ?? null,
    })),
    tooUncertain: tooUncertain + listed.length - sure.length,
    refused: inferred.length - left.length,
    left: Math.max(0, sure.length - MOST_LISTED),
    ciOf,
    pack,
    grounds: groundsWith(chosen, said.grounds),
  };
}

/** Relationships of a CI by its connections; stores nothing. Throws Fault `not-found`. */
export async function analyzeConnections(
  context: UseCaseContext & Asking,
  { ciId, connections, mode }: ConnectionsAsked,
): Promise<AnalyzedConnections> {
  requirePermission(context, 'cmdb.read');
  const { tenant, ports } = context;
  const { id } = await findCi(context, ciId);
  const { about, all, ignored } = await resolveConnections(context, id, connections);
  const isRefused = await refusedAt(ports, tenant, id);
  const weighed = await weighConnections(context, { about, all, isRefused, mode });
  const { relationships, tooUncertain, refused, grounds } = weighed;
  return { relationships, ignored: { ...ignored, tooUncertain, refused }, grounds };
}
