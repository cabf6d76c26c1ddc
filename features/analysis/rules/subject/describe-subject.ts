import type { Claim, EvidencePack } from '#domain/ai/evidence.ts';
import { assertDefined } from '#domain/assert.ts';
import { type Event, eventIdOf } from '#domain/event/event.ts';
import { durationText } from '#domain/numbers.ts';
import { clipped } from '#domain/text.ts';
import { counted, countedOrNo, enumeration, Findings, freeText } from '#features/ai/rules/findings.ts';
import { insightOf } from '#features/insights/rules/insight.ts';
import type { Action } from '../actions.ts';
import { citeCi, citeEvent, minuteOf, quoted } from '../cite.ts';
import type { TopicClaim } from './focus.ts';
import type { SubjectPicture } from './picture.ts';

/** Something that happened. */
interface TimelineEntry {
  /** Event time, ms. */
  readonly at: number;
  readonly claim: Claim;
}

/** Limits of a timeline: events read, and entries shown. */
const EVENTS = 12;
const ENTRIES = 30;

const happened = (at: number, text: string, refs: readonly string[]): TimelineEntry => ({
  at,
  claim: { text: `${minuteOf(at)}: ${text}.`, refs, certainty: 'fact' },
});

/** Beginning, changes of status with who made them, and end. */
function entriesOf(event: Event, refs: readonly string[], isCause: boolean): TimelineEntry[] {
  const cause = isCause ? ', probable root cause' : '';
  const changes = event.history.filter(({ from, to }) => from !== null && from !== to);
  return [
    happened(event.firstOccurrence, `${event.severity} ${quoted(event)} started${cause}`, refs),
    ...changes.map(({ at, by, to }) =>
      happened(at, `${quoted(event)} became ${to}${by === null ? '' : ` by ${by.name}`}`, refs),
    ),
  ];
}

/** The timeline, oldest first; with changes before the event, and the cause. */
function describeTimeline({ analysed, events }: SubjectPicture, findings: Findings): TimelineEntry[] {
  const { about, cause } = analysed ?? { about: null, cause: null };
  const first = [cause, about?.event, ...(about?.changes.slice(0, 3).map(({ event }) => event) ?? [])];
  const told = [...new Map([...first, ...events].flatMap((event) => (event ? [[event.id, event]] : []))).values()];
  return told
    .slice(0, EVENTS)
    .flatMap((event) => {
      const own = citeEvent(findings, event);
      return own.length === 0 ? [] : entriesOf(event, [...own, ...citeCi(findings, event.ci)], event.id === cause?.id);
    })
    .sort((a, b) => a.at - b.at)
    .slice(0, ENTRIES);
}

const NAMED = 3;
const CITED = 4;

const OUTCOMES = { full_outage: 'goes down', degraded_functionality: 'is degraded' } as const;

const names = (all: readonly { readonly name: string }[]): string =>
  enumeration(
    all.map(({ name }) => name),
    NAMED,
  );

/** Its impact, the CIs protected by redundancy, and the business services that suffer. */
function describeImpact({ failing, impact, services }: SubjectPicture, self: string, findings: Findings): void {
  if (impact === null) {
    findings.say('No CI bound, so the impact is unknown.', [self]);
    return;
  }
  const { impacted, protected: saved, truncated } = impact;
  const cite = (id: string, name: string, type: string) => findings.ci({ id, name, type });
  const own = failing.slice(0, 1).map(({ id, name, type }) => cite(id, name, type));
  const of = names(failing);
  const below = impacted.slice(0, CITED - 1).map(({ ci, name, type }) => cite(ci, name, type));
  if (impacted.length === 0)
    findings.say(`No known impact on other CIs if ${of} ${failing.length === 1 ? 'fails' : 'fail'}.`, [self, ...own]);
  else
    findings.say(
      `If ${of} ${failing.length === 1 ? 'fails' : 'fail'},${truncated ? ' at least' : ''} ${counted(impacted.length, 'other CI is', 'other CIs are')} impacted: ${names(impacted)}.`,
      [self, ...own, ...below],
    );
  if (services.length > 0) {
    const told = services.map(({ service, impact: outcome }) => ({
      name: `${service.name} (${service.criticality}) ${OUTCOMES[outcome]}`,
    }));
    const refs = services.slice(0, CITED).map(({ service }) => findings.service(service));
    findings.say(`Business services: ${names(told)}.`, [self, ...refs]);
  }
  if (saved.length > 0) {
    const refs = saved.slice(0, CITED).map(({ ci, name, type }) => cite(ci, name, type));
    findings.say(`Protected by redundancy: ${counted(saved.length, 'CI')} (${names(saved)}).`, [self, ...refs]);
  }
}

