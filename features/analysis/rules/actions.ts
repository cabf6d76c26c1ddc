import type { Claim } from '#domain/ai/evidence.ts';
import type { ComplaintKind } from '#domain/event/complaints/kind.ts';
import type { Event } from '#domain/event/event.ts';
import type { KnownPattern } from '#domain/event/identity/known-patterns.ts';
import { isChange, plainTexts } from '#domain/event/identity/problem-kind.ts';
import type { ProblemKind } from '#domain/event/identity/problem-kinds.ts';
import { clipped } from '#domain/text.ts';
import type { PackBuilder } from '#features/ai/rules/pack.ts';
import type { Case } from './case.ts';
import { citeCi, citeEvent, minuteOf, quoted, subjectOf } from './cite.ts';
import type { Hypothesis } from './named-cause.ts';
import { type ProblemTopic, TOPICS } from './topics.ts';

/** Position of an event: root cause, below a root cause, or neither is known. */
export type CausalPosition = 'cause' | 'below' | 'alone';

const BY_PATTERN: Readonly<Record<KnownPattern, string>> = {
  host_down: 'Check power, console and network of the host, then start it or fail over.',
  link_down: 'Check cable, port and the other end of the link, and whether a redundant path carries the traffic.',
  power: 'Check power supply, UPS and circuit of the rack first, then the devices on it.',
  disk_full: 'Free or add disk space; check logs, temporary files and snapshots first.',
  database_down: 'Check process, storage and locks of the database, then its clients.',
  out_of_memory: 'Find the process that uses the memory, restart it, and compare its memory limit with its usage.',
  dns: 'Resolve the names against each name server, and check zone and forwarders.',
  change: 'Compare with the state before the change, and roll back if the problem started with it.',
};

type AdviceByName = Readonly<Record<string, string>>;

const SPECIAL: AdviceByName = {
  evicted: 'Check interconnect, storage and quorum of the cluster, then let the member rejoin.',
  controller_failed:
    'Check that the other controller carries the load, open a vendor case, and replace the failed controller or its battery.',
  port_disabled:
    'Check cable, optics and error counters of the port at both ends; re-enable the port only when the errors have stopped.',
};

/** Advice for kinds that have no topic. */
const BY_NAME: AdviceByName = {
  link_errors: 'Check cable, optics, duplex and error counters at both ends of the link.',
  spare_lost: 'Restore redundancy before you work on the remaining member: check peer, sync link and versions.',
  crash: 'Find out why the process ended (exit code, last log lines, memory), then start it.',
  consumable: 'Schedule a refill.',
};

/** Nothing that is special to the problem is known. */
const NO_ADVICE = 'No advice for this problem. Add a runbook to the CI or resolution notes to the event.';

/** Below a cause there is little to repair. */
const BELOW: Readonly<Record<ProblemKind['kind'], string>> = {
  down: "Don't restart it until the root cause is fixed, then check that it recovers.",
  errors: 'Errors should stop once the root cause is fixed. Recheck then.',
  latency: 'Latency should recover once the root cause is fixed. Recheck then.',
  traffic: 'Traffic should return once the root cause is fixed, possibly with a burst of retries.',
  unknown: 'Recheck when the root cause is fixed.',
};

const topicOf = (title: string): ProblemTopic | undefined => {
  const texts = plainTexts(title);
  return TOPICS.find(({ pattern }) => texts.some((text) => pattern.test(text)));
};

interface Complaining {
  readonly title: string;
  readonly complaint: ProblemKind;
  readonly kind: Pick<ComplaintKind, 'name' | 'shows'>;
}

/** Advice by problem and place; a symptom is left alone. */
export const adviceFor = (
  { title, complaint: { kind, known }, kind: { name, shows } }: Complaining,
  position: CausalPosition,
): string => {
  const topic = known === null ? topicOf(title) : undefined;
  if (position === 'below' && topic?.isLocal !== true && shows !== 'own') return BELOW[kind];
  const own = SPECIAL[name ?? ''];
  if (own !== undefined || known !== null) return own ?? BY_PATTERN[known ?? 'change'];
  return topic?.advice ?? BY_NAME[name ?? ''] ?? NO_ADVICE;
};

const MAX_ACTIONS = 5;
/** Maximum number of earlier resolutions shown. */
export const RESOLUTIONS = 3;
const NOTES = 120;
const RUNBOOK = 250;

const AS_BEFORE = 'This is how the same problem was resolved before.';
const BY_TIME = 'They are related by time only.';
const UNBOUND = "Without a CI, dependencies can't be used.";
const UNRELATED = 'Upstream causes are found through relationships only.';
const WHY_HERE: Readonly<Record<CausalPosition, string>> = {
  cause: 'It is the probable root cause; fixing it resolves the dependent events.',
  below: 'It is downstream of the probable root cause; fix that first.',
  alone: 'No upstream root cause found, so start here.',
};

/** Something to do. */
export interface Action extends Claim {
  /** Reason for the action, in one sentence; absent in text of a model. */
  readonly why?: string;
}

const action = (text: string, refs: readonly string[], certainty: Claim['certainty'], why: string): Action => ({
  text,
  refs: refs.slice(0, 5),
  certainty,
  why,
});

/** The cause is the candidate of a group that nothing but its time joins the event with. */
const isByTime = ({ group }: Case, { cause }: Hypothesis): boolean =>
  group?.byTimeAlone === true && group.candidate?.eventId === cause?.id;

