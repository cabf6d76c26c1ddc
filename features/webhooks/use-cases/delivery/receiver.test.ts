import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { RecordStore } from '#domain/ports/record-store.ts';
import { openRecordStore } from '#infra/embedded/record-store.ts';
import { openEmbedded } from '#test/setup/embedded.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { Receiver } from './receiver.ts';

const FAILED = { at: 0, status: 500, ms: 1, error: 'status 500' };

test('five failures in a row let it rest, also where what was stored last is finished first', async () => {
  const embedded = openEmbedded('memory');
  const clock = setClock(0);
  const records = openRecordStore(embedded.database, embedded.tables.records, clock);
  const held: (() => void)[] = [];
  const late: RecordStore['put'] = async (...change) => {
    await new Promise<void>((resolve) => held.push(resolve));
    return records.put(...change);
  };
  const ports = { records: { ...records, put: late }, clock };
  const receiver = await Receiver.open(ports, 'acme', 'w');
  let isNoted = false;
  const noted = Promise.all(Array.from({ length: 5 }, () => receiver.note(FAILED))).then(() => {
    isNoted = true;
  });
  while (!isNoted) {
    held.pop()?.();
    await setImmediate();
  }
  await noted;
  expect([receiver.places, (await Receiver.open(ports, 'acme', 'w')).places]).toEqual([0, 0]);
  await embedded.close();
});
