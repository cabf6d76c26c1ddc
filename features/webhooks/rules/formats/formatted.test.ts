import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { bodyOf, TOLD } from '#features/webhooks/rules/samples-for-tests.ts';
import { isUpdate } from '#test/setup/is-update.ts';
import { formatted } from './formatted.ts';

const FORMATS = ['slack', 'teams', 'pagerduty', 'alertmanager'] as const;
const goldenOf = (format: string): URL => new URL(`./${format}.golden.yaml`, import.meta.url);

const made = (format: (typeof FORMATS)[number]) =>
  Object.fromEntries(
    TOLD.map(([name, kind, data]) => {
      const told = formatted(format, bodyOf(kind, data));
      return [name, told && JSON.parse(told.body)];
    }),
  );

// Run to accept a change: npm test -- domain/webhooks/formats -u
describe.each(FORMATS)('%s', (format) => {
  test('says what its golden file says', () => {
    const golden = goldenOf(format);
    if (isUpdate()) writeFileSync(golden, stringify(made(format), { lineWidth: 0 }));
    expect(made(format)).toEqual(parse(readFileSync(golden, 'utf8')));
  });
});

test('docs/webhooks.md shows correlation.created in every format', () => {
  const page = readFileSync(new URL('../../../../docs/webhooks.md', import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/```json\n([^`]*)```/g)].map(([, text]) => JSON.parse(text!));
  for (const format of FORMATS) expect(blocks).toContainEqual(made(format)['correlation.created']);
});

test('standard is the body itself', () => {
  const body = bodyOf('event.created', { event: { title: 'x' } });
  expect(formatted('standard', body)).toEqual({ body: JSON.stringify(body), contentType: 'application/json' });
});

describe('PagerDuty', () => {
  const told = made('pagerduty') as Record<string, { event_action: string; dedup_key: string } | null>;
  test.each([
    ['correlation.created', 'trigger'],
    ['correlation.updated', 'trigger'],
    ['correlation acknowledged', 'acknowledge'],
    ['correlation.resolved', 'resolve'],
  ])('%s of one group is one alert: %s', (name, action) => {
    expect(told[name]).toMatchObject({ event_action: action, dedup_key: 'faultline group COR-1763604849000-7q3k9d' });
  });
  test.each([
    ['event.created', 'trigger'],
    ['event acknowledged', 'acknowledge'],
    ['event resolved', 'resolve'],
  ])('%s of one event is another: %s', (name, action) => {
    const key = 'faultline event EVT-01M7YWBDXTWDA6R21CQ905J7YQ';
    expect(told[name]).toMatchObject({ event_action: action, dedup_key: key });
  });
  test.each(['ci.created', 'ci.updated', 'relationship.created', 'report.completed', 'webhook.overflow'])(
    'has nothing to say of %s',
    (name) => expect(told[name]).toBeNull(),
  );
});

test('no title calls a channel or makes a link', () => {
  const [slack, teams] = [made('slack'), made('teams')].map(({ hostile }) => JSON.stringify(hostile));
  expect(JSON.parse(slack!).text).not.toContain('<!channel>');
  expect(slack).not.toMatch(/"mrkdwn","text":"[^"]*<!/);
  expect(teams).not.toContain('[click](');
});
