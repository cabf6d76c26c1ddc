import type { UseCaseContext } from '#application/access/context.ts';
import { requirePermission } from '#application/access/require-permission.ts';
import { findCi } from '#application/cmdb/as-of.ts';
import { refusedAt } from '#application/cmdb/refusals.ts';
import type { Claim, EvidencePack } from '#domain/ai/evidence.ts';
import { firstItem, itemAt } from '#domain/assert.ts';
import type { Ends } from '#domain/ports/topology/topology-queries.ts';
import { slices } from '#domain/slices.ts';
import { canonicalAddress } from '#domain/topology/address.ts';
import { lookupOf } from '#domain/topology/lookup.ts';
import { type Ci, DEPENDENCY_TYPES, isProposed, type Relationship } from '#domain/topology/topology.ts';
import type { NamedCi } from '#features/ai/rules/findings.ts';
import { type AiCaller, type AiMode, type AnswerEvidence, answer } from '#features/ai/use-cases/answer.ts';
import { choose, evidenceWith, type ModelChoice } from '#features/ai/use-cases/choose.ts';
import { listenerOn, type Network, NO_NETWORK } from '#features/discovery/rules/network.ts';
import { networksOf } from '#features/discovery/use-cases/networks.ts';
import { type Inferred, infer, type Knowledge, type PortConnection } from '#features/proposals/rules/infer.ts';
import { type Reasoned, reasoned } from '#features/proposals/rules/reasoning.ts';

/** A connection as reported: ends are IDs, external keys, names or addresses. */
interface NamedConnection {
  readonly sourceServer: string;
  readonly targetServer: string;
  readonly port: number;
  readonly protocol: string;
  readonly frequency: number;
}

/** Rows without information on the CI. */
interface Ignored {
  readonly notThisCi: number;
  /** An end that no CI is known by, or several are. */
  readonly unresolved: number;
  readonly self: number;
}

interface Resolved {
  /** Connections of the CI, and all between two CIs; one per pair, port and protocol. */
  readonly about: readonly PortConnection[];
  readonly all: readonly PortConnection[];
  readonly ignored: Ignored;
}

/** Ends looked up in one call. */
const PER_CALL = 5_000;

const queryOf = (text: string) => {
  const ipAddress = canonicalAddress(text);
  return { ciId: text, hints: [text], hostname: text, ...(ipAddress !== null && { ipAddress }) };
};

async function idsOf(
  { tenant, ports }: Pick<UseCaseContext, 'tenant' | 'ports'>,
  texts: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const some of slices(texts, PER_CALL)) {
    const bindings = await ports.matcher.bind(tenant, some.map(queryOf));
    some.forEach((text, i) => {
      const found = itemAt(bindings, i).ci;
      if (found !== null) ids.set(text, found.id);
    });
  }
  return ids;
}

/** Adds up what was seen between the same CIs on the same port. */
function summed(connections: readonly PortConnection[]): PortConnection[] {
  const lines = Map.groupBy(connections, ({ source, target, port, protocol }) =>
    [source, target, port, protocol].join(' '),
  );
  return [...lines.values()].map((same) => ({
    ...firstItem(same),
    frequency: same.reduce((sum, { frequency }) => sum + frequency, 0),
  }));
}

/** Finds the CIs of both ends of each row. */
async function resolveConnections(
  asking: Pick<UseCaseContext, 'tenant' | 'ports'>,
  ciId: string,
  rows: readonly NamedConnection[],
): Promise<Resolved> {
  const names = new Set(rows.flatMap(({ sourceServer, targetServer }) => [sourceServer, targetServer]));
  const ids = await idsOf(asking, [...names]);
  const ignored = { notThisCi: 0, unresolved: 0, self: 0 };
  const between: PortConnection[] = [];
  for (const { sourceServer, targetServer, port, protocol, frequency } of rows) {
    const [source, target] = [ids.get(sourceServer), ids.get(targetServer)];
    if (source === undefined || target === undefined) ignored.unresolved += 1;
    else if (source === target) ignored.self += 1;
    else {
      if (source !== ciId && target !== ciId) ignored.notThisCi += 1;
      between.push({ source, target, port, protocol: protocol.toLowerCase(), frequency });
    }
  }
  const all = summed(between);
  return { about: all.filter(({ source, target }) => source === ciId || target === ciId), all, ignored };
}

/** CIs whose network records are read; of the others nothing is known. */
const MAX_CIS = 500;
const DAY_MS = 86_400_000;
/** Shorter words must stand alone: `mq` is in many words. */
const LONG_WORD = 4;

const hasWord = (text: string, words: readonly string[]): boolean => {
  const parts = text.toLowerCase().split(/[^a-z0-9]+/);
  return words.some((word) => (word.length < LONG_WORD ? parts.includes(word) : text.toLowerCase().includes(word)));
};

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** Network records of the CIs of these connections; `known`: records that were read already, by CI. */
async function networkKnowledge(
  asking: Pick<UseCaseContext, 'tenant' | 'ports'>,
  connections: readonly PortConnection[],
  cis: ReadonlyMap<string, Ci>,
  known: ReadonlyMap<string, Network> = new Map(),
): Promise<Knowledge> {
  const ends = [...new Set(connections.flatMap(({ source, target }) => [source, target]))];
  const missing = ends.filter((id) => !known.has(id)).slice(0, MAX_CIS);
  const networks = new Map([...known, ...(await networksOf(asking, missing))]);
  const networkOf = (id: string): Network => networks.get(id) ?? NO_NETWORK;
  const groupsOn = (source: string, port: number) =>
    networkOf(source).connections.filter(({ ports }) => ports.includes(port));
  return {
    listens: (target, port) => listenerOn(networkOf(target), port) !== null,
    agrees(target, port, words) {
      const texts = [cis.get(target)?.type ?? '', listenerOn(networkOf(target), port)?.name ?? ''];
      return texts.some((text) => hasWord(text, words));
    },
    days(source, target, port) {
      const ci = cis.get(target);
      const addresses = new Set(ci === undefined ? [] : lookupOf(ci).addresses);
      const groups = groupsOn(source, port).filter(({ targetIp }) => addresses.has(targetIp));
      return Math.max(0, ...groups.map(({ firstSeen, lastSeen }) => dayOf(lastSeen) - dayOf(firstSeen) + 1));
    },
    targets: (source, port) => new Set(groupsOn(source, port).map(({ targetIp }) => targetIp)).size,
  };
}

