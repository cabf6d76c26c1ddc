import { readFileSync } from 'node:fs';
import type { AsyncapiPart, AsyncapiParts } from '#api/surfaces/asyncapi-parts.ts';
import { type Flow, flows } from '#schemas/topics/flows.ts';
import { DEFAULT_PARTITIONS, type Topic, topics } from '#schemas/topics/topics.ts';
import { page } from './page.ts';

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
      'Of the incoming record that caused this one; missing on events.incoming, whose offset is the position',
    ),
    writer: text('Who wrote it: a processor (@name), or one start of an API process'),
    serial: text(
      'Its number among the records of the writer in this partition; what is not above the last was read before',
    ),
    reply: text('Where a request waits for the receipt: process/request/index'),
  },
};

const keyOf = ({ key }: Topic): AsyncapiPart =>
  key === 'tenant'
    ? text('The tenant; the number of the partition where a record concerns all tenants of it')
    : text('The API process that waits');

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
  const group = { groupId: text('A group of its own'), ...KAFKA };
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

/** AsyncAPI 3 of all topics and of what webhooks are told, from the schemas that are registered and the flows of the pipeline. */
export const asyncapiDocument = (version: string, parts: readonly AsyncapiParts[]) => ({
  asyncapi: '3.0.0',
  info: {
    title: 'Faultline: topics and webhooks',
    version,
    description:
      'What flows between the processors in distributed mode, on Kafka. Values are Avro after a byte 0 and the id of the schema (4 bytes). In embedded mode the same records stay in memory. Deliveries to webhooks are JSON.',
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

export const asyncapi = page({
  id: 'ops.asyncapi',
  path: '/asyncapi.json',
  summary: 'The topics as an AsyncAPI 3 document',
  type: 'application/json; charset=utf-8',
  content: async ({ service }) =>
    service.once('asyncapi', () => JSON.stringify(asyncapiDocument(service.version, service.asyncapi()))),
});
