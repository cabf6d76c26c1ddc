import type { Event } from '#domain/event/event.ts';
import { eventWords } from '#domain/event/event-words.ts';
import { durationText, percent } from '#domain/numbers.ts';
import { clipped } from '#domain/text.ts';
import { clockTime, counted, enumeration } from '#features/ai/rules/findings.ts';
import type { CauseHypothesis, CheckFinding, GroupScene, HypothesisCi, NearChange } from './investigation.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Period in which earlier occurrences count. */
export const HISTORY_MS = 30 * DAY_MS;
/** Maximum time from a change to a problem that it caused. */
export const CHANGE_MS = 60 * MINUTE_MS;
/** Tolerance for causes that are reported after their effects. */
const LATE_MS = 2 * MINUTE_MS;

/** Weights, as logarithms of odds: 0.4 is weak, 0.9 is strong, 3 decides. */
const WEAK = 0.4;
const STRONG = 0.9;
const DECISIVE = 3;
/** Number of earlier occurrences of a frequent problem. */
const OFTEN = 10;

const finding = (text: string, weight: number, more: Partial<CheckFinding> = {}): CheckFinding => ({
  text,
  weight,
  eventIds: [],
  ...more,
});

/** Returns `in the 30 days before`, or since the first stored event. */
const spanOf = ({ dataSince }: Pick<GroupScene, 'dataSince'>, since: number): string =>
  dataSince === null || dataSince <= since - HISTORY_MS
    ? 'in the 30 days before'
    : `since ${clockTime(dataSince)}, when data starts`;

/** Judges the history of the problem on its CI. `before`: its earlier events there. */
export const historyFinding = (
  hypothesis: Pick<CauseHypothesis, 'event' | 'ci' | 'since'>,
  scene: Pick<GroupScene, 'dataSince'>,
  before: number,
): CheckFinding => {
  const { event, ci, since } = hypothesis;
  const span = spanOf(scene, since);
  if (event === null) return finding(`${counted(before, 'earlier change')} to ${ci?.name ?? 'this CI'} ${span}.`, 0);
  const where = ci === null ? '' : ` on ${clipped(ci.name)}`;
  if (event.usual)
    return finding(`Recurring: this problem is frequent${where}, so it explains nothing new.`, -DECISIVE, {
      isUsual: true,
    });
  if (scene.dataSince !== null && since - scene.dataSince < DAY_MS && before === 0)
    return finding(`Not enough history: data starts ${beside(scene.dataSince, since)} this event.`, 0);
  if (before === 0) return finding(`First time${where}: none ${span}.`, WEAK);
  const text = `Occurred ${before === 1 ? 'once' : `${before} times`}${where} ${span}.`;
  return finding(text, before >= OFTEN ? -STRONG : 0);
};

/** Judges changes of the CI and its dependencies; if the hypothesis is a change, it must precede the group. */
export const changesFinding = (
  { event, ci, since, basis, reach }: CauseHypothesis,
  { changes, members }: Pick<GroupScene, 'changes' | 'members'>,
): CheckFinding => {
  if (basis === 'change') {
    const first = members.find(({ id }) => id !== event?.id)?.timestamp;
    if (first === undefined) return finding('No event in the group to compare the change with.', 0);
    const when = `The change was made ${beside(since, first)} the first event in the group`;
    if (since > first + LATE_MS) return finding(`${when}, too late to be its cause.`, -DECISIVE);
    return finding(`${when}.`, since >= first - 10 * MINUTE_MS ? STRONG : WEAK);
  }
  if (ci === null) return finding('No CI bound, so changes near it are unknown.', 0);
  const near = new Set([ci.id, ...reach.needs.map(({ id }) => id)]);
  const found = changes.filter(
    (change) =>
      near.has(change.ci.id) && change.at <= since && change.at >= since - CHANGE_MS && change.event?.id !== event?.id,
  );
  const [nearest] = found;
  if (nearest === undefined)
    return finding(
      `No change on ${clipped(ci.name)} or its ${counted(reach.needs.length, 'dependency', 'dependencies')} in the 60m before.`,
      0,
    );
  const more = found.length === 1 ? '' : `, and ${found.length - 1} more within 60m`;
  return finding(`Change ${nearest.text} ${beside(nearest.at, since)} it${more}.`, WEAK, {
    eventIds: idsOf(nearest),
    next: `Compare ${clipped(nearest.ci.name)} with its state before the change ${nearest.text}.`,
  });
};

