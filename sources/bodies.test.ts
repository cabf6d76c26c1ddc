import { describe, expect, test } from '@jest/globals';
import { WebhookBody } from './bodies.ts';
import { readAs, SAMPLES } from './samples-for-tests.ts';
import { sourceNamed, sources } from './sources.ts';

describe('The documented bodies of the sources', () => {
  test.each(SAMPLES)('%s: a real body fits', (name, body) => {
    expect(sourceNamed(name)!.card.body.safeParse(body).error).toBeUndefined();
    expect(WebhookBody.safeParse([body]).success).toBe(true);
  });

  test.each(sources.map(({ name, card }) => [name, card.body] as const))(
    '%s: its example fits and is read without a problem',
    (name, schema) => {
      const { example } = schema.meta() as { example: unknown };
      expect(schema.safeParse(example).error).toBeUndefined();
      const { items } = readAs(name, example, { headers: { 'content-type': 'application/json' } });
      expect(items.map((item) => (item.ok ? item.action.action : item.error))).toEqual(['open']);
    },
  );
});
