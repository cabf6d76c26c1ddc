import { expect, test } from '@jest/globals';
import { slowOnes } from '#test/conventions/hostile.ts';
import { INTENTS, type Intent } from './intents.ts';
import { CHOICES, type NamedKind, settledIntent } from './settled-intent.ts';

test.each<readonly [string, Intent | null, readonly NamedKind[], Intent | null]>([
  ['§ or §, who has more?', 'who', ['things', 'several'], 'compare'],
  ['worst §', 'query', ['things', 'services'], 'services'],
  ['list events not from zabbix', 'events', ['nothing', 'denied'], null],
  ['who resolved the most events', 'who', ['nothing'], null],
  ['who wrote hamlet', 'who', ['nothing', 'topic'], null],
  ['who acknowledged hamlet', 'who', ['nothing', 'topic'], 'who'],
  ['nosuch-99', null, ['missing', 'no_topic'], 'status'],
  ['and ¤', null, ['nothing', 'time', 'no_topic'], 'events'],
  ['the oldest problem', 'status', ['nothing'], 'events'],
  ['is § acknowledged', 'status', ['things', 'done'], 'events'],
  ['worst §', 'query', ['things', 'places'], 'compare'],
  ['criticals', null, ['nothing', 'level'], 'events'],
  ['what ip has §', 'status', ['things', 'ci', 'field'], 'attribute'],
  ['memory alerts on §', 'events', ['things', 'ci', 'field'], 'events'],
  ['how is §', 'status', ['things', 'service'], 'services'],
  ['is it raining', 'status', ['nothing', 'topic'], null],
  ['is it raining', 'blame', ['nothing', 'topic', 'nowhere'], null],
  ['how is it', 'status', ['nothing', 'nowhere'], 'summary'],
  ['show total open events', 'query', ['nothing'], 'query'],
  ['show open events', 'query', ['nothing'], 'events'],
  ['why is § down', 'why', ['things', 'ci'], 'why'],
  ['why', 'why', ['nothing', 'no_topic', 'silences'], 'silenced'],
  ['why is it down', 'why', ['nothing', 'no_topic', 'silences'], 'why'],
  ['is § covered by that', 'status', ['things', 'ci', 'silences'], 'silenced'],
  ['is § covered by that', 'status', ['things', 'ci'], 'status'],
  ['which § are affected', 'status', ['things', 'typed', 'relatives'], 'impact'],
  ['which § are affected', 'status', ['things', 'typed'], 'status'],
  ['how many hosts were hit', 'toll', ['nothing', 'nowhere'], 'find'],
  ['how many hosts were hit', 'toll', ['nothing'], 'toll'],
  ['who resolved the flapping uplink on §', 'repeats', ['things'], 'who'],
  ['which § are green', 'find', ['things', 'services'], 'services'],
  ['which services would the § work touch', 'services', ['things', 'system'], 'impact'],
  ['so is everything from it back up', 'healthy', ['nothing', 'incident'], 'over'],
  ['avg time to fix', 'fixed', ['nothing'], 'query'],
  ['what does § cost per year', 'status', ['things'], 'customers'],
  ['list events outside §', 'events', ['things'], null],
  ['why did @ reboot the §', 'notes', ['things'], 'who'],
  ['did @ already delete §', null, ['things'], 'who'],
  ["who gets paged if @ doesn't answer", 'assigned', ['nothing'], 'who'],
  ['and everything recovered since then', null, ['nothing', 'incident'], 'over'],
  ['and everything recovered since then', null, ['nothing'], null],
  ['all § back since then', 'find', ['things', 'typed', 'relatives', 'incident'], 'over'],
  ['which changes are planned for tonight', 'changes', ['nothing'], 'silenced'],
  ['any work scheduled for this evening', 'events', ['nothing', 'time'], 'silenced'],
  ['any changes tomorrow', 'changes', ['nothing', 'ahead'], 'silenced'],
  ['what is happening tomorrow', 'summary', ['nothing', 'ahead'], 'silenced'],
  ['will it rain tomorrow', null, ['nothing', 'ahead', 'topic'], null],
  ['was everything ok ¤', 'healthy', ['nothing', 'gone'], 'summary'],
  ['was the upgrade planned', 'changes', ['nothing'], 'changes'],
  ['two sentences for management about the § outage', null, ['things'], 'why'],
  ['why did it take so many § with it', 'toll', ['things', 'typed'], 'why'],
  ['was § hit harder than §', 'together', ['things', 'places', 'several'], 'compare'],
  ['does it have anything to do with the §', 'blame', ['titled'], 'together'],
  ['it was rebuilding, is that over', 'status', ['nothing', 'back'], 'over'],
  ['what was it really', 'status', ['nothing', 'incident', 'back'], 'why'],
  ['is it getting hotter in the §', 'status', ['topic'], 'occurred'],
  ['is it getting hotter than ¤', 'compare', ['topic'], 'compare'],
  ['and one for my boss', 'duration', ['nothing', 'incident'], 'why'],
  ['two lines for management about the dns outage', 'events', ['topic'], 'why'],
  ['single points of failure of § outside §', 'spof', ['things', 'several'], 'spof'],
])('%s as %s with %j: %s', (shape, intent, named, settled) => {
  expect(settledIntent(intent, shape, new Set(named))).toBe(settled);
});

test('expressions of both tables walk a long text once', () => {
  const patterns = [INTENTS, CHOICES]
    .flat()
    .flatMap((row) => [row.said ?? [], 'unsaid' in row ? (row.unsaid ?? []) : []].flat());
  expect(patterns.length).toBeGreaterThan(100);
  expect(patterns.flatMap((one) => slowOnes(one.source.slice(0, 80), (text) => one.test(text)))).toEqual([]);
});
