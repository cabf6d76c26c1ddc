import { type AnyEndpoint, endpoint, mount } from '#api/surfaces/endpoint.ts';
import { aiMode } from '#features/ai/schemas/grounds.ts';
import {
  AnalyzeChange,
  AnalyzedChangeBody,
  QuickAssess,
  QuickAssessedBody,
} from '#features/change-risk/schemas/changes.ts';
import {
  type AssessedChange,
  analyzeChange,
  type ChangeAsked,
  type KeptChange,
  quickAssess,
} from '#features/change-risk/use-cases/changes.ts';
import { getAssessment, getPastChanges } from './past.ts';
import { analyzedBody, quickBody } from './present-change.ts';

const asking = {
  tag: 'AI: changes',
  permission: 'ai.use',
  limit: 'ai',
  takesLong: true,
  alsoFaults: ['model', 'unavailable', 'rate-limited'],
} as const;

const analyze = endpoint<ChangeAsked, KeptChange>({
  ...asking,
  id: 'changes.analyze',
  summary: 'Judge how risky a planned change is',
  description:
    'Kept for 400 days, so that later ones see it. Needs cmdb.read too; without events.read no event counts. Header X-AI-Mode: rules, model or auto; a model never changes the score.',
  mounts: [
    mount({
      on: 'ai',
      method: 'post',
      path: '/change-analysis/analyze',
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
  ],
  handle: (asked, context) => analyzeChange(context, asked),
});

const quick = endpoint<Pick<ChangeAsked, 'ciId' | 'changeType' | 'mode'>, AssessedChange>({
  ...asking,
  id: 'changes.quick-assess',
  summary: 'Judge how risky a change is, without a time; nothing is kept',
  mounts: [
    mount({
      on: 'ai',
      method: 'post',
      path: '/change-analysis/quick-assess',
      body: QuickAssess,
      reply: QuickAssessedBody,
      read: ({ body, headers }) => ({ ...body, mode: aiMode(headers) }),
      present: (assessed) => ({ body: quickBody(assessed) }),
    }),
  ],
  handle: (asked, context) => quickAssess(context, asked),
});

/** Risk of planned changes. */
export const changeEndpoints: readonly AnyEndpoint[] = [analyze, quick, getAssessment, getPastChanges];
