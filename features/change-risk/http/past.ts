import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import {
  AssessmentPath,
  KeptAssessmentBody,
  PastChangesBody,
  PastQuery,
} from '#features/change-risk/schemas/changes.ts';
import {
  type KeptAssessment,
  type PastAsked,
  type PastChanges,
  pastChanges,
  readAssessment,
} from '#features/change-risk/use-cases/past-changes.ts';
import { keptBody, pastBody } from './present-past.ts';

const common = { tag: 'AI: changes', permission: 'cmdb.read', limit: 'ai' } as const;

export const getAssessment = endpoint<string, KeptAssessment>({
  ...common,
  id: 'changes.get',
  summary: 'Show a planned change as it was judged',
  description: 'Words that tell of events are left out for callers without events.read.',
  alsoFaults: ['not-found'],
  mounts: [
    mount({
      on: 'ai',
      method: 'get',
      path: '/change-analysis/assessments/{assessmentId}',
      params: AssessmentPath,
      reply: KeptAssessmentBody,
      read: ({ params }) => params.assessmentId,
      present: (kept) => ({ body: keptBody(kept) }),
    }),
  ],
  handle: (id, context) => readAssessment(context, id),
});

export const getPastChanges = endpoint<PastAsked, PastChanges>({
  ...common,
  id: 'changes.history',
  summary: 'Show how often changes of a type are taken to fail, and the earlier ones that count',
  description: 'On the CI, and of the type elsewhere. Without events.read no earlier change is shown.',
  alsoFaults: ['not-found'],
  mounts: [
    mount({
      on: 'ai',
      method: 'get',
      path: '/change-analysis/history',
      query: PastQuery,
      reply: PastChangesBody,
      read: ({ query }) => query,
      present: (past) => ({ body: pastBody(past) }),
    }),
  ],
  handle: (asked, context) => pastChanges(context, asked),
});
