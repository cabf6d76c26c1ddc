import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { evidenceBody } from '#features/ai/schemas/answer-evidence.ts';
import { GeneratedInsightsBody, GenerateInsights } from '#features/detectors/schemas/detected.ts';
import {
  type FoundInsight,
  type GeneratedInsights,
  generateInsights,
  type InsightsAsked,
} from '#features/detectors/use-cases/generate-insights.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { iso } from '#schemas/http/time.ts';

const shown = ({ id, finding, refs }: FoundInsight) => {
  const { kind, severity, title, detail, metric, recommendation, confidence } = finding;
  return { id, kind, severity, title, detail, metric: { ...metric }, recommendation, confidence, refs: [...refs] };
};

/** Findings of detectors in events, CIs, incidents and changes. */
export const insights = endpoint<InsightsAsked, GeneratedInsights>({
  id: 'ai.generate-insights',
  summary: 'Generate operational insights',
  description:
    'Rule-based and read-only; no model is used. Also requires events.read and cmdb.read, and services.read for a service.',
  tag: 'AI',
  permission: 'ai.use',
  limit: 'ai-platform',
  takesLong: true,
  alsoFaults: ['not-found', 'unavailable'],
  mounts: on.platform.post('/ai/generate-insights', {
    body: GenerateInsights,
    reply: wrapped(GeneratedInsightsBody),
    read: ({ body: { scope = {}, kinds } }) => ({
      ciIds: scope.ciIds ?? null,
      serviceId: scope.serviceId ?? null,
      timeRange: scope.timeRange ?? null,
      kinds: kinds ?? null,
    }),
    present: ({ insights: found, more, range, looked, failed, grounds }) => ({
      body: {
        insights: found.map(shown),
        more,
        range: { from: iso(range.from), to: iso(range.to) },
        looked: looked.map((one) => ({ ...one })),
        failed: [...failed],
        ...evidenceBody(grounds),
      },
    }),
  }),
  handle: (asked, context) => generateInsights(context, asked),
});
