import { expect, test } from '@jest/globals';
import { keptAddress, shownAddress, wholeAddress } from './shown-address.ts';

const SLACK = 'https://hooks.slack.com/services/T000/B000/abcdefGHIJ';

test.each([
  [SLACK, 'slack', 'https://hooks.slack.com/…GHIJ'],
  [
    'https://prod-1.westeurope.logic.azure.com:443/workflows/1?sig=s3cr3t',
    'teams',
    'https://prod-1.westeurope.logic.azure.com/…cr3t',
  ],
  ['http://chat.example:8065/hooks/x9', 'slack', 'http://chat.example:8065/…'],
  ['https://chat.example', 'slack', 'https://chat.example/…'],
  ['https://hooks.example.com/faultline', 'standard', 'https://hooks.example.com/faultline'],
  ['https://events.pagerduty.com/v2/enqueue', 'pagerduty', 'https://events.pagerduty.com/v2/enqueue'],
] as const)('%s of %s is shown as %s', (url, format, shown) => expect(shownAddress({ url, format })).toBe(shown));

const before = { url: SLACK, format: 'slack' } as const;
const shown = shownAddress(before);

test.each([
  ['as it was shown', { url: shown, format: 'slack' }, SLACK],
  ['as it was shown, for another chat', { url: shown, format: 'teams' }, SLACK],
  ['whole', { url: SLACK, format: 'standard' }, SLACK],
  ['another one', { url: 'https://other.example/x', format: 'slack' }, 'https://other.example/x'],
] as const)('an address that comes back %s', (_, sent, kept) => expect(keptAddress(before, sent)).toBe(kept));

test.each([
  ['for a format that would show it', () => keptAddress(before, { url: shown, format: 'standard' })],
  [
    'when another one is there by now',
    () => keptAddress(before, { url: 'https://hooks.slack.com/…zzzz', format: 'slack' }),
  ],
  ['of nothing', () => wholeAddress(shown)],
])('part of an address is refused %s', (_, refused) => expect(refused).toThrow(/full URL/));
