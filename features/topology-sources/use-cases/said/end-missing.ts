import type { TenantContext } from '#application/access/context.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { SOURCE_RECORDS } from '#features/topology-sources/rules/record-kinds.ts';
import { writtenBySource } from '#features/topology-sources/rules/source.ts';
import type { SaidEntry } from '#features/topology-sources/rules/wanted.ts';
import { isOfSources } from './plan-cis.ts';
import { type SaidBook, type SaidShelf, saidByOthers } from './said-book.ts';

const BATCH = 500;

export interface EndingRun {
  readonly source: string;
  /** All sources of the tenant. */
  readonly sources: readonly string[];
  readonly book: SaidBook;
  readonly at: number;
  readonly isStopping: () => boolean;
}

const others = ({ ports, tenant }: TenantContext, { source, sources }: EndingRun, shelf: SaidShelf) =>
  saidByOthers(
    ports.records,
    tenant,
    sources.filter((one) => one !== source),
    shelf,
  );

/** Removes relationships that no other source reports. Returns their keys. */
export async function endEdges(
  context: TenantContext,
  due: readonly SaidEntry[],
  ending: EndingRun,
): Promise<readonly string[]> {
  const { ports, tenant } = context;
  const { book, at, isStopping } = ending;
  const said = due.length === 0 ? new Set<string>() : await others(context, ending, 'edge');
  const ended: string[] = [];
  for (const [index, { key, id, isKept }] of due.entries()) {
    if (isStopping()) break;
    const isOurs = !isKept && !said.has(id);
    if (isOurs && (await ports.relationships.remove(tenant, id, at)) !== null) ended.push(key);
    book.drop('edge', key);
    if (index % BATCH === BATCH - 1) await book.save();
  }
  await book.save();
  return ended;
}

const endedCi = (ci: Ci, by: string, at: number): Ci => ({
  ...ci,
  status: 'inactive',
  updatedAt: at,
  updatedBy: by,
  revision: ci.revision + 1,
});

/**
 * Deactivates CIs that no other source reports, and schedules their deletion after the retention. Returns their keys.
 */
export async function endCis(
  context: TenantContext,
  due: readonly SaidEntry[],
  ending: EndingRun,
): Promise<readonly string[]> {
  const { ports, tenant } = context;
  const { source, book, at, isStopping } = ending;
  const said = due.length === 0 ? new Set<string>() : await others(context, ending, 'ci');
  const ended: string[] = [];
  for (let first = 0; first < due.length && !isStopping(); first += BATCH) {
    const batch = due.slice(first, first + BATCH);
    const ids = batch.filter(({ id, isKept }) => !isKept && !said.has(id)).map(({ id }) => id);
    const cis = (await ports.topology.getCis(tenant, ids)).filter(
      (ci) => ids.includes(ci.id) && ci.status !== 'inactive' && isOfSources(ci),
    );
    const by = writtenBySource(source);
    if (cis.length > 0) {
      const notes = cis.map(({ id }) => ({
        tenant,
        kind: SOURCE_RECORDS.ended,
        id: `${String(at).padStart(15, '0')}/${ports.ids.ulid()}`,
        body: { ci: id, at },
      }));
      await ports.cis.put(
        tenant,
        cis.map((ci) => endedCi(ci, by, at)),
        notes,
      );
    }
    const gone = new Set(cis.map(({ id }) => id));
    ended.push(...batch.filter(({ id }) => gone.has(id)).map(({ key }) => key));
    for (const { key } of batch) book.drop('ci', key);
    await book.save();
  }
  return ended;
}