const idsOf = ({ event }: NearChange): string[] => (event === null ? [] : [event.id]);

/** Stored events around a hypothesis, as of now. */
export interface PathFacts {
  /** Dependents outside the group that have open events. */
  readonly otherwiseOpen: ReadonlySet<string>;
  /** Dependencies with earlier open events that do not recur. */
  readonly failedNeeds: readonly HypothesisCi[];
}

/** Sorts CIs into dependents in the group, dependents without events, and CIs of the group that it does not explain. */
export const explainedBy = (
  { ci, reach }: Pick<CauseHypothesis, 'ci' | 'reach'>,
  { hit }: Pick<GroupScene, 'hit'>,
  open: ReadonlySet<string> = new Set(),
) => {
  const dependents = new Set(reach.dependents.map(({ id }) => id));
  const others = [...hit].filter(([id]) => id !== ci?.id).map(([id, { name, at }]) => ({ id, name, at }));
  return {
    others,
    suffering: others.filter(({ id }) => dependents.has(id)),
    silent: reach.dependents.filter(({ id }) => !hit.has(id) && !open.has(id)),
    unexplained: others.filter(({ id }) => !dependents.has(id)),
  };
};

const coverageWeight = (coverage: number): number => {
  if (coverage >= 0.8) return STRONG;
  if (coverage >= 0.5) return WEAK;
  return coverage >= 0.2 ? 0 : -STRONG;
};

const sentence = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ');

/** Compares the dependents that should have events with the CIs that do have some. */
export const pathFinding = (
  hypothesis: Pick<CauseHypothesis, 'ci' | 'reach' | 'since'>,
  scene: Pick<GroupScene, 'hit'>,
  { otherwiseOpen, failedNeeds }: PathFacts,
): CheckFinding => {
  const { ci, since } = hypothesis;
  if (ci === null)
    return finding('No CI bound, so its dependents are unknown.', 0, {
      next: 'Bind the event to a CI, then investigate again.',
    });
  const { others, suffering, silent, unexplained } = explainedBy(hypothesis, scene, otherwiseOpen);
  const name = clipped(ci.name);
  const early = suffering.filter(({ at }) => at < since - LATE_MS);
  const coverage = others.length === 0 ? null : suffering.length / others.length;
  const isLate = suffering.length > 0 && early.length / suffering.length > 0.3;
  const weight =
    (coverage === null ? 0 : coverageWeight(coverage)) - (isLate ? STRONG : 0) - (failedNeeds.length > 0 ? STRONG : 0);
  const text = sentence([
    coverage === null
      ? `No other CI is in the group.`
      : `${suffering.length} of ${counted(others.length, 'other CI')} in the group ${suffering.length === 1 ? 'depends' : 'depend'} on ${name} (${percent(coverage)}).`,
    silent.length === 0 ? '' : `${counted(silent.length, 'dependent')} without events: ${namesOfCis(silent)}.`,
    unexplained.length === 0 ? '' : `Not explained: ${namesOfCis(unexplained)}.`,
    isLate ? `${namesOfCis(early)} failed before it.` : '',
    failedNeeds.length === 0 ? '' : `${name} depends on ${namesOfCis(failedNeeds)}, with older open events.`,
  ]);
  const [need] = failedNeeds;
  const next =
    need !== undefined ? `Check ${clipped(need.name)} first: ${name} depends on it.` : silentNext(name, silent);
  return finding(text, weight, next === null ? {} : { next });
};

const silentNext = (name: string, silent: readonly HypothesisCi[]): string | null =>
  silent.length === 0
    ? null
    : `Check ${namesOfCis(silent)}: ${silent.length === 1 ? 'it depends' : 'they depend'} on ${name} and ${silent.length === 1 ? 'has' : 'have'} no events.`;

/** CIs that share a dependency with the CI, and those of them that have events. */
export interface SiblingFacts {
  readonly shared: HypothesisCi;
  readonly siblings: readonly HypothesisCi[];
  readonly failed: readonly HypothesisCi[];
}

