import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { bodyOf, TOLD } from '#features/webhooks/rules/samples-for-tests.ts';
import { DELIVERABLE_KINDS, type DeliveryKind } from '#features/webhooks/rules/webhook.ts';
import { DELIVERY_BODIES } from './delivery-bodies.ts';

const whole = TOLD.filter(([name]) => name !== 'gone' && name !== 'cut to nothing');

test.each(whole)('the sample "%s" is as the documents say', (_name, kind, data) => {
  expect(DELIVERY_BODIES.get(kind)!.safeParse(bodyOf(kind, data)).error).toBeUndefined();
});

test('there is a sample of every kind', () => {
  expect(new Set(whole.map(([, kind]) => kind))).toEqual(new Set(DELIVERABLE_KINDS));
});

test('docs/webhooks.md shows a body of every kind, as the schemas say', () => {
  const page = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');
  const shown = [...page.matchAll(/```json\n([^`]*)```/g)].map(
    ([, text]) => JSON.parse(text!) as { event?: DeliveryKind },
  );
  const bodies = shown.filter(({ event }) => event !== undefined);
  expect(bodies.map(({ event }) => event).sort()).toEqual([...DELIVERABLE_KINDS].sort());
  for (const body of bodies)
    expect([body.event, DELIVERY_BODIES.get(body.event!)!.safeParse(body).error]).toEqual([body.event, undefined]);
});
