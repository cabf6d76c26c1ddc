import type { EventPart } from '#domain/pipeline/processor.ts';
import { openElasticsearch } from '#infra/elasticsearch/open-elasticsearch.ts';
import { systemClock } from '#infra/system/time.ts';
import { type GroupsWorld, partsOf, TENANT } from './groups-world.ts';

const BATCH = 2_000;
/** Rows counted in one call. */
const ROWS = 500;
const CREATED: ReadonlySet<EventPart> = new Set(['created']);
const NOTHING = { recoveries: [], deliveries: [], enriched: [], decisions: [] };

/** Events in groups, and the rows of the groups, as the pipeline saves them. */
export async function fillElasticsearch(node: string, world: GroupsWorld): Promise<void> {
  const { pipeline, groupRows, close } = await openElasticsearch({ node, clock: systemClock });
  const ids: string[] = [];
  for (const { events, groups } of partsOf(world, BATCH)) {
    const changed = events.map((event) => ({ event, parts: CREATED }));
    await pipeline.save({ ...NOTHING, events: changed, groups });
    ids.push(...groups.map(({ id }) => id));
  }
  for (let from = 0; from < ids.length; from += ROWS) await groupRows.refresh(TENANT, ids.slice(from, from + ROWS));
  await close();
}
