import { type MessagePort, workerData } from 'node:worker_threads';
import { letOthersGoFirst } from '#infra/thread-priority.ts';
import { connectWriter } from './connections.ts';

const { path, port } = workerData as { path: string; port: MessagePort };
letOthersGoFirst();
/** Nothing that a checkpoint reads is read again. */
const CACHE_KIB = 256;
const db = connectWriter(path, CACHE_KIB);

/** Copies pages of committed transactions from the write-ahead log into the file, while the writer continues. */
port.on('message', () => {
  try {
    db.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch {
    // The writer makes one itself before the log grows too long, and reports the error.
  }
});
port.on('close', () => db.close());
