import { expect, test } from '@jest/globals';
import { assigneeName, eventWords } from './event-words.ts';

const CI = { id: '1', name: 'db-1', type: 'database' };

test.each([
  [{ title: 'Disk is full', ci: CI, hostname: 'db-1.example' }, '“Disk is full” on db-1'],
  [{ title: 'Disk is full', ci: null, hostname: 'db-1.example' }, '“Disk is full” on db-1.example'],
  [{ title: 'Disk of db-1 is full', ci: CI }, '“Disk of db-1 is full”'],
  [{ title: 'Disk is full', ci: null }, '“Disk is full”'],
])('%j', (event, words) => {
  expect(eventWords(event)).toBe(words);
});

test.each([
  [{}, null],
  [{ assignedTo: { name: 'Ada' }, acknowledgedBy: { name: 'Bob' } }, 'Ada'],
  [{ assignedTeam: { name: 'Night' } }, 'Night'],
  [{ assignedTo: { name: 'Ada' }, assignedTeam: { name: 'Night' } }, 'Ada, Night'],
])('the assignee of %j is %s', (event, name) => expect(assigneeName(event)).toBe(name));
