import type { CliFeature } from '#cli/commands/feature.ts';
import { addTry } from './try.ts';

export const trials: CliFeature = { id: 'trials', settingsCommands: [{ place: 15, add: addTry }] };
