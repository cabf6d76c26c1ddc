import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { aiMode, groundsBody } from '#features/ai/schemas/grounds.ts';
import { describedBy, EnrichDescription, EnrichedBody, enrichedData } from '#features/analyzer/schemas/enrich.ts';
import {
  type EnrichAsked,
  type EnrichedDescription,
  enrichDescription,
} from '#features/analyzer/use-cases/enrich-description.ts';
import { asking, BASE } from './common.ts';

export const enrichService = endpoint<EnrichAsked, EnrichedDescription>({
  ...asking,
  id: 'analyzer.enrich',
  summary: 'Tell which software, processes and ports a description speaks of',
  description:
    'Reads the catalogue of software alone, and no CI. Header X-AI-Mode: rules, model or auto; a model maps words to ids of the catalogue.',
  mounts: [
    mount({
      on: 'ai',
      method: 'post',
      path: `${BASE}/enrich`,
      body: EnrichDescription,
      reply: EnrichedBody,
      read: ({ body, headers }) => ({ ...describedBy(body), mode: aiMode(headers) }),
      present: ({ enriched, explanation, grounds }) => ({
        body: { enrichedData: enrichedData(enriched, explanation), ...groundsBody(grounds) },
      }),
    }),
  ],
  handle: (asked, context) => enrichDescription(context, asked),
});
