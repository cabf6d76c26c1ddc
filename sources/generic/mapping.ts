/** Mapping of the body of an unknown monitoring system to events. */
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
/** Name of a mapped source: part of the address of the webhook, and the source of events. */
export const MAPPED_NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/** Pattern for readers of the document; a name with a letter beyond ASCII may be in quotes. */
const NAME = '[A-Za-z_][\\w-]*';
const STEP = `\\.\\*|\\[\\*\\]|\\.${NAME}|\\['[^'\\\\{}]*'\\]|\\["[^"\\\\{}]*"\\]|\\[-?\\d{1,6}\\]|\\[\\?@\\.${NAME} ?== ?(?:'[^'\\\\{}]*'|"[^"\\\\{}]*")\\]`;
const PATH = `\\$(?:${STEP})*`;
const PATH_PATTERN = `^${PATH}$`;
const PLACE = `\\{${PATH}\\}|\\{[^{$]`;
const TEMPLATE_PATTERN = `^(?:${PATH}|(?:[^{$]|${PLACE})(?:[^{]|${PLACE})*)$`;
const template = written(parseTemplate, TEMPLATE_PATTERN).meta({
  description: 'A path such as $.host.name, or text with paths in braces',
});
const value = z.union([template, z.array(template).min(1).max(5)]).meta({
  description: 'Path, or a list of paths (first match is used)',
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

const MAX_WORDS = 200;
const words = <T extends z.ZodType>(says: T) =>
  z
    .record(z.string().trim().min(1).max(100).toLowerCase(), says)
    .refine((map) => Object.keys(map).length <= MAX_WORDS, `expected at most ${MAX_WORDS} entries`);

export const SourceMapping = z
  .strictObject({
    title: z.string().trim().min(1).max(100).optional().meta({ description: 'Display name of the monitoring system' }),
    items: written(parsePath, PATH_PATTERN)
      .optional()
      .meta({ description: 'Path to the list of alerts; field paths start at each item' }),
    fields: z.strictObject({
      key: values.meta({ description: 'Stable ID of a problem from start to end; multiple paths are combined' }),
      title: value,
      state: value.optional().meta({ description: 'If omitted, every body is a problem and none resolves one' }),
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
      .meta({ description: 'Mapping of state words; common words (down, ok, resolved) are built in' }),
    severities: words(z.enum(SEVERITIES)).optional().meta({ description: 'Severity as sent → Faultline severity' }),
    severity: z.enum(SEVERITIES).optional().meta({ description: 'Used if none is sent; default: warning' }),
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