/** Another event that was looked at as a cause. */
interface Alternative {
  readonly claim: Claim;
  readonly eventId: string;
  /** Score in the correlation, if it was a candidate. */
  readonly score: number | null;
}

/** Sentences of rules about a subject. */
export interface SubjectDescription {
  readonly pack: EvidencePack;
  /** Alias of the subject. */
  readonly self: string;
  readonly hypothesis: { readonly claim: Claim; readonly confidence: number; readonly reasoning: string };
  readonly abstained: boolean;
  /** Aliases of possible root causes. */
  readonly causes: readonly string[];
  readonly alternatives: readonly Alternative[];
  readonly timeline: readonly TimelineEntry[];
  readonly impact: readonly Claim[];
  readonly recommendations: readonly Action[];
  /** All claims by topic, most relevant first. */
  readonly claims: readonly TopicClaim[];
}

const ALTERNATIVES = 3;
/** An abstaining rule that looked at nothing is sure of nothing. */
const NOTHING_OPEN = 'No open events.';

/** The subject as the first evidence. */
function citeSubject(
  { subject, analysed, ci, service, eventsTotal }: SubjectPicture,
  findings: Findings,
): string | null {
  const { kind, id, name } = subject;
  if (ci !== null) return findings.ci(ci.ci);
  if (kind === 'event' && analysed !== null) return citeEventOf(findings, analysed.about.event);
  const facts =
    service === null
      ? [{ name: 'events', value: eventsTotal }]
      : [
          { name: 'criticality', value: service.service.criticality },
          { name: 'health', value: service.health.score },
          { name: 'status', value: service.health.status },
          { name: 'open events', value: service.open },
          { name: 'components', value: service.service.components.length },
        ];
  return findings.add({ kind, id, label: name, facts });
}

const citeEventOf = (findings: Findings, event: Parameters<typeof quoted>[0]): string | null =>
  citeEvent(findings, event)[0] ?? null;

/** The evidence that was read, in one sentence. */
function reasoningOf({ analysed }: SubjectPicture): string {
  if (analysed === null) return NOTHING_OPEN;
  const { group, changes, upstream, strangeness, event } = analysed.about;
  const where = group === null ? 'no group' : `group of ${counted(group.size, 'event')}`;
  const parts = [
    where,
    `${countedOrNo(changes.length, 'change')} in the 60m before`,
    `${countedOrNo(upstream.length, 'older open event')} upstream`,
    `${countedOrNo(strangeness.events, 'earlier event')} with the same problem`,
  ];
  return `Evidence for ${quoted(event)}: ${parts.join(', ')}.`;
}

/** Other candidates of the group, then changes and open events upstream that are not the cause. */
function describeAlternatives({ analysed }: SubjectPicture, findings: Findings): Alternative[] {
  if (analysed === null) return [];
  const { cause, about } = analysed;
  const scores = new Map(about.group?.candidate?.alternatives.map(({ eventId, score }) => [eventId, score]));
  const others = [
    ...(about.group?.suspects ?? []).map((event) => ({ event, why: 'root-cause candidate of the group' })),
    ...about.changes.map(({ event, hops }) => ({ event, why: hops === 0 ? 'change on the CI' : 'upstream change' })),
    ...about.upstream.map(({ event }) => ({ event, why: 'open upstream event' })),
  ].filter(({ event }) => event.id !== cause?.id && event.id !== about.event.id);
  const unique = [...new Map(others.map((one) => [one.event.id, one])).values()].slice(0, ALTERNATIVES);
  return unique.flatMap(({ event, why }) => {
    const [ref] = citeEvent(findings, event);
    if (ref === undefined) return [];
    const claim: Claim = { text: `Also considered: ${quoted(event)} (${why}).`, refs: [ref], certainty: 'possible' };
    return [{ claim, eventId: eventIdOf(event.id), score: scores.get(event.id) ?? null }];
  });
}

