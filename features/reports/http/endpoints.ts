import type { AnyEndpoint } from '#api/surfaces/endpoint.ts';
import { askEndpoint } from './ask.ts';
import { downloadFile } from './download.ts';
import { generateReport } from './generate.ts';
import { managingEndpoints } from './manage.ts';
import { listTemplates } from './templates.ts';

export const reportEndpoints: readonly AnyEndpoint[] = [
  listTemplates,
  generateReport,
  ...managingEndpoints,
  downloadFile,
  askEndpoint,
];
