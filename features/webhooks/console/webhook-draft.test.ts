import { describe, expect, test } from '@jest/globals';
import { NewWebhook, WebhookReplacement } from '#features/webhooks/schemas/webhooks.ts';
import {
  changesOf,
  conflictsOf,
  draftOf,
  headersOf,
  inputOf,
  merged,
  NEW_WEBHOOK,
  type WebhookDraft,
} from './webhook-draft.ts';

const chat: WebhookDraft = { ...NEW_WEBHOOK, name: ' Chat ', url: 'https://hooks.example.com/x' };

describe('what is sent', () => {
  test('is what the server takes, without what was left empty', () => {
    const wish = inputOf({ ...chat, minSeverity: 'major', tags: ['prod'], headers: 'X-Key: a:b\n\n' }, true);
    expect(wish).toEqual({
      name: 'Chat',
      url: chat.url,
      format: 'standard',
      events: chat.events,
      active: true,
      filter: { minSeverity: 'major', tags: ['prod'] },
      headers: { 'X-Key': 'a:b' },
    });
    expect(NewWebhook.safeParse(wish).success).toBe(true);
    expect(inputOf(chat, true).filter).toBeNull();
  });

  test('leaves headers out that cannot be read, and comes back as it was', () => {
    const filter = { minSeverity: 'critical', services: ['Shop'], onlyCauses: true } as const;
    const read = { name: 'Chat', url: chat.url, format: 'slack', events: ['*'], filter } as const;
    const wish = inputOf(draftOf(read as never), false);
    expect(wish).toEqual({ ...read, active: false });
    expect(WebhookReplacement.safeParse(wish).success).toBe(true);
  });

  test('has a secret for replies only in formats with replies', () => {
    const replySecret = 'signing-secret-of-slack';
    expect(inputOf({ ...chat, format: 'slack', replySecret }, true)).toMatchObject({ reply_secret: replySecret });
    expect(inputOf({ ...chat, replySecret }, true)).not.toHaveProperty('reply_secret');
  });

  test('has no header without a name', () => {
    expect(() => headersOf('X-Key: a\nnonsense')).toThrow('Header line 2');
  });
});

describe('two people at once', () => {
  const now: WebhookDraft = { ...chat, url: 'https://hooks.example.com/y', events: ['*'], onlyCauses: true };
  const mine: WebhookDraft = { ...chat, url: 'https://hooks.example.com/z', onlyCauses: true, tags: ['prod'] };

  test('see both versions of what they disagree about', () => {
    expect(conflictsOf(chat, now, mine)).toEqual([
      { field: 'url', words: 'URL', theirs: now.url, mine: mine.url },
      { field: 'events', words: 'Events', theirs: 'All events', mine: null },
      { field: 'onlyCauses', words: 'Root causes only', theirs: 'yes', mine: null },
    ]);
  });

  test.each([
    [new Set<string>(), mine.url],
    [new Set(['url']), now.url],
  ])('keep what neither touched, and choose: %p', (theirs, url) => {
    expect(merged(chat, now, mine, theirs)).toEqual({ ...mine, url, events: ['*'] });
  });
});

test('what saving would change is said field by field, and headers without their values', () => {
  const base: WebhookDraft = { ...chat, headers: null };
  const mine: WebhookDraft = { ...base, minSeverity: 'major', headers: 'X-Key: hidden', replySecret: 'hidden' };
  expect(changesOf(base, base)).toEqual([]);
  const said = changesOf(base, mine);
  expect(said.map(({ field }) => field)).toEqual(['Severity', 'Headers', 'Reply secret']);
  expect(said[0]).toMatchObject({ before: 'any' });
  expect(JSON.stringify(said)).not.toContain('hidden');
});
