import { expect, test } from '@jest/globals';
import type { EventDraft } from '#domain/event/draft.ts';
import { entered, enteredDraft } from './entered.ts';

const said: EventDraft = {
  source: 's',
  sourceId: '1',
  severity: 'major',
  title: 'unknown',
  hostname: 'web-1',
  ipAddress: '10.0.0.1',
  service: 'shop',
  application: 'cart',
  environment: 'prod',
  category: 'disk',
  ciId: 'ci-1',
  ciHints: ['i-1'],
};

test('names that are placeholders are absent, and nothing else is', () => {
  expect(enteredDraft(said)).toBe(said);
  expect(
    enteredDraft({
      ...said,
      hostname: '[no value]',
      ipAddress: '-',
      service: '{{ $labels.service }}',
      application: 'null',
      environment: 'n/a',
      category: 'unknown',
      ciId: '\x24{CI}',
      ciHints: ['(null)', 'i-1'],
    }),
  ).toEqual({ source: 's', sourceId: '1', severity: 'major', title: 'unknown', ciHints: ['i-1'] });
});

const NFC = '\u00dcberlauf';
const NFD = 'U\u0308berlauf';

test('two forms of Unicode are one text, in titles, names, tags and conditions', () => {
  const texts = (form: string): EventDraft => ({
    ...said,
    title: form,
    description: form,
    sourceId: form,
    hostname: form,
    service: form,
    tags: [form],
    ciHints: [form],
  });
  const open = (form: string) => entered({ action: 'open', draft: texts(form), conditionId: form });
  expect(open(NFD)).toEqual(open(NFC));
  expect(open(NFC)).toMatchObject({ conditionId: NFC, draft: texts(NFC) });
  const resolve = (form: string) => entered({ action: 'resolve', source: form, sourceId: form, conditionId: form });
  expect(resolve(NFD)).toEqual(resolve(NFC));
});
