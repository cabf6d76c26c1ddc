/** How the body of a monitoring system that Faultline does not know becomes events. */
import { z } from 'zod';
import { SEVERITIES } from '#domain/event/event.ts';
import { MAX_PATH, parsePath } from './path.ts';
import { parseTemplate } from './value.ts';

const written = (parse: (text: string) => unknown, pattern: string) =>
  z
    .string()
    .min(1)
    .max(MAX_PATH)
    .superRefine((text, context) => {
      const parsed = parse(text);
      if (typeof parsed === 'string') context.addIssue({ code: 'custom', message: parsed });
    })
    .meta({ pattern });
/** Of a mapped source: it stands in the address of the webhook, and as the source of events. */
export const MAPPED_NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/** For readers of the document; a name with a letter beyond ASCII may stand in quotes. */
const NAME = '[A-Za-z_][\\w-]*';
const STEP = `\\.\\*|\\[\\*\\]|\\.${NAME}|\\['[^'\\\\{}]*'\\]|\\["[^"\\\\{}]*"\\]|\\[-?\\d{1,6}\\]|\\[\\?@\\.${NAME} ?== ?(?:'[^'\\\\{}]*'|"[^"\\\\{}]*")\\]`;
const PATH = `\\$(?:${STEP})*`;
const PATH_PATTERN = `^${PATH}$`;
const PLACE = `\\{${PATH}\\}|\\{[^{$]`;
const TEMPLATE_PATTERN = `^(?:${PATH}|(?:[^{$]|${PLACE})(?:[^{]|${PLACE})*)$`;
const template = written(parseTemplate, TEMPLATE_PATTERN).meta({
  description: 'A path as $.host.name, or a text with paths in braces',
});
const value = z.union([template, z.array(template).min(1).max(5)]).meta({
  description: 'Of a list the first that finds anything',
});
const values = z.union([template, z.array(template).min(1).max(20)]);

/** Meanings of state words. */
const STATES = [
  'problem',
  'resolved',
  'acknowledged',
  'unacknowledged',
  'suppressed',
  'unsuppressed',
  'ignored',
] as const;
export type MappedState = (typeof STATES)[number];

const MOST_WORDS = 200;
const words = <T extends z.ZodType>(says: T) =>
  z
    .record(z.string().trim().min(1).max(100).toLowerCase(), says)
    .refine((map) => Object.keys(map).length <= MOST_WORDS, `expected at most ${MOST_WORDS} entries`);

export const SourceMapping = z
  .strictObject({
    title: z.string().trim().min(1).max(100).optional().meta({ description: 'What people call the monitoring system' }),
    items: written(parsePath, PATH_PATTERN)
      .optional()
      .meta({ description: 'Where the body lists several; paths of fields begin at each of them' }),
    fields: z.strictObject({
      key: values.meta({
        description: 'What stays the same from the beginning of a problem to its end; several are put together',
      }),
      title: value,
      state: value.optional().meta({ description: 'Absent: every body is a problem, which nothing ends' }),
      severity: value.optional(),
      description: value.optional(),
      hostname: value.optional(),
      ipAddress: value.optional(),
      service: value.optional(),
      application: value.optional(),
      environment: value.optional(),
      category: value.optional(),
      ci: value.optional().meta({ description: 'Another name of the CI' }),
      time: value.optional(),
      tags: values.optional(),
    }),
    states: words(z.enum(STATES))
      .optional()
      .meta({ description: 'State word as sent → what it says; common words (down, ok, resolved) are known' }),
    severities: words(z.enum(SEVERITIES)).optional().meta({ description: 'Severity word as sent → ours' }),
    severity: z.enum(SEVERITIES).optional().meta({ description: 'Where none is sent; by default warning' }),
  })
  .meta({
    id: 'SourceMapping',
    example: {
      title: 'Site24x7',
      fields: {
        key: '$.MONITOR_ID',
        title: '{$.MONITORNAME} is {$.STATUS}',
        state: '$.STATUS',
        description: '$.INCIDENT_REASON',
        time: '$.INCIDENT_TIME_ISO',
        tags: '$.TAGS',
      },
      states: { trouble: 'problem' },
      severities: { down: 'critical', trouble: 'warning' },
    },
  });
export type SourceMapping = z.output<typeof SourceMapping>;
