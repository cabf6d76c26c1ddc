import { expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const app = appOfTests();

test('groups and explanations say that rates are being learned, for four hours from the first event on', async () => {
  const token = await app.tenant('learning');
  const send = (method: string, path: string, body?: unknown) => app.send(method, path, body, { token });
  let serial = 0;
  const ingest = async (timestamp: number): Promise<string> => {
    const own = `h-${++serial}`;
    const draft = { source: 's', sourceId: own, severity: 'critical', title: 'Disk full', hostname: own, timestamp };
    return (await send('POST', '/api/events/ingest', draft)).body.eventId;
  };
  const explained = async (one: string, two: string) =>
    (await send('GET', `/api/events/${one}/explain?with=${two}`)).body;
  const early = [await ingest(START), await ingest(START + MINUTE)] as const;
  app.clock.advance(5 * HOUR);
  const later = [await ingest(START + 5 * HOUR), await ingest(START + 5 * HOUR + MINUTE)] as const;
  const { groups } = (await send('GET', '/api/events/groups?sortBy=first&sortOrder=asc')).body;
  expect(groups).toHaveLength(2);
  expect(groups[0]).toMatchObject({ learning: true, learningReason: expect.stringContaining('first 4 hours') });
  expect(groups[1]).not.toHaveProperty('learning');
  expect(await explained(...early)).toMatchObject({ learning: true, learningReason: groups[0].learningReason });
  expect(await explained(...later)).not.toHaveProperty('learning');
  expect(await explained(early[1], later[0])).not.toHaveProperty('learning');
  const shown = (await send('GET', `/api/events/${early[0]}`)).body.correlationGroup.analysis;
  expect(shown).toMatchObject({ learning: true });
});
