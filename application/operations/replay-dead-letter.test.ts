import { expect, test } from '@jest/globals';
import { Fault } from '#domain/fault.ts';
import type { DeadLetter } from '#domain/ports/operations.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { replayable, saveAnew } from './replay-dead-letter.ts';

const letterOf = (record: unknown): DeadLetter => ({
  id: 'l',
  topic: 'events.incoming',
  partition: 0,
  offset: 1,
  position: 1,
  processor: 'dedup',
  reason: 'it threw',
  attempts: 1,
  at: 0,
  content: { kind: 'json', record },
  settled: null,
});
const sinks = { names: [] };
const operations = { readLetter: async ({ content }: DeadLetter) => (content as { record: unknown }).record };
const because = async (record: unknown): Promise<string | null> =>
  (
    await replayable({ operations, sinks } as unknown as Ports, {
      tenant: 't',
      stored: { id: 'l', revision: 1, body: letterOf(record) },
    })
  ).because;

test('a request about an event can be appended again, the deletion marker of a tenant cannot', async () => {
  expect(await because({ ask: { kind: 'expired', eventId: 'e' }, receivedAt: 0 })).toBeNull();
  expect(await because({ ask: { kind: 'forgotten' }, receivedAt: 0 })).toContain('deletion markers');
});

test('a document can be saved again, unless the store refuses it once more', async () => {
  const content = { kind: 'document', base64: '' } as const;
  const letter = { ...letterOf(null), content };
  const replay = await replayable(
    { operations: { readLetter: async () => ({}), whyNotSaved: () => null }, sinks: { names: [] } } as unknown as Ports,
    { tenant: 't', stored: { id: 'l', revision: 1, body: letter } },
  );
  expect(replay).toMatchObject({ incoming: null, because: null });
  const found = { tenant: 't', stored: { id: 'l', revision: 1, body: letter } };
  const saving = (saveAgain: () => Promise<string>) =>
    saveAnew({ operations: { saveAgain }, sinks: { names: [] } } as unknown as Ports, found);
  expect(await saving(async () => 'saved')).toBe('saved');
  const failing = (fault: Fault) => saving(() => Promise.reject(fault));
  await expect(failing(new Fault('unprocessable', 'too long'))).rejects.toMatchObject({
    kind: 'conflict',
    message: "Couldn't save the document: too long",
  });
  await expect(failing(new Fault('unavailable', 'down'))).rejects.toMatchObject({ kind: 'unavailable' });
});
