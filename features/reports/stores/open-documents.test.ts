import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { reportWith } from '#features/reports/rules/document/samples-for-tests.ts';
import { documentsContract } from '#features/reports/stores/documents-for-tests.ts';
import { isUpdate } from '#test/setup/is-update.ts';
import { openDocuments } from './open-documents.ts';

const never = new AbortController().signal;
const open = async () => {
  const { documents, close } = openDocuments([]);
  return { store: documents, close };
};
documentsContract('The writer of documents', open);

const goldenOf = (format: string): URL => new URL(`./report.golden.${format}`, import.meta.url);
const written = async (format: 'html' | 'csv' | 'json'): Promise<string> => {
  const { store, close } = await open();
  const file = Buffer.from(await store.render(reportWith(12), format, never)).toString('utf8');
  await close();
  return file;
};

test.each(['html', 'csv'] as const)('%s says what its golden file says', async (format) => {
  const file = await written(format);
  if (isUpdate()) writeFileSync(goldenOf(format), file);
  expect(file).toBe(readFileSync(goldenOf(format), 'utf8'));
});

test('json says what its golden file says', async () => {
  const body = JSON.parse(await written('json'));
  if (isUpdate()) writeFileSync(goldenOf('yaml'), stringify(body, { lineWidth: 0 }));
  expect(body).toEqual(parse(readFileSync(goldenOf('yaml'), 'utf8')));
});

test('a font that cannot be read is told at the start', () => {
  expect(() => openDocuments(['/nowhere/font.ttf'])).toThrow("FAULTLINE_REPORT_FONTS: /nowhere/font.ttf can't be read");
});
