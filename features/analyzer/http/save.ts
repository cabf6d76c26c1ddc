import { z } from 'zod';
import { onBoth } from '#api/surfaces/both.ts';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import type { Service, ServiceAnalysis } from '#domain/services/service.ts';
import {
  SavedBody,
  SaveService,
  ServiceAnalysisBody,
  savedService,
  serviceAnalysisBody,
} from '#features/analyzer/schemas/save.ts';
import { readAnalysis, type SaveAsked, saveService } from '#features/analyzer/use-cases/save-service.ts';
import { BASE } from './common.ts';

export const saveFoundService = endpoint<SaveAsked, Service>({
  id: 'analyzer.save',
  summary: 'Save as a business service',
  description:
    'Creates a service with the found components. Stores discoveryConfig, components and analysis, up to 256 KiB of JSON.',
  tag: 'AI: business services',
  permission: 'services.write',
  limit: 'ai',
  alsoFaults: ['conflict'],
  mounts: on.ai.post(`${BASE}/save`, {
    body: SaveService,
    itemDepth: 3,
    status: 201,
    reply: SavedBody,
    read: ({ body }) => savedService(body),
    present: ({ id, name }) => ({ status: 201, body: { serviceId: id, message: `The service ${name} was saved` } }),
  }),
  handle: (asked, context) => saveService(context, asked),
});

interface SavedAnalysis {
  readonly id: string;
  readonly kept: ServiceAnalysis;
}
const params = z.object({ id: z.string() });
const path = '/services/{id}/analysis';
const read = ({ params: { id } }: { readonly params: z.output<typeof params> }): string => id;
const present = ({ id, kept }: SavedAnalysis) => ({ body: serviceAnalysisBody(id, kept) });

export const getServiceAnalysis = endpoint<string, SavedAnalysis>({
  id: 'services.analysis',
  summary: 'Get the analysis of a business service',
  description: "Analysis saved with the service; 404 if it wasn't found by an analysis.",
  tag: 'Services',
  permission: 'services.read',
  mounts: onBoth.get(path, ServiceAnalysisBody, { params, read, present }),
  handle: async (id, context) => ({ id, kept: await readAnalysis(context, id) }),
});
