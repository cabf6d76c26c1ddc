import type { Event } from '#domain/event/event.ts';
import type { PackBuilder } from '#features/ai/rules/pack.ts';
import { byGroup, byTime } from './by-group.ts';
import type { Above, Case } from './case.ts';
import { citeCi, citeEvent, citeGroup, clipped, quoted, subjectOf } from './cite.ts';
import { type Hypothesis, named, PROBABLE, REFS } from './named-cause.ts';

/** Confidence of rules that have no score of their own: on the CI itself, and less for each hop. */
const CHANGE = { on: 0.6, hop: 0.04 };
const UPSTREAM = { on: 0.55, hop: 0.03 };
const KNOWN_PATTERN = 0.4;
const ALTERNATIVES = 2;
/** Characters of a name among others. */
const NAMED = 40;

const MINUTE_MS = 60_000;
const minutesBefore = (earlier: Event, { event }: Case): string =>
  `${Math.max(0, Math.round((event.timestamp - earlier.timestamp) / MINUTE_MS))} min before`;
const hopsAbove = (hops: number): string => (hops === 1 ? '1 hop upstream' : `${hops} hops upstream`);

/** A change on the CI or above it. */
const byChange = (about: Case, pack: PackBuilder): Hypothesis | null => {
  const [change] = about.changes;
  if (!change) return null;
  const { event, hops } = change;
  const confidence = CHANGE.on - hops * CHANGE.hop;
  const how = confidence >= PROBABLE ? 'probably' : 'possibly';
  const where = hops === 0 ? 'on the same CI' : hopsAbove(hops);
  const refs = [...citeEvent(pack, event), ...citeCi(pack, event.ci)];
  return named(
    `A change is ${how} the cause: ${quoted(event)}, ${where}, ${minutesBefore(event, about)}.`,
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
  const how = confidence >= PROBABLE ? 'probably' : 'possibly';
  const refs = [...citeEvent(pack, event), ...citeCi(pack, event.ci)];
  return named(
    `${quoted(event)} is ${how} the cause: open since ${minutesBefore(event, about)}, ${hopsAbove(hops)}.`,
    refs,
    confidence,
    event,
  );
};

/** The event names a cause itself. */
const byKnownPattern = ({ event, complaint }: Case, pack: PackBuilder): Hypothesis | null => {
  if (complaint.known === null) return null;
  const pattern = complaint.known.replaceAll('_', ' ');
  const refs = [...citeEvent(pack, event), ...citeCi(pack, event.ci)];
  return named(
    `${quoted(event)} is possibly a cause itself: it tells of a known one, ${pattern}.`,
    refs,
    KNOWN_PATTERN,
    event,
  );
};

/** In the order in which they are asked: the first that is sure enough is named. */
const RULES = [byGroup, byChange, byUpstream, byTime, byKnownPattern];

/** The best that were looked at and are not sure enough. */
const runnersUp = ({ event, group, changes, upstream }: Case): Event[] => {
  const aboves = [...changes, ...upstream].map(({ event: other }: Above) => other);
  const all = [...(group?.suspects ?? []), ...aboves].filter(({ id }) => id !== event.id);
  return [...new Map(all.map((other) => [other.id, other])).values()].slice(0, ALTERNATIVES);
};

const lookedAt = ({ ci, group }: Case): string => {
  const where =
    ci === null
      ? 'it has no CI, so nothing upstream is known'
      : `no change within 60 min and no older open event up to 6 hops upstream`;
  return group === null ? `it is in no group, and ${where}` : `no event of its group stands out, and ${where}`;
};

const abstained = (about: Case, pack: PackBuilder): Hypothesis => {
  const others = runnersUp(about);
  const nearest =
    others.length === 0 ? '' : ` Nearest: ${others.map((other) => clipped(subjectOf(other), NAMED)).join('; ')}.`;
  const refs = [
    ...citeEvent(pack, about.event),
    ...(about.group === null ? [] : citeGroup(pack, about.group)),
    ...others.flatMap((other) => citeEvent(pack, other)),
  ];
  const text = `No cause can be named: ${lookedAt(about)}.${nearest}`;
  return { claim: { text, refs: refs.slice(0, REFS), certainty: 'fact' }, confidence: 0, abstained: true, cause: null };
};

/** The cause, by the first rule that is sure enough; else that none can be named. */
export function hypothesisOf(about: Case, pack: PackBuilder): Hypothesis {
  for (const rule of RULES) {
    const found = rule(about, pack);
    if (found !== null && found.confidence >= about.abstainBelow) return found;
  }
  return abstained(about, pack);
}
