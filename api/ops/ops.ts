import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { AsyncapiPart, AsyncapiParts } from '#api/surfaces/asyncapi-parts.ts';
import { type AnyEndpoint, endpoint, on } from '#api/surfaces/endpoint.ts';
import type { ProcessHealth } from '#domain/ports/health.ts';
import { Readiness } from '#schemas/http/readiness.ts';
import { type Flow, flows } from '#schemas/topics/flows.ts';
import { DEFAULT_PARTITIONS, type Topic, topics } from '#schemas/topics/topics.ts';
import { consoleEndpoints } from './console.ts';
import { page } from './page.ts';
import { metrics, openapi, root } from './texts.ts';

const FOLDER = new URL('../../schemas/topics/', import.meta.url);
const AVRO = 'application/vnd.apache.avro';
const AVRO_SCHEMA = `${AVRO};version=1.9.0`;
const KAFKA = { bindingVersion: '0.5.0' };

interface AvroSchema {
  readonly name: string;
  readonly doc: string;
}

const schemaOf = ({ schema }: Topic): AvroSchema =>
  JSON.parse(readFileSync(new URL(schema, FOLDER), 'utf8')) as AvroSchema;

const text = (description: string): AsyncapiPart => ({ type: 'string', description });

/** Every header is text. */
const headers: AsyncapiPart = {
  type: 'object',
  properties: {
    position: text(
      'Position of the incoming record that caused this one; omitted on events.incoming, where the offset is the position',
    ),
    writer: text('Writer: a processor (@name), or one start of an API process'),
    serial: text('Sequence number of the writer in this partition; records at or below the last one are duplicates'),
    reply: text('Address of the waiting request: process/request/index'),
    traceparent: text('W3C Trace Context of the request that caused it; omitted without traces'),
  },
};

const keyOf = ({ key }: Topic): AsyncapiPart =>
  key === 'tenant'
    ? text('Tenant; partition number for records that concern all of its tenants')
    : text('The waiting API process');

const messageOf = (topic: Topic): AsyncapiPart => {
  const { name, doc, ...rest } = schemaOf(topic);
  return {
    name,
    title: name,
    summary: doc,
    contentType: AVRO,
    headers,
    payload: { schemaFormat: AVRO_SCHEMA, schema: { name, doc, ...rest } },
    bindings: {
      kafka: { key: keyOf(topic), schemaIdLocation: 'payload', schemaIdPayloadEncoding: 'confluent', ...KAFKA },
    },
  };
};

const channelOf = (topic: Topic): AsyncapiPart => {
  const { name, doc } = schemaOf(topic);
  const retention = topic.retention === 'groups' ? {} : { 'retention.ms': topic.retention };
  const partitions = topic.partitions === 'pipeline' ? DEFAULT_PARTITIONS : topic.partitions;
  return {
    address: topic.name,
    title: topic.name,
    description: doc,
    messages: { [name]: { $ref: `#/components/messages/${name}` } },
    bindings: {
      kafka: {
        topic: topic.name,
        partitions,
        topicConfiguration: {
          'cleanup.policy': [topic.compacted ? 'compact' : 'delete'],
          'max.message.bytes': topic.maxMessageBytes,
          ...retention,
        },
        ...KAFKA,
      },
    },
  };
};

const BY_NAME: ReadonlyMap<string, Topic> = new Map(topics.map((topic) => [topic.name, topic]));

/** The use of one topic by a processor or the API. */
const operationOf = (flow: Flow, action: 'send' | 'receive', topic: string): [string, AsyncapiPart] => {
  const { name } = schemaOf(BY_NAME.get(topic) as Topic);
  const channel = `#/channels/${topic}`;
  const summary = `${flow.name} ${action === 'send' ? 'writes to' : 'reads'} ${topic}`;
  const group = { groupId: text('A dedicated consumer group'), ...KAFKA };
  return [
    `${flow.name}.${action}.${topic}`,
    {
      action,
      summary,
      channel: { $ref: channel },
      messages: [{ $ref: `${channel}/messages/${name}` }],
      ...(action === 'receive' && { bindings: { kafka: group } }),
    },
  ];
};

const operationsOf = (flow: Flow): [string, AsyncapiPart][] => [
  ...flow.receives.map((topic) => operationOf(flow, 'receive', topic)),
  ...flow.sends.map((topic) => operationOf(flow, 'send', topic)),
];

const topicChannels = () => Object.fromEntries(topics.map((topic) => [topic.name, channelOf(topic)]));
const topicMessages = () => Object.fromEntries(topics.map((topic) => [schemaOf(topic).name, messageOf(topic)]));

