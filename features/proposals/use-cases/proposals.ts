import { audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { findEnds } from '#application/cmdb/find-ends.ts';
import { joinEnds } from '#application/cmdb/join-ends.ts';
import { refusalsOf } from '#application/cmdb/refusals.ts';
import { revise } from '#application/records/revise.ts';
import { assertDefined } from '#domain/assert.ts';
import { Fault, invalid, notFound } from '#domain/fault.ts';
import type { Page, PageRequest } from '#domain/page.ts';
import type { FromAi, RelationshipFilter } from '#domain/ports/topology/topology-queries.ts';
import { sameJson } from '#domain/same-json.ts';
import { ACCEPTED, isProposed, PROPOSED, type Relationship, relationshipType } from '#domain/topology/topology.ts';
import { type Joined, relationshipRecord } from '#schemas/http/cmdb/relationships.ts';

/** True for relationships proposed by AI: undecided ones, and accepted ones. */
const isFromAi = (relationship: Relationship): boolean =>
  isProposed(relationship) || relationship.discoveredBy === ACCEPTED;

/** Throws Fault `not-found`, also for a relationship that AI has not proposed. */
async function findProposal({ tenant, ports }: UseCaseContext, id: string): Promise<Relationship> {
  const found = await ports.topology.getRelationship(tenant, id);
  if (found === null || !isFromAi(found)) throw notFound('AI relationship', id);
  return found;
}

const requireOpen = (proposal: Relationship): Relationship => {
  if (isProposed(proposal)) return proposal;
  throw new Fault('conflict', 'Already accepted. Update it at /cmdb/relationships');
};

export interface NewProposal {
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly confidence: number;
}

async function endsOf(context: UseCaseContext, named: NewProposal): Promise<Pick<Relationship, 'source' | 'target'>> {
  const fields = ['source', 'target'] as const;
  const find = await findEnds(
    context,
    fields.map((field) => ({ text: named[field] })),
  );
  const found = fields.map((field) => ({ field, end: find({ text: named[field] }) }));
  const problems = found.flatMap(({ field, end }) => ('error' in end ? [{ field, reason: end.error }] : []));
  const [first] = problems;
  if (first !== undefined) throw new Fault('invalid', `${first.field}: ${first.reason}`, problems);
  const [source, target] = found.map(({ end }) => ('id' in end ? end.id : '')) as [string, string];
  if (source === target) throw invalid('target', 'must differ from the source');
  return { source, target };
}

type ProposalAudit = Parameters<typeof audited>[1];
const said = (action: string, before: Relationship | null, after: Relationship | null): ProposalAudit => ({
  action: `ai-relationship.${action}`,
  target: { kind: 'relationship', id: assertDefined(after ?? before, 'relationship').id },
  before: before && relationshipRecord(before),
  after: after && relationshipRecord(after),
});

/** Throws Fault `invalid` for unknown ends, `conflict` when there is one of this type between them. */
export async function propose(context: UseCaseContext, named: NewProposal): Promise<Relationship> {
  const { tenant, ports, receivedAt } = context;
  const proposal: Relationship = {
    tenant,
    id: ports.ids.ulid(),
    type: relationshipType(named.type),
    ...(await endsOf(context, named)),
    attributes: {},
    discoveredBy: PROPOSED,
    confidence: named.confidence,
    createdAt: receivedAt,
    updatedAt: receivedAt,
    revision: 1,
  };
  await ports.relationships.put(tenant, [proposal], [audited(context, said('created', null, proposal))]);
  return proposal;
}

/** A proposal of our own rules, its ends by id. */
export interface FoundProposal {
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly confidence: number;
  /** Stored with it: the evidence, in plain values. */
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** Stores what rules found, one by one; null where there is one between these ends by now, or an end is gone. */
export async function proposeFound(
  context: UseCaseContext,
  found: readonly FoundProposal[],
): Promise<(Relationship | null)[]> {
  const { tenant, ports, receivedAt } = context;
  const stored: (Relationship | null)[] = [];
  for (const { source, target, type, confidence, attributes } of found) {
    const proposal: Relationship = {
      tenant,
      id: ports.ids.ulid(),
      type: relationshipType(type),
      source,
      target,
      attributes,
      discoveredBy: PROPOSED,
      confidence,
      createdAt: receivedAt,
      updatedAt: receivedAt,
      revision: 1,
    };
    const put = ports.relationships.put(tenant, [proposal], [audited(context, said('created', null, proposal))]);
    stored.push(
      await put.then(
        () => proposal,
        (error: unknown) => {
          if (error instanceof Fault && (error.kind === 'conflict' || error.kind === 'invalid')) return null;
          throw error;
        },
      ),
    );
  }
  return stored;
}

export interface ProposalsAsked {
  readonly source?: string | undefined;
  readonly target?: string | undefined;
  readonly type?: string | undefined;
  readonly status?: Exclude<FromAi, 'both'> | undefined;
}

/** Former ids lead to the CIs that stay. */
const currentId = async ({ tenant, ports }: UseCaseContext, id: string): Promise<string> =>
  (await ports.topology.getCis(tenant, [id]))[0]?.id ?? id;

async function filterOf(context: UseCaseContext, asked: ProposalsAsked): Promise<RelationshipFilter> {
  const { source, target, type, status } = asked;
  return {
    includeAi: true,
    fromAi: status ?? 'both',
    ...(source !== undefined && { source: await currentId(context, source) }),
    ...(target !== undefined && { target: await currentId(context, target) }),
    ...(type !== undefined && { type: relationshipType(type) }),
  };
}

export async function listProposals(
  context: UseCaseContext,
  asked: ProposalsAsked,
  page: PageRequest<'created_at'>,
): Promise<Page<Joined>> {
  const { tenant, ports } = context;
  const found = await ports.topology.findRelationships(tenant, await filterOf(context, asked), page);
  return { ...found, items: await joinEnds(ports, tenant, found.items) };
}

export interface ProposalChange {
  readonly id: string;
  readonly type?: string | undefined;
  readonly confidence?: number | undefined;
}

const next = (before: Relationship, changed: Partial<Relationship>, at: number): Relationship => {
  const after = { ...before, ...changed };
  if (sameJson(before, after)) return before;
  return { ...after, updatedAt: Math.max(at, before.updatedAt), revision: before.revision + 1 };
};

/** Throws Fault `not-found`, `conflict` for an accepted one. */
export async function changeProposal(context: UseCaseContext, change: ProposalChange): Promise<void> {
  const { tenant, ports, receivedAt } = context;
  const { id, type, confidence } = change;
  const changed = {
    ...(type !== undefined && { type: relationshipType(type) }),
    ...(confidence !== undefined && { confidence }),
  };
  await revise<Relationship>(ports, {
    of: ['relationship', tenant, id],
    ifMatch: null,
    load: async () => requireOpen(await findProposal(context, id)),
    change: (before) => next(before, changed, receivedAt),
    put: (after, before) =>
      ports.relationships.put(tenant, [after], [audited(context, said('updated', before, after))]),
  });
}

/** Makes a proposal a regular relationship; a second acceptance changes nothing. Throws Fault `not-found`. */
export async function acceptProposal(context: UseCaseContext, id: string): Promise<void> {
  const { tenant, ports, receivedAt } = context;
  await revise<Relationship>(ports, {
    of: ['relationship', tenant, id],
    ifMatch: null,
    load: () => findProposal(context, id),
    change: (before) => next(before, { discoveredBy: ACCEPTED }, receivedAt),
    put: (after, before) =>
      ports.relationships.put(tenant, [after], [audited(context, said('accepted', before, after))]),
  });
}

/** An open one is not proposed again for 90 days. Throws Fault `not-found`. */
export async function removeProposal(context: UseCaseContext, id: string): Promise<void> {
  const { tenant, ports, receivedAt: at, caller } = context;
  await findProposal(context, id);
  const gone = await ports.relationships.remove(tenant, id, at, {
    sideRecords: (removed) => [
      audited(context, said('deleted', removed, null)),
      ...(isProposed(removed) ? refusalsOf(tenant, removed, at, caller.id) : []),
    ],
  });
  if (gone === null) throw notFound('AI relationship', id);
}

export interface ProposalsDecided {
  readonly accepted: number;
  readonly rejected: number;
  readonly failed: readonly { readonly id: string; readonly reason: string }[];
}

/** One after the other; one that cannot be decided does not stop the others. */
export async function decideProposals(
  context: UseCaseContext,
  { accept, reject }: { readonly accept: readonly string[]; readonly reject: readonly string[] },
): Promise<ProposalsDecided> {
  const failed: { id: string; reason: string }[] = [];
  const each = async (ids: readonly string[], decide: typeof acceptProposal): Promise<number> => {
    let done = 0;
    for (const id of new Set(ids))
      try {
        await decide(context, id);
        done += 1;
      } catch (error) {
        if (!(error instanceof Fault) || error.kind === 'unavailable') throw error;
        failed.push({ id, reason: error.message });
      }
    return done;
  };
  const rejectOpen: typeof acceptProposal = async (_, id) => {
    requireOpen(await findProposal(context, id));
    await removeProposal(context, id);
  };
  return { accepted: await each(accept, acceptProposal), rejected: await each(reject, rejectOpen), failed };
}
