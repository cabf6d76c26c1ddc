import { verdictText } from '#domain/correlation/root-cause/verdict-text.ts';
import { canCause, complaintKindOf } from '#domain/event/complaints/kind.ts';
import type { Event } from '#domain/event/event.ts';
import { isChange } from '#domain/event/identity/problem-kind.ts';
import { clipped } from '#domain/text.ts';
import type { PackBuilder } from '#features/ai/rules/pack.ts';
import type { Above, Case, GroupFacts } from './case.ts';
import { citeCi, citeEvent, citeGroup, quoted, subjectOf } from './cite.ts';
import { type Hypothesis, named, PROBABLE, REFS } from './named-cause.ts';

/** Characters of a name among others. */
const NAMED = 40;

const BEHIND_MS = 15 * 60_000;

/** Upper limit for a candidate that only its time connects with the event. */
const TIME_ALONE = 0.4;

const spread = ({ candidate, size }: GroupFacts): string => {
  const explained = candidate?.explains.length ?? 0;
  if (explained === 0) return `first of ${size} events in the group`;
  return `explains ${explained} ${explained === 1 ? 'CI' : 'CIs'} in the group`;
};

/** Each explained CI; of more than a sentence cites the nearest, with the group that lists all. */
const explainedRefs = (group: GroupFacts, pack: PackBuilder): string[] => {
  const cis = group.explained.flatMap((ci) => citeCi(pack, ci));
  const isAll = cis.length === group.candidate?.explains.length;
  return isAll ? [...cis, ...citeGroup(pack, group)] : [...citeGroup(pack, group), ...cis];
};

const candidateOf = ({ group }: Pick<Case, 'group'>) => {
  const candidate = group?.candidate;
  const cause = group?.suspects.find(({ id }) => id === candidate?.eventId);
  return group && candidate && cause ? { group, candidate, cause } : null;
};

type Grouped = Pick<Case, 'event' | 'group' | 'kind'>;

/** The candidate, when more than its time joins the event with it; nothing upstream makes a problem of the CI itself. */
const joinedCandidateOf = (about: Grouped) => {
  const found = candidateOf(about);
  if (found === null || found.group.byTimeAlone) return null;
  return about.kind.shows === 'own' && found.cause.id !== about.event.id ? null : found;
};

/** True if the candidate of its group is named, so that no other cause is checked. */
export const isNamedByGroup = (about: Grouped & Pick<Case, 'abstainBelow'>): boolean =>
  (joinedCandidateOf(about)?.candidate.confidence ?? Number.NEGATIVE_INFINITY) >= about.abstainBelow;

const byVerdict = (about: Case, pack: PackBuilder): Hypothesis | null => {
  const { judged, event } = about;
  const scored = candidateOf(about)?.cause ?? null;
  const root = judged?.isRight ? (judged.root ?? scored) : judged?.root;
  if (!judged || !root) return null;
  const text = verdictText({
    by: clipped(judged.by, NAMED),
    isRight: judged.isRight,
    note: judged.note,
    root: quoted(root),
    scored: scored === null || scored.id === root.id ? null : clipped(subjectOf(scored), NAMED),
  });
  const refs = [...citeEvent(pack, root), ...citeCi(pack, root.ci), ...citeEvent(pack, event)];
  return named(text, refs, 1, root);
};

const isRejected = ({ judged }: Pick<Case, 'judged'>): boolean =>
  judged !== null && !judged.isRight && judged.root === null;

/** The change before the cause that may have brought it about. */
const trigger = ({ changes, event }: Case, cause: Event, pack: PackBuilder): { text: string; refs: string[] } => {
  const change = cause.id === event.id ? changes[0]?.event : undefined;
  if (change === undefined) return { text: '', refs: [] };
  return {
    text: ` It started ${after(change, cause)} after the change ${quoted(change)}.`,
    refs: citeEvent(pack, change),
  };
};

/** An upstream problem of its own so shortly before that the candidate is rather its effect. */
const behindCandidate = (about: Case): Above | null => {
  const cause = candidateOf(about)?.cause;
  if (cause === undefined || about.kind.shows === 'own') return null;
  const isBehind = ({ event }: Above): boolean => {
    const before = cause.timestamp - event.timestamp;
    if (before < 0 || before > BEHIND_MS) return false;
    const kind = complaintKindOf(event);
    const isOwn = kind.shows === 'own' && kind.stops !== 'none' && kind.stops !== 'spare';
    return event.id !== cause.id && isOwn && canCause(kind, complaintKindOf(cause));
  };
  return about.upstream.find(isBehind) ?? null;
};

