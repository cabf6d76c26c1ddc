import { feature } from '#features/feature.ts';
import { trialEndpoints } from './http/trial-endpoints.ts';
import { trialTasks } from './use-cases/trial-tasks.ts';

export const trials = feature({ id: 'trials', uses: [], endpoints: trialEndpoints, tasks: [trialTasks] });
