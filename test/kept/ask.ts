/** What a program answers about a kept directory: `node test/kept/ask.ts <directory> <token>` writes one object, path → reply. */
import { openTestApp, START } from '#test/setup/test-app.ts';

const [directory, token] = process.argv.slice(2);
if (directory === undefined || token === undefined) throw new Error('Name the directory and its token');
const app = await openTestApp({ FAULTLINE_DATA: directory });
app.clock.set(START + 60_000);
const answers: Record<string, unknown> = {};
const ask = async (path: string) => {
  const reply = await app.send('GET', path, undefined, { token });
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status}`);
  answers[path] = reply.body;
  return reply.body;
};
const { events } = await ask('/api/events?limit=100&sortBy=timestamp&sortOrder=asc');
for (const { eventId } of events) await ask(`/api/events/${eventId}`);
await ask('/api/events?status=open,acknowledged&limit=100');
await ask('/api/events?search=link');
await ask('/v1/events?limit=100');
const { groups } = await ask('/api/events/groups?limit=100');
for (const { correlationId } of groups) {
  const members: { eventId: string }[] = (await ask(`/api/events?correlationId=${correlationId}`)).events;
  const [one, two] = members;
  if (one && two) await ask(`/api/events/${one.eventId}/explain?with=${two.eventId}`);
}
await ask('/api/events/stats?timeRange=24h');
await ask('/api/cmdb/ci?limit=100');
await ask('/api/cmdb/relationships?limit=100');
await ask('/api/services');
await ask('/api/admin/users');
await ask('/api/admin/settings/correlation');
process.stdout.write(JSON.stringify(answers));
await app.stop();
