import type { Event } from '#domain/event/event.ts';
import { known } from '#domain/known.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { VersionChange } from '#domain/ports/topology/topology-history.ts';
import type { Moment } from './moment.ts';

/** CIs of members around which is looked, the earliest; CIs within one hop of each, itself too; changes told. */
const MEMBERS = 20;
const AROUND = 20;
const CHANGES = 100;

type Reading = Pick<Ports, 'history'>;
interface Range {
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
  const version = known(change.after ?? change.before, 'version of the relationship');
  const [source, target] = [version.source, version.target].map((id) => names.get(id) ?? id);
  return `${source} ${version.type} ${target} ${done(change)}`;
};

/** CIs and relationships near the members that changed within the range; of relationships those between CIs that are looked at. */
export const topologyMoments = async (
  { history }: Reading,
  members: readonly Event[],
  { from, to }: Range,
): Promise<{ readonly moments: readonly Moment[]; readonly isTruncated: boolean }> => {
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
