import { z } from 'zod';
import { always } from '#schemas/http/always.ts';

/** Servers and connections that the analyzer of business services receives; unknown fields pass through. */

export const MAX_SERVERS = 1_000;
const MAX_CONNECTIONS = 10_000;
const MAX_ITEMS = 1_000;

export const shortText = z.string().trim().min(1).max(255);
export const optionalText = z.string().trim().max(255).nullish();
const port = z.int().min(1).max(65_535);

const Named = z.looseObject({ name: shortText });
/** A name, or a structure with one. */
export const NamedItem = z.union([shortText, Named], { error: 'expected a name or an object with a name' });
export const nameOfItem = (item: z.output<typeof NamedItem>): string => (typeof item === 'string' ? item : item.name);

const Process = z.union(
  [shortText, z.looseObject({ name: z.string().trim().max(255).nullish(), port: port.nullish() })],
  { error: 'expected a name or an object with name and port' },
);

const Server = z.looseObject({
  ciId: shortText,
  hostname: optionalText,
  ipAddress: optionalText,
  operatingSystem: optionalText,
  type: optionalText.meta({ description: 'CI type; default: the type in the CMDB' }),
  installedSoftware: z.array(NamedItem).max(MAX_ITEMS).nullish(),
  runningProcesses: z.array(Process).max(MAX_ITEMS).nullish(),
});

/** No server twice: which of the two would count? */
export const Servers = z
  .array(Server)
  .min(1)
  .max(MAX_SERVERS)
  .check(
    always(({ value, issues }) => {
      if (!Array.isArray(value)) return;
      const seen = new Set<unknown>();
      value.forEach((server: { readonly ciId?: unknown } | null, index) => {
        const ciId = server?.ciId;
        if (ciId !== undefined && seen.has(ciId))
          issues.push({ code: 'custom', input: value, path: [index, 'ciId'], message: 'already exists' });
        seen.add(ciId);
      });
    }),
  );

const Connection = z.looseObject({
  source: optionalText.meta({ description: 'ciId, hostname or ipAddress of a server; others are outside' }),
  target: optionalText.meta({ description: 'ciId, hostname or ipAddress of a server; others are outside' }),
  port: port.nullish().meta({ description: 'Port of the target' }),
  protocol: optionalText,
  process: optionalText,
  frequency: z.number().min(0).nullish(),
});
export const Connections = z.array(Connection).max(MAX_CONNECTIONS);

export const ServiceDescription = z.string().max(32_768).nullish();

const runningProcess = (one: z.output<typeof Process>) =>
  typeof one === 'string' ? { name: one, port: null } : { name: one.name || null, port: one.port ?? null };

/** Returns a server in the form of the use case. */
export const givenServer = (server: z.output<typeof Server>) => ({
  id: server.ciId,
  hostname: server.hostname || null,
  ipAddress: server.ipAddress || null,
  type: server.type || null,
  software: (server.installedSoftware ?? []).map(nameOfItem),
  processes: (server.runningProcesses ?? []).map(runningProcess),
});

/** Both ends of a connection; an empty end is none. */
export const givenLink = ({ source, target, port: on }: z.output<typeof Connection>) => ({
  source: source || null,
  target: target || null,
  port: on ?? null,
});

const ofReply = z.unknown().optional().meta({ description: 'From the previous response; ignored' });
/** All that a reply has besides what is read of it, so that it may be sent on as it is; other fields are still refused by name. */
export const sentOn = (reply: z.ZodObject, read: readonly string[]): Record<string, typeof ofReply> =>
  Object.fromEntries(
    Object.keys(reply.shape)
      .filter((field) => !read.includes(field))
      .map((field) => [field, ofReply]),
  );
