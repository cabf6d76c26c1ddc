import { percent } from '#domain/numbers.ts';
import { isWithin } from '#domain/topology/maintenance-window.ts';
import { counted, enumeration, type Findings, freeText } from '#features/ai/rules/findings.ts';
import type { ChangePicture } from './change-picture.ts';
import { type ChangeType, isTypeName, PRIORS } from './change-type.ts';
import type { Advised } from './factor.ts';
import { isBeforeRest, isBusinessHours } from './local-time.ts';
import { baseProbability } from './risk.ts';

/** Multipliers of the chance that a change fails. */
const MULTIPLIERS = {
  businessHours: 1.25,
  beforeRest: 1.15,
  noTime: 1.1,
  withinWindow: 1,
  openEvents: 1.3,
  overlap: 1.2,
  overlapMost: 1.6,
  long: 1.1,
} as const;
const LONG_MS = 4 * 3_600_000;
const NAMED = 3;
const CITED = 4;
const SHORT = 80;
/** Typed text is not repeated where it could become a link, or a tag, on a page. Linear: no repetition. */
const LINKS_OR_TAGS = /https?:|javascript:|www\.|\]\(|<\w/i;

const refsOf = (...refs: readonly (string | null)[]): string[] => refs.filter((ref) => ref !== null);
const minute = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

/** Link to the prior of a type and the earlier changes. */
const pastOf = (ciId: string, type: ChangeType): string =>
  `/api/change-analysis/history?ciId=${encodeURIComponent(ciId)}&changeType=${type}`;

function typeItem({ ci, said, type }: ChangePicture, findings: Findings): string | null {
  const known = type ?? 'other';
  const facts = [
    freeText('change', said),
    { name: 'type', value: known },
    { name: 'fails in', value: percent(PRIORS[known]) },
  ];
  const [id, label] = [`change-type-${known}`, `Changes of type ${known}`];
  return findings.add({ kind: 'query', id, label, facts, href: pastOf(ci.id, known) });
}

/** Describes the type read from free text. */
export function describeTaken(picture: ChangePicture, findings: Findings): void {
  const { ci, said, type } = picture;
  if (isTypeName(said)) return;
  const taken = type === null ? 'is not a known change type; treated as other' : `treated as ${type}`;
  const quoted = LINKS_OR_TAGS.test(said) ? 'The change type' : `“${said.slice(0, SHORT)}”`;
  findings.say(`${quoted} ${taken}.`, [typeItem(picture, findings), findings.ci(ci)]);
}

/** Describes the failure rates of this change type, and of earlier changes here. */
export function describeHistory(picture: ChangePicture, findings: Findings): Advised[] {
  const { ci, type, events } = picture;
  const known = type ?? 'other';
  const prior = PRIORS[known];
  const self = findings.ci(ci);
  const typed = typeItem(picture, findings);
  findings.say(`Base failure rate of ${known} changes: ${percent(prior)}.`, [typed, self]);
  const factors: Advised[] = [{ name: 'change_type', value: known, effect: prior, refs: refsOf(typed) }];
  const earlier = events?.earlier ?? [];
  if (earlier.length === 0) return factors;
  const failed = earlier.filter(({ isFailed }) => isFailed).length;
  const base = baseProbability(prior, earlier);
  const counts = [
    { name: 'earlier changes', value: earlier.length },
    { name: 'failed', value: failed },
    { name: 'chance', value: percent(base) },
  ];
  const [id, href] = [`changes-of-${ci.id}`, pastOf(ci.id, known)];
  const ref = findings.add({ kind: 'query', id, label: 'Earlier changes', facts: counts, href });
  const text = `${failed} of ${counted(earlier.length, 'earlier change')} (this CI and same type elsewhere) failed; estimated failure rate ${percent(base)}.`;
  findings.say(text, [ref, self]);
  const advice = failed > 0 ? { advice: 'Rehearse the change and prepare a rollback: earlier changes failed.' } : {};
  return [
    ...factors,
    { name: 'history', value: `${failed} of ${earlier.length} failed`, effect: base, refs: refsOf(ref), ...advice },
  ];
}

const toWindow = ({ window, planned }: ChangePicture): string =>
  window !== null && planned !== null && window.to > planned.span.from
    ? `Move it into the maintenance window starting at ${minute(window.from)} UTC.`
    : 'Move it out of business hours (Monday to Friday, 8:00 to 18:00).';

/** Describes the planned time. */
export function describeTime(picture: ChangePicture, findings: Findings): Advised[] {
  const { ci, planned, window } = picture;
  const self = findings.ci(ci);
  const refs = refsOf(self);
  if (planned === null) {
    findings.say('No time was given.', [self]);
    const advice = "Plan a time, preferably within the CI's maintenance window.";
    return [{ name: 'no_time', value: 'none', effect: MULTIPLIERS.noTime, refs, advice }];
  }
  if (window !== null && isWithin(planned.span, window)) {
    findings.say("Within the CI's maintenance window.", [self]);
    return [{ name: 'maintenance_window', value: 'within', effect: MULTIPLIERS.withinWindow, refs }];
  }
  const { local, holidays, zone } = planned;
  const factors: Advised[] = [];
  if (isBusinessHours(local, holidays)) {
    findings.say(`During business hours (${zone}), outside a maintenance window.`, [self]);
    const value = `${local.date} ${local.hour}:00`;
    factors.push({ name: 'business_hours', value, effect: MULTIPLIERS.businessHours, refs, advice: toWindow(picture) });
  }
  if (isBeforeRest(local, holidays)) {
    findings.say('Right before a weekend or public holiday.', [self]);
    const advice = 'Move it to a day followed by a working day.';
    factors.push({ name: 'before_rest', value: local.date, effect: MULTIPLIERS.beforeRest, refs, advice });
  }
  return factors;
}

/** Problems there already: the change may be their repair. */
export function describeOpen({ ci, events }: ChangePicture, findings: Findings): Advised[] {
  const open = events?.open ?? [];
  const [first] = open;
  if (first === undefined) return [];
  const refs = refsOf(...open.slice(0, CITED).map((event) => findings.event(event)));
  const text = `${counted(open.length, 'severe event is', 'severe events are')} open on ${ci.name}; the change may be the fix.`;
  findings.say(text, refs);
  const title = first.title.slice(0, SHORT);
  const advice = `If this change doesn't fix “${title}”, resolve that first.`;
  return [{ name: 'open_events', value: open.length, effect: MULTIPLIERS.openEvents, refs, advice }];
}

/** Other changes nearby at the same time. */
export function describeOverlap({ conflicts }: ChangePicture, findings: Findings): Advised[] {
  if (conflicts.length === 0) return [];
  const refs = conflicts.slice(0, CITED).map(({ assessmentId, name, changeType, plannedAt }) => {
    const facts = [
      { name: 'type', value: changeType },
      { name: 'planned', value: `${minute(plannedAt)} UTC` },
    ];
    const href = `/api/change-analysis/assessments/${assessmentId}`;
    return findings.add({ kind: 'record', id: assessmentId, label: `Change to ${name}`, facts, href });
  });
  const names = enumeration([...new Set(conflicts.map(({ name }) => name))], NAMED);
  findings.say(`${counted(conflicts.length, 'other change')} on related CIs at the same time: ${names}.`, refs);
  const effect = Math.min(MULTIPLIERS.overlapMost, MULTIPLIERS.overlap ** conflicts.length);
  const advice = `Don't run it at the same time as the change on ${names}.`;
  return [{ name: 'overlap', value: conflicts.length, effect, refs: refsOf(...refs), advice }];
}

export function describeLength({ ci, durationMs }: ChangePicture, findings: Findings): Advised[] {
  if (durationMs === null || durationMs <= LONG_MS) return [];
  const hours = Math.round(durationMs / 360_000) / 10;
  const refs = refsOf(findings.ci(ci));
  findings.say(`Planned duration: ${hours} hours.`, refs);
  const advice = 'Split it into steps of up to 4 hours, each with a rollback.';
  return [{ name: 'long', value: hours, effect: MULTIPLIERS.long, refs, advice }];
}
