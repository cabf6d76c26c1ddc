import type { Claim, EvidencePack } from '#domain/ai/evidence.ts';
import { eventIdOf } from '#domain/event/event.ts';
import { known } from '#domain/known.ts';
import { counted, countedOrNo, Findings } from '#features/ai/rules/findings.ts';
import { insightOf } from '#features/insights/rules/insight.ts';
import type { Action } from '../actions.ts';
import { citeEvent, quoted } from '../cite.ts';
import type { TopicClaim } from './focus.ts';
import type { SubjectPicture } from './picture.ts';
import { sayImpact } from './say-impact.ts';
import { sayTimeline, type TimelineEntry } from './say-timeline.ts';

/** Another event that was looked at as a cause. */
interface Alternative {
  readonly claim: Claim;
  readonly eventId: string;
  /** Of the correlation, where it was a candidate. */
  readonly score: number | null;
}

/** Sentences of rules about a subject. */
export interface SubjectTelling {
  readonly pack: EvidencePack;
  /** Alias of the subject. */
  readonly self: string;
  readonly hypothesis: { readonly claim: Claim; readonly confidence: number; readonly reasoning: string };
  readonly abstained: boolean;
  /** Aliases of what may be named as the cause. */
  readonly causes: readonly string[];
  readonly alternatives: readonly Alternative[];
  readonly timeline: readonly TimelineEntry[];
  readonly impact: readonly Claim[];
  readonly recommendations: readonly Action[];
  /** Everything that can be told, by topic, the most telling first. */
  readonly claims: readonly TopicClaim[];
}

const ALTERNATIVES = 3;
/** An abstaining rule that looked at nothing is sure of nothing. */
const NOTHING_OPEN = 'No event is open on it, so there is nothing to explain.';

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
  const where = group === null ? 'no group' : `its group of ${counted(group.size, 'event')}`;
  const parts = [
    where,
    `${countedOrNo(changes.length, 'change')} within 60 min before it`,
    `${countedOrNo(upstream.length, 'older open event')} upstream`,
    `${countedOrNo(strangeness.events, 'earlier event')} of this complaint`,
  ];
  return `Looked at ${quoted(event)}: ${parts.join(', ')}.`;
}

/** Other candidates of the group, then changes and open events upstream that are not the cause. */
function sayAlternatives({ analysed }: SubjectPicture, findings: Findings): Alternative[] {
  if (analysed === null) return [];
  const { cause, about } = analysed;
  const scores = new Map(about.group?.candidate?.alternatives.map(({ eventId, score }) => [eventId, score]));
  const others = [
    ...(about.group?.suspects ?? []).map((event) => ({ event, why: 'a candidate of the group' })),
    ...about.changes.map(({ event, hops }) => ({
      event,
      why: hops === 0 ? 'a change on the CI' : 'a change upstream',
    })),
    ...about.upstream.map(({ event }) => ({ event, why: 'open upstream since before' })),
  ].filter(({ event }) => event.id !== cause?.id && event.id !== about.event.id);
  const unique = [...new Map(others.map((one) => [one.event.id, one])).values()].slice(0, ALTERNATIVES);
  return unique.flatMap(({ event, why }) => {
    const [ref] = citeEvent(findings, event);
    if (ref === undefined) return [];
    const claim: Claim = { text: `Also looked at: ${quoted(event)}, ${why}.`, refs: [ref], certainty: 'possible' };
    return [{ claim, eventId: eventIdOf(event.id), score: scores.get(event.id) ?? null }];
  });
}

/** How a service does. */
function sayService({ service }: SubjectPicture, self: string, findings: Findings): void {
  if (service === null) return;
  const { health, open, service: of } = service;
  const parts = counted(of.components.length, 'component');
  findings.say(
    `${of.name} (${of.criticality}) is ${health.status}, ${health.score} of 100, with ${counted(open, 'open event')} on its ${parts} and what they need.`,
    [self],
  );
}

const said = (findings: Findings, say: () => void): Claim[] => {
  const before = findings.claims.length;
  say();
  return findings.claims.slice(before);
};

/** Sentences of rules, a function of the picture alone. */
export function tellSubject(picture: SubjectPicture): SubjectTelling {
  const { analysed, ci } = picture;
  const findings = new Findings(analysed?.pack);
  const self = known(citeSubject(picture, findings), 'evidence of the subject');
  const nothing: Claim = { text: `No cause can be named: ${NOTHING_OPEN}`, refs: [self], certainty: 'fact' };
  const claim = analysed?.hypothesis ?? nothing;
  const impact = said(findings, () => sayImpact(picture, self, findings));
  const state = said(findings, () => {
    sayService(picture, self, findings);
    if (ci !== null) insightOf(ci, findings);
  });
  const alternatives = sayAlternatives(picture, findings);
  const timeline = sayTimeline(picture, findings);
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
      ...of('history', analysed === null ? [] : [analysed.past]),
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
