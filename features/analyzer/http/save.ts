import { z } from 'zod';
import { both } from '#api/surfaces/both.ts';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
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
  summary: 'Make a business service of what was found',
  description:
    'The service has the components that were found; discoveryConfig, components and analysis are kept with it, together at most 256 KiB of JSON.',
  tag: 'AI: business services',
  permission: 'services.write',
  limit: 'ai',
  alsoFaults: ['conflict'],
  mounts: [
    mount({
      on: 'ai',
      method: 'post',
      path: `${BASE}/save`,
      body: SaveService,
      itemDepth: 3,
      status: 201,
      reply: SavedBody,
      read: ({ body }) => savedService(body),
      present: ({ id, name }) => ({ status: 201, body: { serviceId: id, message: `The service ${name} was saved` } }),
    }),
  ],
  handle: (asked, context) => saveService(context, asked),
});

interface Kept {
  readonly id: string;
  readonly kept: ServiceAnalysis;
}
const params = z.object({ id: z.string() });
const path = '/services/{id}/analysis';
const read = ({ params: { id } }: { readonly params: z.output<typeof params> }): string => id;
const present = ({ id, kept }: Kept) => ({ body: serviceAnalysisBody(id, kept) });

export const getServiceAnalysis = endpoint<string, Kept>({
  id: 'services.analysis',
  summary: 'Show how a business service was found',
  description: 'As it was saved with the service; 404 for a service that no analysis has found.',
  tag: 'Services',
  permission: 'services.read',
  limit: 'standard',
  mounts: both({ method: 'get', path, params, read, present }, ServiceAnalysisBody),
  handle: async (id, context) => ({ id, kept: await readAnalysis(context, id) }),
});
