import { describe, expect, test } from '@jest/globals';
import { BulkWriter, type DocumentWrite } from './bulk.ts';
import type { Connection } from './connection.ts';
import type { Indices } from './indices.ts';
import type { Refusal } from './refusals.ts';

const write: DocumentWrite = {
  family: 'events',
  index: 'faultline-events-2026.11.16',
  id: 'acme/1',
  key: { tenant: 'acme', id: '1' },
  fence: 'gte',
  version: 1,
  body: {},
  creates: true,
};

/** A writer to a server that answers every document with this. */
const answering = (status: number, error: Refusal) => {
  const connection = { askPatiently: async () => ({ items: [{ index: { status, error } }] }) };
  const indices = { ensure: async () => {}, wrote() {}, forget() {} };
  return new BulkWriter(connection as unknown as Connection, indices as unknown as Indices);
};

describe('Of what the store refuses', () => {
  test.each([
    [403, 'cluster_block_exception', 'index [e] blocked by: [FORBIDDEN/8/index write (api)];'],
    [403, 'security_exception', 'action [indices:data/write/bulk[s]] is unauthorized'],
    [401, 'security_exception', 'unable to authenticate'],
    [400, 'index_closed_exception', 'closed'],
    [400, 'illegal_argument_exception', 'no write index is defined for alias [faultline-events-2026.11.16]'],
    [400, 'something_new_exception', 'never heard of'],
  ])('%i %s is its own trouble', async (status, type, reason) => {
    await expect(answering(status, { type, reason }).write([write])).rejects.toMatchObject({
      name: 'Fault',
      kind: 'unavailable',
      retryAfter: 5,
      message: expect.stringContaining(type),
    });
  });

  test.each([
    [400, 'document_parsing_exception', 'failed to parse'],
    [400, 'mapper_parsing_exception', 'failed to parse'],
    [400, 'strict_dynamic_mapping_exception', 'not allowed'],
    [400, 'illegal_argument_exception', 'Document contains at least one immense term in field="event.source"'],
  ])('%i %s is bad content', async (status, type, reason) => {
    await expect(answering(status, { type, reason }).write([write])).rejects.toMatchObject({
      name: 'Fault',
      kind: 'unprocessable',
      data: { refused: [{ key: write.key, reason: `${type}: ${reason}` }] },
    });
  });
});
