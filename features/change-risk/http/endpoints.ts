import type { z } from 'zod';
import { type AnyEndpoint, endpoint, on } from '#api/surfaces/endpoint.ts';
import { type Event, eventIdOf } from '#domain/event/event.ts';
import { problemKindOf } from '#domain/event/identity/problem-kind.ts';
import { invalid } from '#domain/fault.ts';
import { rounded } from '#domain/numbers.ts';
import { AiModeHeader, aiMode, evidenceBody } from '#features/ai/schemas/answer-evidence.ts';
import type { Factor } from '#features/change-risk/rules/factor.ts';
import { weightOf } from '#features/change-risk/rules/risk.ts';
import {
  AnalyzeChange,
  AnalyzedChangeBody,
  AssessmentPath,
  ListedChangesBody,
  ListQuery,
  PastChangesBody,
  PastQuery,
  QuickAssess,
  QuickAssessedBody,
  StoredAssessmentBody,
} from '#features/change-risk/schemas/changes.ts';
import {
  type AssessedChange,
  analyzeChange,
  type ChangeAsked,
  quickAssess,
  type StoredChangeAssessment,
} from '#features/change-risk/use-cases/changes.ts';
import { type ListedChanges, listChanges } from '#features/change-risk/use-cases/list-changes.ts';
import {
  type PastAsked,
  type PastAssessment,
  type PastChanges,
  pastChanges,
  readAssessment,
} from '#features/change-risk/use-cases/past-changes.ts';
import { iso, isoOrNull } from '#schemas/http/time.ts';

const SHOWN_INCIDENTS = 20;
type HistoricalIncident = z.output<typeof AnalyzedChangeBody>['historicalIncidents'][number];

function incident(event: Event): HistoricalIncident {
  const { known, kind } = problemKindOf(event);
  const { severity, businessImpact, title, id, firstOccurrence } = event;
  const names = businessImpact?.affectedServices.map(({ name }) => name) ?? [];
  const impact = names.length === 0 ? severity : `${severity}: ${names.join(', ')}`;
  return { date: iso(firstOccurrence), type: known ?? kind, impact, eventId: eventIdOf(id), title };
}

const factorBody = ({ name, value, effect, refs }: Factor) => ({ name, value, effect, refs: [...refs] });

const quickBody = ({
  picture,
  risk,
  summary,
  grounds,
}: AssessedChange): Omit<z.output<typeof QuickAssessedBody>, 'success'> => ({
  riskScore: risk.riskScore,
  riskLevel: risk.riskLevel,
  summary,
  probability: risk.probability,
  impact: risk.impact,
  confidence: risk.confidence,
  changeType: picture.type ?? 'other',
  factors: risk.factors.map(factorBody),
  ...evidenceBody(grounds),
});

const analyzedBody = (assessed: StoredChangeAssessment): Omit<z.output<typeof AnalyzedChangeBody>, 'success'> => {
  const { picture, risk, affected, assessmentId } = assessed;
  return {
    ...quickBody(assessed),
    assessmentId,
    affectedSystems: affected.map((one) => ({ ...one })),
    upstreamDependencies: picture.upstream.map(({ name }) => name),
    recommendations: [...risk.recommendations],
    historicalIncidents: (picture.events?.incidents ?? []).slice(0, SHOWN_INCIDENTS).map(incident),
    conflicts: picture.conflicts.map(({ plannedAt, ...one }) => ({ ...one, plannedTime: iso(plannedAt) })),
  };
};

const MINUTE_MS = 60_000;
const NO_WORDS = {
  summary: null,
  probability: null,
  impact: null,
  confidence: null,
  factors: [],
  recommendations: [],
  grounds: { generatedBy: 'rules', model: null, abstained: false, degraded: null, citations: [] },
} as const;

const storedBody = ({ assessment, words }: PastAssessment): Omit<z.output<typeof StoredAssessmentBody>, 'success'> => {
  const { id, ciId, type, said, description, at, plannedAt, durationMs, riskScore, riskLevel } = assessment;
  const { summary, probability, impact, confidence, factors, recommendations, grounds } = words ?? NO_WORDS;
  return {
    assessmentId: id,
    ciId,
    changeType: type,
    said,
    description,
    assessedAt: iso(at),
    plannedTime: isoOrNull(plannedAt),
    plannedMinutes: durationMs === null ? null : durationMs / MINUTE_MS,
    riskScore,
    riskLevel,
    summary,
    probability,
    impact,
    confidence,
    factors: factors.map(factorBody),
    recommendations: [...recommendations],
    ...evidenceBody(grounds),
  };
};

