/** An event of the server beside the generator's truth. */
export interface Sample {
  readonly eventId: string;
  /** Null: unrelated noise. */
  readonly incident: string | null;
  readonly isCause: boolean;
  /** True in the first hours, in which the server does not know the normal state yet. */
  readonly isEarly: boolean;
  /** Id of its group; null when it is in none. */
  readonly group: string | null;
}

/** Result for one incident. */
interface Understood {
  readonly incident: string;
  readonly events: number;
  /** The group that holds most of its events, and how many. */
  readonly group: string | null;
  readonly held: number;
  /** Null when no event is its cause. */
  readonly causeFirst: boolean | null;
}

interface NoiseShare {
  readonly events: number;
  /** Number in a group with an incident or with other noise. */
  readonly grouped: number;
  readonly share: number | null;
}

/** All shares are 0 to 1; null where nothing could be counted. */
export interface Score {
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
  readonly noise: NoiseShare & { readonly early: NoiseShare; readonly later: NoiseShare };
  readonly causes: { readonly known: number; readonly first: number };
  readonly incidents: readonly Understood[];
}

const pairs = (n: number): number => (n * (n - 1)) / 2;

const tally = (keys: Iterable<string>): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};
const pairsIn = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + pairs(count), 0);

const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

const noiseShare = (noise: readonly Sample[]): NoiseShare => {
  const grouped = noise.filter(({ group }) => group !== null).length;
  return { events: noise.length, grouped, share: ratio(grouped, noise.length) };
};

const understood = (incident: string, events: readonly Sample[], roots: ReadonlyMap<string, string>): Understood => {
  const [most] = [...tally(events.flatMap(({ group }) => group ?? []))].sort((a, b) => b[1] - a[1]);
  const causes = events.filter(({ isCause }) => isCause).map(({ eventId }) => eventId);
  const root = most && roots.get(most[0]);
  return {
    incident,
    events: events.length,
    group: most?.[0] ?? null,
    held: most?.[1] ?? 0,
    causeFirst: causes.length === 0 ? null : root !== undefined && causes.includes(root),
  };
};

/**
 * Compares groups with the truth over pairs of events: precision is the share of grouped pairs that belong to one
 * incident, recall the share of an incident's pairs that are grouped. `roots`: group → event id of its candidate.
 */
export const scoreOf = (judged: readonly Sample[], roots: ReadonlyMap<string, string>): Score => {
  const byIncident = new Map<string, Sample[]>();
  for (const one of judged)
    if (one.incident !== null) byIncident.set(one.incident, [...(byIncident.get(one.incident) ?? []), one]);
  const grouped = pairsIn(tally(judged.flatMap(({ group }) => group ?? [])));
  const related = pairsIn(tally(judged.flatMap(({ incident }) => incident ?? [])));
  const both = pairsIn(
    tally(
      judged.flatMap(({ incident, group }) => (incident === null || group === null ? [] : `${incident}\n${group}`)),
    ),
  );
  const precision = ratio(both, grouped);
  const recall = ratio(both, related);
  const f1 = ratio(2 * both, grouped + related);
  const noise = judged.filter(({ incident }) => incident === null);
  const incidents = [...byIncident].map(([incident, events]) => understood(incident, events, roots));
  return {
    precision,
    recall,
    f1,
    noise: {
      ...noiseShare(noise),
      early: noiseShare(noise.filter(({ isEarly }) => isEarly)),
      later: noiseShare(noise.filter(({ isEarly }) => !isEarly)),
    },
    causes: {
      known: incidents.filter(({ causeFirst }) => causeFirst !== null).length,
      first: incidents.filter(({ causeFirst }) => causeFirst === true).length,
    },
    incidents,
  };
};
