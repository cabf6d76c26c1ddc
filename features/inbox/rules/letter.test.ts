import { expect, test } from '@jest/globals';
import type { InboxItem } from './inbox.ts';
import { letterOf } from './letter.ts';

const item: InboxItem = {
  id: 'assigned/COR-1/1',
  kind: 'assigned',
  at: 1,
  by: { id: 'u', username: 'ann', name: 'Ann' },
  subject: { kind: 'group', id: 'COR-1' },
  title: 'Switch link down',
  severity: 'critical',
  services: [],
  isOver: false,
};

test('a mail names the worst first, why it came, and where to look', () => {
  const silence = {
    ...item,
    kind: 'silence',
    by: null,
    subject: { kind: 'silence', id: 'SIL-1' },
    severity: null,
  } as const;
  const { subject, text } = letterOf([item, { ...silence, title: 'New disks' }], 'https://faultline.example.com');
  expect(subject).toBe('[Faultline] CRITICAL: Switch link down (and 1 more)');
  expect(text.split('\n\n').slice(0, 2)).toEqual([
    'CRITICAL: Switch link down\nAssigned to you or your team by Ann\nhttps://faultline.example.com/ui/groups/COR-1',
    'New disks\nYour silence ends soon\nhttps://faultline.example.com/ui/silences',
  ]);
});

test('without a public URL it has no links', () => expect(letterOf([item], '').text).not.toContain('ui/'));
