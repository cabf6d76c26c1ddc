import { z } from 'zod';
import { quoted, tool } from '#api/surfaces/tool.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import { createSilenceEndpoint } from './endpoints.ts';

const MINUTE_MS = 60_000;
const MAX_MINUTES = 24 * 60;

const word = z.string().trim().min(1).max(255).optional();
const matcher = {
  source: word.describe('Source name'),
  severity: z.array(z.enum(SEVERITIES)).min(1).optional(),
  host: word.describe('Hostname patterns (* and ?), comma-separated'),
  service: word.describe('Service or application'),
  environment: word,
  tag: word,
  title: word.describe('Words in the title, in any order'),
  ci: word.describe('CI ID or exact name'),
  below: word.describe('CI ID or exact name; also matches all CIs impacted by it'),
};

const silencing = tool({
  name: 'silence',
  title: 'Silence events',
  description:
    'Suppresses matching events for up to 24 hours from now: they are stored, can join groups and do not create them. All given fields must match. Recorded in the audit log.',
  endpoint: createSilenceEndpoint,
  isWriting: true,
  input: z.strictObject({
    reason: z.string().trim().min(1).max(1_024).describe('Shown to other users'),
    minutes: z.int().min(1).max(MAX_MINUTES),
    ...matcher,
  }),
  output: z.object({ id: z.string(), state: z.string(), startsAt: z.string(), endsAt: z.string(), reason: z.string() }),
  async run({ ask, ciNamed, receivedAt }, { reason, minutes, ci, below, ...parts }) {
    const given = Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined));
    const body = {
      matcher: {
        ...given,
        ...(ci !== undefined && { ciId: await ciNamed(ci) }),
        ...(below !== undefined && { below: await ciNamed(below) }),
      },
      endsAt: receivedAt + minutes * MINUTE_MS,
      reason,
    };
    return ((await ask(createSilenceEndpoint, { body })).body as { readonly silence: unknown }).silence;
  },
  tell: ({ id, endsAt, reason }) => `Created silence ${id}, which ends at ${endsAt}. Reason: ${quoted(reason)}`,
});

export const silenceTools = [silencing];
