import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { checkRules } from '#application/records/tenant-settings.ts';
import type { CheckRule } from '#domain/event/identity/check-rules.ts';
import type { Noise } from '#features/noise/rules/noise.ts';
import { NoiseBody, noiseBody } from '#features/noise/schemas/noise.ts';
import { readNoise } from '#features/noise/use-cases/noise.ts';
import { wrapped } from '#schemas/http/envelope.ts';

interface RuledNoise {
  readonly noise: Noise;
  readonly rules: readonly CheckRule[];
}

export const getNoise = endpoint<undefined, RuledNoise>({
  id: 'events.noise',
  summary: 'Get the checks with most events',
  description: 'At most 5 minutes old. A check is one problem, regardless of its host.',
  tag: 'Events',
  permission: 'events.read',
  limit: 'query',
  mounts: on.platform.get('/noise', {
    reply: wrapped(NoiseBody),
    read: () => undefined,
    present: ({ noise, rules }) => ({ body: noiseBody(noise, rules) }),
  }),
  handle: async (_, context) => ({
    noise: await readNoise(context),
    rules: await checkRules(context.ports.records, context.tenant),
  }),
});
