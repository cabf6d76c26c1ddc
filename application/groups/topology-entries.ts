import { assertDefined } from '#domain/assert.ts';
import type { Event } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { VersionChange } from '#domain/ports/topology/topology-history.ts';
import type { GroupTimelineEntry } from './timeline-entry.ts';

/** Limits: the earliest CIs of members; CIs within one hop of each, itself too; changes shown. */
const MEMBERS = 20;
const AROUND = 20;
const CHANGES = 100;

type HistoryPorts = Pick<Ports, 'history'>;
interface TimelineRange {
  /** ms. */
  readonly from: number;
  readonly to: number;
}

const endsOf = (change: VersionChange): string[] => {
  if (change.of === 'ci') return [];
  const version = change.after ?? change.before;
  return version === null ? [] : [version.source, version.target];
};

const done = ({ before, after }: VersionChange): string =>
  before === null ? 'was added' : after === null ? 'was removed' : 'was changed';

const told = (change: VersionChange, names: ReadonlyMap<string, string>): string => {
  if (change.of === 'ci') return `${(change.after ?? change.before)?.name ?? 'a configuration item'} ${done(change)}`;
  const version = assertDefined(change.after ?? change.before, 'version of the relationship');
  const [source, target] = [version.source, version.target].map((id) => names.get(id) ?? id);
  return `${source} ${version.type} ${target} ${done(change)}`;
};

/**
 * Returns CIs and relationships near the members that changed within the range; only relationships between these CIs.
 */
export const topologyEntries = async (
  { history }: HistoryPorts,
  members: readonly Event[],
  { from, to }: TimelineRange,
): Promise<{ readonly moments: readonly GroupTimelineEntry[]; readonly isTruncated: boolean }> => {
  const cis = [...new Set(members.flatMap(({ ci }) => ci?.id ?? []))];
  const [first] = members;
  if (first === undefined || cis.length === 0 || from > to) return { moments: [], isTruncated: false };
  const { tenant } = first;
  const looked = cis.slice(0, MEMBERS);
  const areas = await Promise.all(looked.map((ci) => history.area(tenant, { ci, hops: 1, from, to, limit: AROUND })));
  const ids = [...new Set([...looked, ...areas.flatMap((area) => area.ids)])];
  const changed = await history.changesAmong(tenant, { ciIds: ids, from, to }, { limit: CHANGES });
  const ends = [...new Set(changed.items.flatMap(endsOf))];
  const names = ends.length === 0 ? new Map<string, string>() : await history.lastNames(tenant, ends);
  return {
    moments: changed.items.map((change) => ({ at: change.at, kind: 'topology', text: told(change, names) })),
    isTruncated: cis.length > MEMBERS || changed.nextCursor !== null || areas.some(({ truncated }) => truncated),
  };
};
