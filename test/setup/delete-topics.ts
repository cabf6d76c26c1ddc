import { setTimeout } from 'node:timers/promises';
import type { Admin } from 'kafkajs';
import { topics } from '#schemas/topics/topics.ts';

const OURS = new Set<string>(topics.map(({ name }) => name));
const GONE_MS = 10_000;

const ourTopics = async (admin: Admin) => (await admin.listTopics()).filter((name) => OURS.has(name));

/** Deletes the service's topics. The controller does it at once; the broker goes on naming them for a moment, which is waited for. */
export const deleteTopics = async (admin: Admin): Promise<void> => {
  const existing = await ourTopics(admin);
  if (existing.length > 0) await admin.deleteTopics({ topics: existing });
  for (const deadline = performance.now() + GONE_MS; (await ourTopics(admin)).length > 0; await setTimeout(50)) {
    if (performance.now() > deadline) throw new Error('the broker still names topics that were deleted');
  }
};
