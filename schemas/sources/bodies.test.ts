import { describe, expect, test } from '@jest/globals';
import { BODIES, WebhookBody } from './bodies.ts';
import { readAs, SAMPLES } from './samples-for-tests.ts';
import { sourceNamed, sources } from './sources.ts';

const bodyOf = (name: string) => BODIES[sourceNamed(name)!.name as keyof typeof BODIES];

describe('The documented bodies of the sources', () => {
  test('are one for each source', () => {
    expect(Object.keys(BODIES).sort()).toEqual(sources.map(({ name }) => name).sort());
  });

  test.each(SAMPLES)('%s: a real body fits', (name, body) => {
    expect(bodyOf(name).safeParse(body).error).toBeUndefined();
    expect(WebhookBody.safeParse([body]).success).toBe(true);
  });

  test.each(Object.entries(BODIES))('%s: its example fits and is read without a problem', (name, schema) => {
    const { example } = schema.meta() as { example: unknown };
    expect(schema.safeParse(example).error).toBeUndefined();
    const { items } = readAs(name, example, { headers: { 'content-type': 'application/json' } });
    expect(items.map((item) => (item.ok ? item.action.action : item.error))).toEqual(['open']);
  });
});