/** AsyncAPI 3 of all topics and of webhook deliveries, from the registered schemas and the flows of the pipeline. */
export const asyncapiDocument = (version: string, parts: readonly AsyncapiParts[]) => ({
  asyncapi: '3.0.0',
  info: {
    title: 'Faultline: topics and webhooks',
    version,
    description:
      'Records exchanged by the processors in distributed mode, on Kafka. Values are Avro, prefixed with a zero byte and the schema ID (4 bytes). In embedded mode, the same records stay in memory. Webhook deliveries are JSON.',
  },
  defaultContentType: AVRO,
  channels: Object.assign(topicChannels(), ...parts.map(({ channels }) => channels)),
  operations: Object.assign(
    Object.fromEntries(flows.flatMap(operationsOf)),
    ...parts.map(({ operations }) => operations),
  ),
  components: {
    messages: Object.assign(topicMessages(), ...parts.map(({ messages }) => messages)),
    schemas: Object.assign({}, ...parts.map(({ schemas }) => schemas)),
  },
});

const asyncapi = page({
  id: 'ops.asyncapi',
  path: '/asyncapi.json',
  summary: 'Get the AsyncAPI 3 document',
  type: 'application/json; charset=utf-8',
  content: async ({ service }) =>
    service.once('asyncapi', () => JSON.stringify(asyncapiDocument(service.version, service.asyncapi()))),
});

/** Addresses are relative, so that the page works below a sub-path of a proxy, too. */
const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Faultline: interface</title>
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<p><a href="openapi.json">openapi.json</a> · <a href="asyncapi.json">asyncapi.json</a> (the topics of distributed mode)</p>
<div id="swagger-ui"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/** A file of its own, because the content security policy allows no inline script; no validator is called. */
const start = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null });
`;

const ofSwaggerUi = (name: string): Promise<Uint8Array> =>
  readFile(new URL(import.meta.resolve(`#swagger-ui/${name}`)));

const asset = (name: string, type: string) =>
  page({
    id: `ops.docs.${name}`,
    path: `/docs/${name}`,
    summary: `Get ${name}`,
    type,
    content: () => ofSwaggerUi(name),
  });

/** The document to read and try, by Swagger UI; all resources are from this server. */
const docs = [
  page({
    id: 'ops.docs',
    path: '/docs',
    summary: 'Get the API reference (Swagger UI)',
    type: 'text/html; charset=utf-8',
    content: async () => html,
  }),
  page({
    id: 'ops.docs.start.js',
    path: '/docs/start.js',
    summary: 'Get start.js',
    type: 'text/javascript; charset=utf-8',
    content: async () => start,
  }),
  asset('swagger-ui.css', 'text/css; charset=utf-8'),
  asset('swagger-ui-bundle.js', 'text/javascript; charset=utf-8'),
  asset('favicon-32x32.png', 'image/png'),
];

const Alive = z.object({ status: z.literal('alive') });

/** Returns success if the process answers at all. */
const livez = endpoint({
  id: 'ops.livez',
  summary: 'Check liveness',
  tag: 'Operations',
  permission: null,
  limit: 'none',
  mounts: on.ops.get('/livez', { reply: Alive, read: () => undefined, present: () => ({ body: { status: 'alive' } }) }),
  handle: async () => undefined,
});

const statusOf = ({ ready, degraded }: ProcessHealth) =>
  !ready ? 'not ready' : degraded === true ? 'degraded' : 'ready';

/** `version`: null unless all is asked for. */
const readiness = ({ health, version }: { health: ProcessHealth; version: string | null }) => ({
  status: health.ready ? 200 : 503,
  body: { status: statusOf(health), ...(version !== null && { version, checks: health.checks }) },
});

/**
 * Returns success if requests should be sent here; 503 while a dependency is away, the pipeline stalls, or the process
 * stops.
 */
const readyz = endpoint({
  id: 'ops.readyz',
  summary: 'Check readiness',
  description:
    '`?verbose` has the version and every dependency. `degraded`: requests are served, but a processor or Neo4j needs attention.',
  tag: 'Operations',
  permission: null,
  limit: 'none',
  mounts: on.ops.get('/readyz', {
    query: z.strictObject({ verbose: z.string().optional() }),
    alsoStatus: [503],
    reply: Readiness,
    read: ({ query }) => query.verbose !== undefined && query.verbose !== 'false',
    present: readiness,
  }),
  handle: async (verbose: boolean, { service }) => ({
    health: await service.health(),
    version: verbose ? service.version : null,
  }),
});

/** Operation pages: at the root, without credential. */
export const opsEndpoints: readonly AnyEndpoint[] = [
  root,
  livez,
  readyz,
  metrics,
  openapi,
  asyncapi,
  ...docs,
  ...consoleEndpoints,
];
