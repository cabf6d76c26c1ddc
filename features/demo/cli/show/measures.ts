import { binsOf, calibrationError } from '#domain/statistics/calibration.ts';
import type { ReplayOutcome } from './replay.ts';
import type { Sample, Score } from './score.ts';

/** Quality of groups, causes and confidence; shares are 0 to 1, null where nothing could be counted. */
export interface Measures {
  readonly f1: number | null;
  /** Noise in a group of two or more, after the hours of learning. */
  readonly noiseGrouped: HitShare;
  /** Groups of three or more most of whose events are noise. */
  readonly noiseGroups: HitShare;
  /** The CI of the cause is named at first, or within the first three; of incidents whose cause has an event. */
  readonly hit1: HitShare;
  readonly hit3: HitShare;
  /** Confidence against being right, over groups of three or more. */
  readonly ece: number | null;
}
interface HitShare {
  readonly of: number;
  readonly hits: number;
  readonly share: number | null;
}

const SHOWN = 3;
const BINS = 5;

export const shareOf = (hits: number, of: number): HitShare => ({ of, hits, share: of === 0 ? null : hits / of });

/** Returns the place of each event: its CI, else itself. */
const placesOf = ({ events }: ReplayOutcome): ReadonlyMap<string, string> =>
  new Map(events.map(({ eventId, ciId }) => [eventId, ciId?.name ?? eventId]));

interface CauseGuess {
  readonly confidence: number;
  /** Places of the candidate and of the alternatives, each once. */
  readonly places: readonly string[];
}

const namedBy = (outcome: ReplayOutcome): ReadonlyMap<string, CauseGuess> => {
  const places = placesOf(outcome);
  return new Map(
    outcome.groups.flatMap(({ correlationId, rootCauseCandidate: candidate }) => {
      if (candidate === null) return [];
      const ids = [candidate.eventId, ...candidate.alternatives.map(({ eventId }) => eventId)];
      const named = [...new Set(ids.map((id) => places.get(id) ?? id))];
      return [[correlationId, { confidence: candidate.confidence, places: named }] as const];
    }),
  );
};

const most = (members: readonly Sample[]): { readonly incident: string | null; readonly events: number } => {
  const counts = new Map<string | null, number>();
  for (const { incident } of members) counts.set(incident, (counts.get(incident) ?? 0) + 1);
  const incidents = [...counts].filter(([incident]) => incident !== null).sort((a, b) => b[1] - a[1]);
  return { incident: incidents[0]?.[0] ?? null, events: incidents[0]?.[1] ?? 0 };
};

/** Compares the server's result for a story with the truth; `score` is derived from the same. */
export const measuresOf = (judged: readonly Sample[], outcome: ReplayOutcome, score: Score): Measures => {
  const places = placesOf(outcome);
  const named = namedBy(outcome);
  const causes = new Map<string, Set<string>>();
  for (const { incident, isCause, eventId } of judged)
    if (incident !== null && isCause)
      causes.set(incident, (causes.get(incident) ?? new Set()).add(places.get(eventId) ?? eventId));
  const known = score.incidents.filter(({ causeFirst }) => causeFirst !== null);
  const hits = (within: number): number =>
    known.filter(({ incident, group }) => {
      const first = named.get(group ?? '')?.places.slice(0, within) ?? [];
      return first.some((place) => causes.get(incident)?.has(place));
    }).length;
  const groups = Map.groupBy(
    judged.filter(({ group }) => group !== null),
    ({ group }) => group as string,
  );
  const shown = [...groups].filter(([, members]) => members.length >= SHOWN);
  const isNoise = (members: readonly Sample[]): boolean => most(members).events * 2 < members.length;
  const said = shown.flatMap(([group, members]) => {
    const one = named.get(group);
    if (one === undefined) return [];
    const place = one.places[0] ?? '';
    const isRight = !isNoise(members) && causes.get(most(members).incident ?? '')?.has(place) === true;
    return [{ confidence: one.confidence, isRight }];
  });
  return {
    f1: score.f1,
    noiseGrouped: shareOf(score.noise.later.grouped, score.noise.later.events),
    noiseGroups: shareOf(shown.filter(([, members]) => isNoise(members)).length, shown.length),
    hit1: shareOf(hits(1), known.length),
    hit3: shareOf(hits(SHOWN), known.length),
    ece: calibrationError(binsOf(said, BINS)),
  };
};
