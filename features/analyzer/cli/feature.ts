import type { CliFeature } from '#cli/commands/feature.ts';
import { addService } from './service.ts';

export const analyzer: CliFeature = { id: 'analyzer', commands: [{ place: 147, add: addService }] };
