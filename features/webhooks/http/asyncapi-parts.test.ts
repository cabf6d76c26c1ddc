import { expect, test } from '@jest/globals';
import { DELIVERABLE_KINDS } from '#features/webhooks/rules/webhook.ts';
import { asyncapiParts } from './asyncapi-parts.ts';

test('the AsyncAPI document has a message for every kind of delivery', () => {
  const { messages, operations } = asyncapiParts();
  expect(Object.keys(messages)).toEqual([...DELIVERABLE_KINDS]);
  expect(Object.keys(operations)).toEqual(['webhooks.deliver']);
});
