import type { Event } from '#domain/event/event.ts';
import { isChange } from '#domain/event/identity/problem-kind.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { VersionChange } from '#domain/ports/topology/topology-history.ts';
import { clipped } from '#domain/text.ts';
import type { HypothesisCi, NearChange } from '#features/investigations/rules/investigation.ts';
import { namedEvent } from '#features/investigations/rules/wording.ts';

/** Maximum number of CIs, change events and versions to read. */
const MAX_CIS = 300;
const MAX_EVENTS = 200;
const MAX_VERSIONS = 100;

interface ChangeRange {
  readonly cis: readonly HypothesisCi[];
  /** ms */
  readonly from: number;
  readonly to: number;
}

const ofEvent = (event: Event): NearChange[] =>
  event.ci === null || !isChange(event) ? [] : [{ at: event.timestamp, ci: event.ci, text: namedEvent(event), event }];

/** Ignores new CIs and all relationships, which scans and imports add all the time. */
const ofVersion = (change: VersionChange): NearChange[] => {
  if (change.of !== 'ci' || change.before === null) return [];
  const { id, name } = change.after ?? change.before;
  const text = change.after === null ? `${clipped(name)} was deleted` : `of ${clipped(name)} in the CMDB`;
  return [{ at: change.at, ci: { id, name }, text, event: null }];
};

/** Changes of these CIs, as events and as versions of the CMDB, newest first. */
export const nearChanges = async (
  { events, history }: Pick<Ports, 'events' | 'history'>,
  tenant: string,
  { cis, from, to }: ChangeRange,
): Promise<NearChange[]> => {
  const ids = [...new Set(cis.map(({ id }) => id))].slice(0, MAX_CIS);
  if (ids.length === 0) return [];
  const page = { sort: 'timestamp', order: 'desc', limit: MAX_EVENTS } as const;
  const [told, versions] = await Promise.all([
    events.part(tenant, { ciId: ids, from, to }, page),
    history.changesAmong(tenant, { ciIds: ids, from, to }, { limit: MAX_VERSIONS }),
  ]);
  const found = [...told.items.flatMap(ofEvent), ...versions.items.flatMap(ofVersion)];
  return found.filter(({ at }) => at >= from && at <= to).sort((a, b) => b.at - a.at);
};