const positionOf = (about: Case, hypothesis: Hypothesis): CausalPosition => {
  const { cause, abstained } = hypothesis;
  if (abstained || cause === null) return 'alone';
  if (cause.id === about.event.id) return 'cause';
  return isByTime(about, hypothesis) ? 'alone' : 'below';
};

/** Look at the cause before anything below it. */
const checkFirst = (about: Case, hypothesis: Hypothesis): Action[] => {
  const { cause, abstained, claim } = hypothesis;
  if (abstained || cause === null || cause.id === about.event.id || isByTime(about, hypothesis)) return [];
  return [action(`Check ${subjectOf(cause)} first: ${quoted(cause)}.`, claim.refs.slice(0, 2), 'likely', claim.text)];
};

/** A cause by time alone is advised beside the event itself. */
const compare = (about: Case, hypothesis: Hypothesis, pack: PackBuilder): Action[] => {
  const { cause } = hypothesis;
  if (cause === null || cause.id === about.event.id || !isByTime(about, hypothesis)) return [];
  const text = `Check whether it is related to ${quoted(cause)}, which started around the same time.`;
  return [action(text, [...citeEvent(pack, cause), ...citeEvent(pack, about.event)], 'possible', BY_TIME)];
};

const howOf = ({ resolvedBy, resolvedAt, resolutionNotes, resolutionCategory }: Event): string => {
  const who = resolvedBy === undefined ? 'resolved automatically' : `resolved by ${clipped(resolvedBy.name, 60)}`;
  const when = resolvedAt === undefined ? '' : ` at ${minuteOf(resolvedAt)}`;
  const category = resolutionCategory === undefined ? '' : ` (${resolutionCategory})`;
  const notes = resolutionNotes ? `: "${clipped(resolutionNotes, NOTES)}"` : '';
  return `${who}${when}${category}${notes}`;
};

/** Actions of users in earlier cases; without any, events that ended by themselves. */
const asBefore = ({ resolved }: Case, pack: PackBuilder): Action[] => {
  const byPeople = resolved.filter(({ resolvedBy, resolutionNotes }) => resolvedBy !== undefined || resolutionNotes);
  const told = byPeople.length > 0 ? byPeople.slice(0, RESOLUTIONS) : resolved.slice(0, 1);
  return told.map((event) =>
    action(`Previous occurrence on ${subjectOf(event)}: ${howOf(event)}.`, citeEvent(pack, event), 'fact', AS_BEFORE),
  );
};

/** Advice for a better next analysis. */
const missing = ({ event, ci, hasRelationships }: Case, pack: PackBuilder): Action[] => {
  if (ci === null) {
    const text = `Bind the event to a CI; the dependencies of ${subjectOf(event)} are unknown.`;
    return [action(text, citeEvent(pack, event), 'fact', UNBOUND)];
  }
  if (hasRelationships) return [];
  const text = `Add relationships: ${clipped(ci.name, 80)} has none, so upstream causes can't be found.`;
  return [action(text, [...citeCi(pack, ci), ...citeEvent(pack, event)], 'fact', UNRELATED)];
};

const USUAL_ADVICE = "Nothing new to do. If it isn't useful, adjust its threshold at the source.";
const WHY_USUAL = 'This problem recurs on this CI.';
const CHANGE_ADVICE = 'Nothing to do unless problems started after the change.';
const WHY_CHANGE = 'No group names this change as its root cause.';
const BY_RUNBOOK = 'Your own runbook for this CI, type or problem.';

const runbookOf = ({ runbook, event }: Case, pack: PackBuilder): Action[] =>
  runbook === null ? [] : [action(`Runbook: ${clipped(runbook, RUNBOOK)}`, citeEvent(pack, event), 'fact', BY_RUNBOOK)];

const AS_JUDGED = 'A user set this root cause for an earlier occurrence.';

const asJudged = ({ lesson, judged, event }: Case, pack: PackBuilder): Action[] => {
  if (lesson === null || judged !== null) return [];
  const note = lesson.note === null ? '' : `: "${clipped(lesson.note, NOTES)}"`;
  const text = `Last time, ${clipped(lesson.by, 60)} set the root cause to "${clipped(lesson.rootTitle, 80)}" on ${clipped(lesson.rootSubject, 60)}${note}.`;
  return [action(text, citeEvent(pack, event), 'fact', AS_JUDGED)];
};

function ownAdvice({ event, isUsual }: Case, position: CausalPosition, text: string, hasOther: boolean) {
  if (isUsual) return [{ text: USUAL_ADVICE, why: WHY_USUAL }];
  if (isChange(event) && position !== 'cause') return [{ text: CHANGE_ADVICE, why: WHY_CHANGE }];
  return text === NO_ADVICE && hasOther ? [] : [{ text, why: WHY_HERE[position] }];
}

/** Returns up to five actions, most relevant first. */
export function actionsOf(about: Case, hypothesis: Hypothesis, pack: PackBuilder): Action[] {
  const { event, complaint, kind } = about;
  const position = positionOf(about, hypothesis);
  const before = [
    ...checkFirst(about, hypothesis),
    ...runbookOf(about, pack),
    ...asJudged(about, pack),
    ...asBefore(about, pack),
  ];
  const after = [...compare(about, hypothesis, pack), ...missing(about, pack)];
  const own = ownAdvice(
    about,
    position,
    adviceFor({ title: event.title, complaint, kind }, position),
    before.length > 0,
  );
  const told = own.map(({ text, why }) => action(text, citeEvent(pack, event), 'possible', why));
  return [...before.slice(0, MAX_ACTIONS - told.length - after.length), ...told, ...after];
}
