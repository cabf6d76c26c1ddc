import type { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { AiModeHeader, aiMode, evidenceBody } from '#features/ai/schemas/answer-evidence.ts';
import { AnalyzedSubjectBody, AnalyzeSubject } from '#features/analysis/schemas/analyze.ts';
import { similarBody } from '#features/analysis/schemas/similar.ts';
import {
  type AnalyzedSubject,
  analyzeSubject,
  type SubjectAsked,
} from '#features/analysis/use-cases/subject/analyze-subject.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { iso } from '#schemas/http/time.ts';

const SHOWN_CIS = 50;

type SubjectBody = z.output<typeof AnalyzedSubjectBody>;
type AnalyzeRequest = z.output<typeof AnalyzeSubject>;

const subjectOf = ({ eventId, correlationId, ciId, serviceId = '' }: AnalyzeRequest): SubjectAsked['subject'] => {
  if (eventId !== undefined) return { kind: 'event', id: eventId };
  if (correlationId !== undefined) return { kind: 'group', id: correlationId };
  return ciId === undefined ? { kind: 'service', id: serviceId } : { kind: 'ci', id: ciId };
};

const impactBody = ({ picture, telling }: AnalyzedSubject): SubjectBody['impact'] => {
  const { impact, services } = picture;
  return {
    text: telling.impact.map(({ text }) => text).join('\n'),
    refs: [...new Set(telling.impact.flatMap(({ refs }) => refs))],
    total: impact?.impacted.length ?? 0,
    truncated: impact?.truncated ?? false,
    protected: impact?.protected.length ?? 0,
    cis: (impact?.impacted ?? [])
      .slice(0, SHOWN_CIS)
      .map(({ ci, name, type, hops }) => ({ ciId: ci, name, type, hops })),
    services: services.map(({ service: { id, name, criticality }, impact: outcome }) => ({
      serviceId: id,
      name,
      criticality,
      impact: outcome,
    })),
  };
};

const analyzedBody = (analyzed: AnalyzedSubject): SubjectBody => {
  const { picture, telling, focus, href, summary, grounds } = analyzed;
  const { hypothesis, alternatives, timeline, recommendations } = telling;
  const { claim, confidence, reasoning } = hypothesis;
  return {
    subject: { ...picture.subject, href },
    summary,
    focus: focus && { topics: [...focus.topics], names: focus.names.map(({ label }) => label) },
    hypothesis: { text: claim.text, confidence, reasoning, refs: [...claim.refs] },
    alternatives: alternatives.map(({ claim: { text, refs }, eventId, score }) => ({
      text,
      eventId,
      refs: [...refs],
      score,
    })),
    timeline: timeline.map(({ at, claim: { text, refs } }) => ({ at: iso(at), text, refs: [...refs] })),
    impact: impactBody(analyzed),
    similar: picture.similar.map(similarBody),
    recommendations: recommendations.map(({ text, why = '', refs }) => ({ action: text, why, refs: [...refs] })),
    events: { read: picture.events.length, total: picture.eventsTotal },
    severity: picture.analysed?.about.event.severity ?? null,
    ...evidenceBody(grounds),
  };
};

/** Analyzes an event, a group, a CI or a service on request. */
export const analyze = endpoint<SubjectAsked, AnalyzedSubject>({
  id: 'ai.analyze',
  headers: AiModeHeader,
  summary: 'Analyze an event, group, CI or service',
  description:
    'A model writes only the summary. Also requires events.read and cmdb.read, and services.read for a service.',
  tag: 'AI',
  permission: 'ai.use',
  limit: 'ai-platform',
  takesLong: true,
  alsoFaults: ['not-found', 'model', 'unavailable', 'rate-limited'],
  mounts: on.platform.post('/ai/analyze', {
    body: AnalyzeSubject,
    reply: wrapped(AnalyzedSubjectBody),
    read: ({ body, headers }) => ({ subject: subjectOf(body), question: body.question ?? null, mode: aiMode(headers) }),
    present: (analyzed) => ({ body: analyzedBody(analyzed) }),
  }),
  handle: (asked, context) => analyzeSubject(context, asked),
});
