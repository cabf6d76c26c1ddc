import { describe, expect, test } from '@jest/globals';
import { Fault } from '#domain/fault.ts';
import { TEMPLATE_IDS, TEMPLATES } from './catalogue.ts';
import { choose, templateNamed } from './chosen.ts';
import { parametersOf } from './parameters.ts';

const NOW = Date.parse('2026-11-20T10:30:00Z');
const HOUR_MS = 3_600_000;
const at = { now: NOW, zone: 'Europe/Berlin' };
const iso = (ms: number): string => new Date(ms).toISOString();

const refusal = (work: () => unknown): Fault => {
  try {
    work();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};

describe('What a report is asked for', () => {
  test('is by default the last days of the template, in the zone of the tenant', () => {
    const { range, zone, grouping } = choose('event-summary', {}, at);
    expect([iso(range.from), iso(range.to), zone, grouping]).toEqual([
      '2026-11-12T23:00:00.000Z',
      '2026-11-20T10:30:00.000Z',
      'Europe/Berlin',
      'source',
    ]);
    expect(choose('ai-usage', {}, at).zone).toBe('UTC');
    expect(choose('handover', {}, at).range).toEqual({ from: NOW - 24 * HOUR_MS, to: NOW });
  });

  test.each([
    // An hour of October came twice.
    ['last_30_days', 30 * 24 + 1],
    ['24h', 24],
    [{ from: NOW - 5 * HOUR_MS, to: NOW - HOUR_MS }, 4],
    [{ from: '2026-11-18T10:30:00Z' }, 48],
  ])('date_range %j', (date_range, hours) => {
    const { range } = choose('event-summary', { date_range }, at);
    expect((range.to - range.from) / HOUR_MS).toBe(hours);
  });

  test('what is not over yet ends now', () => {
    const { range } = choose('event-summary', { date_range: { from: '2026-11-20', to: '2026-11-25' } }, at);
    expect([iso(range.from), range.to]).toEqual(['2026-11-19T23:00:00.000Z', NOW]);
  });

  test('names come one by one or as a list, each once', () => {
    const chosen = choose('event-summary', { ci_type: ' server ', source: ['a', 'b', 'a'], severity: 'major' }, at);
    expect(chosen).toMatchObject({ ciTypes: ['server'], sources: ['a', 'b'], severities: ['major'] });
    expect(chosen).not.toHaveProperty('services');
  });

  test.each([
    [{ date_range: 'soon' }, 'date_range', /last_30_days/],
    [{ date_range: {} }, 'date_range', /\{ from, to \}/],
    [{ date_range: { from: '2026-11-01', until: '2026-11-02' } }, 'date_range', /\{ from, to \}/],
    [{ date_range: { from: '2027-01-01', to: '2027-01-02' } }, 'date_range', /past time range/],
    [{ date_range: { from: '2020-01-01' } }, 'date_range', /400 days/],
    [{ ci_type: [] }, 'ci_type', /list of 1 to 50/],
    [{ ci_type: 7 }, 'ci_type', /expected a name/],
    [{ ci_type: 'x'.repeat(256) }, 'ci_type', /255/],
    [{ severity: 'horrible' }, 'severity', /critical, major/],
    [{ grouping: 'colour' }, 'grouping', /source, ci, ci_type/],
    [{ time_zone: 'Mars/North' }, 'time_zone', /Europe\/Berlin/],
    [{ colour: 'red' }, 'colour', /expected one of date_range, grouping/],
  ])('%j is refused, and what is right is named', (given, name, said) => {
    const { kind, problems, message } = refusal(() => choose('event-summary', given, at));
    expect([kind, problems.map(({ field }) => field)]).toEqual(['invalid', [`parameters.${name}`]]);
    expect(message).toMatch(said);
  });

  test('all that is wrong is named at once', () => {
    const { problems } = refusal(() => choose('ci-inventory', { severity: 'major', grouping: 'x', time_zone: '' }, at));
    expect(problems.map(({ field }) => field)).toEqual([
      'parameters.severity',
      'parameters.time_zone',
      'parameters.grouping',
    ]);
  });

  test('a template that there is not is told those that there are', () => {
    expect(templateNamed('change-risk')).toBe('change-risk');
    expect(refusal(() => templateNamed('toString')).message).toContain(TEMPLATE_IDS.join(', '));
  });
});

test.each(TEMPLATE_IDS)('%s takes what its list of parameters gives as examples and defaults', (template) => {
  for (const { name, example, values, default: usual } of parametersOf(template)) {
    if (example !== null) choose(template, { [name]: example }, at);
    if (usual !== null) choose(template, { [name]: usual }, at);
    if (values !== null) for (const value of values) choose(template, { [name]: value }, at);
  }
  expect(parametersOf(template).map(({ name }) => name)).toEqual([...TEMPLATES[template].parameters]);
});
