import { z } from 'zod';
import { type Context, endpoint, on } from '#api/surfaces/endpoint.ts';
import { audit } from '#application/access/audit.ts';
import { findSource, listSources, type SourceReport } from '#application/events/sources/list-sources.ts';
import { OPEN_MS, TEST_TAG, testSource } from '#application/events/sources/test-source.ts';
import { Fault } from '#domain/fault.ts';
import { SourceBody, SourceDetailBody, SourceTestBody } from '#schemas/http/admin/sources.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { iso, isoOrNull } from '#schemas/http/time.ts';
import { TOKEN_PLACE } from '#sources/kit/card.ts';
import { mappedSetup, plainSetup, setupOf } from '#sources/snippets.ts';
import { sourceNamed } from '#sources/sources.ts';

const common = { tag: 'Administration', permission: 'tokens.manage', limit: 'standard' } as const;
const Path = z.object({ name: z.string() });

const view = ({ name, title, path, isMonitor, isMapped, heard, tokens }: SourceReport) => ({
  name,
  title,
  path,
  isMonitor,
  isMapped,
  lastEventAt: isoOrNull(heard.last === 0 ? null : heard.last),
  events24h: heard.events,
  rejected24h: heard.rejected,
  tokens: tokens.map((token) => ({ id: token.id, name: token.name, lastUsedAt: iso(token.at) })),
});

const list = endpoint<void, readonly SourceReport[]>({
  ...common,
  id: 'admin.sources.list',
  summary: 'List event sources',
  description: 'Supported and mapped monitoring systems, and any other source that sent events, with 24-hour counts.',
  mounts: on.platform.get('/admin/sources', {
    reply: wrapped(z.array(SourceBody)),
    read: () => undefined,
    present: (found) => ({ body: found.map(view) }),
  }),
  handle: (_, { ports, tenant }) => listSources(ports, tenant),
});

interface SourceRequest {
  readonly name: string;
  /** URL by which the caller reached this server, where it has no public URL. */
  readonly reached: string;
}
interface SourceDetails {
  readonly report: SourceReport;
  readonly base: string;
  readonly now: number;
}
const HOST = /^[A-Za-z0-9._:[\]-]{1,255}$/;
const reachedBy = (headers: Readonly<Record<string, string | undefined>>): string => {
  const { host = '', 'x-forwarded-proto': protocol } = headers;
  return `${protocol === 'https' ? 'https' : 'http'}://${HOST.test(host) ? host : 'faultline.example'}`;
};

const present = ({ report, base, now }: SourceDetails) => {
  const address = base + report.path;
  const monitor = sourceNamed(report.name);
  const own = report.isMapped ? mappedSetup(address) : plainSetup(report.name, address);
  const setup = monitor === undefined ? own : setupOf(monitor, { address, base, now });
  const header = [{ name: 'Authorization', value: `Bearer ${TOKEN_PLACE}` }];
  const json = { name: 'Content-Type', value: 'application/json' };
  return {
    body: {
      ...view(report),
      address,
      carries: setup.carries,
      tokenPlace: TOKEN_PLACE,
      snippets: [...setup.snippets],
      headers: [...(setup.carries === 'header' ? header : []), json],
    },
  };
};

const get = endpoint<SourceRequest, SourceDetails>({
  ...common,
  id: 'admin.sources.get',
  summary: 'Get an event source with setup snippets',
  mounts: on.platform.get('/admin/sources/{name}', {
    params: Path,
    reply: wrapped(SourceDetailBody),
    read: ({ params, headers }): SourceRequest => ({ name: params.name, reached: reachedBy(headers) }),
    present,
  }),
  handle: async ({ name, reached }, { ports, tenant, baseUrl, receivedAt }) => ({
    report: await findSource(ports, tenant, name),
    base: baseUrl === '' ? reached : baseUrl,
    now: receivedAt,
  }),
});

interface Tested {
  readonly eventId: string;
  readonly at: number;
}
async function testOne(name: string, context: Context): Promise<Tested> {
  const source = sourceNamed(name);
  if (source === undefined) throw new Fault('not-found', `Source ${name} was not found`);
  const eventId = await testSource(source, context);
  await audit(context, {
    action: 'source.tested',
    target: { kind: 'source', id: source.name },
    before: null,
    after: { eventId },
  });
  return { eventId, at: context.receivedAt };
}

const tryOut = endpoint<string, Tested>({
  ...common,
  id: 'admin.sources.test',
  summary: 'Send a test event',
  description: `Creates an event for a non-existent host, tagged ${TEST_TAG}. It resolves automatically.`,
  mounts: on.platform.post('/admin/sources/{name}/test', {
    params: Path,
    reply: wrapped(SourceTestBody),
    read: ({ params }) => params.name,
    present: ({ eventId, at }) => ({ body: { eventId, tag: TEST_TAG, resolvesAt: iso(at + OPEN_MS) } }),
  }),
  handle: testOne,
});

export const sourceEndpoints = [list, get, tryOut];
