import type { CliFeature } from '#cli/commands/feature.ts';
import { addDemo } from './demo.ts';
import { truth } from './quality.ts';

export const demo: CliFeature = { id: 'demo', commands: [{ place: 5, add: addDemo }], measures: [truth] };