const TASK =
  'Say for each pair of configuration items in one sentence why the connections between them are, or are not, a dependency.';
/** Relationships of one answer, the surest. */
const MAX_LISTED = 500;

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
  readonly grounds: AnswerEvidence;
}

/** The existing state of a relationship that was found. */
export const statusOf = (known: Relationship | null): ListedProposal['status'] => {
  if (known === null) return 'new';
  return isProposed(known) ? 'open' : 'known';
};

/** A model's sentence about this pair alone replaces the rule's. */
const wordsFor = ({ ref, reasoning }: Reasoned, claims: readonly Claim[], grounds: AnswerEvidence): string =>
  (grounds.generatedBy === 'model' && claims.find(({ refs }) => ref !== null && refs[0] === ref)?.text) || reasoning;

const TYPES = ['depends_on', 'communicates_with'] as const;
const TYPE_TASK = 'Does the source need the target to work (depends_on), or do they only talk (communicates_with)?';

/** True if a model may name the software of the unknown port; the rules decide the rest. */
const isOpen = ({ service, signs }: Inferred): boolean =>
  service === null && !signs.some((sign) => sign === 'fan-out' || sign === 'cluster' || sign === 'replication');

/** Types with who has chosen them; null where no model was asked. */
interface Typed {
  readonly all: readonly Inferred[];
  readonly chosen: ModelChoice | null;
}

async function typed(
  context: AiCaller,
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
  /** CIs with requested relationships, and all that show fan-outs and connections in reverse. */
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
  /** Number of relationships beyond the limit of the list. */
  readonly left: number;
  readonly ciOf: (id: string) => NamedCi;
  readonly pack: EvidencePack;
  readonly grounds: AnswerEvidence;
}

/** Types by which a pair is related already, whatever the type that its connections speak for. */
const ALIKE_TYPES = [
  ...DEPENDENCY_TYPES,
  'connects_to',
  'communicates_with',
  'replicates_to',
  'member_of',
  'part_of',
  'peers_with',
];
const ENDS_PER_CALL = 1_000;

/** The relationship of each pair: of its own type, else of another one, else the other way round, as between a primary and its replica. */
async function knownBetween(
  { tenant, ports }: UseCaseContext,
  pairs: readonly Inferred[],
): Promise<(Relationship | null)[]> {
  const exact = await ports.topology.relationshipsBetween(tenant, pairs);
  const open = pairs.filter((_, i) => exact[i] === null || exact[i] === undefined);
  const ends = open.flatMap(({ source, target, signs }) => {
    const isMutual = signs.includes('cluster') || signs.includes('replication');
    const back = isMutual ? ALIKE_TYPES.map((type) => ({ source: target, target: source, type })) : [];
    return [...ALIKE_TYPES.map((type) => ({ source, target, type })), ...back];
  });
  const others = new Map<string, Relationship>();
  for (const some of slices(ends, ENDS_PER_CALL)) {
    const found = await ports.topology.relationshipsBetween(tenant, some);
    for (const relationship of found)
      if (relationship !== null && !isProposed(relationship)) {
        others.set(`${relationship.source} ${relationship.target}`, relationship);
      }
  }
  return pairs.map(
    ({ source, target }, i) =>
      exact[i] ?? others.get(`${source} ${target}`) ?? others.get(`${target} ${source}`) ?? null,
  );
}

/** Relationships by connections; stores nothing. */
export async function weighConnections(context: UseCaseContext & AiCaller, of: Weighed): Promise<WeighedConnections> {
  const { tenant, ports } = context;
  const { about, all, networks, isRefused, minConfidence = 0, mode } = of;
  const ends = [...new Set(about.flatMap(({ source, target }) => [source, target]))];
  const cis = new Map((await ports.topology.getCis(tenant, ends)).map((ci) => [ci.id, ci]));
  const ciOf = (id: string) => ({ id, name: cis.get(id)?.name ?? id, type: cis.get(id)?.type ?? '' });
  const { listed, tooUncertain } = infer(about, all, await networkKnowledge(context, about, cis, networks));
  const sure = listed.filter(({ confidence }) => confidence >= minConfidence);
  const { all: inferred, chosen } = await typed(context, sure.slice(0, MAX_LISTED), ciOf, mode);
  const left = inferred.filter((one) => !isRefused(one));
  const known = await knownBetween(context, left);
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
    left: Math.max(0, sure.length - MAX_LISTED),
    ciOf,
    pack,
    grounds: evidenceWith(chosen, said.grounds),
  };
}

/** Relationships of a CI by its connections; stores nothing. Throws Fault `not-found`. */
export async function analyzeConnections(
  context: UseCaseContext & AiCaller,
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
