import { expect, test } from '@jest/globals';
import { foundPlaces } from './places.ts';

const PLACES = [
  { words: 'Sources', also: 'events integrations' },
  { words: 'Events', also: 'alerts alarms' },
  { words: 'On call', also: 'oncall escalation schedule' },
  { words: 'Tokens', also: 'api keys' },
  { words: 'Runbooks' },
  { words: 'AI', also: 'settings' },
];

test.each([
  ['alerts', ['Events']],
  ['on call', ['On call']],
  ['On-Call', ['On call']],
  ['oncall', ['On call']],
  ['api key', ['Tokens']],
  ['key api', ['Tokens']],
  ['runbook', ['Runbooks']],
  ['setting', ['AI']],
  ['schedules', ['On call']],
  ['event', ['Events', 'Sources']],
  ['xyz', []],
])('%s finds %j, names before synonyms', (typed, words) =>
  expect(foundPlaces(PLACES, typed).map((place) => place.words)).toEqual(words),
);
