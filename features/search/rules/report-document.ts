import type { SearchDocument } from '#domain/search/document.ts';
import type { Report } from '#features/reports/rules/report.ts';
import { TEMPLATES } from '#features/reports/rules/templates/catalogue.ts';

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
