import { type MessagePort, workerData } from 'node:worker_threads';
import { carryOut } from './changes.ts';
import { connectWriter, readingOver } from './database.ts';
import { type SendableError, sendableError } from './storage-failure.ts';
import { inTransaction } from './transaction.ts';
import type { Write, Written } from './writer-messages.ts';

const { path, port, answered } = workerData as { path: string; port: MessagePort; answered: Int32Array };

function tell(): void {
  Atomics.add(answered, 0, 1);
  Atomics.notify(answered, 0);
}

process.on('exit', () => {
  Atomics.store(answered, 1, 1);
  tell();
});
const db = connectWriter(path);
const { statement } = readingOver(db);
let failure: { readonly era: number; readonly error: SendableError } | null = null;

function write({ era, changes }: NonNullable<Write>): SendableError | null {
  if (failure?.era === era) return failure.error;
  try {
    inTransaction(db, () => carryOut(statement, changes));
    return null;
  } catch (error) {
    failure = { era, error: sendableError(error) };
    return failure.error;
  }
}

port.on('message', (message: Write) => {
  if (message === null) {
    db.close();
    port.close();
    return;
  }
  const began = performance.now();
  const error = write(message);
  port.postMessage({ ms: performance.now() - began, error } satisfies Written);
  tell();
});