const pastBody = ({
  ciId,
  type,
  prior,
  probability,
  earlier,
  at,
}: PastChanges): Omit<z.output<typeof PastChangesBody>, 'success'> => ({
  ciId,
  changeType: type,
  prior,
  probability: rounded(probability),
  changes: earlier.map((one) => ({
    date: iso(at - one.ageMs),
    failed: one.isFailed,
    elsewhere: one.isElsewhere,
    weight: rounded(weightOf(one)),
  })),
});

const common = { tag: 'AI: changes', permission: 'cmdb.read', limit: 'ai' } as const;

const getAssessment = endpoint<string, PastAssessment>({
  ...common,
  id: 'changes.get',
  summary: 'Get a change assessment',
  description: 'Event details require events.read.',
  alsoFaults: ['not-found'],
  mounts: on.ai.get('/change-analysis/assessments/{assessmentId}', {
    params: AssessmentPath,
    reply: StoredAssessmentBody,
    read: ({ params }) => params.assessmentId,
    present: (kept) => ({ body: storedBody(kept) }),
  }),
  handle: (id, context) => readAssessment(context, id),
});

const getPastChanges = endpoint<PastAsked, PastChanges>({
  ...common,
  id: 'changes.history',
  summary: 'Get change failure history',
  description:
    'Changes to the CI, and changes of the same type elsewhere. Requires events.read to include earlier changes.',
  alsoFaults: ['not-found'],
  mounts: on.ai.get('/change-analysis/history', {
    query: PastQuery,
    reply: PastChangesBody,
    read: ({ query }) => query,
    present: (past) => ({ body: pastBody(past) }),
  }),
  handle: (asked, context) => pastChanges(context, asked),
});

const DAY_MS = 86_400_000;
const [DAYS_BEFORE, DAYS_AFTER] = [30, 90];

interface ListAsked {
  readonly from: number | undefined;
  readonly to: number | undefined;
}
const listPlannedAndReported = endpoint<ListAsked, ListedChanges>({
  ...common,
  id: 'changes.list',
  summary: 'List planned and reported changes',
  description:
    'Assessed changes, and deployments and other changes among events. Requires events.read to include events.',
  limit: 'query',
  mounts: on.ai.get('/change-analysis/changes', {
    query: ListQuery,
    reply: ListedChangesBody,
    read: ({ query }) => ({ from: query.from, to: query.to }),
    present: ({ changes, isCut }) => ({
      body: {
        changes: changes.map((one) => ({ ...one, start: iso(one.start), end: isoOrNull(one.end) })),
        truncated: isCut,
      },
    }),
  }),
  handle: ({ from, to }, context) => {
    const now = context.receivedAt;
    const range = { from: from ?? now - DAYS_BEFORE * DAY_MS, to: to ?? now + DAYS_AFTER * DAY_MS };
    if (range.from > range.to) throw invalid('from', 'must not be after to');
    return listChanges(context, range);
  },
});

const asking = {
  tag: 'AI: changes',
  permission: 'ai.use',
  limit: 'ai',
  takesLong: true,
  alsoFaults: ['model', 'unavailable', 'rate-limited'],
} as const;

const analyze = endpoint<ChangeAsked, StoredChangeAssessment>({
  ...asking,
  id: 'changes.analyze',
  headers: AiModeHeader,
  summary: 'Assess the risk of a planned change',
  description:
    'Stored for 400 days as history for later assessments. Also requires cmdb.read; without events.read, events are ignored. A model never changes the score.',
  mounts: on.ai.post('/change-analysis/analyze', {
    body: AnalyzeChange,
    reply: AnalyzedChangeBody,
    read: ({ body: { ciId, changeType, description, plannedTime, plannedDuration }, headers }) => ({
      ciId,
      changeType,
      description: description ?? null,
      plannedAt: plannedTime ?? null,
      durationMs: plannedDuration ?? null,
      mode: aiMode(headers),
    }),
    present: (assessed) => ({ body: analyzedBody(assessed) }),
  }),
  handle: (asked, context) => analyzeChange(context, asked),
});

const quick = endpoint<Pick<ChangeAsked, 'ciId' | 'changeType' | 'mode'>, AssessedChange>({
  ...asking,
  id: 'changes.quick-assess',
  headers: AiModeHeader,
  summary: 'Assess change risk without a time',
  mounts: on.ai.post('/change-analysis/quick-assess', {
    body: QuickAssess,
    reply: QuickAssessedBody,
    read: ({ body, headers }) => ({ ...body, mode: aiMode(headers) }),
    present: (assessed) => ({ body: quickBody(assessed) }),
  }),
  handle: (asked, context) => quickAssess(context, asked),
});

/** Risk of planned changes. */
export const changeEndpoints: readonly AnyEndpoint[] = [
  analyze,
  quick,
  getAssessment,
  getPastChanges,
  listPlannedAndReported,
];
