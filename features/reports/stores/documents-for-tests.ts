import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DOCUMENT_FORMATS, type DocumentFormat } from '#features/reports/rules/document/document.ts';
import { HOSTILE, reportWith } from '#features/reports/rules/document/samples-for-tests.ts';
import type { Documents } from '#features/reports/rules/documents.ts';
import { pdfPages } from '#features/reports/stores/pdf-text-for-tests.ts';
import type { Opened } from '#test/contract/opened.ts';

const BEGINS: Readonly<Record<DocumentFormat, string>> = {
  pdf: '%PDF-1.',
  csv: '\uFEFFid,name,type,events,share,open_for,last_seen\r\n',
  json: '{"report":{"template":"event-summary"',
  html: '<!doctype html>\n<html lang="en">',
  md: '# Event summary\n\n- **',
};
const never = new AbortController().signal;
const without = (text: string): string => text.replaceAll(/\s/g, '');
/** Ignores line breaks. */
const says = (text: string, said: string): boolean => without(text).includes(without(said));

export function documentsContract(name: string, open: () => Promise<Opened<Documents>>) {
  describe(`${name} keeps the Documents contract`, () => {
    let documents: Documents;
    let close: () => Promise<void>;
    beforeAll(async () => {
      ({ store: documents, close } = await open());
    });
    afterAll(() => close());

    const read = async (rows: number, format: DocumentFormat, more = {}): Promise<string> => {
      const file = await documents.render(reportWith(rows, more), format, never);
      return format === 'pdf' ? pdfPages(file).join('\n') : Buffer.from(file).toString('utf8');
    };

    test.each(DOCUMENT_FORMATS)('%s is a whole file', async (format) => {
      const text = Buffer.from(await documents.render(reportWith(12), format, never)).toString('utf8');
      expect(text.slice(0, BEGINS[format].length)).toBe(BEGINS[format]);
      if (format === 'pdf') expect(text.trimEnd().endsWith('%%EOF')).toBe(true);
    });

    test.each(['pdf', 'html'] as const)('%s says what people must know', async (format) => {
      const text = await read(12, format);
      for (const said of [
        'Event summary',
        'Northwind Traders (northwind)',
        'severity critical, major · by source',
        '6 Nov 2026, 13:00 to 20 Nov 2026, 13:00 (Europe/Berlin)',
        '20 Nov 2026, 13:00 (Europe/Berlin) by Ann Example',
        '12,345',
        '87.3%',
        '1h 31m',
        'mean time to resolve',
        '12,345 events began, 18% more',
        'No events were suppressed.',
        'Sources that fell silent',
        'None did.',
        'All events',
        'host-11.example.com',
        '20 Nov 2026, 12:00',
      ])
        expect([said, says(text, said)]).toEqual([said, true]);
    });

    test.each(DOCUMENT_FORMATS)('%s says that there is nothing', async (format) => {
      const text = await read(0, format);
      if (format === 'csv') expect(text).toBe(BEGINS.csv);
      else if (format === 'json') expect(JSON.parse(text).details).toMatchObject({ total: 0, rows: [] });
      else expect(says(text, 'No events.')).toBe(true);
    });

    test.each([
      ['pdf', 1_991],
      ['html', 4_991],
    ] as const)(
      '%s has some thousand rows and leads to the CSV file',
      async (format, shown) => {
        const text = await read(shown + 9, format);
        const [full, half] = [`host-${shown - 1}.example.com`, `host-${shown}.example.com`];
        expect([text.includes(full), text.includes(half)]).toEqual([true, false]);
        const said = `The first ${shown.toLocaleString('en')} of ${(shown + 9).toLocaleString('en')} rows are shown. The CSV file`;
        expect(says(text, said)).toBe(true);
      },
      60_000,
    );

    test('csv has every row, and no cell that a spreadsheet computes', async () => {
      const lines = (await read(7_000, 'csv')).split('\r\n');
      expect(lines.filter((line) => /^id-\d+,/.test(line))).toHaveLength(7_000);
      expect(lines[1]).toBe(`id-0,"'=HYPERLINK(""https://evil.example"",""click"")",server,0,0,0,`);
      expect(lines.find((line) => line.startsWith('id-11,'))).toMatch(
        /^id-11,host-11.example.com,network switch,1507,0.011,4620,2026-11-20T01:00:00.000Z$/,
      );
    });

    test('json has all of it, as data', async () => {
      const { report, figures, sections, details } = JSON.parse(await read(2_500, 'json'));
      expect(report).toEqual({
        template: 'event-summary',
        title: 'Event summary',
        tenant: 'Northwind Traders (northwind)',
        scope: ['severity critical, major', 'by source'],
        time_zone: 'Europe/Berlin',
        made_by: 'Ann Example',
        range: { from: '2026-11-06T12:00:00.000Z', to: '2026-11-20T12:00:00.000Z' },
        made_at: '2026-11-20T12:00:00.000Z',
      });
      expect(figures[2]).toEqual({ label: 'mean time to resolve', kind: 'duration', value: 5_460 });
      expect(sections[0].charts[0].points[1]).toEqual({ label: '7 Nov', values: [1, 2, 29, 12, 1] });
      expect(details.rows).toHaveLength(2_500);
      expect(details.rows[0]).toMatchObject({ name: HOSTILE[0], open_for: 0, last_seen: null });
      expect(details.columns[5]).toEqual({ key: 'open_for', label: 'Open for', kind: 'duration', unit: 'seconds' });
    });

    test('html has no markup and no link of others, loads nothing and runs nothing', async () => {
      const text = await read(12, 'html');
      expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quotes&quot;');
      expect(text).not.toMatch(/<script|<a |<img|<link|<iframe|<object|href=|src=|style="|\son\w+=|url\(|@import/i);
      expect(text).toMatch(
        /Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'/,
      );
      expect(text).not.toContain('\u202E');
    });

    test('html breaks no word of a table', async () => {
      const text = await read(12, 'html');
      expect(text).toMatch(/td, th \{ overflow-wrap: normal; word-break: normal;/);
      expect(text).not.toMatch(/t[dh][^{}]*\{[^}]*overflow-wrap: (?:anywhere|break-word)/);
      expect(text.match(/<div class="table"><table>/g)).toHaveLength(text.match(/<table>/g)?.length ?? 0);
    });

    test('md has no markup, no cell and no link of others', async () => {
      const text = await read(12, 'md');
      expect(text).toContain('\\<script\\>alert(1)\\</script\\> \\& "quotes"');
      expect(text).toContain('https\\://evil.example/pixel.png');
      expect(text).not.toMatch(/[^\\]<|\]\(|https?:\/\//);
      const rows = text.split('\n').filter((line) => line.startsWith('| '));
      expect(rows.length).toBeGreaterThan(12);
      for (const row of rows) expect(row).toMatch(/^\| .* \|$/);
      expect(text).not.toContain('\u202E');
    });

    test('pdf has names of other scripts, and neither links nor files in it', async () => {
      const file = await documents.render(reportWith(12), 'pdf', never);
      const text = pdfPages(file).join('\n');
      expect(text).toContain('файл-сервер-01 Ελληνικά größer');
      expect(text).toContain('line one line twognp.exe');
      expect(Buffer.from(file).toString('latin1')).not.toMatch(
        /\/(URI|JavaScript|JS|Launch|EmbeddedFile|OpenAction|AA)\b/,
      );
    });

    test('pdf repeats the head of a table on every page', async () => {
      const pages = pdfPages(await documents.render(reportWith(150), 'pdf', never));
      const withRows = pages.filter((page) => /host-\d{2,}/.test(page));
      expect(withRows.length).toBeGreaterThan(2);
      for (const page of withRows)
        expect(page).toMatch(/All events\nName\nType\nEvents\nShare of all\nOpen for\nLast seen\n/);
      for (const [n, page] of pages.entries()) expect(page).toContain(`${n + 1} of ${pages.length}`);
    });

    test('several at once all get theirs', async () => {
      const files = await Promise.all([3, 4, 5].map((rows) => read(rows, 'pdf', { title: `Report ${rows}` })));
      for (const [n, text] of files.entries()) expect(text).toContain(`Report ${n + 3}`);
    });

    test.each(DOCUMENT_FORMATS)('%s that is given up is not written, and holds up no other', async (format) => {
      const given = new AbortController();
      const [lost, waits] = [documents.render(reportWith(2_000), format, given.signal), read(2, format)];
      given.abort();
      await expect(lost).rejects.toMatchObject({ name: 'Fault', kind: 'unavailable' });
      expect(await waits).not.toBe('');
      const before = AbortSignal.abort();
      await expect(documents.render(reportWith(2), format, before)).rejects.toMatchObject({ kind: 'unavailable' });
    });

    test('a file above 16 MiB is refused', async () => {
      const rows = Array.from({ length: 20_000 }, () => ['x'.repeat(900)]);
      const details = {
        title: 'All',
        columns: [{ key: 'a', label: 'A', kind: 'text' as const }],
        rows,
        total: 20_000,
        empty: '',
      };
      await expect(documents.render(reportWith(0, { details }), 'csv', never)).rejects.toMatchObject({
        kind: 'unprocessable',
      });
    });
  });
}
