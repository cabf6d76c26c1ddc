import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { sourceNamed } from '#sources/sources.ts';
import { INCIDENTS_MS, QUIET_MS, tellStory } from './story.ts';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-11-20T18:00:00.000Z');
const SEEDS = [1, 2, 3, 99];
const story = tellStory({ seed: 1, now: NOW });
const SETTINGS = { severities: {}, snsTopics: [], replicaLabels: [], alerts: [], durations: new Map() };

describe('a story', () => {
  test('is the same for one seed, another for another', () => {
    expect(tellStory({ seed: 1, now: NOW })).toEqual(story);
    expect(tellStory({ seed: 2, now: NOW }).payloads).not.toEqual(story.payloads);
  });

  test('moves as a whole with the time at which it ends', () => {
    const shift = 12_345_678;
    const later = tellStory({ seed: 1, now: NOW + shift });
    expect(later.estate).toEqual(story.estate);
    expect(later.payloads.map(({ at, truths }) => [at - shift, truths.length])).toEqual(
      story.payloads.map(({ at, truths }) => [at, truths.length]),
    );
  });

  test.each(SEEDS)('of seed %i is as large as promised and ends before now', (seed) => {
    const { estate, payloads, incidents, ordinaryUntil } = tellStory({ seed, now: NOW });
    expect(estate.cis.length).toBeGreaterThanOrEqual(300);
    expect(payloads.length).toBeGreaterThanOrEqual(2_000);
    expect(incidents.length).toBeGreaterThanOrEqual(10);
    expect(payloads.at(-1)!.at).toBeLessThan(NOW);
    const times = payloads.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(ordinaryUntil - times[0]!).toBeGreaterThanOrEqual(4 * HOUR - 600_000);
  });
});

describe('an estate', () => {
  const { cis, links } = story.estate;
  test('has unique names, and links between CIs that exist', () => {
    const names = new Set(cis.map(({ name }) => name));
    expect(names.size).toBe(cis.length);
    for (const { source, target } of links) {
      expect([source, names.has(source), target, names.has(target)]).toEqual([source, true, target, true]);
      expect(source).not.toBe(target);
    }
  });

  test('has every kind of relationship, and a CMDB that has forgotten a few', () => {
    const types = new Set(links.map(({ type }) => type));
    const expected = ['runs_on', 'hosted_on', 'depends_on', 'database_connection', 'network_connection', 'uses'];
    for (const type of [...expected, 'powered_by', 'located_in']) expect(types).toContain(type);
    const forgotten = links.filter(({ recorded }) => !recorded).length / links.length;
    expect(forgotten).toBeGreaterThan(0);
    expect(forgotten).toBeLessThan(0.1);
  });
});

describe.each(SEEDS)('the truth of seed %i', (seed) => {
  const { payloads, incidents, ordinaryUntil } = tellStory({ seed, now: NOW });
  const fired = payloads.flatMap(({ truths }) => truths).filter(({ phase }) => phase === 'fire');

  test('every incident shows itself at least three times, and at most once as its cause unless it flaps', () => {
    for (const { id, hasCause } of incidents) {
      const own = fired.filter(({ incident }) => incident === id);
      expect(own.length).toBeGreaterThanOrEqual(3);
      expect(own.some(({ isCause }) => isCause)).toBe(hasCause);
    }
    expect(incidents.filter(({ hasCause }) => !hasCause).length).toBeGreaterThanOrEqual(2);
    expect(incidents.filter(({ hasCause }) => hasCause).length).toBeGreaterThanOrEqual(10);
  });

  test('incidents wait until the ordinary hours are over, and some effects are seen before their cause', () => {
    const early = fired.filter(({ incident, at }) => incident !== null && at < ordinaryUntil);
    expect(early).toEqual([]);
    const effectFirst = incidents.filter(({ id, hasCause }) => {
      const own = fired.filter(({ incident }) => incident === id);
      return hasCause && own[0]?.isCause === false;
    });
    expect(effectFirst.length).toBeGreaterThan(0);
  });

  test('noise comes at a believable rate all day', () => {
    const noise = fired.filter(({ incident }) => incident === null);
    const perDay = (noise.length * 24 * HOUR) / (QUIET_MS + INCIDENTS_MS);
    expect(perDay).toBeGreaterThan(100);
    expect(perDay).toBeLessThan(400);
    expect(noise.filter(({ at }) => at >= ordinaryUntil).length).toBeGreaterThan(20);
  });
});

test('every payload is what its monitor posts: each item is understood, in order', () => {
  for (const { at, source, body, truths } of story.payloads) {
    const { items } = sourceNamed(source)!.read({ body, headers: {}, receivedAt: at }, SETTINGS);
    expect(items).toHaveLength(truths.length);
    const asked = items.map((item) => (item.ok ? item.action.action : item.error));
    expect(asked).toEqual(truths.map(({ phase }) => (phase === 'recover' ? 'resolve' : 'open')));
  }
});

test('the generator knows nothing of the rules', () => {
  const folders = ['', 'scene/', 'incidents/'].map((folder) => `features/demo/rules/${folder}`);
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /(?<!\.test)\.ts$/.test(name))
      .map((name) => folder + name),
  );
  expect(files.length).toBeGreaterThan(15);
  for (const file of files)
    expect([file, /from '#(?!features\/demo\/rules\/|domain\/assert\.ts)/.test(readFileSync(file, 'utf8'))]).toEqual([
      file,
      false,
    ]);
});
