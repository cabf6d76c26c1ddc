import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { AiModeHeader, aiMode, evidenceBody } from '#features/ai/schemas/answer-evidence.ts';
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
  headers: AiModeHeader,
  summary: 'Enrich a service description',
  description: 'Uses only the software catalog, no CIs. A model only maps words to catalog IDs.',
  mounts: on.ai.post(`${BASE}/enrich`, {
    body: EnrichDescription,
    reply: EnrichedBody,
    read: ({ body, headers }) => ({ ...describedBy(body), mode: aiMode(headers) }),
    present: ({ enriched, explanation, grounds }) => ({
      body: { enrichedData: enrichedData(enriched, explanation), ...evidenceBody(grounds) },
    }),
  }),
  handle: (asked, context) => enrichDescription(context, asked),
});
