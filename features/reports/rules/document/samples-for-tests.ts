import type { ReportColumn, ReportDocument } from './document.ts';

const HOUR = 3_600_000;
const NOON = Date.parse('2026-11-20T12:00:00Z');
/** Parts of hostile names. */
export const HOSTILE = [
  '=HYPERLINK("https://evil.example","click")',
  '<script>alert(1)</script> & "quotes"',
  'https://evil.example/pixel.png',
  'файл-сервер-01 Ελληνικά größer',
  '数据库服务器 東京 서울 العربية',
  'a-very-long-host-name-without-any-blank-0123456789.internal.datacenter-north.example.com'.repeat(2),
  'line one\nline two\u202Egnp.exe\u0000',
] as const;

const COLUMNS: readonly ReportColumn[] = [
  { key: 'id', label: 'Id', kind: 'text', isForPrograms: true },
  { key: 'name', label: 'Name', kind: 'text', width: 3 },
  { key: 'type', label: 'Type', kind: 'text' },
  { key: 'events', label: 'Events', kind: 'count' },
  { key: 'share', label: 'Share of all', kind: 'share' },
  { key: 'open_for', label: 'Open for', kind: 'duration' },
  { key: 'last_seen', label: 'Last seen', kind: 'time', width: 1.6 },
];

const rowOf = (n: number): (string | number | null)[] => [
  `id-${n}`,
  HOSTILE[n] ?? `host-${n}.example.com`,
  ['server', 'database', 'network switch'][n % 3]!,
  n * 137,
  n / 1_000,
  n * 7 * 60_000,
  n % 5 === 0 ? null : NOON - n * HOUR,
];

const days = (from: number, many: number): string[] => Array.from({ length: many }, (_, n) => `${from + n} Nov`);

/** A report with every kind of content. */
export const reportWith = (rows: number, more: Partial<ReportDocument> = {}): ReportDocument => ({
  template: 'event-summary',
  title: 'Event summary',
  cover: {
    tenant: 'Northwind Traders (northwind)',
    scope: ['severity critical, major', 'by source'],
    range: { from: NOON - 14 * 24 * HOUR, to: NOON },
    madeAt: NOON,
    by: 'Ann Example',
    zone: 'Europe/Berlin',
  },
  figures: [
    { label: 'events', value: 12_345, kind: 'count' },
    { label: 'repetition folded', value: 0.873, kind: 'share' },
    { label: 'mean time to resolve', value: 5_460_000, kind: 'duration' },
    { label: 'open now', value: 0, kind: 'count' },
  ],
  summary: [
    '12,345 events began, 18 % more than in the 14 days before.',
    'Most came from zabbix (7,012, 56.8 %).',
    `The most frequent complaint is “${HOSTILE[5]}”.`,
  ],
  sections: [
    {
      heading: 'Over time',
      text: ['Events by the day on which they began.'],
      charts: [
        {
          kind: 'columns',
          title: 'Events per day by severity',
          measure: 'events',
          axis: 'day',
          valueKind: 'count',
          empty: 'No events.',
          series: ['critical', 'major', 'minor', 'warning', 'info'],
          points: days(6, 14).map((label, n) => ({ label, values: [n, 2 * n, 30 - n, 12, n % 4] })),
        },
        {
          kind: 'columns',
          title: 'Nothing to draw',
          measure: 'events',
          axis: 'day',
          valueKind: 'count',
          empty: 'No events were suppressed.',
          series: ['events'],
          points: days(6, 3).map((label) => ({ label, values: [0] })),
        },
      ],
      tables: [],
    },
    {
      heading: 'By source',
      text: [],
      charts: [
        {
          kind: 'bars',
          title: 'Time to resolve by source',
          measure: 'mean time to resolve',
          valueKind: 'duration',
          empty: 'Nothing was resolved.',
          items: HOSTILE.map((label, n) => ({ label, value: (7 - n) * 31 * 60_000 })),
        },
      ],
      tables: [
        {
          title: 'Sources',
          columns: COLUMNS.slice(1, 5),
          rows: Array.from({ length: 9 }, (_, n) => rowOf(n).slice(1, 5)),
          total: 9,
          empty: 'No source sent anything.',
        },
        { title: 'Sources that fell silent', columns: COLUMNS.slice(1, 3), rows: [], total: 0, empty: 'None did.' },
      ],
    },
  ],
  details: {
    title: 'All events',
    columns: COLUMNS,
    rows: Array.from({ length: rows }, (_, n) => rowOf(n)),
    total: rows,
    empty: 'No events.',
  },
  ...more,
});
