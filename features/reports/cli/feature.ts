import type { CliFeature } from '#cli/commands/feature.ts';
import { addReport } from './report.ts';

export const reports: CliFeature = { id: 'reports', commands: [{ place: 145, add: addReport }] };
