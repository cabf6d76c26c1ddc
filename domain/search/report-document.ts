import type { Report } from '#domain/reports/report.ts';
import { TEMPLATES } from '#domain/reports/templates/catalogue.ts';
import type { SearchDocument } from './document.ts';

const textsIn = (parameters: Report['parameters']): string[] =>
  Object.entries(parameters).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );

/** A report as it is found: by its template, what was asked for, and by whom. */
export const reportDocument = ({
  id,
  template,
  parameters,
  format,
  category,
  by,
  requestedAt,
}: Report): SearchDocument => {
  const { name, description } = TEMPLATES[template];
  return {
    kind: 'report',
    id,
    title: `${name}, ${format}`,
    text: [description, category, ...textsIn(parameters), `asked for by ${by.name}`].join('\n'),
    at: requestedAt,
  };
};
