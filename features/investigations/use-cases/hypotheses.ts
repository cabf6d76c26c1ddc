import { wholeIn } from '#application/groups/cause-wholes.ts';
import type { ListedGroup } from '#domain/correlation/grouping/group-state.ts';
import type { Candidate } from '#domain/correlation/records.ts';
import type { Event } from '#domain/event/event.ts';
import { namedEvent } from '#features/investigations/rules/findings.ts';
import type { CauseHypothesis, HypothesisCi, NearChange } from '#features/investigations/rules/investigation.ts';
import type { InvestigationAsking } from './checks.ts';
import { type BegunInvestigation, confirmedIn, namedIds } from './first-sentence.ts';
import { faultReach } from './scene.ts';

const MAX_CHANGES = 2;
const MAX_HYPOTHESES = 5;
/** Confidence before any check: unranked event, change event, new version of a CI, rejected root cause. */
const UNRANKED = 0.1;
const CHANGE = 0.3;
const VERSION = 0.15;
const REJECTED = 0.02;

type Draft = Omit<CauseHypothesis, 'id' | 'reach'>;

const priorOf = (candidate: Candidate | null, eventId: string): number => {
  if (candidate === null) return UNRANKED;
  if (candidate.eventId === eventId) return candidate.confidence;
  const score = candidate.alternatives.find((one) => one.eventId === eventId)?.score ?? 0;
  const share = candidate.score > 0 ? Math.max(0, score) / candidate.score : 0;
  return Math.max(UNRANKED / 2, Math.min(candidate.confidence, 1 - candidate.confidence) * share);
};

const draftOf = (row: ListedGroup, event: Event, whole: HypothesisCi | null): Draft => {
  const { group, care } = row;
  const isConfirmed = confirmedIn(row) === event.id;
  const isCandidate = group.candidate?.eventId === event.id;
  const isRejected = care.verdict?.cause === 'wrong' && isCandidate && !isConfirmed;
  const ci = (isCandidate ? whole : null) ?? event.ci;
  const prior = priorOf(group.candidate, event.id);
  return {
    basis: isConfirmed ? 'verdict' : 'ranking',
    text: namedEvent(event) + (whole !== null && isCandidate ? `, reported by components of ${whole.name}` : ''),
    event,
    ci: ci && { id: ci.id, name: ci.name },
    since: event.timestamp,
    prior: isRejected ? REJECTED : prior,
    isRejected,
  };
};

const changeDraft = ({ at, ci, text, event }: NearChange): Draft => ({
  basis: 'change',
  text: `change ${text}`,
  event,
  ci: { id: ci.id, name: ci.name },
  since: at,
  prior: event === null ? VERSION : CHANGE,
  isRejected: false,
});

/** Returns the CI whose components report the problem of the candidate. */
const wholeOf = async (
  { ports, tenant }: InvestigationAsking,
  { group }: ListedGroup,
): Promise<HypothesisCi | null> => {
  const id = wholeIn(group.candidate);
  return id === null ? null : ((await ports.topology.getCis(tenant, [id]))[0] ?? null);
};

const withReach = async (
  asking: InvestigationAsking,
  drafts: readonly Draft[],
  first: number,
): Promise<CauseHypothesis[]> =>
  Promise.all(
    drafts.map(async (draft, n) => ({
      ...draft,
      id: `H${first + n}`,
      reach: await faultReach(asking.ports, asking.tenant, draft.ci),
    })),
  );

/** Derives hypotheses from the verdict and the ranking. */
export const rankedHypotheses = async (
  asking: InvestigationAsking,
  { row, named }: BegunInvestigation,
): Promise<CauseHypothesis[]> => {
  const whole = await wholeOf(asking, row);
  const events = namedIds(row).flatMap((id) => named.get(id) ?? []);
  return withReach(
    asking,
    events.map((event) => draftOf(row, event, whole)),
    1,
  );
};

/** Derives hypotheses from other changes: change events first, then the latest. */
export const changeHypotheses = (
  asking: InvestigationAsking,
  changes: readonly NearChange[],
  others: readonly CauseHypothesis[],
): Promise<CauseHypothesis[]> => {
  const known = new Set(others.map(({ event }) => event?.id));
  const some = changes
    .filter(({ event }) => event === null || !known.has(event.id))
    .toSorted((a, b) => Number(a.event === null) - Number(b.event === null));
  const drafts = some
    .filter(({ ci }, at) => some.findIndex((one) => one.ci.id === ci.id) === at)
    .slice(0, Math.min(MAX_CHANGES, MAX_HYPOTHESES - others.length))
    .map(changeDraft);
  return withReach(asking, drafts, others.length + 1);
};
