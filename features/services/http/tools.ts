import { z } from 'zod';
import { isBeyond, quoted, tool } from '#api/surfaces/tool.ts';
import { listServices } from './service-endpoints.ts';

const Service = z.object({
  id: z.string(),
  name: z.string(),
  criticality: z.string(),
  health: z.object({ status: z.string(), score: z.number() }),
  components: z.array(z.object({ ci_id: z.string(), role: z.string() })),
});

const serviceWords = ({ id, name, criticality, health, components }: z.output<typeof Service>): string =>
  `- ${quoted(name)} (${criticality}): ${health.status}, score ${health.score}, components: ${components.length}, ID ${id}`;

const health = tool({
  name: 'service_health',
  title: 'Get service health',
  description:
    'Lists business services with their current health, sorted by name; optionally filtered by name or description.',
  endpoint: listServices,
  input: z.strictObject({
    search: z.string().min(1).max(256).optional().describe('Part of the name or description'),
    limit: z.int().min(1).max(25).default(15).describe('Maximum number of results'),
  }),
  output: z.object({
    services: z.array(Service),
    total: z.int().nullable(),
    truncated: z.boolean().describe('True if more results exist'),
  }),
  async run({ ask }, { search, limit }) {
    const query = { limit: String(limit), ...(search !== undefined && { search }) };
    const { body, total } = await ask(listServices, { query });
    const services = body as readonly unknown[];
    return { services, total, truncated: isBeyond(services, total) };
  },
  tell: ({ services, total }) =>
    services.length === 0
      ? 'No services found.'
      : [`Services: ${services.length} of ${total ?? services.length}.`, ...services.map(serviceWords)].join('\n'),
});

export const serviceTools = [health];