const NOTE = 120;
const NAME = 60;
const ALIKE = 2;

/** Earlier incidents like this one, and how they ended. */
function describeSimilar({ similar }: SubjectPicture, findings: Findings): void {
  for (const { groupId, at, title, subject, durationMs, by, note, likeness } of similar) {
    const facts = [
      { name: 'likeness', value: likeness.toFixed(ALIKE) },
      { name: 'began', value: minuteOf(at) },
      ...(note === null ? [] : [freeText('note', clipped(note, NOTE))]),
    ];
    const ref = findings.add({ kind: 'group', id: groupId, label: clipped(title, NOTE), facts });
    const ended = durationMs === null ? 'not resolved yet' : `resolved after ${durationText(durationMs)}`;
    const who = by === null ? '' : ` by ${clipped(by, NAME)}`;
    const how = note === null ? '' : `: "${clipped(note, NOTE)}"`;
    findings.say(
      `Similar incident at ${minuteOf(at)}: "${clipped(title, NAME)}" on ${subject}, ${ended}${who}${how}.`,
      [ref],
    );
  }
}

/** Describes the state of a service. */
function describeService({ service }: SubjectPicture, self: string, findings: Findings): void {
  if (service === null) return;
  const { health, open, service: of } = service;
  const parts = counted(of.components.length, 'component');
  findings.say(
    `${of.name} (${of.criticality}) is ${health.status}, ${health.score} of 100, with ${counted(open, 'open event')} on its ${parts} and their dependencies.`,
    [self],
  );
}

const said = (findings: Findings, say: () => void): Claim[] => {
  const before = findings.claims.length;
  say();
  return findings.claims.slice(before);
};

/** Sentences of rules, a function of the picture alone. */
export function describeSubject(picture: SubjectPicture): SubjectDescription {
  const { analysed, ci } = picture;
  const findings = new Findings(analysed?.pack);
  const self = assertDefined(citeSubject(picture, findings), 'evidence of the subject');
  const nothing: Claim = { text: 'No root cause identified: no open events.', refs: [self], certainty: 'fact' };
  const claim = analysed?.hypothesis ?? nothing;
  const impact = said(findings, () => describeImpact(picture, self, findings));
  const state = said(findings, () => {
    describeService(picture, self, findings);
    if (ci !== null) insightOf(ci, findings);
  });
  const alternatives = describeAlternatives(picture, findings);
  const similar = said(findings, () => describeSimilar(picture, findings));
  const timeline = describeTimeline(picture, findings);
  const of = (topic: TopicClaim['topic'], claims: readonly Claim[]) => claims.map((one) => ({ topic, claim: one }));
  const causes = findings.pack.filter(({ kind, id }) => kind === 'event' && id === causeId(picture));
  return {
    pack: findings.pack,
    self,
    alternatives,
    timeline,
    impact,
    hypothesis: { claim, confidence: analysed?.confidence ?? 0, reasoning: reasoningOf(picture) },
    abstained: analysed?.abstained ?? true,
    causes: causes.map(({ alias }) => alias),
    recommendations: analysed?.actions ?? [],
    claims: [
      ...of('cause', [claim, ...(analysed?.warnings ?? []), ...alternatives.map((one) => one.claim)]),
      ...of('impact', impact),
      ...of('state', state),
      ...of('history', [...(analysed === null ? [] : [analysed.past]), ...similar]),
      ...of(
        'timeline',
        timeline.map((one) => one.claim),
      ),
      ...of('actions', analysed?.actions ?? []),
    ],
  };
}

const causeId = ({ analysed }: SubjectPicture): string | null =>
  analysed?.cause == null ? null : eventIdOf(analysed.cause.id);
