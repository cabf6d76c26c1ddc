import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { features } from '#features/features.ts';
import { pipeline } from '#processors/pipeline.ts';
import { flows } from '#schemas/topics/flows.ts';
import { topics } from '#schemas/topics/topics.ts';
import { sinks } from '#whole';
import { asyncapiDocument } from './ops.ts';

const Reference = z.strictObject({ $ref: z.string().startsWith('#/') });
const Headers = z.strictObject({ type: z.literal('object'), properties: z.record(z.string(), z.object({})) });
const WebhookChannel = z.strictObject({
  address: z.null(),
  title: z.string(),
  description: z.string(),
  messages: z.record(z.string(), Reference),
});
const WebhookMessage = z.strictObject({
  name: z.string(),
  title: z.string(),
  summary: z.string(),
  contentType: z.literal('application/json'),
  headers: Headers,
  payload: z.object({ type: z.literal('object'), required: z.array(z.string()).min(1) }),
});
/**
 * Requirements of AsyncAPI 3.0 for the parts that are used here; further members of a part are those of the
 * specification.
 */
const AsyncApi = z.strictObject({
  asyncapi: z.literal('3.0.0'),
  info: z.strictObject({ title: z.string(), version: z.string(), description: z.string() }),
  defaultContentType: z.string(),
  channels: z.record(
    z.string(),
    z.union([
      WebhookChannel,
      z.strictObject({
        address: z.string(),
        title: z.string(),
        description: z.string(),
        messages: z.record(z.string(), Reference),
        bindings: z.strictObject({
          kafka: z.strictObject({
            topic: z.string(),
            partitions: z.int().min(1),
            topicConfiguration: z.strictObject({
              'cleanup.policy': z.array(z.enum(['compact', 'delete'])),
              'max.message.bytes': z.int(),
              'retention.ms': z.int().optional(),
            }),
            bindingVersion: z.literal('0.5.0'),
          }),
        }),
      }),
    ]),
  ),
  operations: z.record(
    z.string(),
    z.strictObject({
      action: z.enum(['send', 'receive']),
      channel: Reference,
      summary: z.string(),
      messages: z.array(Reference).min(1),
      bindings: z.strictObject({ kafka: z.object({ bindingVersion: z.literal('0.5.0') }) }).optional(),
    }),
  ),
  components: z.strictObject({
    schemas: z.record(z.string(), z.object({})),
    messages: z.record(
      z.string(),
      z.union([
        WebhookMessage,
        z.strictObject({
          name: z.string(),
          title: z.string(),
          summary: z.string(),
          contentType: z.literal('application/vnd.apache.avro'),
          headers: Headers,
          payload: z.strictObject({
            schemaFormat: z.literal('application/vnd.apache.avro;version=1.9.0'),
            schema: z.object({ type: z.literal('record'), name: z.string(), fields: z.array(z.object({})).min(1) }),
          }),
          bindings: z.strictObject({
            kafka: z.object({ key: z.object({}), schemaIdPayloadEncoding: z.literal('confluent') }),
          }),
        }),
      ]),
    ),
  }),
});

const parts = features.flatMap((one) => one.asyncapi?.() ?? []);
const document = JSON.parse(JSON.stringify(asyncapiDocument('1.2.3', parts))) as ReturnType<typeof asyncapiDocument>;

/** Returns the target of a reference; undefined without one. */
const follow = (ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], document);

const references = (part: unknown): string[] => {
  if (typeof part !== 'object' || part === null) return [];
  if ('$ref' in part) return [part.$ref as string];
  return Object.values(part).flatMap(references);
};

describe('the AsyncAPI document', () => {
  test('has what AsyncAPI 3 requires, of every part', () => {
    expect(AsyncApi.safeParse(document).error?.issues).toBeUndefined();
  });

  test('has references that lead somewhere', () => {
    const all = references(document);
    expect(all.length).toBeGreaterThan(topics.length);
    expect(all.filter((ref) => follow(ref) === undefined)).toEqual([]);
  });

  test('has a channel for every topic, with its Avro schema', () => {
    const addresses = Object.values(document.channels).map((channel) => (channel as { address: unknown }).address);
    expect(addresses).toEqual([...topics.map(({ name }) => name), ...parts.map(() => null)]);
    const told = parts.flatMap(({ messages }) => Object.keys(messages));
    expect(Object.keys(document.components.messages)).toHaveLength(topics.length + told.length);
  });

  test('says of every processor what it reads and what it writes', () => {
    const operations = Object.keys(document.operations);
    for (const { name, input } of pipeline) {
      expect(operations).toContain(`${name}.receive.${input}`);
      expect(operations.filter((one) => one.startsWith(`${name}.send.`)).length).toBeGreaterThan(1);
    }
    const added = parts.flatMap((one) => Object.keys(one.operations));
    expect(operations.slice(operations.length - added.length)).toEqual(added);
    const own = operations.filter((one) => !added.includes(one));
    const names = new Set(own.map((one) => one.split(/\.(send|receive)\./)[0]));
    expect([...names]).toEqual(flows.map(({ name }) => name));
    const known = ['api', ...[...pipeline, ...sinks].map(({ name }) => name)];
    const flowing = flows.map(({ name }) => name);
    expect(known.filter((name) => !flowing.includes(name))).toEqual([]);
    for (const { name, input } of sinks) expect(operations).toContain(`${name}.receive.${input}`);
  });
});
