import { bothList } from '#api/surfaces/both.ts';
import { endpoint } from '#api/surfaces/endpoint.ts';
import { DOCUMENT_FORMATS } from '#features/reports/rules/document/document.ts';
import { TEMPLATE_IDS, TEMPLATES, type TemplateId } from '#features/reports/rules/templates/catalogue.ts';
import { parametersOf } from '#features/reports/rules/templates/parameters.ts';
import { TemplateView } from '#features/reports/schemas/reports.ts';
import { reporting } from './common.ts';

const templateBody = (id: TemplateId) => {
  const { name, description, category, needs } = TEMPLATES[id];
  return {
    template_id: id,
    name,
    description,
    category,
    formats: [...DOCUMENT_FORMATS],
    permissions: [...needs],
    parameters: parametersOf(id).map((one) => ({ ...one, values: one.values && [...one.values] })),
  };
};

const listed = {
  method: 'get',
  path: '/reports/templates',
  read: () => undefined,
  present: (ids: readonly TemplateId[]) => ({
    body: ids.map(templateBody),
    page: { page: 1, limit: ids.length, total: ids.length },
  }),
} as const;

export const listTemplates = endpoint<void, readonly TemplateId[]>({
  ...reporting,
  id: 'reports.templates',
  summary: 'List the kinds of reports with what they may be given',
  permission: 'reports.read',
  mounts: bothList(listed, TemplateView),
  handle: async () => TEMPLATE_IDS,
});
