import type { Admin } from 'kafkajs';
import { topics } from '#schemas/topics/topics.ts';
import { until } from './until.ts';

const OURS = new Set<string>(topics.map(({ name }) => name));

const ourTopics = async (admin: Admin) => (await admin.listTopics()).filter((name) => OURS.has(name));

/**
 * Deletes the service's topics. The controller does it at once; the broker still lists them for a moment, which is
 * awaited.
 */
export const deleteTopics = async (admin: Admin): Promise<void> => {
  const existing = await ourTopics(admin);
  if (existing.length > 0) await admin.deleteTopics({ topics: existing });
  await until(async () => (await ourTopics(admin)).length === 0);
};
