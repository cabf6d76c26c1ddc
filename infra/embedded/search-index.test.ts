import { expect, test } from '@jest/globals';
import { searchIndexContract } from '#test/contract/search-index.ts';
import { openEmbedded } from '#test/setup/embedded.ts';
import { openSearchIndex } from './search-index.ts';

for (const where of ['memory', 'file'] as const)
  searchIndexContract(`SQLite in ${where}`, async () => {
    const { database, reader, close } = openEmbedded(where);
    const end = async (): Promise<void> => {
      await database.endWriter();
      await close();
    };
    return { store: openSearchIndex(database, reader), close: end };
  });

test('changes of one turn are one batch, of whatever tenants', async () => {
  const { database, reader, close } = openEmbedded('memory');
  const index = openSearchIndex(database, reader);
  const { submit } = database;
  let batches = 0;
  database.submit = (work) => {
    batches += 1;
    return submit(work);
  };
  const document = { kind: 'complaint', id: 'a', title: 'disk full', text: '', at: 1 } as const;
  await Promise.all([index.put('t', [document]), index.put('u', [document]), index.remove('u', [document])]);
  expect([batches, (await index.get('t', [document])).length, (await index.get('u', [document])).length]).toEqual([
    1, 1, 0,
  ]);
  await close();
});
