/** Two CIs become one; the work of one transaction. */
import type { CiMerge, MergedCis } from '#domain/ports/topology/ci-store.ts';
import { type Merging, movesOf, type Resettled, resettled } from '#domain/topology/merge.ts';
import { assertRevision } from '#domain/topology/refusals.ts';
import type { Ci, Relationship } from '#domain/topology/topology.ts';
import type { Run } from '#infra/neo4j/client/client.ts';
import { parsed, readBetween } from '#infra/neo4j/client/read.ts';
import { countCis, raiseVersion } from '#infra/neo4j/client/write.ts';
import { assertCiRemovable, END, ENDINGS, KEEP, putRound, relearn, storedCis } from './write-cis.ts';
import { endRelationships, putRelationshipRound } from './write-relationships.ts';

const SEEN = `MATCH (a:Ci {tenant: $tenant, id: $from}), (b:Ci {tenant: $tenant, id: $into})
  WHERE a.seen_at > coalesce(b.seen_at, -1) SET b.seen_at = a.seen_at`;

type HeldEdge = Parameters<typeof endRelationships>[2][number];

interface MergedRelationships {
  readonly endings: readonly HeldEdge[];
  readonly rest: Resettled;
}

async function heldBy(run: Run, tenant: string, merging: Merging): Promise<MergedRelationships> {
  await assertCiRemovable(run, tenant, merging.from, true);
  const all = await run<HeldEdge>(ENDINGS, { tenant, id: merging.from });
  const moves = movesOf(
    all.map(({ record }) => parsed<Relationship>(record)),
    merging,
  );
  const rest = resettled(moves, await readBetween(run, tenant, moves.moving), merging);
  const ends = new Set(rest.ends);
  return { endings: all.filter(({ id }) => ends.has(id)), rest };
}

/** Returns null when the CI to remove does not exist. */
export async function mergeCis(
  run: Run,
  tenant: string,
  { into, from, at, by }: Omit<CiMerge, 'sideRecords'>,
): Promise<MergedCis | null> {
  const touched = await raiseVersion(run, tenant);
  const stored = (await storedCis(run, tenant, [from.id])).get(from.id);
  if (stored === undefined) return null;
  assertRevision('CI', from.id, stored.revision, from.revision);
  const { endings, rest } = await heldBy(run, tenant, { from: from.id, into: into.id, at });
  await endRelationships(run, tenant, endings, { at, touched });
  if (rest.puts.length > 0) await putRelationshipRound(run, tenant, rest.puts, touched);
  await run(SEEN, { tenant, from: from.id, into: into.id });
  const to = Math.max(at, stored.validFrom);
  await run(KEEP, { tenant, rows: [{ id: from.id, to, removed: true, by }] });
  await relearn(run, tenant, [stored], []);
  await run(END, { tenant, id: from.id, to, touched });
  await countCis(run, tenant, -1);
  await putRound(run, tenant, [into], touched);
  return { from: parsed<Ci>(stored.record), moved: rest.puts.length, ended: endings.length };
}