/** A problem upstream of the candidate goes before it. */
const byDeeper = (about: Case, pack: PackBuilder): Hypothesis | null => {
  const found = candidateOf(about);
  const above = behindCandidate(about);
  if (found === null || above === null) return null;
  const { cause } = found;
  const refs = [...citeEvent(pack, above.event), ...citeCi(pack, above.event.ci), ...citeEvent(pack, cause)];
  const how = `${after(above.event, cause)} before ${quoted(cause)}`;
  const text = `Probable root cause: ${quoted(above.event)}, upstream, ${how}, the highest-scored candidate.`;
  return named(text, refs, UPSTREAM.on, above.event);
};

/** The candidate of the group. */
const byGroup = (about: Case, pack: PackBuilder): Hypothesis | null => {
  const found = joinedCandidateOf(about);
  if (found === null) return null;
  const { group, candidate, cause } = found;
  const how = candidate.confidence >= PROBABLE ? 'Probable' : 'Possible';
  const { whole } = group;
  const refs = [...citeEvent(pack, cause), ...citeCi(pack, whole ?? cause.ci), ...explainedRefs(group, pack)];
  const by = whole === undefined ? '' : `, reported by components of ${clipped(whole.name, NAMED)}`;
  const change = trigger(about, cause, pack);
  const text = `${how} root cause: ${quoted(cause)}${by} (${spread(group)}).${change.text}`;
  return named(text, [...refs.slice(0, 1), ...change.refs, ...refs.slice(1)], candidate.confidence, cause);
};

const apart = ({ event, ci }: Case, cause: Event): string => {
  if (cause.id === event.id) return 'related by time only';
  return ci === null ? 'this event has no CI' : 'no relationship to this event';
};

/** The candidate of a group that nothing but its time joins the event with. */
const byTime = (about: Case, pack: PackBuilder): Hypothesis | null => {
  const found = candidateOf(about);
  if (found === null || !found.group.byTimeAlone) return null;
  const { group, candidate, cause } = found;
  if (cause.id !== about.event.id && !canCause(complaintKindOf(cause), about.kind)) return null;
  const refs = [...citeEvent(pack, cause), ...citeCi(pack, cause.ci), ...citeGroup(pack, group)];
  return named(
    `Possible root cause by time only: ${quoted(cause)} is the group's root-cause candidate, but ${apart(about, cause)}.`,
    [...refs, ...citeEvent(pack, about.event)],
    Math.min(TIME_ALONE, candidate.confidence),
    cause,
  );
};

/** Confidence of rules that have no score of their own: on the CI itself, and less for each hop. */
const CHANGE = { on: 0.6, hop: 0.04 };
const UPSTREAM = { on: 0.55, hop: 0.03 };
const KNOWN_PATTERN = 0.4;
const OWN = 0.6;
const ALTERNATIVES = 2;

const MINUTE_MS = 60_000;
const after = (earlier: Event, later: Event): string =>
  `${Math.max(0, Math.round((later.timestamp - earlier.timestamp) / MINUTE_MS))}m`;
const minutesBefore = (earlier: Event, { event }: Case): string =>
  `${Math.max(0, Math.round((event.timestamp - earlier.timestamp) / MINUTE_MS))}m before`;
const hopsAbove = (hops: number): string => (hops === 1 ? '1 hop upstream' : `${hops} hops upstream`);

/** A change on the CI or above it. */
const byChange = (about: Case, pack: PackBuilder): Hypothesis | null => {
  const [change] = about.changes;
  if (!change) return null;
  const { event, hops } = change;
  const confidence = CHANGE.on - hops * CHANGE.hop;
  const how = confidence >= PROBABLE ? 'Probable' : 'Possible';
  const where = hops === 0 ? 'on the same CI' : hopsAbove(hops);
  const refs = [...citeEvent(pack, event), ...citeCi(pack, event.ci)];
  return named(
    `${how} root cause: change ${quoted(event)}, ${where}, ${minutesBefore(event, about)}.`,
    refs,
    confidence,
    event,
  );
};

