import { assertDefined, itemAt } from '#domain/assert.ts';
import {
  type GroupAssignment,
  type GroupCis,
  type GroupStanding,
  type GroupState,
  MAX_CIS,
  NAME_KINDS,
  NAMES,
  type NameKind,
  type NamesOf,
  ON,
  standingOf,
} from '#domain/correlation/grouping/group-state.ts';
import type { Group } from '#domain/correlation/records.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import { recordOf } from '#domain/record-of.ts';
import { zip } from '#domain/zip.ts';
import { all, not, term, terms } from '#infra/elasticsearch/cluster/query.ts';
import { aggregateMany } from '#infra/elasticsearch/cluster/search.ts';
import type { Store } from '#infra/elasticsearch/cluster/store.ts';
import { keyOf } from '#infra/elasticsearch/documents/group-row-document.ts';

interface Buckets {
  readonly buckets: readonly { readonly key: string | number; readonly doc_count: number; readonly ranks?: Buckets }[];
}
interface MemberAggregations {
  readonly counted: { readonly statuses: Buckets };
  readonly names: Buckets;
  readonly on: { readonly cis: Buckets };
  readonly cis: Buckets;
  readonly changed: { readonly value: number | null };
  readonly position: { readonly value: number | null };
}

/** Different names of one group; more are neither counted nor found. */
const MAX_NAMES = 10_000;
/** Counts the values of the matches alone: ordinals of a whole index are rebuilt after every refresh. */
const few = (field: string, size: number) => ({ terms: { field, size, execution_hint: 'map' } });
const AGGREGATIONS = {
  counted: {
    filter: not(term('member.superseded', true)),
    aggs: { statuses: { terms: { field: 'event.status' }, aggs: { ranks: { terms: { field: 'rank' } } } } },
  },
  names: few('member.names', MAX_NAMES),
  on: { filter: terms('event.status', ON), aggs: { cis: few('event.ci.id', MAX_CIS) } },
  cis: few('event.ci.id', MAX_CIS),
  changed: { max: { field: 'event.updatedAt' } },
  position: { max: { field: 'event.position' } },
};

const talliedOf = ({ buckets }: Buckets, care: GroupAssignment): GroupStanding => {
  const byRank = (wanted?: string): number[] => {
    const counts = SEVERITIES.map(() => 0);
    for (const { key, ranks } of buckets)
      if (wanted === undefined || key === wanted)
        for (const rank of assertDefined(ranks, 'ranks of a status').buckets) {
          const at = Number(rank.key);
          counts[at] = itemAt(counts, at) + rank.doc_count;
        }
    return counts;
  };
  const suppressed = buckets.find(({ key }) => key === 'suppressed')?.doc_count ?? 0;
  const tally = { open: byRank('open'), acknowledged: byRank('acknowledged'), all: byRank(), suppressed };
  return standingOf(tally, care);
};

const cisIn = ({ on, cis }: Pick<MemberAggregations, 'on' | 'cis'>): GroupCis => ({
  on: on.cis.buckets.map(({ key }) => String(key)),
  all: cis.buckets.map(({ key }) => String(key)),
});

type NameTuple = readonly [kind: NameKind, key: string, label: string];

/** One name may be written in several forms. */
const namedIn = ({ buckets }: Buckets): Map<string, { readonly label: string; readonly kind: NameKind; n: number }> => {
  const found = new Map<string, { readonly label: string; readonly kind: NameKind; n: number }>();
  for (const { key: text, doc_count: n } of buckets) {
    const [kind, key, label] = JSON.parse(String(text)) as NameTuple;
    const known = found.get(keyOf(kind, key));
    if (known === undefined) found.set(keyOf(kind, key), { label, kind, n });
    else known.n += n;
  }
  return found;
};

/** Totals of the members of a group, counted by the engine; `keys` and `position` are for the row. */
export interface CountedMembers {
  readonly state: GroupState;
  readonly keys: readonly string[];
  readonly position: number;
}

/** Records beside a group. */
export interface GroupExtras {
  readonly care: GroupAssignment;
  readonly hits: number;
}

const countedOf = (
  group: Group,
  { care, hits }: GroupExtras,
  aggregations: MemberAggregations | undefined,
): CountedMembers => {
  const none = { buckets: [] };
  const found = namedIn(aggregations?.names ?? none);
  const top = (wanted: NameKind): NamesOf => {
    const own = [...found].filter(([, { kind }]) => kind === wanted);
    own.sort(([a, x], [b, y]) => y.n - x.n || (a < b ? -1 : 1));
    return { names: own.slice(0, NAMES).map(([, { label }]) => label), count: own.length };
  };
  return {
    state: {
      ...talliedOf(aggregations?.counted.statuses ?? none, care),
      hits,
      cis: cisIn({ on: aggregations?.on ?? { cis: none }, cis: aggregations?.cis ?? none }),
      names: recordOf(NAME_KINDS, top),
      lastActivity: Math.max(group.last, aggregations?.changed.value ?? 0),
    },
    keys: [...found.keys()],
    position: Math.max(group.position, aggregations?.position.value ?? 0),
  };
};

/** Counts the members of each group; `extras` are in the order of the groups. */
export async function countMembers(
  { connection, names }: Store,
  groups: readonly Group[],
  extras: readonly GroupExtras[],
): Promise<CountedMembers[]> {
  const asked = groups.map(({ tenant, id, aliases }) => ({
    query: all(term('event.tenant', tenant), terms('event.correlationId', [id, ...aliases])),
    aggs: AGGREGATIONS,
  }));
  const counted = await aggregateMany<MemberAggregations>(connection, names.every('events'), asked);
  return zip(groups, extras).map(([group, own], place) => countedOf(group, own, counted[place]));
}