/** If siblings fail as well, the shared dependency is more probable. */
export const siblingsFinding = ({ ci }: Pick<CauseHypothesis, 'ci'>, facts: readonly SiblingFacts[]): CheckFinding => {
  if (ci === null) return finding('No CI bound, so its siblings are unknown.', 0);
  const name = clipped(ci.name);
  const all = new Set(facts.flatMap(({ siblings }) => siblings.map(({ id }) => id)));
  if (all.size === 0) return finding(`No other CI shares a dependency with ${name}.`, 0);
  const worst = facts
    .filter(({ siblings, failed }) => failed.length > 0 && failed.length * 2 >= siblings.length)
    .toSorted((a, b) => b.failed.length - a.failed.length)[0];
  if (worst === undefined) {
    const failed = new Set(facts.flatMap((one) => one.failed.map(({ id }) => id))).size;
    const text = `${failed === 0 ? 'None' : failed} of ${counted(all.size, 'CI')} that share${all.size === 1 ? 's' : ''} a dependency with ${name} ${failed > 1 ? 'have' : 'has'} events.`;
    return finding(text, failed === 0 ? WEAK : 0);
  }
  const { shared, siblings, failed } = worst;
  return finding(
    `${failed.length} of ${counted(siblings.length, 'other CI')} that depend${siblings.length === 1 ? 's' : ''} on ${clipped(shared.name)} also ${failed.length === 1 ? 'has' : 'have'} events: ${namesOfCis(failed)}. ${clipped(shared.name)} could be the root cause.`,
    -STRONG,
    { next: `Check ${clipped(shared.name)}, which ${name} and ${namesOfCis(failed)} share.` },
  );
};

/** An earlier group with the problem; `isRight`: its root cause according to a verdict, null if undecided. */
export interface PastGroup {
  readonly isRight: boolean | null;
  readonly eventId: string;
}
export interface PastFacts {
  readonly groups: readonly PastGroup[];
  /** Events with the problem, on any CI. */
  readonly events: number;
  readonly resolved: {
    readonly by: string | null;
    readonly afterMs: number;
    readonly notes: string | null;
    readonly eventId: string;
  } | null;
}

/** Judges earlier groups of the same problem by verdicts, with the last resolution. */
export const pastFinding = (
  { event, since }: Pick<CauseHypothesis, 'event' | 'since'>,
  scene: Pick<GroupScene, 'dataSince'>,
  { groups, events, resolved }: PastFacts,
): CheckFinding => {
  if (event === null) return finding('The outcomes of earlier changes to the CI are unknown.', 0);
  if (events === 0) return finding(`No earlier occurrence on any CI ${spanOf(scene, since)}.`, 0);
  const right = groups.filter(({ isRight }) => isRight === true).length;
  const wrong = groups.filter(({ isRight }) => isRight === false).length;
  const judged = right + wrong === 0 ? '' : ` Verdicts: root cause in ${right} of ${right + wrong}.`;
  const ended =
    resolved === null
      ? ''
      : ` Last resolved${resolved.by === null ? '' : ` by ${clipped(resolved.by)}`} after ${durationText(resolved.afterMs)}${resolved.notes === null ? '' : `: “${clipped(resolved.notes, 120)}”`}.`;
  const weight = right === wrong ? 0 : right > wrong ? STRONG : -STRONG;
  return finding(`Occurred ${counted(events, 'time')} on any CI ${spanOf(scene, since)}.${judged}${ended}`, weight, {
    eventIds: [
      ...new Set([...groups.map(({ eventId }) => eventId), ...(resolved === null ? [] : [resolved.eventId])]),
    ].slice(0, 5),
  });
};

/** Maximum number of names in a sentence. */
const NAMES = 8;

/** `“Link down” on sw-1`. */
export const namedEvent = (event: Event): string => eventWords({ ...event, title: clipped(event.title) });

export const namesOfCis = (cis: readonly Pick<HypothesisCi, 'name'>[]): string =>
  enumeration(
    cis.map(({ name }) => clipped(name)),
    NAMES,
  );

/** `12m before`, `at the same time as`, `3m after`. */
const beside = (at: number, other: number): string => {
  const apart = other - at;
  if (Math.abs(apart) < 1_000) return 'at the same time as';
  return apart > 0 ? `${durationText(apart)} before` : `${durationText(-apart)} after`;
};