/** An older event above that is not over. */
const byUpstream = (about: Case, pack: PackBuilder): Hypothesis | null => {
  const [above] = about.upstream;
  if (!above) return null;
  const { event, hops } = above;
  const confidence = UPSTREAM.on - hops * UPSTREAM.hop;
  const how = confidence >= PROBABLE ? 'Probable' : 'Possible';
  const refs = [...citeEvent(pack, event), ...citeCi(pack, event.ci)];
  return named(
    `${how} root cause: ${quoted(event)}, open since ${minutesBefore(event, about)}, ${hopsAbove(hops)}.`,
    refs,
    confidence,
    event,
  );
};

/** A problem of the CI itself: it stops something there, and nothing upstream makes it. */
const byOwnProblem = ({ event, kind, complaint }: Case, pack: PackBuilder): Hypothesis | null => {
  const isOwn = kind.shows === 'own' && kind.causes.length > 0;
  const refs = [...citeEvent(pack, event), ...citeCi(pack, event.ci)];
  if (isOwn && kind.stops !== 'none')
    return named(`Probable root cause: ${quoted(event)}, a problem on ${subjectOf(event)} itself.`, refs, OWN, event);
  if (!isOwn && complaint.known === null && kind.stops !== 'all') return null;
  return named(
    `Possible root cause: ${quoted(event)}, a problem on ${subjectOf(event)} itself.`,
    refs,
    KNOWN_PATTERN,
    event,
  );
};

/** Checked in this order: the first rule with enough confidence names the cause. */
const RULES = [byVerdict, byDeeper, byGroup, byChange, byUpstream, byTime, byOwnProblem];

/** The best that were looked at and are not sure enough. */
const runnersUp = ({ event, group, changes, upstream }: Case): Event[] => {
  const aboves = [...changes, ...upstream].map(({ event: other }: Above) => other);
  const all = [...(group?.suspects ?? []), ...aboves].filter(({ id }) => id !== event.id);
  return [...new Map(all.map((other) => [other.id, other])).values()].slice(0, ALTERNATIVES);
};

const lookedAt = (about: Case): string => {
  const { ci, group, event, judged } = about;
  if (isChange(event)) return 'this is a change, not a problem';
  if (about.isUsual) return `nothing unusual, this problem recurs on ${subjectOf(event)}`;
  if (isRejected(about)) return `${clipped(judged?.by ?? '', NAMED)} rejected the candidate of its group`;
  if (about.kind.shows === 'own') return `a local problem on ${subjectOf(event)} without an upstream cause`;
  const where =
    ci === null
      ? 'no CI bound, so upstream is unknown'
      : `no change within 60m and no older open event up to 6 hops upstream`;
  return group === null ? `not in a group, and ${where}` : `no root cause in its group, and ${where}`;
};

/** Nothing is behind what is usual, made on purpose, or a condition of the CI itself. */
const hasNoCause = ({ event, isUsual, kind }: Case): boolean => isUsual || isChange(event) || kind.shows === 'own';

const abstained = (about: Case, pack: PackBuilder): Hypothesis => {
  const others = hasNoCause(about) ? [] : runnersUp(about);
  const nearest =
    others.length === 0
      ? ''
      : ` Closest candidates: ${others.map((other) => clipped(subjectOf(other), NAMED)).join('; ')}.`;
  const refs = [
    ...citeEvent(pack, about.event),
    ...(about.group === null ? [] : citeGroup(pack, about.group)),
    ...others.flatMap((other) => citeEvent(pack, other)),
  ];
  const text = `No root cause identified: ${lookedAt(about)}.${nearest}`;
  return { claim: { text, refs: refs.slice(0, REFS), certainty: 'fact' }, confidence: 0, abstained: true, cause: null };
};

const rulesFor = (about: Case): typeof RULES => {
  if (about.isUsual) return [byVerdict];
  if (isChange(about.event))
    return candidateOf(about)?.cause.id === about.event.id ? [byVerdict, byGroup] : [byVerdict];
  return isRejected(about) ? [byChange, byUpstream, byOwnProblem] : RULES;
};

/** The cause, by the first rule that is sure enough; else that none can be named. */
export function hypothesisOf(about: Case, pack: PackBuilder): Hypothesis {
  for (const rule of rulesFor(about)) {
    const found = rule(about, pack);
    if (found !== null && found.confidence >= about.abstainBelow) return found;
  }
  return abstained(about, pack);
}
